------------------------------ MODULE KSHardware ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998, Section *)
(* 4.5, first note: KS on hardware multicast.  All destinations get the    *)
(* same packet; each does for itself what SND(2) does for all.             *)
(*                                                                         *)
(* Assumes reliable asynchronous channels.                                 *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, and that what  *)
(* is stored is what KS stores (Minimality of states, C-KS-V1).            *)
(***************************************************************************)
EXTENDS CausalSystem, KSLog

CONSTANT
    KS_9 \* the receiver reduces O a: at the start of RCV(3)  b: before RCV(1)
         \* c: as a, without the deletion of empty entries

ASSUME /\ KS_9 \in {"a", "b", "c"}

VARIABLES
    clock, \* clock[j]: local counter
    SR,    \* SR[j][k]: timestamp of the last message of k delivered at j
    LOG    \* LOG[j]: entries (s, t, D): D must still get message t of s

vars == <<clock, SR, LOG, systemVars>>

TypeOK ==
    /\ SystemTypeOK
    /\ clock \in [Procs -> Nat]
    /\ SR \in [Procs -> [Procs -> Nat]]
    /\ \A j \in Procs : IsLog(LOG[j])
    /\ \A packet \in network : IsLog(packet.control)

Init ==
    /\ SystemInit
    /\ clock = [j \in Procs |-> 0]
    /\ SR = [j \in Procs |-> [k \in Procs |-> 0]]
    /\ LOG = [j \in Procs |-> InitialLog]

-------------------------------------------------------------------------------
(* The O that is multicast. *)
Multicasted(L, M) == L \cup IF KS_32 = "b" THEN {OwnEntry(M)} ELSE {}

(* What SND(2) would have sent to j. *)
Reduced(O, M, j) ==
    LET reduced == ReducedFor(O, M.dests, j)
    IN  IF KS_9 = "c" THEN reduced ELSE Purge(reduced)

(* RCV(1) *)
Ready(packet) ==
    LET j == packet.to
        O == packet.control
    IN  DeliveryCondition(IF KS_9 = "b" THEN Reduced(O, packet.msg, j) ELSE O, SR[j], j)

-------------------------------------------------------------------------------
Send(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == Multicasted(LOG[j], M)
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ Transmit(M, O)
        /\ LOG' = [LOG EXCEPT ![j] = LogAfterSend(@, M)]                    \* SND(3)-(5)
        /\ UNCHANGED SR

SendAndDeliverOwn(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == Multicasted(LOG[j], M)
        sent == LogAfterSend(LOG[j], M)                                     \* SND(3)-(5)
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ Ready(Packet(M, j, O(j)))                                        \* RCV(1)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ TransmitAndDeliverOwn(M, O)                                      \* RCV(2)
        /\ SR' = [SR EXCEPT ![j] = WithDelivered(@, M)]                     \* RCV(2)
        /\ \E L \in LogsAfterReceive(sent, Reduced(O(j), M, j), M, j) :     \* SND(2)
               LOG' = [LOG EXCEPT ![j] = L]                                 \* RCV(3)-(5)

ReceivePacket(packet) ==
    LET j == packet.to
        M == packet.msg
        O == Reduced(packet.control, M, j)                                  \* SND(2)
    IN  /\ Ready(packet)                                                    \* RCV(1)
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* RCV(2)
        /\ SR' = [SR EXCEPT ![j] = WithDelivered(@, M)]                     \* RCV(2)
        /\ \E L \in LogsAfterReceive(LOG[j], O, M, j) :                     \* RCV(3)-(5)
               LOG' = [LOG EXCEPT ![j] = L]
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

StateFacts(j) == Facts(LOG[j])

(* The message's own entry is left out. *)
PacketFacts(packet) == {f \in Facts(packet.control) : f[1] # Id(packet.msg)}

MissingInState == NothingMissingInState(StateFacts)

RedundantInState == NothingRedundantInState(StateFacts)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)

-------------------------------------------------------------------------------
(* The lemmas and theorems about LOG, as in KS. *)

C_KS_L1 == \A j \in Procs : OneEntryForEachDestination(LOG[j])

C_KS_L3 == \A j \in Procs : NewestEntriesAreOfNewestMessages(LOG[j], past[j])

C_KS_L7 == \A j \in Procs : EmptyEntriesAreNewest(LOG[j])

C_KS_IMPL == \A j \in Procs : MissingEntriesAreEmptyOnes(LOG[j], Required(past[j]))

C_KS_IMPL_literal == \A j \in Procs : OlderEntriesAreThere(LOG[j])

C_KS_C1 ==
    \A packet \in network :
        {f \in Required(packet.past) : f[2] = packet.to} \subseteq PacketFacts(packet)

C_KS_T3 == MissingInState

C_KS_T4 == CausalOrder

C_KS_T6 == RedundantInState

C_KS_T7 == C_KS_T3 /\ C_KS_T6

C_KS_S1 == \A j \in Procs : EntriesAreBounded(LOG[j])

C_KS_S2 == \A j \in Procs : EmptyEntriesLeaveRoom(LOG[j])

C_KS_S3 == \A j \in Procs : OverheadIsLeast(LOG[j], Required(past[j]))

(* Section 4.5: a copy carries more about its own Dests only. *)
C_KS_V1 ==
    \A packet \in network :
        LET others == packet.msg.dests \ {packet.to}
        IN  {f \in PacketFacts(packet) : f[2] \notin others}
                = RequiredOnCopy(SentMessage(packet), packet.to)
===============================================================================
