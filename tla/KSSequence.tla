------------------------------ MODULE KSSequence ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998, Section *)
(* 7.1, last case: KS on non-FIFO channels with sequence numbers.  The     *)
(* copies on a channel are numbered, and a process has a vector of the     *)
(* last number in sequence from every other.                               *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, FIFO or not.                    *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality: *)
(* the numbers delay nothing, for causal order orders each channel.        *)
(***************************************************************************)
EXTENDS KSArrival

CONSTANT
    KS_31 \* a copy is taken in sequence b: when it arrives, before RCV(1)
          \* c: when it is delivered, together with RCV(1)

ASSUME /\ KS_31 \in {"b", "c"}

VARIABLES
    sent, \* sent[j][d]: copies that j has sent to d
    last  \* last[j][k]: the last number in sequence from k at j

vars == <<sent, last, arrivalVars>>

TypeOK ==
    /\ ArrivalTypeOK
    /\ sent \in [Procs -> [Procs -> Nat]]
    /\ last \in [Procs -> [Procs -> Nat]]
    /\ \A packet \in AllInTransit :
        /\ DOMAIN packet.control = {"seq", "O"}
        /\ packet.control.seq \in Nat
        /\ IsLog(packet.control.O)

Init ==
    /\ ArrivalInit
    /\ sent = [j \in Procs |-> [d \in Procs |-> 0]]
    /\ last = [j \in Procs |-> [k \in Procs |-> 0]]

-------------------------------------------------------------------------------
(* What the copy of M to d carries. *)
Numbered(M, d) ==
    [seq |-> sent[M.sender][d] + 1, O |-> OnCopy(LOG[M.sender], M, d)]

WithCopies(numbers, Dests) ==
    [d \in Procs |-> IF d \in Dests THEN numbers[d] + 1 ELSE numbers[d]]

Ready(packet) ==
    LET j == packet.to
    IN  /\ packet.control.seq = last[j][packet.from] + 1
        /\ KS_31 = "c" => DeliveryCondition(packet.control.O, SR[j], j)     \* RCV(1)

Send(j, Dests) ==
    LET M          == NextMessage(j, Dests)
        Control(d) == Numbered(M, d)
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ Sends(M, Control, LogAfterSend(LOG[j], M))                       \* SND
        /\ sent' = [sent EXCEPT ![j] = WithCopies(@, Dests)]
        /\ UNCHANGED last

SendAndDeliverOwn(j, Dests) ==
    LET M          == NextMessage(j, Dests)
        Control(d) == Numbered(M, d)
        own        == Numbered(M, j)
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ SendsAndDeliversOwn(M, Control, LogAfterSend(LOG[j], M), own.O)  \* SND, RCV
        /\ sent' = [sent EXCEPT ![j] = WithCopies(@, Dests)]
        /\ last' = [last EXCEPT ![j][j] = own.seq]

ReceivePacket(packet) ==
    LET j == packet.to
        O == packet.control.O
    IN  /\ Ready(packet)
        /\ ChannelAllows(packet, Ready)
        /\ last' = [last EXCEPT ![j][packet.from] = packet.control.seq]
        /\ \/ DeliversAtOnce(packet, O)                                     \* RCV
           \/ BeginsToWait(packet, O, O) /\ UNCHANGED LOG                   \* RCV(1)
        /\ UNCHANGED sent

DeliverCopy(j, copy) ==
    DeliversWaiting(j, copy) /\ UNCHANGED <<sent, last>>                    \* RCV

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

DeliverWaiting(j) == \E copy \in buffer[j] : DeliverCopy(j, copy)

Move ==
    \/ \E j \in Procs : Receive(j)
    \/ \E j \in Procs : DeliverWaiting(j)

Next ==
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : Send(j, Dests)
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : SendAndDeliverOwn(j, Dests)
    \/ Move

Fairness ==
    /\ \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))
    /\ \A j \in Procs : WF_vars(\E copy \in buffer[j] : DeliverCopy(j, copy))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready, MayDeliver)

NotStuck == AllDelivered \/ ENABLED Move

PacketFacts(packet) == FactsOn(packet, packet.control.O)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
