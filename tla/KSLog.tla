--------------------------------- MODULE KSLog ---------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 4.3: the     *)
(* procedures SND and RCV as functions of one log.                         *)
(*                                                                         *)
(* A log is a set of entries (s, t, D): D must still get message t of s.   *)
(* LOG is a log, and so is O_M, what a copy carries.  KS and its variants  *)
(* differ in how O_M travels and in when it is read.                       *)
(***************************************************************************)
EXTENDS CausalWorkload

CONSTANTS
    KS_2,  \* guard of the first test of RCV(4)
           \* a: l_{s,t'} not in LOG, as printed  b: (m,t) has no entry in LOG
    KS_6,  \* SND(2) a: tests membership once  b: tests it again on what is left
           \* c: reduces one copy of LOG for all destinations in turn
           \* d: takes LOG without Dests, and puts d back (Section 4.5)
    KS_7,  \* the own copy of a message b: the whole of RCV  c: RCV(1), RCV(2) alone
           \* d: as c, and the sender leaves the entry of the message
    KS_10, \* PURGE and SND(2) drop a: empty entries but the newest of each sender
           \* b: all empty entries  c: none  d: as a, without initial entries
    KS_14, \* RCV(2): SR[k] becomes a: tk  b: the maximum of SR[k] and tk
    KS_16, \* RCV(4) deletes a: marked entries at the end  b: in place
    KS_32, \* the message's own entry is a: not part of O_M when sent  b: part of it
    KS_34  \* RCV(3) removes j a: from O_M, before the merge  b: from LOG, after it

ASSUME /\ KS_2 \in {"a", "b"}
       /\ KS_6 \in {"a", "b", "c", "d"}
       /\ KS_7 \in {"b", "c", "d"}
       /\ KS_10 \in {"a", "b", "c", "d"}
       /\ KS_14 \in {"a", "b"}
       /\ KS_16 \in {"a", "b"}
       /\ KS_32 \in {"a", "b"}
       /\ KS_34 \in {"a", "b"}

(* KS-6c takes the destinations in ascending order. *)
ASSUME KS_6 = "c" => Procs = 1..Cardinality(Procs)

Entry(s, t, D) == [s |-> s, t |-> t, D |-> D]

IsLog(L) == L \subseteq [s : Procs, t : Nat, D : SUBSET Procs]

InitialLog == IF KS_10 = "d" THEN {} ELSE {Entry(s, 0, {}) : s \in Procs}

OwnEntry(M) == Entry(M.sender, M.number, M.dests)

SameMessage(o, l) == o.s = l.s /\ o.t = l.t

Struck(L, Dests) == {[l EXCEPT !.D = @ \ Dests] : l \in L}

(* PURGE_NULL_ENTRIES *)
Purge(L) ==
    LET HasLater(l) == \E x \in L : x.s = l.s /\ l.t < x.t
    IN  CASE KS_10 \in {"a", "d"} -> {l \in L : ~(l.D = {} /\ HasLater(l))}
          [] KS_10 = "b" -> {l \in L : l.D # {}}
          [] KS_10 = "c" -> L

-------------------------------------------------------------------------------
(* SND *)

(* SND(2), the two ifs: what is left of D on the copy to d. *)
Kept(D, Dests, d) ==
    LET first == IF d \in D THEN D ELSE D \ Dests
    IN  CASE KS_6 \in {"a", "c"} -> IF d \in D THEN (D \ Dests) \cup {d} ELSE D \ Dests
          [] KS_6 = "b" -> IF d \in first THEN (first \ Dests) \cup {d} ELSE first
          [] KS_6 = "d" -> (D \ Dests) \cup (D \cap {d})

ReducedFor(L, Dests, d) == {[o EXCEPT !.D = Kept(@, Dests, d)] : o \in L}

(* SND(2): the O that goes to d. *)
RECURSIVE Carried(_, _, _)
Carried(L, Dests, d) ==
    LET earlier == {e \in Dests : e < d}
        last    == CHOOSE e \in earlier : \A x \in earlier : x <= e
        from    == IF KS_6 = "c" /\ earlier # {} THEN Carried(L, Dests, last) ELSE L
    IN  Purge(ReducedFor(from, Dests, d))

(* SND(2) for the copy of M to d. *)
OnCopy(L, M, d) ==
    Carried(L, M.dests, d) \cup IF KS_32 = "b" THEN {OwnEntry(M)} ELSE {}

(* SND(3), SND(4), SND(5) *)
LogAfterSend(L, M) == Purge(Struck(L, M.dests) \cup {OwnEntry(M)})

-------------------------------------------------------------------------------
(* RCV(1), RCV(2) *)

(* RCV(1): t <= SR[m] for all (m,t,D) in O with j in D. *)
DeliveryCondition(O, sr, j) == \A o \in O : j \in o.D => o.t <= sr[o.s]

(* RCV(2) *)
WithDelivered(sr, M) ==
    [sr EXCEPT ![M.sender] = IF KS_14 = "b" /\ @ > M.number THEN @ ELSE M.number]

-------------------------------------------------------------------------------
(* RCV(4), loop 1 *)

(* First test: o is to be deleted because of l. *)
FirstTest(o, l, O, L) ==
    /\ o.s = l.s /\ o.t < l.t
    /\ IF KS_2 = "a" THEN l \notin L ELSE ~\E x \in L : SameMessage(o, x)

(* Second test: l is to be deleted because of o. *)
SecondTest(o, l, O, L) ==
    /\ o.s = l.s /\ l.t < o.t
    /\ ~\E x \in O : SameMessage(x, l)

Marked(O, L) ==
    [O |-> {o \in O : \A l \in L : ~FirstTest(o, l, O, L)},
     L |-> {l \in L : \A o \in O : ~SecondTest(o, l, O, L)}]

(* Deletion in place: the results of all orders of the pairs.  A pair counts *)
(* while both its entries are there.  No deletion makes another test true,   *)
(* for an entry that is in both O and L is never deleted.                    *)
RECURSIVE DeletedInPlace(_, _)
DeletedInPlace(O, L) ==
    LET first  == {o \in O : \E l \in L : FirstTest(o, l, O, L)}
        second == {l \in L : \E o \in O : SecondTest(o, l, O, L)}
    IN  IF first = {} /\ second = {}
        THEN {[O |-> O, L |-> L]}
        ELSE UNION {DeletedInPlace(O \ {o}, L) : o \in first}
                 \cup UNION {DeletedInPlace(O, L \ {l}) : l \in second}

(* What loop 1 may leave of O and L, [O, L]. *)
LoopOne(O, L) == IF KS_16 = "a" THEN {Marked(O, L)} ELSE DeletedInPlace(O, L)

(* RCV(4), loop 2 *)
Intersected(O, L) ==
    {[l EXCEPT !.D = {d \in @ : \A o \in O : SameMessage(o, l) => d \in o.D}] : l \in L}

Unmatched(O, L) == {o \in O : ~\E l \in L : SameMessage(o, l)}

(* RCV(4), loop 2, and the union *)
Merged(O, L) == Intersected(O, L) \cup Unmatched(O, L)

-------------------------------------------------------------------------------
(* RCV(3)-RCV(5) *)

(* The own copy, without RCV(3)-(5). *)
AfterOwnCopy(L, M) ==
    LET Left(l) == IF SameMessage(l, OwnEntry(M)) THEN l.D \ {M.sender} ELSE l.D
    IN  IF KS_7 = "d" THEN Purge({[l EXCEPT !.D = Left(l)] : l \in L}) ELSE L

(* RCV(3): M's own entry is inserted, and j is removed. *)
WithOwn(O, M, j) ==
    IF KS_34 = "a" THEN Struck(O \cup {OwnEntry(M)}, {j}) ELSE O \cup {OwnEntry(M)}

(* RCV(5) *)
Finished(L, j) == Purge(IF KS_34 = "b" THEN Struck(L, {j}) ELSE L)

(* The logs that LOG = L of process j may become when j delivers M, which came with O. *)
LogsAfterReceive(L, O, M, j) ==
    IF KS_7 # "b" /\ M.sender = j
    THEN {AfterOwnCopy(L, M)}
    ELSE {Finished(Merged(r.O, r.L), j) : r \in LoopOne(WithOwn(O, M, j), L)}

-------------------------------------------------------------------------------
(* What a log says, and what the lemmas say of it. *)

Facts(L) == UNION {{<<l.s, l.t>>} \X l.D : l \in L}

EntriesOf(s, L) == {l \in L : l.s = s}

Largest(numbers) == CHOOSE x \in numbers : \A y \in numbers : y <= x

TS(s, L) == Largest({0} \cup {l.t : l \in EntriesOf(s, L)})

NewestKnown(s, h) ==
    LET ofSender == {e \in h.sent : e.msg.sender = s}
    IN  Largest({0} \cup {e.msg.number : e \in ofSender})

(* Lemma 1 *)
OneEntryForEachDestination(L) ==
    \A k \in L, l \in L : k.s = l.s /\ k # l => k.D \cap l.D = {}

(* Lemma 3, h being the past *)
NewestEntriesAreOfNewestMessages(L, h) ==
    \A s \in Procs : TS(s, L) = NewestKnown(s, h)

(* Lemma 7 *)
EmptyEntriesAreNewest(L) == \A l \in L : l.D = {} => l.t = TS(l.s, L)

(* Section 4.2, R being what is required: older than TS and no entry is an empty entry. *)
MissingEntriesAreEmptyOnes(L, R) ==
    \A f \in R : f[1][2] < TS(f[1][1], L) => \E l \in L : <<l.s, l.t>> = f[1]

(* Section 4.2, as printed *)
OlderEntriesAreThere(L) ==
    \A l \in L : \A t \in 1..(l.t - 1) : \E x \in L : x.s = l.s /\ x.t = t

(* Section 6.2 *)
nd(s, L) == Cardinality(UNION {l.D : l \in EntriesOf(s, L)})

EntriesAreBounded(L) ==
    \A s \in Procs :
        /\ nd(s, L) <= Cardinality(Procs)
        /\ Cardinality(EntriesOf(s, L)) <= Cardinality(Procs)

EmptyEntriesLeaveRoom(L) == \A l \in L : l.D = {} => nd(l.s, L) < Cardinality(Procs)

(* The pairs of a sender and a destination that facts speak of. *)
Pairs(F) == {<<f[1][1], f[2]>> : f \in F}

(* The sum of nd_i is the least possible: the pairs of which something is required. *)
OverheadIsLeast(L, R) == Cardinality(Pairs(Facts(L))) = Cardinality(Pairs(R))
===============================================================================
