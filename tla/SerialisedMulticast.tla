-------------------------- MODULE SerialisedMulticast --------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 7.1:         *)
(* serialised multicast.  Multicasts are under mutual exclusion, here a    *)
(* token, and it suffices to track, for each destination, (sender,         *)
(* timestamp) of the latest multicast to it.  The labels are ours: s1-s4   *)
(* send, d1-d3 deliver, m1 and m2 move the token.                          *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not.                    *)
(* Checked: TypeOK, CausalOrder, NotStuck, Integrity, OneToken, and under  *)
(* fairness that all messages are delivered, although the token moves for  *)
(* ever.  NoNeedlessDelay does not hold: multicasts that are concurrent    *)
(* are delivered in the order of the token.                                *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    KS_26,   \* attached is a: the vector of the sender, changed by its sends and
             \* deliveries  b: that of the system, handed over with the token, changed
             \* by sends  c: as b, changed by deliveries at the holder of the token, too
    KS_26own \* the sender's own copy is delivered x: at once
             \* y: when the attached message is  z: when it passes d1, as any other

ASSUME /\ KS_26 \in {"a", "b", "c"}
       /\ KS_26own \in {"x", "y", "z"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}
       /\ Procs = 1..Cardinality(Procs)

VARIABLES
    holds, \* holds[i]: whether i has the token
    SR,    \* SR[i][k]: the largest number of a message of k delivered at i
    last,  \* last[i][d]: the latest multicast to d, a pair <<sender, number>>
    own    \* own[i]: own copies that wait to be delivered

vars == <<holds, SR, last, own, transportVars>>

Nothing == <<0, 0>>

Vectors == [Procs -> {Nothing} \cup Procs \X (Nat \ {0})]

NoMessages == [d \in Procs |-> Nothing]

Copy(msg, vector) == [msg |-> msg, last |-> vector]

TypeOK ==
    /\ TransportTypeOK
    /\ holds \in [Procs -> BOOLEAN]
    /\ SR \in [Procs -> [Procs -> Nat]]
    /\ last \in [Procs -> Vectors]
    /\ \A i \in Procs : \A c \in own[i] : c.msg.sender = i /\ c.last \in Vectors
    /\ \A packet \in AllInTransit : packet.control \in Vectors

Init ==
    /\ TransportInit
    /\ holds = [i \in Procs |-> i = 1]
    /\ SR = [i \in Procs |-> [k \in Procs |-> 0]]
    /\ last = [i \in Procs |-> NoMessages]
    /\ own = [i \in Procs |-> {}]

-------------------------------------------------------------------------------
(* The message of the pair is delivered where SR is sr. *)
IsKnown(sr, pair) == IF pair = Nothing THEN TRUE ELSE pair[2] <= sr[pair[1]]

Later(t, u) == IF t > u THEN t ELSE u

(* s4, d3: msg is now the latest to each of its destinations. *)
Replaced(vector, msg) ==
    [d \in Procs |-> IF d \in msg.dests THEN Id(msg) ELSE vector[d]]

(* d3: whether a delivery at i changes its vector. *)
Replaces(i) == KS_26 = "a" \/ (KS_26 = "c" /\ holds[i])

(* SR, last and copies of process i, once all copies are delivered that need *)
(* not wait.  One that is delivered may be what others wait for.             *)
RECURSIVE Settled(_, _, _, _)
Settled(i, sr, vector, copies) ==
    LET ready == {c \in copies : IsKnown(sr, c.last[i])}
        c == CHOOSE x \in ready : \A y \in ready : x.msg.number <= y.msg.number
    IN  IF ready = {}
        THEN [SR |-> sr, last |-> vector, copies |-> copies]
        ELSE Settled(i,
                     [sr EXCEPT ![c.msg.sender] = Later(@, c.msg.number)],
                     IF Replaces(i) THEN Replaced(vector, c.msg) ELSE vector, \* d3
                     copies \ {c})

(* Process i, with these as its vector, past and held messages, takes c. *)
Take(i, c, vector, before, athand) ==
    LET copies == own[i] \cup {c}
        after  == Settled(i, SR[i], vector, copies)
    IN  /\ SR' = [SR EXCEPT ![i] = after.SR]
        /\ last' = [last EXCEPT ![i] = after.last]
        /\ own' = [own EXCEPT ![i] = after.copies]
        /\ DeliverFrom(i, before, athand,                                   \* d2
                       {x.msg : x \in copies \ after.copies})

(* The vector that a copy waits with. *)
Awaits(packet) ==
    IF packet.from = packet.to /\ KS_26own = "x" THEN NoMessages ELSE packet.control

(* Own copies wait in own, but with KS-26own z, where they pass d1 as any other. *)
Ready(packet) ==
    IF IsSignal(packet) \/ (packet.from = packet.to /\ KS_26own # "z")
    THEN TRUE
    ELSE IsKnown(SR[packet.to], packet.control[packet.to])                  \* d1

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        Out(d) == IF d \in Dests THEN <<Packet(i, d, s, last[i])>> ELSE <<>> \* s2
    IN  /\ MaySend(i) /\ ~KeepsOwnCopy(i, Dests)
        /\ holds[i]                                                         \* s1
        /\ network' = With(network, i, Out)                                 \* s3
        /\ last' = [last EXCEPT ![i] = Replaced(@, M)]                      \* s4
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i], {})
        /\ UNCHANGED <<holds, SR, own>>

SendAndDeliverOwn(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        mine == Packet(i, i, s, last[i])                                    \* s2
        Out(d) == IF d \in Dests \ {i} THEN <<Packet(i, d, s, last[i])>> ELSE <<>>
    IN  /\ MaySend(i) /\ KeepsOwnCopy(i, Dests)
        /\ holds[i]                                                         \* s1
        /\ Ready(mine)                                                      \* d1
        /\ network' = With(network, i, Out)                                 \* s3
        /\ Take(i, Copy(M, Awaits(mine)), Replaced(last[i], M),             \* s4
                AfterSend(past[i], M), HeldWith(i, mine))                   \* d2, d3
        /\ UNCHANGED holds

ReceivePacket(packet) ==
    LET i == packet.to
    IN  /\ ~IsSignal(packet)
        /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ network' = Without(packet)
        /\ Take(i, Copy(packet.msg, Awaits(packet)), last[i],               \* d2, d3
                past[i], HeldWith(i, packet))
        /\ UNCHANGED holds

(* The holder of the token passes it on to d. *)
PassToken(i, d) ==
    LET Token == Signal(i, d, IF KS_26 = "a" THEN NoMessages ELSE last[i])
        Out(p) == IF p = d THEN <<Token>> ELSE <<>>
    IN  /\ holds[i] /\ d # i
        /\ network' = With(network, i, Out)                                 \* m1
        /\ holds' = [holds EXCEPT ![i] = FALSE]
        /\ last' = [last EXCEPT ![i] = IF KS_26 = "a" THEN @ ELSE NoMessages]
        /\ UNCHANGED <<SR, own, past, held>>

(* The token. *)
TakeSignal(signal) ==
    LET i == signal.to
    IN  /\ IsSignal(signal)
        /\ ChannelAllows(signal, Ready)
        /\ network' = Without(signal)
        /\ holds' = [holds EXCEPT ![i] = TRUE]
        /\ last' = [last EXCEPT ![i] =                                      \* m2
                        IF KS_26 = "a" THEN @ ELSE signal.control]
        /\ UNCHANGED <<SR, own, past, held>>

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
        + Cardinality({packet \in AllInTransit : IsSignal(packet)}) = 1
===============================================================================
