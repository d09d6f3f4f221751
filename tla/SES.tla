--------------------------------- MODULE SES ---------------------------------
(***************************************************************************)
(* A. Schiper, J. Eggli, A. Sandoz, A new algorithm to implement causal    *)
(* ordering, 3rd Int. Workshop on Distributed Algorithms, LNCS 392, 1989.  *)
(* Multicast form; the labels are those of algorithms.md, B2.              *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck.                *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    SES_1, \* the receiver records the copies to the others (d4)  a: yes  b: no
    SES_2, \* the clock ticks at a send, a: before tm is taken
           \* b: as a, and at a delivery  c: after tm is taken
    SES_3  \* pairs kept and sent: a: all, without that of the message itself
           \* b: as a, but (d,v) goes once a message of d with tm >= v is delivered
           \* c: all, with that of the message itself (s3 before s2)

ASSUME /\ SES_1 \in {"a", "b"}
       /\ SES_2 \in {"a", "b", "c"}
       /\ SES_3 \in {"a", "b", "c"}

VARIABLES
    T, \* T[i]: vector clock
    V  \* V[i][d]: what the clock of d must reach before the next message to d;
       \* DOMAIN V[i] holds the destinations known to be sent to

vars == <<T, V, systemVars>>

Vector == [Procs -> Nat]

IsPairs(pairs) ==
    /\ DOMAIN pairs \subseteq Procs
    /\ pairs \in [DOMAIN pairs -> Vector]

TypeOK ==
    /\ SystemTypeOK
    /\ T \in [Procs -> Vector]
    /\ DOMAIN V = Procs /\ \A i \in Procs : IsPairs(V[i])
    /\ \A packet \in network : packet.control.tm \in Vector /\ IsPairs(packet.control.V)

NoPairs == [d \in {} |-> 0]

Init ==
    /\ SystemInit
    /\ T = [i \in Procs |-> [k \in Procs |-> 0]]
    /\ V = [i \in Procs |-> NoPairs]

-------------------------------------------------------------------------------
AtMost(v, w) == \A k \in Procs : v[k] <= w[k]

Max(v, w) == [k \in Procs |-> IF v[k] > w[k] THEN v[k] ELSE w[k]]

Ticked(v, i) == [v EXCEPT ![i] = @ + 1]

(* The same vector v for each d in Dests. *)
Pairs(Dests, v) == [d \in Dests |-> v]

But(pairs, d) == [e \in DOMAIN pairs \ {d} |-> pairs[e]]

(* Where both have a vector for d, the maximum of the two. *)
Merged(p, q) ==
    [d \in DOMAIN p \cup DOMAIN q |->
        CASE d \notin DOMAIN q -> p[d]
          [] d \notin DOMAIN p -> q[d]
          [] OTHER -> Max(p[d], q[d])]

(* s1, s2: what all copies of a message from i to Dests carry. *)
Attached(i, Dests) ==
    LET tm == IF SES_2 = "c" THEN T[i] ELSE Ticked(T[i], i)
    IN  [tm |-> tm, V |-> IF SES_3 = "c" THEN Pairs(Dests, tm) @@ V[i] ELSE V[i]]

(* d1: no pair for j, or VM[j] <= T, the clock of j. *)
Reached(clock, packet) ==
    LET j  == packet.to
        VM == packet.control.V
    IN  j \in DOMAIN VM => AtMost(VM[j], clock)

Ready(packet) == Reached(T[packet.to], packet)

(* d3, d4: the pairs of process j after it has delivered the message in packet. *)
Learned(pairs, packet) ==
    LET i  == packet.msg.sender
        j  == packet.to
        tm == packet.control.tm
        others == IF SES_1 = "a" THEN packet.msg.dests \ {j} ELSE {}
        all == Merged(Merged(pairs, But(packet.control.V, j)), Pairs(others, tm))
    IN  IF SES_3 = "b" /\ i \in DOMAIN all /\ AtMost(all[i], tm) THEN But(all, i) ELSE all

(* d5 *)
Advanced(clock, packet) ==
    LET v == Max(clock, packet.control.tm)
    IN  IF SES_2 = "b" THEN Ticked(v, packet.to) ELSE v

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET C    == Attached(i, Dests)
        A(d) == C
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ T' = [T EXCEPT ![i] = Ticked(@, i)]                              \* s1
        /\ Transmit(NextMessage(i, Dests), A)                               \* s2
        /\ V' = [V EXCEPT ![i] = Pairs(Dests, C.tm) @@ @]                   \* s3

SendAndDeliverOwn(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        C    == Attached(i, Dests)
        A(d) == C
        own  == Packet(M, i, C)
        clock == Ticked(T[i], i)                                            \* s1
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ Reached(clock, own)                                              \* d1
        /\ TransmitAndDeliverOwn(M, A)                                      \* s2, d2
        /\ V' = [V EXCEPT ![i] = Learned(Pairs(Dests, C.tm) @@ @, own)]     \* s3, d3, d4
        /\ T' = [T EXCEPT ![i] = Advanced(clock, own)]                      \* d5

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ V' = [V EXCEPT ![j] = Learned(@, packet)]                        \* d3, d4
        /\ T' = [T EXCEPT ![j] = Advanced(@, packet)]                       \* d5

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
