--------------------------------- MODULE PRS ---------------------------------
(***************************************************************************)
(* R. Prakash, M. Raynal, M. Singhal, An efficient causal ordering         *)
(* algorithm for mobile computing environments, ICDCS 1996, 744-751.       *)
(* The labels are those of algorithms.md, B7.                              *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck; violated:      *)
(* Minimality, and with it the claim C_B_3.                                *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    PRS_1, \* self-addressed messages are a: forbidden  b: allowed
           \* c: allowed, without d3  d: as b, and i reads its CB[i] as delivered
    PRS_2, \* s3 and d4 a: replace the pairs of CB[d]  b: unite with them
    PRS_3, \* a: d3 and d6  b: d6 only  c: d3 only  d: neither
    PRS_4, \* a copy to d carries a: all of CB  b: what is not about the other Dests
           \* c, d: as a, b, and the pairs in CB[i] of i count as facts
    X_5    \* DELIV holds a: counts  b: the identities of all messages

ASSUME /\ PRS_1 \in {"a", "b", "c", "d"}
       /\ PRS_2 \in {"a", "b"}
       /\ PRS_3 \in {"a", "b", "c", "d"}
       /\ PRS_4 \in {"a", "b", "c", "d"}
       /\ X_5 \in {"a", "b"}

VARIABLES
    sent,  \* sent[i]: messages that i has sent
    DELIV, \* DELIV[i][k][l]: number of the last message of k known delivered at l
    CB     \* CB[i][d]: pairs <<k, y>>; message y of k must precede, at d, the
           \* next message of i to d

vars == <<sent, DELIV, CB, systemVars>>

Cells == IF X_5 = "a" THEN Nat ELSE SUBSET Nat

(* At most one pair for each process. *)
IsPairs(P) ==
    /\ P \subseteq Procs \X Nat
    /\ \A p \in P, q \in P : p[1] = q[1] => p = q

IsBarriers(cb) == DOMAIN cb = Procs /\ \A d \in Procs : IsPairs(cb[d])

TypeOK ==
    /\ SystemTypeOK
    /\ sent \in [Procs -> Nat]
    /\ DELIV \in [Procs -> [Procs -> [Procs -> Cells]]]
    /\ DOMAIN CB = Procs /\ \A i \in Procs : IsBarriers(CB[i])
    /\ \A packet \in network : IsBarriers(packet.control)

Init ==
    /\ SystemInit
    /\ sent = [i \in Procs |-> 0]
    /\ DELIV = [i \in Procs |->
                   [k \in Procs |-> [l \in Procs |-> IF X_5 = "a" THEN 0 ELSE {}]]]
    /\ CB = [i \in Procs |-> [d \in Procs |-> {}]]

-------------------------------------------------------------------------------
(* Sets of pairs. *)

Numbers(P, k) == {p[2] : p \in {q \in P : q[1] = k}}

(* One pair for each process: the larger count is kept. *)
United(P, Q) == {p \in P \cup Q : \A q \in P \cup Q : p[1] = q[1] => q[2] <= p[2]}

(* s3, d4: cb after the message of this pair to Dests. *)
Preceded(cb, Dests, pair) ==
    [d \in Procs |-> CASE d \notin Dests -> cb[d]
                       [] d \in Dests /\ PRS_2 = "a" -> {pair}
                       [] d \in Dests /\ PRS_2 = "b" -> United(cb[d], {pair})]

(* s2: what the copy to d of a message to Dests carries. *)
Carried(cb, Dests, d) ==
    IF PRS_4 \in {"a", "c"} THEN cb
    ELSE [e \in Procs |-> IF e \in Dests \ {d} THEN {} ELSE cb[e]]

-------------------------------------------------------------------------------
(* What is known to be delivered. *)

IsKnown(deliv, k, d, y) == IF X_5 = "a" THEN y <= deliv[k][d] ELSE y \in deliv[k][d]

Largest(S) == CHOOSE y \in S : \A z \in S : z <= y

(* d3: the messages of the pairs P are delivered at d. *)
Learned(deliv, d, P) ==
    [k \in Procs |-> [deliv[k] EXCEPT ![d] =
        IF X_5 = "a" THEN Largest({@} \cup Numbers(P, k)) ELSE @ \cup Numbers(P, k)]]

(* d6: what is known to be delivered goes, but for the CB[j] of j itself. *)
Pruned(cb, deliv, j) ==
    [d \in Procs |-> {p \in cb[d] : d = j \/ ~IsKnown(deliv, p[1], d, p[2])}]

(* DELIV of j as d1 reads it, with CB = cb. *)
KnownAt(j, cb) == IF PRS_1 = "d" THEN Learned(DELIV[j], j, cb[j]) ELSE DELIV[j]

(* d1: forall (k,y) in CBM[j]: DELIV[k][j] >= y. *)
MayDeliver(cb, packet) ==
    LET j == packet.to
    IN  \A p \in packet.control[j] : IsKnown(KnownAt(j, cb), p[1], j, p[2])

Ready(packet) == MayDeliver(CB[packet.to], packet)

(* DELIV of process j after it has delivered the message in packet. *)
DELIVAfter(cb, packet) ==
    LET i == packet.msg.sender
        j == packet.to
        x == packet.msg.number
        counted == [KnownAt(j, cb) EXCEPT ![i][j] =
                       IF X_5 = "a" THEN x ELSE @ \cup {x}]                 \* d2
    IN  IF PRS_3 \in {"a", "c"} /\ PRS_1 # "c"
        THEN Learned(counted, i, packet.control[i])                         \* d3
        ELSE counted

(* CB of process j after that. *)
CBAfter(cb, packet) ==
    LET M   == packet.msg
        CBM == Preceded(packet.control, M.dests, Id(M))                     \* d4
        all == [d \in Procs |-> United(cb[d], CBM[d])]                      \* d5
    IN  IF PRS_3 \in {"a", "b"}
        THEN Pruned(all, DELIVAfter(cb, packet), packet.to)                 \* d6
        ELSE all

MayAddress(i, Dests) == PRS_1 = "a" => i \notin Dests

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET x      == sent[i] + 1
        CBM(d) == Carried(CB[i], Dests, d)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
        /\ sent' = [sent EXCEPT ![i] = x]                                   \* s1
        /\ Transmit(NextMessage(i, Dests), CBM)                             \* s2
        /\ CB' = [CB EXCEPT ![i] = Preceded(@, Dests, <<i, x>>)]            \* s3
        /\ UNCHANGED DELIV

SendAndDeliverOwn(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        x      == sent[i] + 1
        CBM(d) == Carried(CB[i], Dests, d)
        own    == Packet(M, i, CBM(i))
        after  == Preceded(CB[i], Dests, <<i, x>>)                          \* s3
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ sent' = [sent EXCEPT ![i] = x]                                   \* s1
        /\ MayDeliver(after, own)                                           \* d1
        /\ TransmitAndDeliverOwn(M, CBM)                                    \* s2, d2
        /\ DELIV' = [DELIV EXCEPT ![i] = DELIVAfter(after, own)]            \* d2, d3
        /\ CB' = [CB EXCEPT ![i] = CBAfter(after, own)]                     \* d4-d6

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ DELIV' = [DELIV EXCEPT ![j] = DELIVAfter(CB[j], packet)]         \* d2, d3
        /\ CB' = [CB EXCEPT ![j] = CBAfter(@, packet)]                      \* d4-d6
        /\ UNCHANGED sent

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

(* The pairs of CB[d] are facts about d; those in the CB[i] of i are known to *)
(* be delivered, and count by PRS_4.                                         *)
Facts(cb, i) ==
    UNION {cb[d] \X {d} : d \in {e \in Procs : e # i \/ PRS_4 \in {"c", "d"}}}

StateFacts(i) == Facts(CB[i], i)

PacketFacts(packet) == Facts(packet.control, packet.msg.sender)

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)

(* Direct dependencies per destination suffice; the information is optimal for *)
(* broadcast.                                                                 *)
C_B_3 ==
    /\ CausalOrder
    /\ MissingInState /\ MissingInPacket
    /\ Load = "broadcast" => RedundantInState /\ RedundantInPacket
===============================================================================
