----------------------------- MODULE CausalSystem -----------------------------
(***************************************************************************)
(* The system around a causal ordering algorithm, and what is checked of   *)
(* every algorithm.                                                        *)
(*                                                                         *)
(* Processes send at most MaxSends messages in all.  A send is atomic: all *)
(* copies enter the network at once.  No copy is lost or duplicated.       *)
(*                                                                         *)
(* An algorithm has variables of its own, one value for each process, and  *)
(* a delivery condition Ready(packet).                                     *)
(***************************************************************************)
EXTENDS CausalHistory

CONSTANTS
    Procs,              \* the processes, 1..n
    MaxSends,           \* sends in the whole run
    MaxSendsPerProcess, \* sends of one process
    Load,               \* "unicast", "multicast" or "broadcast"
    Channel,            \* "unordered", "fifo", "fifo-delivery" or "fifo-arrival"
    Self                \* "forbidden", "network" or "at-send"

ASSUME /\ Procs = 1..Cardinality(Procs)
       /\ MaxSends \in Nat
       /\ MaxSendsPerProcess \in Nat
       /\ Load \in {"unicast", "multicast", "broadcast"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}
       /\ Self \in {"forbidden", "network", "at-send"}

VARIABLES
    past,     \* past[i]: the causal past of process i
    network   \* the packets in transit

systemVars == <<past, network>>

(* A packet is the copy of a message to one destination, with its control  *)
(* information and the past of its sender just before the send.            *)
Packet(msg, d, control) ==
    [to |-> d, msg |-> msg, control |-> control, past |-> past[msg.sender]]

SentMessage(packet) == [msg |-> packet.msg, past |-> packet.past]

SystemTypeOK ==
    /\ DOMAIN past = Procs
    /\ \A i \in Procs : IsPast(past[i], Procs)
    /\ \A packet \in network :
        /\ DOMAIN packet = {"to", "msg", "control", "past"}
        /\ IsMessage(packet.msg, Procs)
        /\ packet.to \in packet.msg.dests
        /\ IsPast(packet.past, Procs)

SystemInit ==
    /\ past = [i \in Procs |-> EmptyPast]
    /\ network = {}

-------------------------------------------------------------------------------
(* Sending. *)

Receivers(i) == IF Self = "forbidden" THEN Procs \ {i} ELSE Procs

DestinationSets(i) ==
    CASE Load = "unicast"   -> {{d} : d \in Receivers(i)}
      [] Load = "multicast" -> SUBSET Receivers(i) \ {{}}
      [] Load = "broadcast" -> {Receivers(i)}

SentBy(i) == {s.msg : s \in {e \in past[i].sent : e.msg.sender = i}}

MaySend(i) ==
    /\ Cardinality(UNION {SentBy(k) : k \in Procs}) < MaxSends
    /\ Cardinality(SentBy(i)) < MaxSendsPerProcess

NextMessage(i, Dests) ==
    [sender |-> i, number |-> Cardinality(SentBy(i)) + 1, dests |-> Dests]

(* The sender takes its own copy within the send. *)
KeepsOwnCopy(i, Dests) == Self = "at-send" /\ i \in Dests

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

(* The packet leaves the network and its message is delivered. *)
Deliver(packet) ==
    /\ network' = network \ {packet}
    /\ past' = [past EXCEPT ![packet.to] = AfterDelivery(@, SentMessage(packet), packet.to)]

-------------------------------------------------------------------------------
(* Properties. *)

(* Safety: what is delivered at d has no undelivered message to d in its past. *)
CausalOrder ==
    \A d \in Procs : \A s \in past[d].sent :
        <<Id(s.msg), d>> \in past[d].delivered
            => AddressedTo(s.past, d) \subseteq DeliveredAt(past[d], d)

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
