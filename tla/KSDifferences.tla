----------------------------- MODULE KSDifferences -----------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Distributed Computing 11(2), 1998, Section *)
(* 3.5: KS without duplicate information.  "A node must not transmit the   *)
(* same information more than once to the same node and not store          *)
(* information that has been sent once on each outgoing channel."  The     *)
(* paper does not say how.                                                 *)
(*                                                                         *)
(* Assumes reliable FIFO channels.                                         *)
(* Checked: TypeOK, CausalOrder, NoNeedlessDelay, NotStuck, and that what  *)
(* is stored is what KS stores (Minimality of states, C-KS-V4).            *)
(***************************************************************************)
EXTENDS KSArrival

CONSTANT
    KS_8 \* not sent again to d are a: entries as they were last sent to it; it takes
         \* what arrives for O_M  b: what is as on the last copy to it; it rebuilds O_M
         \* d: as a, and LOG loses entries that were sent so to every other process

ASSUME /\ KS_8 \in {"a", "b", "d"}

VARIABLES
    told, \* told[j][d]: the entries that j has sent to d
    heard \* heard[j][k]: the O_M of the last copy from k, rebuilt at j

vars == <<told, heard, arrivalVars>>

Ids(L) == {<<l.s, l.t>> : l \in L}

TypeOK ==
    /\ ArrivalTypeOK
    /\ \A j \in Procs : \A k \in Procs : IsLog(told[j][k]) /\ IsLog(heard[j][k])
    /\ \A packet \in AllInTransit :
        /\ DOMAIN packet.control = {"entries", "removed"}
        /\ IsLog(packet.control.entries)
        /\ packet.control.removed \subseteq Procs \X Nat

Init ==
    /\ ArrivalInit
    /\ told = [j \in Procs |-> [d \in Procs |-> {}]]
    /\ heard = [j \in Procs |-> [k \in Procs |-> {}]]

-------------------------------------------------------------------------------
(* The log L, with the entries of N in place of those about the same messages. *)
Updated(L, N) == Unmatched(L, N) \cup N

(* What is new in O to a process that was told L. *)
Difference(L, O) ==
    [entries |-> O \ L, removed |-> IF KS_8 = "b" THEN Ids(L) \ Ids(O) ELSE {}]

(* The O of a copy with control from a process of which L was heard. *)
Rebuilt(L, control) ==
    IF KS_8 = "b"
    THEN Updated({l \in L : <<l.s, l.t>> \notin control.removed}, control.entries)
    ELSE control.entries

HeardAfter(L, control) == IF KS_8 = "b" THEN Rebuilt(L, control) ELSE L

(* told[j] after the send of M. *)
ToldAfter(M) ==
    LET j == M.sender
        After(L, O) == IF KS_8 = "b" THEN O ELSE Updated(L, O)
    IN  [d \in Procs |->
            IF d \in M.dests THEN After(told[j][d], OnCopy(LOG[j], M, d)) ELSE told[j][d]]

(* LOG[j] after the send of M. *)
LogAfter(M) ==
    LET j == M.sender
        ToldToAll(l) == \A d \in Procs \ {j} : l \in ToldAfter(M)[d]
        L == LogAfterSend(LOG[j], M)
    IN  IF KS_8 = "d" THEN {l \in L : ~ToldToAll(l)} ELSE L

Ready(packet) == TRUE

Send(j, Dests) ==
    LET M      == NextMessage(j, Dests)
        New(d) == Difference(told[j][d], OnCopy(LOG[j], M, d))
    IN  /\ MaySend(j) /\ ~KeepsOwnCopy(j, Dests)
        /\ Sends(M, New, LogAfter(M))                                       \* SND
        /\ told' = [told EXCEPT ![j] = ToldAfter(M)]
        /\ UNCHANGED heard

SendAndDeliverOwn(j, Dests) ==
    LET M      == NextMessage(j, Dests)
        New(d) == Difference(told[j][d], OnCopy(LOG[j], M, d))
        O      == Rebuilt(heard[j][j], New(j))
    IN  /\ MaySend(j) /\ KeepsOwnCopy(j, Dests)
        /\ SendsAndDeliversOwn(M, New, LogAfter(M), O)                      \* SND, RCV
        /\ told' = [told EXCEPT ![j] = ToldAfter(M)]
        /\ heard' = [heard EXCEPT ![j][j] = HeardAfter(@, New(j))]

ReceivePacket(packet) ==
    LET j == packet.to
        k == packet.from
        O == Rebuilt(heard[j][k], packet.control)
    IN  /\ ChannelAllows(packet, Ready)
        /\ heard' = [heard EXCEPT ![j][k] = HeardAfter(@, packet.control)]
        /\ \/ DeliversAtOnce(packet, O)                                     \* RCV
           \/ BeginsToWait(packet, O, O) /\ UNCHANGED LOG                   \* RCV(1)
        /\ UNCHANGED told

DeliverCopy(j, copy) ==
    DeliversWaiting(j, copy) /\ UNCHANGED <<told, heard>>                   \* RCV

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

(* Section 3.5: LOG holds the required facts, and no others. *)
C_KS_V4 == MissingInState /\ RedundantInState
===============================================================================
