--------------------------------- MODULE BSS ---------------------------------
(***************************************************************************)
(* K. Birman, A. Schiper, P. Stephenson, Lightweight causal and atomic     *)
(* group multicast, ACM Transactions on Computer Systems 9(3), 1991:       *)
(* CBCAST in one group; the labels are those of algorithms.md, B3.         *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not, and that every     *)
(* message goes to all others: Load is "broadcast".                        *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck.                *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    BSS_1, \* the sender's own copy, if any, a: is delivered, and that is all
           \* b: takes d2 and d3, without the test  c: takes d1 to d3
    BSS_2, \* the own component of V ticks at a delivery as well  a: no  b: yes
    BSS_5  \* d1 tests a: T[i] = V[i] + 1 and the other components
           \* b: the sender's component only  c: the other components only
           \* d: T[i] >= V[i] + 1 and the other components

ASSUME /\ BSS_1 \in {"a", "b", "c"}
       /\ BSS_2 \in {"a", "b"}
       /\ BSS_5 \in {"a", "b", "c", "d"}

VARIABLE V \* V[j][k]: messages of k delivered at j; V[j][j]: those that j has sent

vars == <<V, systemVars>>

Vector == [Procs -> Nat]

TypeOK ==
    /\ SystemTypeOK
    /\ V \in [Procs -> Vector]
    /\ \A packet \in network : packet.control \in Vector

Init ==
    /\ SystemInit
    /\ V = [j \in Procs |-> [k \in Procs |-> 0]]

-------------------------------------------------------------------------------
(* d1: forall k # i: T[k] <= v[k], and T[i] = v[i] + 1. *)
IsNext(v, packet) ==
    LET i == packet.msg.sender
        T == packet.control
        inTurn == IF BSS_5 = "d" THEN T[i] >= v[i] + 1 ELSE T[i] = v[i] + 1
        known  == \A k \in Procs \ {i} : T[k] <= v[k]
    IN  CASE BSS_5 = "b" -> inTurn
          [] BSS_5 = "c" -> known
          [] OTHER -> inTurn /\ known

IsOwn(packet) == packet.to = packet.msg.sender

MayDeliver(v, packet) == (IsOwn(packet) /\ BSS_1 # "c") \/ IsNext(v, packet)

Ready(packet) == MayDeliver(V[packet.to], packet)

(* d3: v of process j after it has delivered the message in packet. *)
Counted(v, packet) ==
    LET i == packet.msg.sender
        j == packet.to
        counted == [v EXCEPT ![i] = packet.control[i]]
    IN  CASE IsOwn(packet) /\ BSS_1 = "a"  -> v
          [] ~IsOwn(packet) /\ BSS_2 = "b" -> [counted EXCEPT ![j] = @ + 1]
          [] OTHER                         -> counted

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET sent == [V[i] EXCEPT ![i] = @ + 1]
        T(d) == sent
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ V' = [V EXCEPT ![i] = sent]                                      \* s1
        /\ Transmit(NextMessage(i, Dests), T)                               \* s2

SendAndDeliverOwn(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        sent == [V[i] EXCEPT ![i] = @ + 1]
        T(d) == sent
        own  == Packet(M, i, sent)
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ MayDeliver(sent, own)                                            \* d1
        /\ TransmitAndDeliverOwn(M, T)                                      \* s2, d2
        /\ V' = [V EXCEPT ![i] = Counted(sent, own)]                        \* s1, d3

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ V' = [V EXCEPT ![j] = Counted(@, packet)]                        \* d3

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
