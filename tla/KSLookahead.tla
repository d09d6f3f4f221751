------------------------------ MODULE KSLookahead ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998, Section *)
(* 4.5, second note: KS with lookahead.  A copy that arrives and has to    *)
(* wait is read at once: RCV(4) and RCV(5) run with its O_M, and again     *)
(* when it is delivered.                                                   *)
(*                                                                         *)
(* Assumes reliable asynchronous channels.  With KS-3e nothing is read:    *)
(* with a, b and c causal order is lost even on FIFO channels.             *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck and Minimality. *)
(***************************************************************************)
EXTENDS KSArrival

CONSTANTS
    KS_3, \* the lookahead takes a: the received O_M as it is  b: the same, but
          \* LOG gets no new entry  c: O_M after RCV(3)  d: O_M with the message's
          \* entry, and with j  e: nothing: there is none
    KS_13 \* RCV(1) tests, and RCV(3) takes, a: the received O_M
          \* c: what the lookahead has left of it

ASSUME /\ KS_3 \in {"a", "b", "c", "d", "e"}
       /\ KS_13 \in {"a", "c"}

vars == arrivalVars

TypeOK ==
    /\ ArrivalTypeOK
    /\ \A packet \in AllInTransit : IsLog(packet.control)

Init == ArrivalInit

-------------------------------------------------------------------------------
(* What the lookahead reads. *)
ReadAhead(O, M, j) ==
    CASE KS_3 \in {"a", "b"} -> O
      [] KS_3 = "c" -> Struck(O \cup {OwnEntry(M)}, {j})
      [] KS_3 = "d" -> O \cup {OwnEntry(M)}

(* The lookahead of M, which came with O: the logs that LOG = L of j may become, *)
(* and what the copy keeps of O.                                                 *)
LookedAhead(L, O, M, j) ==
    LET Log(r)  == IF KS_3 = "b" THEN Intersected(r.O, r.L) ELSE Merged(r.O, r.L)
        Left(r) == IF KS_13 = "c" THEN Unmatched(r.O, L) ELSE O
    IN  IF KS_3 = "e"
        THEN {[LOG |-> L, O |-> O]}
        ELSE {[LOG |-> Finished(Log(r), j), O |-> Left(r)] :                \* RCV(4), (5)
                  r \in LoopOne(ReadAhead(O, M, j), L)}

Ready(packet) == TRUE

Send(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == OnCopy(LOG[j], M, d)
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ Sends(M, O, LogAfterSend(LOG[j], M))                             \* SND

SendAndDeliverOwn(j, Dests) ==
    LET M    == NextMessage(j, Dests)
        O(d) == OnCopy(LOG[j], M, d)
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ SendsAndDeliversOwn(M, O, LogAfterSend(LOG[j], M), O(j))         \* SND, RCV

ReceivePacket(packet) ==
    LET j == packet.to
        O == packet.control
    IN  /\ ChannelAllows(packet, Ready)
        /\ \/ DeliversAtOnce(packet, O)                                     \* RCV
           \/ \E r \in LookedAhead(LOG[j], O, packet.msg, j) :
                  /\ BeginsToWait(packet, O, r.O)                           \* RCV(1)
                  /\ LOG' = [LOG EXCEPT ![j] = r.LOG]                       \* RCV(4), (5)

DeliverCopy(j, copy) == DeliversWaiting(j, copy)                         \* RCV

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

PacketFacts(packet) == FactsOn(packet, packet.control)

MissingInPacket == NothingMissingInPacket(PacketFacts)

RedundantInPacket == NothingRedundantInPacket(PacketFacts)

(* Section 4.5: LOG loses redundant facts, and still holds all required ones. *)
C_KS_V2 == MissingInState
===============================================================================
