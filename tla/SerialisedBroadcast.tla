-------------------------- MODULE SerialisedBroadcast --------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 7.1:         *)
(* serialised broadcast.  Broadcasts are under mutual exclusion, and it    *)
(* suffices to track (sender, timestamp) of the most recent broadcast in   *)
(* the system.  Here mutual exclusion is a token, which also numbers the   *)
(* broadcasts.  The labels are ours: s1-s4 send, d1-d3 deliver, m1 and m2  *)
(* move the token.                                                         *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not, and the load       *)
(* "broadcast".                                                            *)
(* Checked: TypeOK, CausalOrder, NotStuck, Integrity, OneToken, and under  *)
(* fairness that all messages are delivered, although the token moves for  *)
(* ever.  NoNeedlessDelay does not hold: broadcasts that are concurrent    *)
(* are delivered in the order of the token.                                *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    KS_25,   \* attached is a: the last broadcast that the sender has sent or delivered
             \* b: of those, the latest in the order of the token
             \* c: the last of the system, handed over with the token
    KS_25own \* a broadcast counts as delivered at its sender x: at the send
             \* y: when the attached one does  z: when a copy through the network does

ASSUME /\ KS_25 \in {"a", "b", "c"}
       /\ KS_25own \in {"x", "y", "z"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}
       /\ Procs = 1..Cardinality(Procs)

VARIABLES
    holds, \* holds[i]: whether i has the token
    turn,  \* turn[i]: the number of broadcasts so far, at the holder of the token; else 0
    SR,    \* SR[i][k]: the largest timestamp of a broadcast of k that counts at i
    last,  \* last[i]: the tracked pair <<sender, timestamp>>
    own    \* own[i]: own copies that have yet to count

vars == <<holds, turn, SR, last, own, transportVars>>

Nothing == <<0, 0>>

Pairs == {Nothing} \cup Procs \X (Nat \ {0})

(* What a copy carries: its timestamp and the attached pair.  And the token: *)
(* the number of broadcasts and the pair that is handed over.                *)
Attached(t, pair) == [t |-> t, last |-> pair]

Controls == [t : Nat, last : Pairs]

Copy(msg, attached) == [msg |-> msg, t |-> attached.t, last |-> attached.last]

(* A signal from a process to itself is no token, but its own copy (KS-25own z). *)
IsToken(packet) == IsSignal(packet) /\ packet.from # packet.to

IsOwn(packet) == packet.from = packet.to

TypeOK ==
    /\ TransportTypeOK
    /\ holds \in [Procs -> BOOLEAN]
    /\ turn \in [Procs -> Nat]
    /\ SR \in [Procs -> [Procs -> Nat]]
    /\ last \in [Procs -> Pairs]
    /\ \A i \in Procs : \A c \in own[i] :
        c.msg.sender = i /\ c.t \in Nat /\ c.last \in Pairs
    /\ \A packet \in AllInTransit : packet.control \in Controls

Init ==
    /\ TransportInit
    /\ holds = [i \in Procs |-> i = 1]
    /\ turn = [i \in Procs |-> 0]
    /\ SR = [i \in Procs |-> [k \in Procs |-> 0]]
    /\ last = [i \in Procs |-> Nothing]
    /\ own = [i \in Procs |-> {}]

-------------------------------------------------------------------------------
(* The broadcast of the pair counts as delivered where SR is sr. *)
Counts(sr, pair) == IF pair = Nothing THEN TRUE ELSE pair[2] <= sr[pair[1]]

Later(t, u) == IF t > u THEN t ELSE u

(* SR of a process and its copies, once all have counted that need not wait.  *)
(* A copy that counts may be what others wait for.                            *)
RECURSIVE Settled(_, _)
Settled(sr, copies) ==
    LET ready == {c \in copies : Counts(sr, c.last)}
        c == CHOOSE x \in ready : TRUE
    IN  IF ready = {}
        THEN [SR |-> sr, own |-> copies]
        ELSE Settled([sr EXCEPT ![c.msg.sender] = Later(@, c.t)], copies \ {c})

(* Process i takes the copy c, with before and athand as its past and held messages. *)
Take(i, c, before, athand) ==
    LET after == Settled(SR[i], own[i] \cup {c})
        counted == (own[i] \cup {c}) \ after.own
    IN  /\ SR' = [SR EXCEPT ![i] = after.SR]
        /\ own' = [own EXCEPT ![i] = after.own]
        /\ DeliverFrom(i, before, athand, {x.msg : x \in counted})          \* d2

(* Process i takes its own copy of msg, which counts at once with KS-25own x. *)
TakeOwn(i, msg, attached, before, athand) ==
    LET awaits == IF KS_25own = "x" THEN Nothing ELSE attached.last
    IN  Take(i, Copy(msg, Attached(attached.t, awaits)), before, athand)

(* Own copies wait in own, but with KS-25own z, where they pass d1 as any other. *)
Ready(packet) ==
    IF IsToken(packet) \/ (IsOwn(packet) /\ KS_25own # "z")
    THEN TRUE
    ELSE Counts(SR[packet.to], packet.control.last)                         \* d1

(* d3: the pair that is tracked after the delivery of pair. *)
Tracked(known, pair) ==
    CASE KS_25 = "a" -> pair
      [] KS_25 = "b" -> IF pair[2] > known[2] THEN pair ELSE known
      [] KS_25 = "c" -> known

-------------------------------------------------------------------------------
(* The own copy goes through the network, as a signal if the broadcast is not *)
(* addressed to its sender.                                                   *)
SendOwnAsWell(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        attached == Attached(turn[i] + 1, last[i])                          \* s2
        Out(d) == CASE d \in Dests -> <<Packet(i, d, s, attached)>>
                    [] d = i       -> <<Signal(i, i, attached)>>
                    [] OTHER       -> <<>>
    IN  /\ holds[i]                                                         \* s1
        /\ network' = With(network, i, Out)                                 \* s3
        /\ turn' = [turn EXCEPT ![i] = attached.t]
        /\ last' = [last EXCEPT ![i] = <<i, attached.t>>]                   \* s4
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i], {})
        /\ UNCHANGED <<holds, SR, own>>

(* The sender takes its own copy within the send. *)
SendAndTakeOwn(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        attached == Attached(turn[i] + 1, last[i])                          \* s2
        athand == held[i] \cup IF i \in Dests THEN {s} ELSE {}
        Out(d) == IF d \in Dests \ {i} THEN <<Packet(i, d, s, attached)>> ELSE <<>>
    IN  /\ holds[i]                                                         \* s1
        /\ KS_25own = "z" => Counts(SR[i], attached.last)                   \* d1
        /\ network' = With(network, i, Out)                                 \* s3
        /\ turn' = [turn EXCEPT ![i] = attached.t]
        /\ last' = [last EXCEPT ![i] = <<i, attached.t>>]                   \* s4
        /\ TakeOwn(i, M, attached, AfterSend(past[i], M), athand)           \* d2
        /\ UNCHANGED holds

Send(i, Dests) ==
    /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
    /\ IF i \in Dests \/ KS_25own = "z"
       THEN SendOwnAsWell(i, Dests)
       ELSE SendAndTakeOwn(i, Dests)

SendAndDeliverOwn(i, Dests) ==
    /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
    /\ SendAndTakeOwn(i, Dests)

ReceivePacket(packet) ==
    LET i == packet.to
        attached == packet.control
        pair == <<packet.from, attached.t>>
        athand == HeldWith(i, packet)
    IN  /\ ~IsSignal(packet)
        /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ network' = Without(packet)
        /\ IF IsOwn(packet) /\ KS_25own # "z"
           THEN /\ TakeOwn(i, packet.msg, attached, past[i], athand)        \* d2
                /\ UNCHANGED last
           ELSE /\ Take(i, Copy(packet.msg, attached), past[i], athand)     \* d2
                /\ last' = [last EXCEPT ![i] = Tracked(@, pair)]            \* d3
        /\ UNCHANGED <<holds, turn>>

(* The holder of the token passes it on to d. *)
PassToken(i, d) ==
    LET handed == IF KS_25 = "c" THEN last[i] ELSE Nothing
        Out(p) == IF p = d THEN <<Signal(i, d, Attached(turn[i], handed))>> ELSE <<>>
    IN  /\ holds[i] /\ d # i
        /\ network' = With(network, i, Out)                                 \* m1
        /\ holds' = [holds EXCEPT ![i] = FALSE]
        /\ turn' = [turn EXCEPT ![i] = 0]
        /\ last' = [last EXCEPT ![i] = IF KS_25 = "c" THEN Nothing ELSE @]
        /\ UNCHANGED <<SR, own, past, held>>

ReceiveToken(signal) ==
    LET i == signal.to
    IN  /\ IsToken(signal)
        /\ ChannelAllows(signal, Ready)
        /\ network' = Without(signal)
        /\ holds' = [holds EXCEPT ![i] = TRUE]
        /\ turn' = [turn EXCEPT ![i] = signal.control.t]
        /\ last' = [last EXCEPT ![i] =                                      \* m2
                        IF KS_25 = "c" THEN signal.control.last ELSE @]
        /\ UNCHANGED <<SR, own, past, held>>

(* KS-25own z, the broadcast not addressed to its sender. *)
ReceiveOwn(signal) ==
    LET i == signal.to
    IN  /\ IsSignal(signal) /\ IsOwn(signal)
        /\ Ready(signal)                                                    \* d1
        /\ ChannelAllows(signal, Ready)
        /\ network' = Without(signal)
        /\ SR' = [SR EXCEPT ![i][i] = Later(@, signal.control.t)]
        /\ UNCHANGED <<holds, turn, last, own, past, held>>

TakeSignal(signal) == ReceiveToken(signal) \/ ReceiveOwn(signal)

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

ReceiveSignal(j) == \E packet \in AllInTransit : packet.to = j /\ TakeSignal(packet)

Move ==
    \/ \E j \in Procs : Receive(j)
    \/ \E j \in Procs : ReceiveSignal(j)
    \/ \E i \in Procs, d \in Procs : PassToken(i, d)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs :
        /\ \A number \in 1..MaxSendsPerProcess :
            WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))
        /\ WF_vars(\E signal \in Signals(i, d) : TakeSignal(signal))
        /\ WF_vars(\E e \in Procs : PassToken(i, e))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay ==
    LET Never(i, s) == FALSE IN NeverHeldNeedlessly(Ready, Never)

NotStuck == AllDelivered \/ ENABLED Move

Integrity == NothingTwice

(* Mutual exclusion. *)
OneToken ==
    Cardinality({i \in Procs : holds[i]})
        + Cardinality({packet \in AllInTransit : IsToken(packet)}) = 1
===============================================================================
