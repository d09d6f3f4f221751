-------------------------------- MODULE KimKim --------------------------------
(***************************************************************************)
(* J. Kim, C. Kim, An efficient causal ordering protocol in group          *)
(* communications, 10th Int. Conf. on Information Networking, 1996.        *)
(* Without its n x n arrays; the labels are those of algorithms.md, B11.   *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not, and one group:     *)
(* Load is "broadcast".                                                    *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality. *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANT
    KK_1 \* d3 removes from DP a: the direct predecessors of the message
         \* b: all, also those over other messages

ASSUME /\ KK_1 \in {"a", "b"}

VARIABLES
    V,    \* V[j][k]: number of the last message of k delivered at j, or sent by j = k
    DP,   \* DP[j]: the direct predecessors <<k, c>> of the next message of j
    graph \* graph[j]: the messages known to j with their own DP; KK_1 = "b" only

vars == <<V, DP, graph, systemVars>>

Ids == Procs \X (Nat \ {0})

TypeOK ==
    /\ SystemTypeOK
    /\ V \in [Procs -> [Procs -> Nat]]
    /\ DOMAIN DP = Procs /\ \A j \in Procs : DP[j] \subseteq Ids
    /\ DOMAIN graph = Procs
    /\ \A j \in Procs : \A m \in graph[j] : m.id \in Ids /\ m.DP \subseteq Ids
    /\ \A packet \in network : packet.control \subseteq Ids

Init ==
    /\ SystemInit
    /\ V = [j \in Procs |-> [k \in Procs |-> 0]]
    /\ DP = [j \in Procs |-> {}]
    /\ graph = [j \in Procs |-> {}]

-------------------------------------------------------------------------------
IsOwn(packet) == packet.to = packet.msg.sender

(* d1: V[i] = c - 1, and V[k] >= c' for all (k,c') in DP(M); the own copy waits *)
(* for nothing.                                                                *)
Ready(packet) ==
    LET i == packet.msg.sender
        j == packet.to
    IN  \/ IsOwn(packet)
        \/ /\ V[j][i] = packet.msg.number - 1
           /\ \A p \in packet.control : V[j][p[1]] >= p[2]

(* The message with this id and DP is known; KK_1 = "a" has no use for that. *)
Extended(known, id, preds) ==
    IF KK_1 = "b" THEN known \cup {[id |-> id, DP |-> preds]} ELSE known

(* Ids, and all that precedes them in the graph. *)
RECURSIVE Behind(_, _)
Behind(known, ids) ==
    LET more == UNION {m.DP : m \in {e \in known : e.id \in ids}} \ ids
    IN  IF more = {} THEN ids ELSE Behind(known, ids \cup more)

(* d3: what DP = preds becomes at process j. *)
Replaced(preds, packet) ==
    LET removed == IF KK_1 = "a" THEN packet.control
                                 ELSE Behind(graph[packet.to], packet.control)
    IN  (preds \ removed) \cup {Id(packet.msg)}

-------------------------------------------------------------------------------
(* s2, with c = V[i] + 1 of s1. *)
Sent(i) ==
    LET c == V[i][i] + 1
    IN  /\ V' = [V EXCEPT ![i][i] = c]
        /\ DP' = [DP EXCEPT ![i] = {<<i, c>>}]
        /\ graph' = [graph EXCEPT ![i] = Extended(@, <<i, c>>, DP[i])]

Send(i, Dests) ==
    /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
    /\ LET A(d) == DP[i] IN Transmit(NextMessage(i, Dests), A)              \* s1
    /\ Sent(i)                                                              \* s2

SendAndDeliverOwn(i, Dests) ==
    /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
    /\ LET A(d) == DP[i] IN TransmitAndDeliverOwn(NextMessage(i, Dests), A) \* s1, d2
    /\ Sent(i)                                                              \* s2

ReceivePacket(packet) ==
    LET i == packet.msg.sender
        j == packet.to
        c == packet.msg.number
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ IF IsOwn(packet)
           THEN UNCHANGED <<V, DP, graph>>
           ELSE /\ V' = [V EXCEPT ![j][i] = c]                              \* d2
                /\ DP' = [DP EXCEPT ![j] = Replaced(@, packet)]             \* d3
                /\ graph' = [graph EXCEPT ![j] = Extended(@, <<i, c>>, packet.control)]

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

(* All but its sender and j must still get each message of DP. *)
StateFacts(j) == {f \in DP[j] \X Procs : f[2] \notin {f[1][1], j}}

(* The destination must still get those that are not its own. *)
PacketFacts(packet) ==
    {p \in packet.control : p[1] # packet.to} \X {packet.to}

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
