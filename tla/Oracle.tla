-------------------------------- MODULE Oracle --------------------------------
(***************************************************************************)
(* The whole causal past on every copy, the upper end of every comparison: *)
(* causal order as it is defined (algorithms.md, Section 1).               *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality. *)
(***************************************************************************)
EXTENDS CausalSystem

VARIABLE History \* History[j].sent: the messages [msg, before] sent in the past of
                 \* j, before: the ids of those sent in the past of that send;
                 \* History[j].delivered: pairs <<id, d>>

vars == <<History, systemVars>>

IsHistory(h) ==
    /\ DOMAIN h = {"sent", "delivered"}
    /\ \A s \in h.sent : IsMessage(s.msg, Procs) /\ s.before \subseteq Procs \X Nat
    /\ h.delivered \subseteq (Procs \X Nat) \X Procs

TypeOK ==
    /\ SystemTypeOK
    /\ DOMAIN History = Procs /\ \A j \in Procs : IsHistory(History[j])
    /\ \A packet \in network : IsHistory(packet.control)

Init ==
    /\ SystemInit
    /\ History = [j \in Procs |-> [sent |-> {}, delivered |-> {}]]

-------------------------------------------------------------------------------
Ids(h) == {Id(s.msg) : s \in h.sent}

Joined(h, g) == [sent |-> h.sent \cup g.sent, delivered |-> h.delivered \cup g.delivered]

WithSend(h, msg) == [h EXCEPT !.sent = @ \cup {[msg |-> msg, before |-> Ids(h)]}]

WithDelivery(h, msg, d) == [h EXCEPT !.delivered = @ \cup {<<Id(msg), d>>}]

(* h of process j after it has delivered the message in packet. *)
Learned(h, packet) ==
    LET msg == packet.msg
    IN  WithDelivery(Joined(h, WithSend(packet.control, msg)), msg, packet.to)

(* Every message to j in the past of the copy is delivered. *)
Ready(packet) ==
    LET j == packet.to
    IN  \A s \in packet.control.sent :
            j \in s.msg.dests => <<Id(s.msg), j>> \in History[j].delivered

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        A(d) == History[i]
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ Transmit(M, A)
        /\ History' = [History EXCEPT ![i] = WithSend(@, M)]

SendAndDeliverOwn(i, Dests) ==
    LET M    == NextMessage(i, Dests)
        A(d) == History[i]
        own  == Packet(M, i, History[i])
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ Ready(own)
        /\ TransmitAndDeliverOwn(M, A)
        /\ History' = [History EXCEPT ![i] = Learned(WithSend(@, M), own)]

ReceivePacket(packet) ==
    LET j == packet.to
    IN  /\ Ready(packet)
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)
        /\ History' = [History EXCEPT ![j] = Learned(@, packet)]

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

(* Sent, not known to be delivered, and no later message to the same process. *)
Outstanding(h) ==
    LET Facts(s)   == {Id(s.msg)} \X s.msg.dests
        Covered(s) == s.before \X s.msg.dests
    IN  UNION {Facts(s) : s \in h.sent}
            \ (h.delivered \cup UNION {Covered(s) : s \in h.sent})

StateFacts(j) == Outstanding(History[j])

(* Less what the message itself covers at its other destinations. *)
PacketFacts(packet) ==
    {f \in Outstanding(packet.control) : f[2] \notin packet.msg.dests \ {packet.to}}

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
