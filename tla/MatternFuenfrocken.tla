--------------------------- MODULE MatternFuenfrocken ---------------------------
(***************************************************************************)
(* F. Mattern, S. Fuenfrocken, A non-blocking lightweight implementation   *)
(* of causal order message delivery, LNCS 938, 1995.  Reconstructed; the   *)
(* labels are those of algorithms.md, B8, with a3 for the receipt of an    *)
(* acknowledgement, and r1, r2 for a release (MF-2d).                      *)
(*                                                                         *)
(* A message carries nothing.  The application puts it into OUT and never  *)
(* waits; the transport transmits the next one when the last one is in the *)
(* IN of its receiver, which the application empties when it likes.        *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not, and the load       *)
(* "unicast".                                                              *)
(* Checked: TypeOK, CausalOrder, NotStuck, Integrity, C_B_2 and            *)
(* ArrivedBefore.  NoNeedlessDelay does not hold: IN is a queue.           *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    MF_1, \* the application takes from IN a: the head  b: any message
    MF_2, \* a multicast is a: not defined  b: unicasts, in the order of the processes
          \* c: all copies at once, then the wait for all acknowledgements
          \* d: as c; the receivers hold their copies until the sender releases them
    MF_3  \* a message is acknowledged a: when it arrives  b: when it is delivered

ASSUME /\ MF_1 \in {"a", "b"}
       /\ MF_2 \in {"a", "b", "c", "d"}
       /\ MF_3 \in {"a", "b"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}

(* The send only fills OUT, so there is nothing to deliver in it. *)
ASSUME /\ Self \in {"forbidden", "network"}

ASSUME MF_2 = "b" => Procs = 1..Cardinality(Procs)

VARIABLES
    OUT,       \* OUT[i]: [msg, to] to transmit; the head is there until acknowledged
    waiting,   \* waiting[i]: destinations that have yet to acknowledge the head
    INBOX,     \* INBOX[i]: messages that have arrived; it is IN of B8, a word of TLA+
    unreleased \* unreleased[i]: identities of messages in INBOX that are held (MF-2d)

vars == <<OUT, waiting, INBOX, unreleased, transportVars>>

TypeOK ==
    /\ TransportTypeOK
    /\ waiting \in [Procs -> SUBSET Procs]
    /\ \A i \in Procs :
        /\ \A x \in Range(OUT[i]) : x.msg.sender = i /\ x.to \subseteq x.msg.dests
        /\ \A m \in Range(INBOX[i]) : i \in m.dests
        /\ unreleased[i] \subseteq {Id(m) : m \in Range(INBOX[i])}
    /\ \A packet \in AllInTransit :
        IF IsSignal(packet)
        THEN packet.control \in [kind : {"acknowledge", "release"}, number : Nat \ {0}]
        ELSE packet.control = "none"

Init ==
    /\ TransportInit
    /\ OUT = [i \in Procs |-> <<>>]
    /\ waiting = [i \in Procs |-> {}]
    /\ INBOX = [i \in Procs |-> <<>>]
    /\ unreleased = [i \in Procs |-> {}]

-------------------------------------------------------------------------------
Acknowledgement(i, m) ==
    Signal(i, m.sender, [kind |-> "acknowledge", number |-> m.number])

Release(i, d, m) == Signal(i, d, [kind |-> "release", number |-> m.number])

(* D in ascending order. *)
RECURSIVE Ascending(_)
Ascending(D) ==
    LET first == CHOOSE d \in D : \A e \in D : d <= e
    IN  IF D = {} THEN <<>> ELSE <<first>> \o Ascending(D \ {first})

(* s1: what a send appends to OUT. *)
Parts(M) ==
    IF MF_2 = "b"
    THEN LET order == Ascending(M.dests)
         IN  [k \in DOMAIN order |-> [msg |-> M, to |-> {order[k]}]]
    ELSE <<[msg |-> M, to |-> M.dests]>>

(* The sent message of M at its sender, which may be sending it now. *)
SentAs(i, M) ==
    IF \E s \in past[i].sent : s.msg = M THEN SentBefore(i, M) ELSE SendingNow(M)

(* s2: the transport of i, whose OUT is out and which awaits no acknowledgement, *)
(* transmits the head.  First(d) goes before it.                                 *)
Transmitting(net, i, out, First(_)) ==
    LET head == Head(out)
        Out(d) == First(d) \o IF out # <<>> /\ d \in head.to
                              THEN <<Packet(i, d, SentAs(i, head.msg), "none")>>
                              ELSE <<>>
    IN  /\ OUT' = [OUT EXCEPT ![i] = out]
        /\ waiting' = [waiting EXCEPT ![i] = IF out = <<>> THEN {} ELSE head.to]
        /\ network' = With(net, i, Out)

Ready(packet) == TRUE

(* The places in INBOX[i] of what the application may take now. *)
MayTake(i) ==
    {k \in DOMAIN INBOX[i] :
        (MF_1 = "a" => k = 1) /\ Id(INBOX[i][k]) \notin unreleased[i]}

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M == NextMessage(i, Dests)
        out == OUT[i] \o Parts(M)
        NoMore(d) == <<>>
    IN  /\ MaySend(i)
        /\ MF_2 = "a" => Cardinality(Dests) = 1
        /\ IF waiting[i] = {}
           THEN Transmitting(network, i, out, NoMore)                       \* s1, s2
           ELSE /\ OUT' = [OUT EXCEPT ![i] = out]                           \* s1
                /\ UNCHANGED <<waiting, network>>
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i], {})
        /\ UNCHANGED <<INBOX, unreleased>>

