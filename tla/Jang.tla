--------------------------------- MODULE Jang ---------------------------------
(***************************************************************************)
(* I. Jang, J. Park, J. W. Cho, H. Yoon, An efficient causal order         *)
(* algorithm for message delivery in distributed system, IEEE FTDCS 1997,  *)
(* Section 4.2.                                                            *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, Minimality and *)
(* the claims about states and copies.                                     *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    J_1, \* S2 strikes a: the destination j  b: the sender i
    J_2, \* a: S4 then S5; S5 first and R4 b: replaces  c: keeps both  d: intersects
    J_3, \* R5 deletes a: in place  b: marked tuples at the end
    J_4, \* R8 is a: on  b: off
    J_5, \* R3 keeps of the messages of j a: the number of this one  b: the largest
         \* number  c: all numbers
    J_6, \* S2 for destination j a: reads all tuples  b: skips those in CI[j]
    J_7, \* S3, R9 drop a: empty tuples but the latest  b: all empty tuples
         \* c: none  d: as a, those that became empty in this step
    J_8, \* the copy to j carries a: DC[j]  b: all of DC, and R1 tests all of it
         \* c: all of DC, and R1 tests the component of the receiver
    J_9, \* a: R5 and R6  b: R5 alone  c: R6 alone  d: neither: the union only
    J_10 \* R4 inserts a: (tau_m, Dests \ {i})  b: that, unless it is empty
         \* c: (tau_m, Dests)

ASSUME /\ J_1 \in {"a", "b"}
       /\ J_2 \in {"a", "b", "c", "d"}
       /\ J_3 \in {"a", "b"}
       /\ J_4 \in {"a", "b"}
       /\ J_5 \in {"a", "b", "c"}
       /\ J_6 \in {"a", "b"}
       /\ J_7 \in {"a", "b", "c", "d"}
       /\ J_8 \in {"a", "b", "c"}
       /\ J_9 \in {"a", "b", "c", "d"}
       /\ J_10 \in {"a", "b", "c"}

(* With J-1b the order of the destinations matters: it is ascending. *)
ASSUME J_1 = "b" => Procs = 1..Cardinality(Procs)

VARIABLES
    tau, \* tau[i]: local counter
    CI,  \* CI[i][k]: tuples (t, D) of the messages of k that i knows
    DLV  \* DLV[i][k]: timestamp of the latest message of k delivered at i; with
         \* J-5c, those of all

vars == <<tau, CI, DLV, systemVars>>

Tuple(t, D) == [t |-> t, D |-> D]

IsComponents(C) ==
    /\ DOMAIN C = Procs
    /\ \A k \in Procs : C[k] \subseteq [t : Nat, D : SUBSET Procs]

TypeOK ==
    /\ SystemTypeOK
    /\ tau \in [Procs -> Nat]
    /\ DLV \in [Procs -> [Procs -> IF J_5 = "c" THEN SUBSET (1..MaxSends) ELSE Nat]]
    /\ \A i \in Procs : IsComponents(CI[i])
    /\ \A packet \in network :
        /\ DOMAIN packet.control = {"CI", "DC"}
        /\ IsComponents(packet.control.CI)
        /\ packet.control.DC \subseteq
               IF J_8 = "a" THEN Procs \X Nat ELSE Procs \X (Procs \X Nat)

Init ==
    /\ SystemInit
    /\ tau = [i \in Procs |-> 0]
    /\ CI = [i \in Procs |-> [k \in Procs |-> {}]]
    /\ DLV = [i \in Procs |-> [k \in Procs |-> IF J_5 = "c" THEN {} ELSE 0]]

-------------------------------------------------------------------------------
(* S3 and R9 on one component C.  Before holds its tuples as they were       *)
(* before destinations were struck from them.                               *)
Swept(C, Before) ==
    LET HasLater(x) == \E y \in C : x.t < y.t
    IN  CASE J_7 = "a" -> {x \in C : ~(x.D = {} /\ HasLater(x))}
          [] J_7 = "b" -> {x \in C : x.D # {}}
          [] J_7 = "c" -> C
          [] J_7 = "d" -> {x \in C : ~(x.D = {} /\ HasLater(x) /\ x \notin Before)}

(* The destinations for which S2 reads CI[k]. *)
Reading(Dests, k) == IF J_6 = "b" THEN Dests \ {k} ELSE Dests

(* S2 on one D; with J-1b the sender is struck once a destination is found. *)
Struck(D, i, Dests) ==
    IF J_1 = "a" THEN D \ Dests
    ELSE IF D \cap Dests # {} THEN D \ {i} ELSE D

(* Whether S2 finds j in D. *)
FoundIn(D, i, Dests, j) ==
    /\ j \in D \cap Dests
    /\ J_1 = "b" /\ j = i => \A d \in D \cap Dests : d >= i

(* S2: DC[j] *)
Dependencies(C, i, Dests, j) ==
    LET Found(k) == {y \in C[k] : FoundIn(y.D, i, Reading(Dests, k), j)}
    IN  UNION {{<<k, y.t>> : y \in Found(k)} : k \in Procs}

(* S2, S3: CI of the sender i. *)
Pruned(C, i, Dests) ==
    [k \in Procs |->
        Swept({[x EXCEPT !.D = Struck(@, i, Reading(Dests, k))] : x \in C[k]}, C[k])]

(* S5 *)
WithOwn(C, M) == [C EXCEPT ![M.sender] = @ \cup {Tuple(M.number, M.dests)}]

(* S4: what goes to j with M. *)
Control(C, M, j) ==
    LET pruned == Pruned(C, M.sender, M.dests)
        DC(d)  == Dependencies(C, M.sender, M.dests, d)
    IN  [CI |-> IF J_2 = "a" THEN pruned ELSE WithOwn(pruned, M),
         DC |-> IF J_8 = "a" THEN DC(j) ELSE UNION {{d} \X DC(d) : d \in M.dests}]

CIAfterSend(C, M) == WithOwn(Pruned(C, M.sender, M.dests), M)

(* What DC_m constrains. *)
Constraints(packet) ==
    IF J_8 = "a" THEN packet.control.DC \X {packet.to}
    ELSE {<<f[2], f[1]>> : f \in packet.control.DC}

(* The pairs of DC_m that R1 tests. *)
Tested(packet) ==
    {f[1] : f \in {g \in Constraints(packet) : J_8 = "c" => g[2] = packet.to}}

HasReached(last, t) == IF J_5 = "c" THEN t \in last ELSE t <= last

(* R1: forall (k,t) in DC_m: t <= DLV[k] *)
Ready(packet) == \A f \in Tested(packet) : HasReached(DLV[packet.to][f[1]], f[2])

(* R3: a component of DLV. *)
WithLast(last, t) ==
    CASE J_5 = "a" -> t
      [] J_5 = "b" -> IF last < t THEN t ELSE last
      [] J_5 = "c" -> last \cup {t}

-------------------------------------------------------------------------------
(* R4: the component of the sender in CI_m. *)
WithDelivered(C, M, i) ==
    LET arrived == {x \in C : x.t = M.number}
        InAll(d) == \A x \in arrived : d \in x.D
        D == IF J_10 = "c" THEN M.dests ELSE M.dests \ {i}
        Inserted(E) == IF J_10 = "b" /\ E = {} THEN {} ELSE {Tuple(M.number, E)}
    IN  CASE J_2 \in {"a", "c"} -> C \cup Inserted(D)
          [] J_2 = "b" -> (C \ arrived) \cup Inserted(D)
          [] J_2 = "d" -> (C \ arrived) \cup Inserted({d \in D : InAll(d)})

Names(C, t) == \E x \in C : x.t = t

(* R5: the tuples of A = CI[k] and of B = CI_m[k] that some pair deletes.   *)
Old(A, B) == {a \in A : ~Names(B, a.t) /\ \E b \in B : a.t < b.t}
New(A, B) == {b \in B : ~Names(A, b.t) /\ \E a \in A : a.t > b.t}

Marked(C, CI_m) ==
    [CI   |-> [k \in Procs |-> C[k] \ Old(C[k], CI_m[k])],
     CI_m |-> [k \in Procs |-> CI_m[k] \ New(C[k], CI_m[k])]]

(* Deletion in place: the results of all orders of the pairs.  A pair counts *)
(* while both its tuples are there.  No deletion makes another test true,    *)
(* for a message named in both CI and CI_m is never deleted; and no pair has *)
(* two senders, so the senders are taken one after the other.                *)
RECURSIVE DeletedInPlace(_, _)
DeletedInPlace(C, CI_m) ==
    LET unfinished == {k \in Procs : Old(C[k], CI_m[k]) # {} \/ New(C[k], CI_m[k]) # {}}
        k == CHOOSE s \in unfinished : TRUE
    IN  IF unfinished = {}
        THEN {[CI |-> C, CI_m |-> CI_m]}
        ELSE UNION {DeletedInPlace([C EXCEPT ![k] = @ \ {a}], CI_m) :
                        a \in Old(C[k], CI_m[k])}
                 \cup UNION {DeletedInPlace(C, [CI_m EXCEPT ![k] = @ \ {b}]) :
                                 b \in New(C[k], CI_m[k])}

R5(C, CI_m) ==
    CASE J_9 \in {"c", "d"} -> {[CI |-> C, CI_m |-> CI_m]}
      [] J_3 = "a" -> DeletedInPlace(C, CI_m)
      [] OTHER -> {Marked(C, CI_m)}

SkipsR6 == J_9 \in {"b", "d"}

(* R6: the tuples of A = CI[k], with what those of B = CI_m[k] leave of them. *)
Intersected(A, B) ==
    IF SkipsR6 THEN A
    ELSE {[a EXCEPT !.D = {d \in @ : \A b \in B : a.t = b.t => d \in b.D}] : a \in A}

(* R6: the tuples of B whose message has none in A. *)
Unmatched(A, B) == IF SkipsR6 THEN B ELSE {b \in B : ~Names(A, b.t)}

(* R6, R7 on one component *)
United(A, B) == Intersected(A, B) \cup Unmatched(A, B)

(* R8 on one component *)
WithoutDuplicates(C) ==
    IF J_4 = "b" THEN C
    ELSE {[x EXCEPT !.D = {l \in @ : \A y \in C : x.t < y.t => l \notin y.D}] : x \in C}

(* R6-R9 on one component *)
Merged(A, B) == Swept(WithoutDuplicates(United(A, B)), A \cup Unmatched(A, B))

(* The values that CI = C may take when packet is received. *)
CIsAfterReceive(C, packet) ==
    LET i    == packet.to
        j    == packet.msg.sender
        CI_m == [packet.control.CI EXCEPT ![j] = WithDelivered(@, packet.msg, i)]    \* R4
    IN  {[k \in Procs |-> Merged(r.CI[k], r.CI_m[k])] : r \in R5(C, CI_m)}       \* R5-R9

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        CIDC(j) == Control(CI[i], M, j)
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ tau' = [tau EXCEPT ![i] = @ + 1]                                 \* S1
        /\ Transmit(M, CIDC)                                                \* S2-S4
        /\ CI' = [CI EXCEPT ![i] = CIAfterSend(@, M)]                       \* S2, S3, S5
        /\ UNCHANGED DLV

SendAndDeliverOwn(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        CIDC(j) == Control(CI[i], M, j)
        own    == Packet(M, i, CIDC(i))
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ Ready(own)                                                       \* R1
        /\ tau' = [tau EXCEPT ![i] = @ + 1]                                 \* S1
        /\ TransmitAndDeliverOwn(M, CIDC)                                   \* S2-S4, R2
        /\ DLV' = [DLV EXCEPT ![i][i] = WithLast(@, M.number)]              \* R3
        /\ \E C \in CIsAfterReceive(CIAfterSend(CI[i], M), own) :           \* S2, S3, S5
               CI' = [CI EXCEPT ![i] = C]                                   \* R4-R9

ReceivePacket(packet) ==
    LET i == packet.to
        m == packet.msg
    IN  /\ Ready(packet)                                                    \* R1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* R2
        /\ DLV' = [DLV EXCEPT ![i][m.sender] = WithLast(@, m.number)]       \* R3
        /\ \E C \in CIsAfterReceive(CI[i], packet) :                        \* R4-R9
               CI' = [CI EXCEPT ![i] = C]
        /\ UNCHANGED tau

Receive(j) == \E packet \in network : packet.to = j /\ ReceivePacket(packet)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ \E j \in Procs : Receive(j)

Fairness ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready)

NotStuck == NeverStuck(Ready)

Facts(C) == UNION {UNION {{<<k, x.t>>} \X x.D : x \in C[k]} : k \in Procs}

StateFacts(i) == Facts(CI[i])

(* The message's own tuple is left out. *)
PacketFacts(packet) ==
    {f \in Facts(packet.control.CI) : f[1] # Id(packet.msg)} \cup Constraints(packet)

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)

-------------------------------------------------------------------------------
(* The claims; -msg is the same of copies. *)

(* The type of redundant information, Section 3, that f is at i with past h; 1: none. *)
TypeOf(f, i, h) ==
    LET Replaces(s) == f[2] \in s.msg.dests /\ f[1] \in AddressedTo(s.past, f[2])
        replacing   == {s.msg.sender : s \in {x \in h.sent : Replaces(x)}}
    IN  IF f \in h.delivered THEN (IF f[2] = i THEN 2 ELSE 3)
        ELSE IF replacing = {} THEN 1
        ELSE IF i \in replacing THEN 4 ELSE 5

NoneOfType(type) == \A i \in Procs : \A f \in StateFacts(i) : TypeOf(f, i, past[i]) # type

Largest(numbers) == CHOOSE x \in numbers : \A y \in numbers : y <= x

LastOf(i, k) == IF J_5 = "c" THEN Largest(DLV[i][k] \cup {0}) ELSE DLV[i][k]

(* C has the latest tuple of each sender of the past h. *)
HasLatest(C, h) ==
    LET Numbers(k) == {s.msg.number : s \in {x \in h.sent : x.msg.sender = k}}
    IN  \A k \in Procs : Numbers(k) # {} => Names(C[k], Largest(Numbers(k)))

(* No destination is in two tuples of one sender. *)
NoDuplicates(C) ==
    \A k \in Procs : \A x \in C[k], y \in C[k] : x # y => x.D \cap y.D = {}

AreSmall(C) == \A k \in Procs : Cardinality(C[k]) < Cardinality(Procs)

(* Section 4.1: DLV_i[j] = t: all messages of j to i up to timestamp t are delivered. *)
C_J_I1 ==
    \A i \in Procs : \A s \in past[i].sent :
        i \in s.msg.dests /\ s.msg.number <= LastOf(i, s.msg.sender) => IsDelivered(s, i)

(* C-J-I2, Section 4.1, over time: (t, D) in CI_i[k] and d in D: the next message *)
(* of i to d is delivered there after (k, t).                                     *)
NextMessagesAreConstrained ==
    [][\A packet \in network' \ network : \A k \in Procs :
          \A x \in CI[packet.msg.sender][k] :
              packet.to \in x.D => <<k, x.t>> \in Tested(packet)]_vars

(* Section 4.3: CI keeps the latest known tuple of each sender, even with D empty. *)
C_J_I3 == \A i \in Procs : HasLatest(CI[i], past[i])

C_J_I3_msg == \A packet \in network : HasLatest(packet.control.CI, packet.past)

(* Section 4.3: after R8 no destination is in two tuples of one sender. *)
C_J_I5 == \A i \in Procs : NoDuplicates(CI[i])

C_J_I5_msg == \A packet \in network : NoDuplicates(packet.control.CI)

(* Section 4.3: nothing just delivered, already delivered, just or already replaced. *)
C_J_R2_2 == NoneOfType(2)

C_J_R2_3 == NoneOfType(3)

C_J_R2_4 == NoneOfType(4)

C_J_R2_5 == NoneOfType(5)

(* Abstract, Section 4.3: nothing redundant is stored, and nothing is sent. *)
C_J_R3 == \A i \in Procs : \A f \in StateFacts(i) : TypeOf(f, i, past[i]) = 1

C_J_R3_msg ==
    \A packet \in network : \A f \in PacketFacts(packet) :
        /\ f[2] \notin packet.msg.dests \ {packet.to}
        /\ TypeOf(f, packet.msg.sender, packet.past) = 1

(* Section 6.1: a component has at most n - 1 tuples; and those that are not empty. *)
C_J_B1 == \A i \in Procs : AreSmall(CI[i])

C_J_B1_nonempty ==
    \A i \in Procs : AreSmall([k \in Procs |-> {x \in CI[i][k] : x.D # {}}])

C_J_B1_msg == \A packet \in network : AreSmall(packet.control.CI)
===============================================================================
