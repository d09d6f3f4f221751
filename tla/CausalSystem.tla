----------------------------- MODULE CausalSystem -----------------------------
(***************************************************************************)
(* The network of an algorithm whose messages travel directly: one packet  *)
(* to each destination, in transit until it is delivered.                  *)
(*                                                                         *)
(* A send is atomic: all copies enter the network at once.  No copy is     *)
(* lost or duplicated.                                                     *)
(*                                                                         *)
(* An algorithm has variables of its own, one value for each process, and  *)
(* a delivery condition Ready(packet).                                     *)
(***************************************************************************)
EXTENDS CausalWorkload

VARIABLE network \* the packets in transit

systemVars == <<past, network>>

(* A packet is the copy of a message to one destination, with its control  *)
(* information and the past of its sender just before the send.            *)
Packet(msg, d, control) ==
    [to |-> d, msg |-> msg, control |-> control, past |-> past[msg.sender]]

SentMessage(packet) == [msg |-> packet.msg, past |-> packet.past]

SystemTypeOK ==
    /\ PastTypeOK
    /\ \A packet \in network :
        /\ DOMAIN packet = {"to", "msg", "control", "past"}
        /\ IsMessage(packet.msg, Procs)
        /\ packet.to \in packet.msg.dests
        /\ IsPast(packet.past, Procs)

SystemInit ==
    /\ PastInit
    /\ network = {}

-------------------------------------------------------------------------------
(* Sending. *)

(* All copies enter the network. *)
Transmit(msg, Control(_)) ==
    /\ network' = network \cup {Packet(msg, d, Control(d)) : d \in msg.dests}
    /\ past' = [past EXCEPT ![msg.sender] = AfterSend(@, msg)]

(* All copies but the sender's own enter the network; that one is delivered. *)
TransmitAndDeliverOwn(msg, Control(_)) ==
    LET i == msg.sender
        s == [msg |-> msg, past |-> past[i]]
    IN  /\ network' = network \cup {Packet(msg, d, Control(d)) : d \in msg.dests \ {i}}
        /\ past' = [past EXCEPT ![i] = AfterDelivery(AfterSend(@, msg), s, i)]

-------------------------------------------------------------------------------
(* Receiving. *)

Older(packet) ==
    {q \in network : /\ q.msg.sender = packet.msg.sender
                     /\ q.to = packet.to
                     /\ q.msg.number < packet.msg.number}

(* What the channel allows of the packets that are Ready. *)
ChannelAllows(packet, Ready(_)) ==
    CASE Channel \in {"unordered", "fifo-arrival"} -> TRUE
      [] Channel = "fifo"          -> \A q \in Older(packet) : ~Ready(q)
      [] Channel = "fifo-delivery" -> Older(packet) = {}

(* The copy of the message of i with this number that is in transit to d, if any. *)
Copies(i, number, d) ==
    {packet \in network : packet.msg.sender = i /\ packet.msg.number = number /\ packet.to = d}

(* The packet leaves the network and its message is delivered. *)
Deliver(packet) ==
    /\ network' = network \ {packet}
    /\ past' = [past EXCEPT ![packet.to] = AfterDelivery(@, SentMessage(packet), packet.to)]

-------------------------------------------------------------------------------
(* Properties. *)

(* Whatever the channel says, a packet that causal order does not hold back  *)
(* is Ready.                                                                *)
NeverHeldNeedlessly(Ready(_)) ==
    \A packet \in network :
        AddressedTo(packet.past, packet.to) \subseteq DeliveredAt(past[packet.to], packet.to)
            => Ready(packet)

(* Liveness on bounded runs: while a message is undelivered, a packet can be *)
(* received.  (Without loss, undelivered copies are those in transit.)       *)
NeverStuck(Ready(_)) ==
    network = {} \/ \E packet \in network : Ready(packet) /\ ChannelAllows(packet, Ready)

(* Minimality: the facts that an algorithm stores and carries are exactly the *)
(* required ones.                                                            *)
NothingMissingInState(Facts(_)) == \A i \in Procs : Required(past[i]) \subseteq Facts(i)

NothingRedundantInState(Facts(_)) == \A i \in Procs : Facts(i) \subseteq Required(past[i])

NothingMissingInPacket(Facts(_)) ==
    \A packet \in network : RequiredOnCopy(SentMessage(packet), packet.to) \subseteq Facts(packet)

NothingRedundantInPacket(Facts(_)) ==
    \A packet \in network : Facts(packet) \subseteq RequiredOnCopy(SentMessage(packet), packet.to)
===============================================================================
