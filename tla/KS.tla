---------------------------------- MODULE KS ----------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 4.3.         *)
(*                                                                         *)
(* Assumes reliable asynchronous channels and FIFO between each pair       *)
(* (Section 2.1; the constant Channel switches it).                        *)
(* The steps of SND and RCV on a log are those of KSLog.                   *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, Minimality and *)
(* the lemmas and theorems that are about states and copies.               *)
(***************************************************************************)
EXTENDS CausalSystem, KSLog

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

(* RCV(1) *)
Ready(packet) == DeliveryCondition(packet.control, SR[packet.to], packet.to)

-------------------------------------------------------------------------------
Send(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == OnCopy(LOG[j], M, d)
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ Transmit(M, O)                                                   \* SND(2)
        /\ LOG' = [LOG EXCEPT ![j] = LogAfterSend(@, M)]                    \* SND(3)-(5)
        /\ UNCHANGED SR

SendAndDeliverOwn(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == OnCopy(LOG[j], M, d)
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ Ready(Packet(M, j, O(j)))                                        \* RCV(1)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ TransmitAndDeliverOwn(M, O)                                      \* SND(2)
        /\ SR' = [SR EXCEPT ![j] = WithDelivered(@, M)]                     \* RCV(2)
        /\ \E L \in LogsAfterReceive(LogAfterSend(LOG[j], M), O(j), M, j) : \* SND(3)-(5)
               LOG' = [LOG EXCEPT ![j] = L]                                 \* RCV(3)-(5)

ReceivePacket(packet) ==
    LET j == packet.to
        M == packet.msg
        O == packet.control
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
(* The lemmas and theorems; -msg is the same of O_M. *)

RequiredOn(packet) == RequiredOnCopy(SentMessage(packet), packet.to)

(* Lemma 1: a destination is in at most one entry of each sender. *)
C_KS_L1 == \A j \in Procs : OneEntryForEachDestination(LOG[j])

C_KS_L1_msg == \A packet \in network : OneEntryForEachDestination(packet.control)

(* Lemma 2, over time: TS(i, LOG) is always defined and never decreases. *)
Lemma2 ==
    [][\A i \in Procs, j \in Procs :
          /\ EntriesOf(i, LOG[j]) # {} /\ EntriesOf(i, LOG'[j]) # {}
          /\ TS(i, LOG[j]) <= TS(i, LOG'[j])]_vars

(* Lemma 4, over time: an entry only shrinks, and does not come back: only *)
(* entries of messages that were not known are new.                        *)
Lemma4 ==
    [][\A j \in Procs : \A l \in LOG'[j] :
          \/ \E x \in LOG[j] : SameMessage(x, l) /\ l.D \subseteq x.D
          \/ <<l.s, l.t>> \notin {Id(s.msg) : s \in past[j].sent}]_vars

(* Lemma 3: TS(i, LOG) is the number of the newest message of i in the past. *)
C_KS_L3 == \A j \in Procs : NewestEntriesAreOfNewestMessages(LOG[j], past[j])

C_KS_L3_msg ==
    \A packet \in network : NewestEntriesAreOfNewestMessages(packet.control, packet.past)

(* Lemma 7: an empty entry is the newest of its sender. *)
C_KS_L7 == \A j \in Procs : EmptyEntriesAreNewest(LOG[j])

C_KS_L7_msg == \A packet \in network : EmptyEntriesAreNewest(packet.control)

(* Section 4.2: a message older than TS that has no entry needs none. *)
C_KS_IMPL == \A j \in Procs : MissingEntriesAreEmptyOnes(LOG[j], Required(past[j]))

C_KS_IMPL_msg ==
    \A packet \in network : MissingEntriesAreEmptyOnes(packet.control, RequiredOn(packet))

(* Section 4.2 as printed: with an entry of i there are all of older messages of i. *)
C_KS_IMPL_literal == \A j \in Procs : OlderEntriesAreThere(LOG[j])

(* Corollary 1: a send to d carries to d every fact of which it is a fixed point. *)
C_KS_C1 ==
    \A packet \in network :
        {f \in Required(packet.past) : f[2] = packet.to} \subseteq PacketFacts(packet)

(* Theorems 3 and 6, of one event: what is not passed on is delivered or covered, *)
(* and what is delivered or covered is not passed on.  Theorem 7: both.           *)
C_KS_T3 == MissingInState

C_KS_T3_msg == MissingInPacket

C_KS_T6 == RedundantInState

C_KS_T6_msg == RedundantInPacket

C_KS_T7 == C_KS_T3 /\ C_KS_T6

C_KS_T7_msg == C_KS_T3_msg /\ C_KS_T6_msg

(* Theorem 4: safety. *)
C_KS_T4 == CausalOrder

(* Section 6.2: nd_i <= n, and at most n entries of each sender. *)
C_KS_S1 == \A j \in Procs : EntriesAreBounded(LOG[j])

(* Section 6.2: nd_i < n where there is an empty entry of i. *)
C_KS_S2 == \A j \in Procs : EmptyEntriesLeaveRoom(LOG[j])

(* Section 6.2: the sum of nd_i is the least possible. *)
C_KS_S3 == \A j \in Procs : OverheadIsLeast(LOG[j], Required(past[j]))

C_KS_S3_msg == \A packet \in network : OverheadIsLeast(packet.control, RequiredOn(packet))
===============================================================================
