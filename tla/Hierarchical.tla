------------------------------ MODULE Hierarchical ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 7.1:         *)
(* hierarchical organisation.  A cluster is represented by one of its      *)
(* members, here the smallest.  The outermost representatives multicast    *)
(* among themselves by KS; below them a message goes up from               *)
(* representative to representative, and down again.  The labels are ours: *)
(* s1-s3 send, r1 and r2 receive, g1 passes on.                            *)
(*                                                                         *)
(* A zone is a set of processes that send to each other: a message passes  *)
(* from zone to zone, in each as a new message of the zone.  The zones     *)
(* form a tree.                                                            *)
(*                                                                         *)
(* Assumes reliable asynchronous FIFO channels, and fixed clusters of      *)
(* which two are disjoint or one lies in the other.                        *)
(* Checked: TypeOK, CausalOrder, NotStuck, Integrity.                      *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    clusters, \* the clusters, and clusters of clusters; {}: {1,2}, {3,4}, ...
    KS_30     \* a: every message goes up, and representatives forward on delivery
              \* b: what is for the own cluster stays there, where KS runs as well
              \* c: the same without control information  d: as a, on arrival

ASSUME /\ KS_30 \in {"a", "b", "c", "d"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}
       /\ Self \in {"forbidden"}
       /\ Procs = 1..Cardinality(Procs)
       /\ clusters \subseteq SUBSET Procs

ASSUME \A c, e \in clusters : c \cap e = {} \/ c \subseteq e \/ e \subseteq c

VARIABLES
    sent,  \* sent[i][Z]: messages that i has sent in its zone Z
    SR,    \* SR[i][Z], LOG[i][Z]: those of KS at i as a member of its zone Z,
    LOG,   \* where KS orders the messages of the zone
    buffer \* buffer[i]: copies that wait though they are passed on (KS-30d)

vars == <<sent, SR, LOG, buffer, transportVars>>

(* SND and RCV of Section 4.3, among the members of a zone. *)
KS == INSTANCE KSLog WITH
    KS_2 <- "b", KS_6 <- "a", KS_7 <- "b", KS_10 <- "a",
    KS_14 <- "a", KS_16 <- "a", KS_32 <- "a", KS_34 <- "a"

-------------------------------------------------------------------------------
(* Zones. *)

Pairs == {{p, p + 1} \cap Procs : p \in {q \in Procs : q % 2 = 1}}

Clusters == IF clusters = {} THEN Pairs ELSE clusters

Representative(c) == CHOOSE p \in c : \A q \in c : p <= q

Outermost(S) == {c \in S : ~\E e \in S : c # e /\ c \subseteq e}

(* P, in which the representative of a cluster in S stands for the cluster. *)
Represented(P, S) == (P \ UNION S) \cup {Representative(c) : c \in Outermost(S)}

Top == Represented(Procs, Clusters)

Below(c) == Represented(c, {e \in Clusters : e \subseteq c /\ e # c})

(* Where every message goes up, a representative has a zone with each member. *)
ZonesWithin(c) ==
    IF KS_30 \in {"a", "d"}
    THEN {{Representative(c), p} : p \in Below(c)}
    ELSE {Below(c)}

Zones ==
    {Z \in {Top} \cup UNION {ZonesWithin(c) : c \in Clusters} : Cardinality(Z) > 1}

ZonesOf(i) == {Z \in Zones : i \in Z}

(* KS orders the messages of the zone; else they carry nothing. *)
IsOrdered(Z) == Z = Top \/ KS_30 = "b"

OrderedZonesOf(i) == {Z \in ZonesOf(i) : IsOrdered(Z)}

(* The processes that are reached from zone Z through its member q, q among them. *)
RECURSIVE Behind(_, _)
Behind(q, Z) ==
    {q} \cup UNION {UNION {Behind(r, Y) : r \in Y \ {q}} : Y \in ZonesOf(q) \ {Z}}

-------------------------------------------------------------------------------
IsCopy(C, Z) ==
    /\ DOMAIN C = {"sender", "number", "dests"}
    /\ C.sender \in Z /\ C.number \in Nat \ {0} /\ C.dests \subseteq Z \ {C.sender}

IsControl(control) ==
    /\ DOMAIN control = {"zone", "copy", "ahead", "O"}
    /\ control.zone \in Zones
    /\ IsCopy(control.copy, control.zone)
    /\ control.ahead \subseteq Procs
    /\ IF IsOrdered(control.zone) THEN KS!IsLog(control.O) ELSE control.O = {}

TypeOK ==
    /\ TransportTypeOK
    /\ \A i \in Procs :
        /\ sent[i] \in [ZonesOf(i) -> Nat]
        /\ DOMAIN SR[i] = OrderedZonesOf(i)
        /\ DOMAIN LOG[i] = OrderedZonesOf(i)
        /\ \A Z \in OrderedZonesOf(i) : SR[i][Z] \in [Z -> Nat] /\ KS!IsLog(LOG[i][Z])
        /\ \A p \in buffer[i] : IsControl(p.control)
    /\ \A packet \in AllInTransit : ~IsSignal(packet) /\ IsControl(packet.control)

Init ==
    /\ TransportInit
    /\ sent = [i \in Procs |-> [Z \in ZonesOf(i) |-> 0]]
    /\ SR = [i \in Procs |-> [Z \in OrderedZonesOf(i) |-> [k \in Z |-> 0]]]
    /\ LOG = [i \in Procs |->
                [Z \in OrderedZonesOf(i) |-> {KS!Entry(k, 0, {}) : k \in Z}]]
    /\ buffer = [i \in Procs |-> {}]

-------------------------------------------------------------------------------
(* Sending in the zones; Ahead is whom the message is still to reach. *)

(* s1: the members of Z that i sends to. *)
Hops(i, Z, Ahead) == {q \in Z \ {i} : Behind(q, Z) \cap Ahead # {}}

(* The message of the zone. *)
CopyIn(Z, i, Ahead) ==
    [sender |-> i, number |-> sent[i][Z] + 1, dests |-> Hops(i, Z, Ahead)]

(* s2, s3: what goes to the member q of Z. *)
Control(Z, i, q, Ahead) ==
    LET C == CopyIn(Z, i, Ahead)
    IN  [zone  |-> Z,
         copy  |-> C,
         ahead |-> Ahead \cap Behind(q, Z),
         O     |-> IF IsOrdered(Z) THEN KS!OnCopy(LOG[i][Z], C, q) ELSE {}]

(* i sends s on the network net. *)
PassOn(net, i, s, Ahead) ==
    LET Ways(q) == {Z \in ZonesOf(i) : q \in Hops(i, Z, Ahead)}
        Way(q)  == CHOOSE Z \in Ways(q) : TRUE
        Out(q)  == IF Ways(q) = {}
                   THEN <<>>
                   ELSE <<Packet(i, q, s, Control(Way(q), i, q, Ahead))>>
    IN  /\ network' = With(net, i, Out)
        /\ sent' = [sent EXCEPT ![i] =
                        [Z \in ZonesOf(i) |->
                            IF Hops(i, Z, Ahead) = {} THEN @[Z] ELSE @[Z] + 1]]

(* s2: LOG of i after that. *)
LogsAfterSend(i, Ahead) ==
    [Z \in OrderedZonesOf(i) |->
        IF Hops(i, Z, Ahead) = {}
        THEN LOG[i][Z]
        ELSE KS!LogAfterSend(LOG[i][Z], CopyIn(Z, i, Ahead))]

-------------------------------------------------------------------------------
(* Receiving in the zones. *)

(* r1: the zone's algorithm may deliver the copy at i, whose SR is sr. *)
IsDeliverable(i, sr, control) ==
    IF IsOrdered(control.zone)
    THEN KS!DeliveryCondition(control.O, sr[control.zone], i)
    ELSE TRUE

SRAfter(sr, control) ==
    IF IsOrdered(control.zone)
    THEN [sr EXCEPT ![control.zone] = KS!WithDelivered(@, control.copy)]
    ELSE sr

LogsAfter(i, logs, control) ==
    LET After(L) == KS!LogsAfterReceive(L, control.O, control.copy, i)
    IN  IF IsOrdered(control.zone)
        THEN [logs EXCEPT ![control.zone] = CHOOSE L \in After(@) : TRUE]
        ELSE logs

Earlier(m, n) == m.sender < n.sender \/ (m.sender = n.sender /\ m.number <= n.number)

(* SR, LOG and copies of i once the zones' algorithms have delivered what they may. *)
RECURSIVE Settled(_, _, _, _)
Settled(i, sr, logs, copies) ==
    LET ready == {p \in copies : IsDeliverable(i, sr, p.control)}
        p == CHOOSE x \in ready : \A y \in ready : Earlier(x.msg, y.msg)
    IN  IF ready = {}
        THEN [SR |-> sr, LOG |-> logs, copies |-> copies]
        ELSE Settled(i, SRAfter(sr, p.control), LogsAfter(i, logs, p.control),
                     copies \ {p})

(* With KS-30d copies wait in buffer. *)
Ready(packet) ==
    IF KS_30 = "d" THEN TRUE ELSE IsDeliverable(packet.to, SR[packet.to], packet.control)

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M == NextMessage(i, Dests)
    IN  /\ MaySend(i)
        /\ PassOn(network, i, SendingNow(M), Dests)                         \* s1-s3
        /\ LOG' = [LOG EXCEPT ![i] = LogsAfterSend(i, Dests)]
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i], {})
        /\ UNCHANGED <<SR, buffer>>

(* The message is for the destinations ahead, i perhaps among them. *)
ReceivePacket(packet) ==
    LET i == packet.to
        Ahead == packet.control.ahead \ {i}
        copies == buffer[i] \cup {[msg |-> packet.msg, control |-> packet.control]}
        after == Settled(i, SR[i], LogsAfterSend(i, Ahead), copies)
        settled == {p.msg : p \in copies \ after.copies}
    IN  /\ Ready(packet)                                                    \* r1
        /\ ChannelAllows(packet, Ready)
        /\ PassOn(Without(packet), i, SentMessage(packet), Ahead)           \* g1
        /\ SR' = [SR EXCEPT ![i] = after.SR]
        /\ LOG' = [LOG EXCEPT ![i] = after.LOG]
        /\ buffer' = [buffer EXCEPT ![i] = after.copies]
        /\ DeliverFrom(i, past[i], HeldWith(i, packet), settled)            \* r2

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

Move == \E j \in Procs : Receive(j)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NotStuck == AllDelivered \/ ENABLED Move

Integrity == NothingTwice
===============================================================================
