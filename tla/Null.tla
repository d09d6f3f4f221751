--------------------------------- MODULE Null ---------------------------------
(***************************************************************************)
(* No control information at all, the lower end of every comparison: a     *)
(* copy is delivered whenever it is received, and the channel alone        *)
(* decides on the order.                                                   *)
(*                                                                         *)
(* Assumes reliable asynchronous channels.                                 *)
(* Checked: TypeOK, NoNeedlessDelay, NotStuck; violated: CausalOrder, and  *)
(* Minimality, for what is required is missing.                            *)
(***************************************************************************)
EXTENDS CausalSystem

vars == systemVars

TypeOK ==
    /\ SystemTypeOK
    /\ \A packet \in network : packet.control = "none"

Init == SystemInit

-------------------------------------------------------------------------------
Nothing(d) == "none"

Ready(packet) == TRUE

Send(i, Dests) ==
    /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
    /\ Transmit(NextMessage(i, Dests), Nothing)

SendAndDeliverOwn(i, Dests) ==
    /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
    /\ TransmitAndDeliverOwn(NextMessage(i, Dests), Nothing)

ReceivePacket(packet) ==
    /\ ChannelAllows(packet, Ready)
    /\ Deliver(packet)

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

(* Nothing is asserted. *)
NoFacts(x) == {}

MissingInState == NothingMissingInState(NoFacts)

RedundantInState == NothingRedundantInState(NoFacts)

MissingInPacket == NothingMissingInPacket(NoFacts)

RedundantInPacket == NothingRedundantInPacket(NoFacts)
===============================================================================
