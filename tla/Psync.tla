-------------------------------- MODULE Psync --------------------------------
(***************************************************************************)
(* L. Peterson, N. Buchholz, R. Schlichting, Preserving and using context  *)
(* information in interprocess communication, ACM Transactions on Computer *)
(* Systems 7(3), 1989.  The labels are those of algorithms.md, B6.         *)
(*                                                                         *)
(* Assumes channels that lose nothing, FIFO or not, and that every message *)
(* goes to all participants: Load is "broadcast".                          *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, Minimality,    *)
(* C_B_5, C_B_5_msg, C_PS_1, C_PS_2.                                       *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANT
    PS_1 \* named messages that are not addressed to the receiver
         \* a: there are none, every message goes to all  b: awaited  c: ignored

ASSUME /\ PS_1 \in {"a", "b", "c"}

VARIABLE G \* G[j]: the context graph that j knows, messages [msg, named] with
           \* those that each names

vars == <<G, systemVars>>

Messages == [sender : Procs, number : Nat \ {0}, dests : SUBSET Procs]

TypeOK ==
    /\ SystemTypeOK
    /\ DOMAIN G = Procs
    /\ \A j \in Procs : \A m \in G[j] : m.msg \in Messages /\ m.named \subseteq Messages
    /\ \A packet \in network : packet.control \subseteq Messages

Init ==
    /\ SystemInit
    /\ G = [j \in Procs |-> {}]

-------------------------------------------------------------------------------
View(g) == {m.msg : m \in g}

Leaves(g) == View(g) \ UNION {m.named : m \in g}

With(g, msg, named) == g \cup {[msg |-> msg, named |-> named]}

IsOwn(packet) == packet.to = packet.msg.sender

(* d1: all named messages are in the view; the own copy waits for nothing. *)
Ready(packet) ==
    LET j == packet.to
        here    == {m \in packet.control : j \in m.dests \cup {m.sender}}
        awaited == IF PS_1 = "c" THEN here ELSE packet.control
    IN  IsOwn(packet) \/ awaited \subseteq View(G[j])

MayAddress(i, Dests) == PS_1 = "a" => Dests \cup {i} = Procs

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        A(d) == Leaves(G[i])
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
        /\ Transmit(M, A)                                                   \* s1
        /\ G' = [G EXCEPT ![i] = With(@, M, Leaves(@))]                     \* s2

SendAndDeliverOwn(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        A(d) == Leaves(G[i])
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ TransmitAndDeliverOwn(M, A)                                      \* s1, d2
        /\ G' = [G EXCEPT ![i] = With(@, M, Leaves(@))]                     \* s2

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* d2
        /\ G' = IF IsOwn(packet) THEN G
                ELSE [G EXCEPT ![j] = With(@, packet.msg, packet.control)]  \* d2

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

(* All but its sender and j must still get each leaf. *)
StateFacts(j) == UNION {{Id(m)} \X (m.dests \ {m.sender, j}) : m \in Leaves(G[j])}

(* The destination must still get the named messages that are not its own. *)
PacketFacts(packet) ==
    LET toIt == {m \in packet.control : packet.to \in m.dests \ {m.sender}}
    IN  {<<Id(m), packet.to>> : m \in toIt}

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)

(* The number of attached ids never exceeds the number of participants. *)
C_B_5 == \A j \in Procs : Cardinality(Leaves(G[j])) <= Cardinality(Procs)

(* A copy names at most one message of each participant. *)
C_B_5_msg ==
    \A packet \in network : \A m \in packet.control, o \in packet.control :
        m.sender = o.sender => m = o

(* The leaves of the view are the latest messages of the past. *)
C_PS_1 ==
    \A j \in Procs :
        {Id(m) : m \in Leaves(G[j])} =
            {Id(s.msg) : s \in past[j].sent}
                \ UNION {{Id(r.msg) : r \in s.past.sent} : s \in past[j].sent}

(* The messages of g that name one of M, or one that does, and so on. *)
RECURSIVE Followers(_, _)
Followers(g, M) ==
    LET more == {m.msg : m \in {e \in g : e.named \cap M # {}}} \ M
    IN  IF more = {} THEN {} ELSE more \cup Followers(g, M \cup more)

(* A message that messages of all other participants follow is delivered       *)
(* everywhere, and may be collected.                                           *)
C_PS_2 ==
    \A j \in Procs : \A m \in View(G[j]) :
        {f.sender : f \in Followers(G[j], {m})} \cup {m.sender} = Procs
            => {Id(m)} \X m.dests \subseteq past[j].delivered
===============================================================================
