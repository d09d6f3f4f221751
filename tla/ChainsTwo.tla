------------------------------- MODULE ChainsTwo -------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998, Section *)
(* 7.1, Lemma 8: causal order over chains of two messages with 2n          *)
(* identifiers; over longer chains it is not promised (Theorem 8).         *)
(*                                                                         *)
(* A chain goes from the send of a message to the delivery of a later one  *)
(* to the same process.  Its length counts the messages on it, the earlier *)
(* one only where the chain begins with another copy of it.                *)
(*                                                                         *)
(* Assumes reliable asynchronous channels.  The labels are those of the    *)
(* Python model.                                                           *)
(* Checked: TypeOK, C-KS-L8, NoNeedlessDelay, NotStuck; CausalOrder fails. *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    KS_23,     \* j records at a delivery a: the sender's row
               \* b: that and its own column, by maximum
    KS_23send, \* (1) is a: what was sent before  b: with the message that carries it
    KS_23own   \* (2) names the sender's own latest message to j a: yes  b: no

ASSUME /\ KS_23 \in {"a", "b"}
       /\ KS_23send \in {"a", "b"}
       /\ KS_23own \in {"a", "b"}

VARIABLES
    SR,    \* SR[i][k]: number of the last message of k delivered at i
    latest \* latest[i][k][d]: number of the latest message of k to d that i knows of

vars == <<SR, latest, systemVars>>

Ids == [Procs -> Nat]

TypeOK ==
    /\ SystemTypeOK
    /\ SR \in [Procs -> Ids]
    /\ latest \in [Procs -> [Procs -> Ids]]
    /\ \A packet \in network : packet.control \in [sent : Ids, to_j : Ids]

Init ==
    /\ SystemInit
    /\ SR = [i \in Procs |-> [k \in Procs |-> 0]]
    /\ latest = [i \in Procs |-> [k \in Procs |-> [d \in Procs |-> 0]]]

-------------------------------------------------------------------------------
Max(x, y) == IF x < y THEN y ELSE x

(* The matrix L once M is sent. *)
WithSent(L, M) ==
    [L EXCEPT ![M.sender] = [d \in Procs |-> IF d \in M.dests THEN M.number ELSE @[d]]]

(* What the copy of M to j carries: (1) what i has sent to each, (2) the latest to j. *)
Identifiers(L, M, j) ==
    LET i == M.sender
    IN  [sent |-> IF KS_23send = "a" THEN L[i] ELSE WithSent(L, M)[i],
         to_j |-> [k \in Procs |-> IF KS_23own = "b" /\ k = i THEN 0 ELSE L[k][j]]]

(* d1: forall k: SR[k] >= to_j[k] *)
Ready(packet) == \A k \in Procs : packet.control.to_j[k] <= SR[packet.to][k]

(* d4, d5: the matrix L of process j after it has delivered M of i with (1) and (2). *)
Recorded(L, control, M, j) ==
    LET i       == M.sender
        united  == [d \in Procs |-> Max(L[i][d], control.sent[d])]
        row     == IF KS_23 = "a" THEN control.sent ELSE united
        withRow == IF i = j THEN L ELSE [L EXCEPT ![i] = row]
    IN  IF KS_23 = "a"
        THEN withRow
        ELSE [k \in Procs |-> [withRow[k] EXCEPT ![j] = Max(@, control.to_j[k])]]

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        ids(j) == Identifiers(latest[i], M, j)
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ latest' = [latest EXCEPT ![i] = WithSent(@, M)]                  \* s1
        /\ Transmit(M, ids)                                                 \* s2-s4
        /\ UNCHANGED SR

SendAndDeliverOwn(i, Dests) ==
    LET M      == NextMessage(i, Dests)
        ids(j) == Identifiers(latest[i], M, j)
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ Ready(Packet(M, i, ids(i)))                                      \* d1
        /\ TransmitAndDeliverOwn(M, ids)                                    \* s2-s4, d2
        /\ SR' = [SR EXCEPT ![i][i] = Max(@, M.number)]                     \* d3
        /\ latest' = [latest EXCEPT ![i] =
                          Recorded(WithSent(@, M), ids(i), M, i)]           \* s1, d4, d5

ReceivePacket(packet) ==
    LET j == packet.to
        M == packet.msg
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ SR' = [SR EXCEPT ![j][M.sender] = Max(@, M.number)]              \* d3
        /\ latest' = [latest EXCEPT ![j] =
                          Recorded(@, packet.control, M, j)]                \* d4, d5

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

(* The messages from whose send a chain of at most length messages ends in s, its last. *)
RECURSIVE Before(_, _)
Before(s, length) ==
    LET i     == s.msg.sender
        links == {m \in s.past.sent : <<Id(m.msg), i>> \in s.past.delivered}
        further == IF length = 1 THEN {}
                   ELSE links \cup UNION {Before(m, length - 1) : m \in links}
    IN  {m \in s.past.sent : m.msg.sender = i} \cup further

(* Lemma 8: deliveries respect chains of one and of two messages. *)
C_KS_L8 ==
    \A d \in Procs : \A s \in past[d].sent :
        IsDelivered(s, d)
            => \A m \in Before(s, 2) : d \in m.msg.dests => IsDelivered(m, d)
===============================================================================
