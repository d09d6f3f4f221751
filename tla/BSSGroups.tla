------------------------------ MODULE BSSGroups ------------------------------
(***************************************************************************)
(* K. Birman, A. Schiper, P. Stephenson, Lightweight causal and atomic     *)
(* group multicast, ACM Transactions on Computer Systems 9(3), 1991:       *)
(* CBCAST in groups that may overlap; labels of algorithms.md, B4.         *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not, and that every     *)
(* message goes to the other members of a group of its sender.             *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, C_BSS_1.       *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANTS
    groups, \* the groups of the system; {}: all sets of two processes or more
    BSS_3   \* the vectors of groups that a process is not in are a: kept and sent
            \* b: dropped  c: kept and sent, but not merged

ASSUME groups \subseteq SUBSET Procs
ASSUME /\ BSS_3 \in {"a", "b", "c"}

VARIABLE V \* V[j][g][x]: messages of x in group g that j knows; V[j][g][j]: sent

vars == <<V, systemVars>>

AllGroups ==
    IF groups = {} THEN {g \in SUBSET Procs : Cardinality(g) >= 2} ELSE groups

GroupsOf(j) == {g \in AllGroups : j \in g}

KeptAt(j) == IF BSS_3 = "b" THEN GroupsOf(j) ELSE AllGroups

(* One vector, over its members, for each group that j keeps. *)
IsClocksOf(j, clocks) ==
    /\ DOMAIN clocks = KeptAt(j)
    /\ \A g \in KeptAt(j) : clocks[g] \in [g -> Nat]

TypeOK ==
    /\ SystemTypeOK
    /\ DOMAIN V = Procs /\ \A j \in Procs : IsClocksOf(j, V[j])
    /\ \A packet \in network : IsClocksOf(packet.msg.sender, packet.control)

Init ==
    /\ SystemInit
    /\ V = [j \in Procs |-> [g \in KeptAt(j) |-> [x \in g |-> 0]]]

-------------------------------------------------------------------------------
(* The group of a message from i to Dests. *)
GroupOf(i, Dests) == Dests \cup {i}

IsOwn(packet) == packet.to = packet.msg.sender

(* d1 (1), (2), (3); the own copy waits for nothing. *)
Ready(packet) ==
    LET i == packet.msg.sender
        j == packet.to
        k == GroupOf(i, packet.msg.dests)
        T == packet.control
    IN  \/ IsOwn(packet)
        \/ /\ T[k][i] = V[j][k][i] + 1
           /\ \A x \in k \ {i} : T[k][x] <= V[j][k][x]
           /\ \A g \in (GroupsOf(j) \cap DOMAIN T) \ {k} :
                  \A x \in g : T[g][x] <= V[j][g][x]

Max(v, w) == [x \in DOMAIN v |-> IF v[x] > w[x] THEN v[x] ELSE w[x]]

(* d3: the vectors of process j after it has delivered the message in packet. *)
Merged(clocks, packet) ==
    LET j == packet.to
        T == packet.control
        merged == IF BSS_3 = "c" THEN GroupsOf(j) ELSE DOMAIN T
    IN  IF IsOwn(packet) THEN clocks
        ELSE [g \in DOMAIN clocks |->
                 IF g \in merged \cap DOMAIN T THEN Max(clocks[g], T[g]) ELSE clocks[g]]

-------------------------------------------------------------------------------
(* s1, s2: the vectors of i after, and on, a message to Dests. *)
Counted(i, Dests) == [V[i] EXCEPT ![GroupOf(i, Dests)][i] = @ + 1]

MayAddress(i, Dests) == GroupOf(i, Dests) \in AllGroups

Send(i, Dests) ==
    /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
    /\ V' = [V EXCEPT ![i] = Counted(i, Dests)]                             \* s1
    /\ LET T(d) == Counted(i, Dests) IN Transmit(NextMessage(i, Dests), T)  \* s2

SendAndDeliverOwn(i, Dests) ==
    /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
    /\ V' = [V EXCEPT ![i] = Counted(i, Dests)]                             \* s1
    /\ LET T(d) == Counted(i, Dests)
       IN  TransmitAndDeliverOwn(NextMessage(i, Dests), T)                  \* s2, d2

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ V' = [V EXCEPT ![j] = Merged(@, packet)]                         \* d3

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

(* The invariant behind d1: V_g[x] counts the known messages of x in g. *)
C_BSS_1 ==
    \A j \in Procs : \A g \in KeptAt(j) : \A x \in g :
        V[j][g][x] = Cardinality({s \in past[j].sent :
                         s.msg.sender = x /\ GroupOf(x, s.msg.dests) = g})
===============================================================================
