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
    RST_3  \* self-addressed messages are a: forbidden  b: as any other
           \* c: recorded on SENT at delivery  d: not recorded at delivery

ASSUME /\ RST_1 \in {"a", "b", "c"}
       /\ RST_2 \in {"a", "b", "c"}
       /\ RST_3 \in {"a", "b", "c", "d"}

VARIABLES
    SENT,  \* SENT[i][k][l]: messages from k to l that i knows to be sent
    DELIV  \* DELIV[i][k]: messages of k delivered at i

vars == <<SENT, DELIV, systemVars>>

Matrix == [Procs -> [Procs -> Nat]]

TypeOK ==
    /\ SystemTypeOK
    /\ SENT \in [Procs -> Matrix]
    /\ DELIV \in [Procs -> [Procs -> Nat]]
    /\ \A packet \in network : packet.control \in Matrix

Init ==
    /\ SystemInit
    /\ SENT = [i \in Procs |-> [k \in Procs |-> [l \in Procs |-> 0]]]
    /\ DELIV = [i \in Procs |-> [k \in Procs |-> 0]]

-------------------------------------------------------------------------------
Max(A, B) ==
    [k \in Procs |-> [l \in Procs |-> IF A[k][l] > B[k][l] THEN A[k][l] ELSE B[k][l]]]

(* One more message from i to every d in Dests. *)
Counted(A, i, Dests) ==
    [A EXCEPT ![i] = [l \in Procs |-> IF l \in Dests THEN @[l] + 1 ELSE @[l]]]

(* d1: forall k: DELIV[k] >= ST[k][j] *)
Ready(packet) ==
    \A k \in Procs : DELIV[packet.to][k] >= packet.control[k][packet.to]

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
    IN  CASE where = "a" -> Max(sent, Counted(ST, i, recorded))
          [] where = "b" -> Max(Counted(sent, i, recorded), ST)
          [] where = "c" -> Counted(Max(sent, ST), i, recorded)
          [] where = "nowhere" -> Max(sent, ST)

MayAddress(i, Dests) == RST_3 = "a" => i \notin Dests

-------------------------------------------------------------------------------
Send(i, Dests) ==
    /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
    /\ LET ST(d) == SENT[i] IN Transmit(NextMessage(i, Dests), ST)          \* s1
    /\ SENT' = [SENT EXCEPT ![i] = Counted(@, i, Dests)]                    \* s2
    /\ UNCHANGED DELIV

SendAndDeliverOwn(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        own    == Packet(M, i, SENT[i])
        ST(d)  == SENT[i]
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ Ready(own)                                                       \* d1
        /\ TransmitAndDeliverOwn(M, ST)                                     \* s1, d2
        /\ DELIV' = [DELIV EXCEPT ![i][i] = @ + 1]                          \* d3
        /\ SENT' = [SENT EXCEPT ![i] = Learned(Counted(@, i, Dests), own)]  \* s2, d4, d5

Receive(packet) ==
    LET i == packet.msg.sender
        j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ DELIV' = [DELIV EXCEPT ![j][i] = @ + 1]                          \* d3
        /\ SENT' = [SENT EXCEPT ![j] = Learned(@, packet)]                  \* d4, d5

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ \E packet \in network : Receive(packet)

Spec == Init /\ [][Next]_vars

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready)

NotStuck == NeverStuck(Ready)
===============================================================================
