--------------------------------- MODULE RST ---------------------------------
(***************************************************************************)
(* M. Raynal, A. Schiper, S. Toueg, The causal ordering abstraction and a  *)
(* simple way to implement it, Information Processing Letters 39, 1991.    *)
(* Multicast form; the labels are those of algorithms.md, B1.              *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck.                *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    RST_1, \* d4 records a: all copies  b: the own copy only  c: nothing
    RST_2, \* a: on ST, then max  b: on SENT, then max  c: max, then on SENT
    RST_3, \* self-addressed messages are a: forbidden  b: as any other
           \* c: recorded on SENT at delivery  d: not recorded at delivery
    RST_4, \* messages to oneself are a: counted, on the diagonal  b: not counted
    RST_5, \* all copies carry a: SENT before the increments  b: SENT after the
           \* increments for the copies before them, in ascending order
    RST_6, \* d5 takes the maximum a: of all cells  b: of cell (i,j)
    GK_19, \* d1 tests a: the local SENT  b: the message's ST
    X_5    \* d1 compares a: counts  b: the numbers of messages on their channel

ASSUME /\ RST_1 \in {"a", "b", "c"}
       /\ RST_2 \in {"a", "b", "c"}
       /\ RST_3 \in {"a", "b", "c", "d"}
       /\ RST_4 \in {"a", "b"}
       /\ RST_5 \in {"a", "b"}
       /\ RST_6 \in {"a", "b"}
       /\ GK_19 \in {"a", "b"}
       /\ X_5 \in {"a", "b"}

(* RST-5b takes the destinations in ascending order. *)
ASSUME RST_5 = "b" => Procs = 1..Cardinality(Procs)

VARIABLES
    SENT,  \* SENT[i][k][l]: messages from k to l that i knows to be sent
    DELIV  \* DELIV[i][k]: messages of k delivered at i, their number or, with X-5b,
           \* the set of their numbers on the channel

vars == <<SENT, DELIV, systemVars>>

Matrix == [Procs -> [Procs -> Nat]]

TypeOK ==
    /\ SystemTypeOK
    /\ SENT \in [Procs -> Matrix]
    /\ DELIV \in [Procs -> [Procs -> IF X_5 = "a" THEN Nat ELSE SUBSET (1..MaxSends)]]
    /\ \A packet \in network : packet.control \in Matrix

Init ==
    /\ SystemInit
    /\ SENT = [i \in Procs |-> [k \in Procs |-> [l \in Procs |-> 0]]]
    /\ DELIV = [i \in Procs |-> [k \in Procs |-> IF X_5 = "a" THEN 0 ELSE {}]]

-------------------------------------------------------------------------------
Max(A, B) ==
    [k \in Procs |-> [l \in Procs |-> IF A[k][l] > B[k][l] THEN A[k][l] ELSE B[k][l]]]

Cells(i, Dests) == IF RST_4 = "b" THEN Dests \ {i} ELSE Dests

(* One more message from i to every d in Dests. *)
Counted(A, i, Dests) ==
    [A EXCEPT ![i] = [l \in Procs |-> IF l \in Cells(i, Dests) THEN @[l] + 1 ELSE @[l]]]

(* s1: the matrix on the copy to d. *)
OnCopy(A, i, Dests, d) ==
    IF RST_5 = "b" THEN Counted(A, i, {e \in Dests : e < d}) ELSE A

HasFirst(delivered, x) == IF X_5 = "a" THEN x <= delivered ELSE 1..x \subseteq delivered

WithNext(delivered, number) ==
    IF X_5 = "a" THEN delivered + 1 ELSE delivered \cup {number}

(* d1: forall k: DELIV[k] >= ST[k][j], where SENT[j] = sent. *)
DeliveryCondition(sent, packet) ==
    LET j == packet.to
        A == IF GK_19 = "a" THEN sent ELSE packet.control
    IN  \A k \in Procs : HasFirst(DELIV[j][k], A[k][j])

Ready(packet) == DeliveryCondition(SENT[packet.to], packet)

(* The number of the message on its channel. *)
Place(packet) == packet.control[packet.msg.sender][packet.to] + 1

(* d5: the cells of A that count. *)
Part(A, i, j) ==
    IF RST_6 = "a" THEN A
    ELSE [k \in Procs |-> [l \in Procs |-> IF k = i /\ l = j THEN A[k][l] ELSE 0]]

(* d4, d5: SENT of process j after it has delivered the message in packet. *)
Learned(sent, packet) ==
    LET i  == packet.msg.sender
        j  == packet.to
        ST == packet.control
        recorded == CASE RST_1 = "a" -> packet.msg.dests
                      [] RST_1 = "b" -> {j}
                      [] RST_1 = "c" -> {}
        where == CASE i = j /\ RST_3 = "c" /\ RST_2 = "a" -> "c"
                   [] i = j /\ RST_3 = "d" -> "nowhere"
                   [] OTHER -> RST_2
    IN  CASE where = "a" -> Max(sent, Part(Counted(ST, i, recorded), i, j))
          [] where = "b" -> Max(Counted(sent, i, recorded), Part(ST, i, j))
          [] where = "c" -> Counted(Max(sent, Part(ST, i, j)), i, recorded)
          [] where = "nowhere" -> Max(sent, Part(ST, i, j))

MayAddress(i, Dests) == RST_3 = "a" => i \notin Dests

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M     == NextMessage(i, Dests)
        ST(d) == OnCopy(SENT[i], i, Dests, d)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
        /\ Transmit(M, ST)                                                  \* s1
        /\ SENT' = [SENT EXCEPT ![i] = Counted(@, i, Dests)]                \* s2
        /\ UNCHANGED DELIV

SendAndDeliverOwn(i, Dests) ==
    LET M     == NextMessage(i, Dests)
        ST(d) == OnCopy(SENT[i], i, Dests, d)
        own   == Packet(M, i, ST(i))
        sent  == Counted(SENT[i], i, Dests)                                 \* s2
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ DeliveryCondition(sent, own)                                     \* d1
        /\ TransmitAndDeliverOwn(M, ST)                                     \* s1, d2
        /\ DELIV' = [DELIV EXCEPT ![i][i] = WithNext(@, Place(own))]        \* d3
        /\ SENT' = [SENT EXCEPT ![i] = Learned(sent, own)]                  \* d4, d5

ReceivePacket(packet) ==
    LET i == packet.msg.sender
        j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ DELIV' = [DELIV EXCEPT ![j][i] = WithNext(@, Place(packet))]     \* d3
        /\ SENT' = [SENT EXCEPT ![j] = Learned(@, packet)]                  \* d4, d5

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
===============================================================================
