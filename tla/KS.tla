---------------------------------- MODULE KS ----------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 4.3.         *)
(*                                                                         *)
(* Assumes reliable asynchronous channels and FIFO between each pair       *)
(* (Section 2.1; the constant Channel switches it).                        *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality. *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    KS_2,  \* guard of the first test of RCV(4)
           \* a: l_{s,t'} not in LOG, as printed  b: (m,t) has no entry in LOG
    KS_10, \* PURGE and SND(2) drop a: empty entries but the newest of each sender
           \* b: all empty entries  c: none  d: as a, without initial entries
    KS_16  \* RCV(4) deletes a: marked entries at the end  b: in place

ASSUME /\ KS_2 \in {"a", "b"}
       /\ KS_10 \in {"a", "b", "c", "d"}
       /\ KS_16 \in {"a", "b"}

VARIABLES
    clock, \* clock[j]: local counter
    SR,    \* SR[j][k]: timestamp of the last message of k delivered at j
    LOG    \* LOG[j]: entries (s, t, D): D must still get message t of s

vars == <<clock, SR, LOG, systemVars>>

Entry(s, t, D) == [s |-> s, t |-> t, D |-> D]

IsLog(L) == L \subseteq [s : Procs, t : Nat, D : SUBSET Procs]

TypeOK ==
    /\ SystemTypeOK
    /\ clock \in [Procs -> Nat]
    /\ SR \in [Procs -> [Procs -> Nat]]
    /\ \A j \in Procs : IsLog(LOG[j])
    /\ \A packet \in network : IsLog(packet.control)

Init ==
    /\ SystemInit
    /\ clock = [j \in Procs |-> 0]
    /\ SR = [j \in Procs |-> [k \in Procs |-> 0]]
    /\ LOG = [j \in Procs |-> IF KS_10 = "d" THEN {} ELSE {Entry(s, 0, {}) : s \in Procs}]

-------------------------------------------------------------------------------
SameMessage(o, l) == o.s = l.s /\ o.t = l.t

Without(L, Dests) == {[l EXCEPT !.D = @ \ Dests] : l \in L}

(* PURGE_NULL_ENTRIES *)
Purge(L) ==
    CASE KS_10 \in {"a", "d"} -> {l \in L : l.D = {} => ~\E x \in L : x.s = l.s /\ l.t < x.t}
      [] KS_10 = "b" -> {l \in L : l.D # {}}
      [] KS_10 = "c" -> L

(* SND(2): the O that goes to d. *)
Carried(L, Dests, d) ==
    Purge({[o EXCEPT !.D = IF d \in @ THEN (@ \ Dests) \cup {d} ELSE @ \ Dests] : o \in L})

(* SND(3), SND(4), SND(5) *)
LogAfterSend(L, M) ==
    Purge(Without(L, M.dests) \cup {Entry(M.sender, M.number, M.dests)})

(* RCV(1): wait until t <= SR[m] for all (m,t,D) in O with j in D. *)
Ready(packet) ==
    \A o \in packet.control : packet.to \in o.D => o.t <= SR[packet.to][o.s]

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

LoopOne(O, L) == IF KS_16 = "a" THEN {Marked(O, L)} ELSE DeletedInPlace(O, L)

(* RCV(4), loop 2, and the union *)
Merged(O, L) ==
    {[l EXCEPT !.D = {d \in @ : \A o \in O : SameMessage(o, l) => d \in o.D}] : l \in L}
        \cup {o \in O : ~\E l \in L : SameMessage(o, l)}

(* The logs that LOG = L may become when packet is received. *)
LogsAfterReceive(L, packet) ==
    LET M == packet.msg
        O == Without(packet.control \cup {Entry(M.sender, M.number, M.dests)}, {packet.to}) \* RCV(3)
    IN  {Purge(Merged(r.O, r.L)) : r \in LoopOne(O, L)}                     \* RCV(4), RCV(5)

-------------------------------------------------------------------------------
Send(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == Carried(LOG[j], Dests, d)
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ Transmit(M, O)                                                   \* SND(2)
        /\ LOG' = [LOG EXCEPT ![j] = LogAfterSend(@, M)]                    \* SND(3)-(5)
        /\ UNCHANGED SR

SendAndDeliverOwn(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == Carried(LOG[j], Dests, d)
        own  == Packet(M, j, O(j))
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ Ready(own)                                                       \* RCV(1)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ TransmitAndDeliverOwn(M, O)                                      \* SND(2), RCV(2)
        /\ SR' = [SR EXCEPT ![j][j] = M.number]                             \* RCV(2)
        /\ \E L \in LogsAfterReceive(LogAfterSend(LOG[j], M), own) :        \* SND(3)-(5)
               LOG' = [LOG EXCEPT ![j] = L]                                 \* RCV(3)-(5)

Receive(packet) ==
    LET j == packet.to
        M == packet.msg
    IN  /\ Ready(packet)                                                    \* RCV(1)
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* RCV(2)
        /\ SR' = [SR EXCEPT ![j][M.sender] = M.number]                      \* RCV(2)
        /\ \E L \in LogsAfterReceive(LOG[j], packet) :                      \* RCV(3)-(5)
               LOG' = [LOG EXCEPT ![j] = L]
        /\ UNCHANGED clock

Next ==
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : Send(j, Dests)
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : SendAndDeliverOwn(j, Dests)
    \/ \E packet \in network : Receive(packet)

Spec == Init /\ [][Next]_vars

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready)

NotStuck == NeverStuck(Ready)

Facts(L) == UNION {{<<l.s, l.t>>} \X l.D : l \in L}

StateFacts(j) == Facts(LOG[j])

PacketFacts(packet) == Facts(packet.control)

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