(* An arrival. *)
ReceivePacket(packet) ==
    LET i == packet.to
        m == packet.msg
        Out(d) ==
            IF MF_3 = "a" /\ d = m.sender THEN <<Acknowledgement(i, m)>> ELSE <<>>
    IN  /\ ~IsSignal(packet)
        /\ ChannelAllows(packet, Ready)
        /\ INBOX' = [INBOX EXCEPT ![i] = Append(@, m)]                            \* a1
        /\ unreleased' =
                [unreleased EXCEPT ![i] = IF MF_2 = "d" THEN @ \cup {Id(m)} ELSE @]
        /\ network' = With(Without(packet), i, Out)                         \* a2
        /\ DeliverFrom(i, past[i], HeldWith(i, packet), {})
        /\ UNCHANGED <<OUT, waiting>>

ReceiveAcknowledgement(signal) ==
    LET i == signal.to
        left == waiting[i] \ {signal.from}
        head == Head(OUT[i])
        Releases(d) ==
            IF MF_2 = "d" /\ d \in head.to THEN <<Release(i, d, head.msg)>> ELSE <<>>
    IN  /\ IsSignal(signal) /\ signal.control.kind = "acknowledge"
        /\ ChannelAllows(signal, Ready)
        /\ IF left # {}
           THEN /\ waiting' = [waiting EXCEPT ![i] = left]                  \* a3
                /\ network' = Without(signal)
                /\ UNCHANGED OUT
           ELSE Transmitting(Without(signal), i, Tail(OUT[i]), Releases)    \* a3, r1, s2
        /\ UNCHANGED <<INBOX, unreleased, past, held>>

ReceiveRelease(signal) ==
    LET i == signal.to
    IN  /\ IsSignal(signal) /\ signal.control.kind = "release"
        /\ ChannelAllows(signal, Ready)
        /\ network' = Without(signal)
        /\ unreleased' =                                                    \* r2
                [unreleased EXCEPT ![i] = @ \ {<<signal.from, signal.control.number>>}]
        /\ UNCHANGED <<OUT, waiting, INBOX, past, held>>

TakeSignal(signal) == ReceiveAcknowledgement(signal) \/ ReceiveRelease(signal)

(* The application takes what is at place k of IN. *)
TakeFrom(i, k) ==
    LET m == INBOX[i][k]
        Out(d) ==
            IF MF_3 = "b" /\ d = m.sender THEN <<Acknowledgement(i, m)>> ELSE <<>>
    IN  /\ INBOX' = [INBOX EXCEPT ![i] =                                          \* d1
                        SubSeq(@, 1, k - 1) \o SubSeq(@, k + 1, Len(@))]
        /\ network' = With(network, i, Out)                                 \* a2
        /\ DeliverFrom(i, past[i], held[i], {m})                            \* d1
        /\ UNCHANGED <<OUT, waiting, unreleased>>

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

ReceiveSignal(j) == \E packet \in AllInTransit : packet.to = j /\ TakeSignal(packet)

Take(i) == \E k \in MayTake(i) : TakeFrom(i, k)

Move ==
    \/ \E j \in Procs : Receive(j)
    \/ \E j \in Procs : ReceiveSignal(j)
    \/ \E i \in Procs : Take(i)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs :
        /\ \A number \in 1..MaxSendsPerProcess :
            WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))
        /\ WF_vars(\E signal \in Signals(i, d) : TakeSignal(signal))
        /\ WF_vars(\E k \in MayTake(i) : TakeFrom(i, k))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay ==
    LET IsTakeable(i, s) == \E k \in MayTake(i) : INBOX[i][k] = s.msg
    IN  NeverHeldNeedlessly(Ready, IsTakeable)

NotStuck == AllDelivered \/ ENABLED Move

Integrity == NothingTwice

Packets == {packet \in AllInTransit : ~IsSignal(packet)}

Acknowledgements ==
    {s \in AllInTransit : IsSignal(s) /\ s.control.kind = "acknowledge"}

(* The messages of i that are in transit, or whose acknowledgements are. *)
Unacknowledged(i) ==
    {packet.msg.number : packet \in {p \in Packets : p.from = i}}
        \cup {s.control.number : s \in {a \in Acknowledgements : a.to = i}}

(* C-B-2: at most one unacknowledged message per sender. *)
C_B_2 == \A i \in Procs : Cardinality(Unacknowledged(i)) <= 1

(* The copies of messages that were sent before one that is in transit. *)
EarlierCopies ==
    UNION {UNION {{s} \X s.msg.dests : s \in packet.past.sent} : packet \in Packets}

(* KS-28b: what was sent before a message has arrived once that is transmitted. *)
ArrivedBefore ==
    \A c \in EarlierCopies : c[1] \in held[c[2]] \/ IsDelivered(c[1], c[2])

(* KS-28a, which does not hold: it is delivered by then. *)
DeliveredBefore == \A c \in EarlierCopies : IsDelivered(c[1], c[2])
===============================================================================
