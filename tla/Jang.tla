--------------------------------- MODULE Jang ---------------------------------
(***************************************************************************)
(* I. Jang, J. Park, J. W. Cho, H. Yoon, An efficient causal order         *)
(* algorithm for message delivery in distributed system, IEEE FTDCS 1997,  *)
(* Section 4.2.                                                            *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality. *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    J_1, \* S2 strikes a: the destination j  b: the sender i
    J_2, \* a: S4 then S5; S5 first and R4 b: replaces  c: keeps both  d: intersects
    J_3, \* R5 deletes a: in place  b: marked tuples at the end
    J_4, \* R8 is a: on  b: off
    J_7  \* S3, R9 drop a: empty tuples but the latest  b: all empty tuples
         \* c: none  d: as a, those that became empty in this step

ASSUME /\ J_1 \in {"a", "b"}
       /\ J_2 \in {"a", "b", "c", "d"}
       /\ J_3 \in {"a", "b"}
       /\ J_4 \in {"a", "b"}
       /\ J_7 \in {"a", "b", "c", "d"}

VARIABLES
    tau, \* tau[i]: local counter
    CI,  \* CI[i][k]: tuples (t, D) of the messages of k that i knows
    DLV  \* DLV[i][k]: timestamp of the latest message of k delivered at i

vars == <<tau, CI, DLV, systemVars>>

Tuple(t, D) == [t |-> t, D |-> D]

IsComponents(C) ==
    /\ DOMAIN C = Procs
    /\ \A k \in Procs : C[k] \subseteq [t : Nat, D : SUBSET Procs]

TypeOK ==
    /\ SystemTypeOK
    /\ tau \in [Procs -> Nat]
    /\ DLV \in [Procs -> [Procs -> Nat]]
    /\ \A i \in Procs : IsComponents(CI[i])
    /\ \A packet \in network :
        /\ DOMAIN packet.control = {"CI", "DC"}
        /\ IsComponents(packet.control.CI)
        /\ packet.control.DC \subseteq Procs \X Nat

Init ==
    /\ SystemInit
    /\ tau = [i \in Procs |-> 0]
    /\ CI = [i \in Procs |-> [k \in Procs |-> {}]]
    /\ DLV = [i \in Procs |-> [k \in Procs |-> 0]]

-------------------------------------------------------------------------------
(* S3 and R9 on one component C.  Before holds its tuples as they were       *)
(* before destinations were struck from them.                               *)
Swept(C, Before) ==
    LET HasLater(x) == \E y \in C : x.t < y.t
    IN  CASE J_7 = "a" -> {x \in C : ~(x.D = {} /\ HasLater(x))}
          [] J_7 = "b" -> {x \in C : x.D # {}}
          [] J_7 = "c" -> C
          [] J_7 = "d" -> {x \in C : ~(x.D = {} /\ HasLater(x) /\ x \notin Before)}

(* S2 on the tuples; with J-1b the sender is struck once a destination is found. *)
Struck(D, i, Dests) ==
    IF J_1 = "a" THEN D \ Dests
    ELSE IF D \cap Dests # {} THEN D \ {i} ELSE D

(* Whether S2 finds j in D: destinations are taken in ascending order. *)
FoundIn(D, i, Dests, j) ==
    /\ j \in D
    /\ J_1 = "b" /\ j = i => \A d \in D \cap Dests : d >= i

(* S2: DC[j] *)
Dependencies(C, i, Dests, j) ==
    UNION {{<<k, x.t>> : x \in {y \in C[k] : FoundIn(y.D, i, Dests, j)}} : k \in Procs}

(* S2, S3: CI of the sender i. *)
Pruned(C, i, Dests) ==
    [k \in Procs |-> Swept({[x EXCEPT !.D = Struck(@, i, Dests)] : x \in C[k]}, C[k])]

(* S5 *)
WithOwn(C, M) == [C EXCEPT ![M.sender] = @ \cup {Tuple(M.number, M.dests)}]

(* S4: what goes to j with M. *)
Control(C, M, j) ==
    LET pruned == Pruned(C, M.sender, M.dests)
    IN  [CI |-> IF J_2 = "a" THEN pruned ELSE WithOwn(pruned, M),
         DC |-> Dependencies(C, M.sender, M.dests, j)]

CIAfterSend(C, M) == WithOwn(Pruned(C, M.sender, M.dests), M)

(* R1: forall (k,t) in DC_m: t <= DLV[k] *)
Ready(packet) ==
    \A f \in packet.control.DC : f[2] <= DLV[packet.to][f[1]]

-------------------------------------------------------------------------------
(* R4: the component of the sender in CI_m. *)
WithDelivered(C, M, i) ==
    LET arrived == {x \in C : x.t = M.number}
        D == M.dests \ {i}
    IN  CASE J_2 \in {"a", "c"} -> C \cup {Tuple(M.number, D)}
          [] J_2 = "b" -> (C \ arrived) \cup {Tuple(M.number, D)}
          [] J_2 = "d" -> (C \ arrived) \cup {Tuple(M.number, {d \in D : \A x \in arrived : d \in x.D})}

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
        ELSE UNION {DeletedInPlace([C EXCEPT ![k] = @ \ {a}], CI_m) : a \in Old(C[k], CI_m[k])}
                 \cup UNION {DeletedInPlace(C, [CI_m EXCEPT ![k] = @ \ {b}]) : b \in New(C[k], CI_m[k])}

R5(C, CI_m) == IF J_3 = "a" THEN DeletedInPlace(C, CI_m) ELSE {Marked(C, CI_m)}

(* R6: the tuples of B = CI_m[k] whose message has none in A = CI[k]. *)
Unmatched(A, B) == {b \in B : ~Names(A, b.t)}

(* R6, R7 on one component *)
United(A, B) ==
    {[a EXCEPT !.D = {d \in @ : \A b \in B : a.t = b.t => d \in b.D}] : a \in A}
        \cup Unmatched(A, B)

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
    IN  {[k \in Procs |-> Merged(r.CI[k], r.CI_m[k])] : r \in R5(C, CI_m)}           \* R5-R9

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
        /\ DLV' = [DLV EXCEPT ![i][i] = M.number]                           \* R3
        /\ \E C \in CIsAfterReceive(CIAfterSend(CI[i], M), own) :           \* S2, S3, S5
               CI' = [CI EXCEPT ![i] = C]                                   \* R4-R9

Receive(packet) ==
    LET i == packet.to
        m == packet.msg
    IN  /\ Ready(packet)                                                    \* R1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* R2
        /\ DLV' = [DLV EXCEPT ![i][m.sender] = m.number]                    \* R3
        /\ \E C \in CIsAfterReceive(CI[i], packet) :                        \* R4-R9
               CI' = [CI EXCEPT ![i] = C]
        /\ UNCHANGED tau

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ \E packet \in network : Receive(packet)

Spec == Init /\ [][Next]_vars

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready)

NotStuck == NeverStuck(Ready)

Facts(C) == UNION {UNION {{<<k, x.t>>} \X x.D : x \in C[k]} : k \in Procs}

StateFacts(i) == Facts(CI[i])

(* The message's own tuple is left out. *)
PacketFacts(packet) ==
    {f \in Facts(packet.control.CI) : f[1] # Id(packet.msg)}
        \cup (packet.control.DC \X {packet.to})

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
