---------------------------- MODULE CausalTransport ----------------------------
(***************************************************************************)
(* The network of an algorithm that takes packets when they arrive,        *)
(* delivers later, passes messages on, or sends signals: packets of its    *)
(* own without a message, such as acknowledgements and tokens.             *)
(*                                                                         *)
(* A packet is [from, to, msg, control, past], with the past of the        *)
(* original sender just before its send; a signal is [from, to, control].  *)
(* No two packets in transit are equal.  Nothing is lost or duplicated.    *)
(*                                                                         *)
(* held[i] has the messages that have arrived at i and are addressed to    *)
(* it, with their pasts, until they are delivered.  It is a history        *)
(* variable, as past is: no algorithm reads it.                            *)
(***************************************************************************)
EXTENDS CausalWorkload, Sequences

VARIABLES
    held,   \* held[i]: the messages that have arrived at i and are not delivered
    network \* network[i][j]: in transit from i to j; where channels are queues, oldest first

transportVars == <<past, held, network>>

(* On arrival events, fifo-arrival is what fifo-delivery is. *)
Queues == Channel \in {"fifo", "fifo-delivery", "fifo-arrival"}

Range(sequence) == {sequence[k] : k \in DOMAIN sequence}

InTransit(i, j) == IF Queues THEN Range(network[i][j]) ELSE network[i][j]

AllInTransit == UNION {InTransit(c[1], c[2]) : c \in Procs \X Procs}

Packet(i, d, s, control) ==
    [from |-> i, to |-> d, msg |-> s.msg, control |-> control, past |-> s.past]

Signal(i, d, control) == [from |-> i, to |-> d, control |-> control]

IsSignal(packet) == "msg" \notin DOMAIN packet

SentMessage(packet) == [msg |-> packet.msg, past |-> packet.past]

(* Message M of i as it is sent now, with its past. *)
SendingNow(M) == [msg |-> M, past |-> past[M.sender]]

TransportTypeOK ==
    /\ PastTypeOK
    /\ \A i \in Procs : \A s \in held[i] : IsMessage(s.msg, Procs) /\ IsPast(s.past, Procs)
    /\ \A packet \in AllInTransit :
        /\ packet.from \in Procs /\ packet.to \in Procs
        /\ IF IsSignal(packet)
           THEN DOMAIN packet = {"from", "to", "control"}
           ELSE /\ DOMAIN packet = {"from", "to", "msg", "control", "past"}
                /\ IsMessage(packet.msg, Procs)
                /\ IsPast(packet.past, Procs)

TransportInit ==
    /\ PastInit
    /\ held = [i \in Procs |-> {}]
    /\ network = [i \in Procs |-> [j \in Procs |-> IF Queues THEN <<>> ELSE {}]]

-------------------------------------------------------------------------------
(* What a step does to the network. *)

(* The network net with Out(d), a sequence of packets, on its way from i to each d. *)
With(net, i, Out(_)) ==
    [net EXCEPT ![i] = [d \in Procs |-> IF Queues THEN @[d] \o Out(d) ELSE @[d] \cup Range(Out(d))]]

Place(packet) ==
    CHOOSE k \in DOMAIN network[packet.from][packet.to] : network[packet.from][packet.to][k] = packet

(* The network without packet. *)
Without(packet) ==
    LET At(k) == network[packet.from][packet.to][k]
        place == Place(packet)
        length == Len(network[packet.from][packet.to])
    IN  [network EXCEPT ![packet.from][packet.to] =
            IF Queues
            THEN [k \in 1..(length - 1) |-> IF k < place THEN At(k) ELSE At(k + 1)]
            ELSE @ \ {packet}]

Older(packet) ==
    IF Queues
    THEN {network[packet.from][packet.to][k] : k \in 1..(Place(packet) - 1)}
    ELSE {}

(* What the channel allows of the packets that their receivers are Ready to take. *)
ChannelAllows(packet, Ready(_)) ==
    CASE Channel \in {"unordered", "rendezvous"}         -> TRUE
      [] Channel = "fifo"                               -> \A q \in Older(packet) : ~Ready(q)
      [] Channel \in {"fifo-delivery", "fifo-arrival"} -> Older(packet) = {}

-------------------------------------------------------------------------------
(* What a step does to the histories. *)

(* What process i has at hand once packet has arrived there. *)
HeldWith(i, packet) ==
    held[i] \cup IF IsSignal(packet) \/ i \notin packet.msg.dests THEN {} ELSE {SentMessage(packet)}

(* Process i, with before and athand as past and held messages, delivers those of Messages. *)
DeliverFrom(i, before, athand, Messages) ==
    LET S == {s \in athand : s.msg \in Messages}
    IN  /\ past' = [past EXCEPT ![i] = AfterDeliveries(before, S, i)]
        /\ held' = [held EXCEPT ![i] = athand \ S]

(* What i has sent as M, with its past: for what it transmits later, or delivers itself. *)
SentBefore(i, M) == CHOOSE s \in past[i].sent : s.msg = M

-------------------------------------------------------------------------------
(* What is in transit, for fairness. *)

(* The copies of the message of i with this number that are in transit to d. *)
Copies(i, number, d) ==
    {packet \in AllInTransit :
        ~IsSignal(packet) /\ packet.msg.sender = i /\ packet.msg.number = number /\ packet.to = d}

Signals(i, d) == {packet \in InTransit(i, d) : IsSignal(packet)}

-------------------------------------------------------------------------------
(* Properties. *)

(* Nothing in transit to one of its destinations, and nothing held there, is delivered there. *)
NothingTwice ==
    /\ \A packet \in AllInTransit :
        IsSignal(packet) \/ packet.to \notin packet.msg.dests
            \/ Id(packet.msg) \notin DeliveredAt(past[packet.to], packet.to)
    /\ \A i \in Procs : \A s \in held[i] : Id(s.msg) \notin DeliveredAt(past[i], i)

(* Causal order does not hold back the sent message s at d. *)
IsDue(s, d) == AddressedTo(s.past, d) \subseteq DeliveredAt(past[d], d)

(* Whatever the channel says, what is due is Ready while it is in transit to a *)
(* destination, and can be taken at once, MayTake, while it is held.           *)
NeverHeldNeedlessly(Ready(_), MayTake(_, _)) ==
    /\ \A packet \in {p \in AllInTransit : ~IsSignal(p)} :
        packet.to \in packet.msg.dests /\ IsDue(SentMessage(packet), packet.to) => Ready(packet)
    /\ \A i \in Procs : \A s \in held[i] : IsDue(s, i) => MayTake(i, s)
=================================================================================
