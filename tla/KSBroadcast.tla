------------------------------ MODULE KSBroadcast ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998,         *)
(* Sections 4.3 and 7.1: KS where every message goes to all.  Dests is the *)
(* same in all entries and is left out: a log is one clock for each        *)
(* sender.  The steps that only change Dests are gone.                     *)
(*                                                                         *)
(* Assumes reliable asynchronous channels, and that Load is "broadcast".   *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck; and that no    *)
(* required fact is missing.                                               *)
(***************************************************************************)
EXTENDS CausalSystem

CONSTANT
    KS_24 \* the sender is a: not in the constant Dests  b: in it

ASSUME /\ KS_24 \in {"a", "b"}

VARIABLES
    clock, \* clock[j]: local counter
    SR,    \* SR[j][k]: clock of the last broadcast of k delivered at j
    LOG    \* LOG[j][k]: clock of the latest broadcast of k that j knows of

vars == <<clock, SR, LOG, systemVars>>

Clocks == [Procs -> Nat]

TypeOK ==
    /\ SystemTypeOK
    /\ clock \in Clocks
    /\ SR \in [Procs -> Clocks]
    /\ LOG \in [Procs -> Clocks]
    /\ \A packet \in network : packet.control \in Clocks

Init ==
    /\ SystemInit
    /\ clock = [j \in Procs |-> 0]
    /\ SR = [j \in Procs |-> [k \in Procs |-> 0]]
    /\ LOG = [j \in Procs |-> [k \in Procs |-> 0]]

-------------------------------------------------------------------------------
(* The Dests of every broadcast of m. *)
DestsOf(m) == IF KS_24 = "b" THEN Procs ELSE Procs \ {m}

MayAddress(j, Dests) == KS_24 = "a" => j \notin Dests

(* RCV(1): t <= SR[m] for all (m,t) in O whose Dests have j. *)
Ready(packet) ==
    LET j == packet.to
    IN  \A m \in Procs : j \in DestsOf(m) => packet.control[m] <= SR[j][m]

(* RCV(3), RCV(4): LOG = L after the broadcast M, which came with O. *)
Learned(L, O, M) ==
    LET withM == [O EXCEPT ![M.sender] = M.number]
    IN  [k \in Procs |-> IF L[k] < withM[k] THEN withM[k] ELSE L[k]]

-------------------------------------------------------------------------------
Send(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == LOG[j]
    IN  /\ MaySend(j) /\ MayAddress(j, Dests) /\ ~KeepsOwnCopy(j, Dests)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ Transmit(M, O)                                                   \* SND(2)
        /\ LOG' = [LOG EXCEPT ![j][j] = M.number]                           \* SND(4)
        /\ UNCHANGED SR

SendAndDeliverOwn(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == LOG[j]
        sent == [LOG[j] EXCEPT ![j] = M.number]                             \* SND(4)
    IN  /\ MaySend(j) /\ MayAddress(j, Dests) /\ KeepsOwnCopy(j, Dests)
        /\ Ready(Packet(M, j, O(j)))                                        \* RCV(1)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ TransmitAndDeliverOwn(M, O)                                      \* SND(2)
        /\ SR' = [SR EXCEPT ![j][j] = M.number]                             \* RCV(2)
        /\ LOG' = [LOG EXCEPT ![j] = Learned(sent, O(j), M)]                \* RCV(3), (4)

ReceivePacket(packet) ==
    LET j == packet.to
        M == packet.msg
    IN  /\ Ready(packet)                                                    \* RCV(1)
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* RCV(2)
        /\ SR' = [SR EXCEPT ![j][M.sender] = M.number]                      \* RCV(2)
        /\ LOG' = [LOG EXCEPT ![j] = Learned(@, packet.control, M)]         \* RCV(3), (4)
        /\ UNCHANGED clock

Receive(j) == \E packet \in network : packet.to = j /\ ReceivePacket(packet)

Next ==
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : Send(j, Dests)
    \/ \E j \in Procs : \E Dests \in DestinationSets(j) : SendAndDeliverOwn(j, Dests)
    \/ \E j \in Procs : Receive(j)

Fairness ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NoNeedlessDelay == NeverHeldNeedlessly(Ready)

NotStuck == NeverStuck(Ready)

(* A clock stands for an entry with the constant Dests. *)
Facts(clocks) ==
    LET senders == {k \in Procs : clocks[k] > 0}
    IN  UNION {{<<m, clocks[m]>>} \X DestsOf(m) : m \in senders}

(* What LOG says, less what SR shows to be delivered here. *)
StateFacts(j) == {f \in Facts(LOG[j]) : f[2] = j => f[1][2] > SR[j][f[1][1]]}

PacketFacts(packet) == Facts(packet.control)

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)
===============================================================================
