------------------------------ MODULE Synchronous ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 7.1:         *)
(* synchronous unicast.  A message carries nothing, for its send is over   *)
(* only when it is delivered.  The labels are ours.                        *)
(*                                                                         *)
(* Assumes synchronous communication, the channel "rendezvous", and        *)
(* unicast.                                                                *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, Integrity.     *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANT
    KS_27 \* a send and its delivery are a: one step, by the channel "rendezvous"
          \* b: two; the next send of the sender waits for an acknowledgement

ASSUME /\ KS_27 \in {"a", "b"}

VARIABLE
    awaited \* awaited[i]: destinations that have not acknowledged the last message of i

vars == <<awaited, transportVars>>

TypeOK ==
    /\ TransportTypeOK
    /\ awaited \in [Procs -> SUBSET Procs]
    /\ \A packet \in AllInTransit : packet.control = "none"

Init ==
    /\ TransportInit
    /\ awaited = [i \in Procs |-> {}]

-------------------------------------------------------------------------------
(* The destinations that deliver within the send. *)
Meeting(i, Dests) ==
    CASE Channel = "rendezvous"  -> Dests
      [] KeepsOwnCopy(i, Dests)  -> {i}
      [] OTHER                   -> {}

Acknowledgement(j, i) == IF KS_27 = "b" THEN <<Signal(j, i, "none")>> ELSE <<>>

Ready(packet) == TRUE

-------------------------------------------------------------------------------
Send(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        Met == Meeting(i, Dests)
        Before(p) == IF p = i THEN AfterSend(past[i], M) ELSE past[p]
        Out(p, d) ==
            (IF p = i /\ d \in Dests \ Met THEN <<Packet(i, d, s, "none")>> ELSE <<>>)
                \o IF p \in Met /\ d = i THEN Acknowledgement(p, i) ELSE <<>>
    IN  /\ MaySend(i)
        /\ awaited[i] = {}                                                  \* s1
        /\ network' =                                                       \* s2, d2
                [p \in Procs |-> With(network, p, LAMBDA d : Out(p, d))[p]]
        /\ awaited' =                                                       \* s3
                [awaited EXCEPT ![i] = IF KS_27 = "b" THEN Dests ELSE {}]
        /\ past' = [p \in Procs |->                                         \* d1
                        IF p \in Met THEN AfterDelivery(Before(p), s, p) ELSE Before(p)]
        /\ UNCHANGED held

ReceivePacket(packet) ==
    LET j == packet.to
        Out(d) == IF d = packet.from THEN Acknowledgement(j, d) ELSE <<>>
    IN  /\ ~IsSignal(packet)
        /\ ChannelAllows(packet, Ready)
        /\ DeliverFrom(j, past[j], HeldWith(j, packet), {packet.msg})       \* d1
        /\ network' = With(Without(packet), j, Out)                         \* d2
        /\ UNCHANGED awaited

(* An acknowledgement. *)
TakeSignal(signal) ==
    /\ IsSignal(signal)
    /\ ChannelAllows(signal, Ready)
    /\ network' = Without(signal)
    /\ awaited' = [awaited EXCEPT ![signal.to] = @ \ {signal.from}]         \* a1
    /\ UNCHANGED <<past, held>>

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

ReceiveSignal(j) == \E packet \in AllInTransit : packet.to = j /\ TakeSignal(packet)

Move ==
    \/ \E j \in Procs : Receive(j)
    \/ \E j \in Procs : ReceiveSignal(j)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs :
        /\ \A number \in 1..MaxSendsPerProcess :
            WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))
        /\ WF_vars(\E signal \in Signals(i, d) : TakeSignal(signal))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay ==
    LET Never(i, s) == FALSE IN NeverHeldNeedlessly(Ready, Never)

NotStuck == AllDelivered \/ ENABLED Move

Integrity == NothingTwice
===============================================================================
