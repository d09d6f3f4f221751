------------------------------- MODULE KSArrival -------------------------------
(***************************************************************************)
(* KS with arrival events: a copy that has to wait is taken out of the     *)
(* channel, kept at its process, and delivered in a step of its own.       *)
(*                                                                         *)
(* The variants of A. Kshemkalyani, M. Singhal, Distributed Computing      *)
(* 11(2), 1998, that do something when a copy arrives extend this module.  *)
(***************************************************************************)
EXTENDS CausalTransport, KSLog

VARIABLES
    clock, \* clock[j]: local counter
    SR,    \* SR[j][k]: timestamp of the last message of k delivered at j
    LOG,   \* LOG[j]: entries (s, t, D): D must still get message t of s
    buffer \* buffer[j]: the copies [msg, O] that have arrived at j and wait

arrivalVars == <<clock, SR, LOG, buffer, transportVars>>

ArrivalTypeOK ==
    /\ TransportTypeOK
    /\ clock \in [Procs -> Nat]
    /\ SR \in [Procs -> [Procs -> Nat]]
    /\ \A j \in Procs :
        /\ IsLog(LOG[j])
        /\ {copy.msg : copy \in buffer[j]} = {s.msg : s \in held[j]}
        /\ \A copy \in buffer[j] : DOMAIN copy = {"msg", "O"} /\ IsLog(copy.O)

ArrivalInit ==
    /\ TransportInit
    /\ clock = [j \in Procs |-> 0]
    /\ SR = [j \in Procs |-> [k \in Procs |-> 0]]
    /\ LOG = [j \in Procs |-> InitialLog]
    /\ buffer = [j \in Procs |-> {}]

-------------------------------------------------------------------------------
(* SND *)

(* The copies of M, but that to the process kept, on their way with Control(d). *)
Transmitted(M, kept, Control(_)) ==
    LET j      == M.sender
        Out(d) == IF d \in M.dests \ kept
                  THEN <<Packet(j, d, SendingNow(M), Control(d))>>
                  ELSE <<>>
    IN  With(network, j, Out)

(* SND of M with Control(d) to d; it leaves the log L. *)
Sends(M, Control(_), L) ==
    LET j == M.sender
    IN  /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ network' = Transmitted(M, {}, Control)                           \* SND(2)
        /\ LOG' = [LOG EXCEPT ![j] = L]                                     \* SND(3)-(5)
        /\ past' = [past EXCEPT ![j] = AfterSend(@, M)]
        /\ UNCHANGED <<SR, buffer, held>>

-------------------------------------------------------------------------------
(* RCV *)

(* RCV(2)-(5): j, with before, athand and L as past, held messages and log, delivers M. *)
Delivers(j, M, O, before, athand, L) ==
    /\ DeliverFrom(j, before, athand, {M})                                  \* RCV(2)
    /\ SR' = [SR EXCEPT ![j] = WithDelivered(@, M)]                         \* RCV(2)
    /\ \E after \in LogsAfterReceive(L, O, M, j) :                          \* RCV(3)-(5)
           LOG' = [LOG EXCEPT ![j] = after]

(* SND, and RCV of the own copy, which came with O. *)
SendsAndDeliversOwn(M, Control(_), L, O) ==
    LET j == M.sender
        s == SendingNow(M)
    IN  /\ DeliveryCondition(O, SR[j], j)                                   \* RCV(1)
        /\ clock' = [clock EXCEPT ![j] = @ + 1]                             \* SND(1)
        /\ network' = Transmitted(M, {j}, Control)                          \* SND(2)
        /\ Delivers(j, M, O, AfterSend(past[j], M), held[j] \cup {s}, L)
        /\ UNCHANGED buffer

(* The packet arrives with O, and is delivered at once. *)
DeliversAtOnce(packet, O) ==
    LET j == packet.to
    IN  /\ DeliveryCondition(O, SR[j], j)                                   \* RCV(1)
        /\ network' = Without(packet)
        /\ Delivers(j, packet.msg, O, past[j], HeldWith(j, packet), LOG[j])
        /\ UNCHANGED <<clock, buffer>>

(* The packet arrives with O, has to wait, and will be delivered with kept. *)
BeginsToWait(packet, O, kept) ==
    LET j == packet.to
    IN  /\ ~DeliveryCondition(O, SR[j], j)                                  \* RCV(1)
        /\ network' = Without(packet)
        /\ held' = [held EXCEPT ![j] = HeldWith(j, packet)]
        /\ buffer' = [buffer EXCEPT ![j] = @ \cup {[msg |-> packet.msg, O |-> kept]}]
        /\ UNCHANGED <<clock, SR, past>>

(* The wait of a copy ends. *)
DeliversWaiting(j, copy) ==
    /\ DeliveryCondition(copy.O, SR[j], j)                                  \* RCV(1)
    /\ buffer' = [buffer EXCEPT ![j] = @ \ {copy}]
    /\ Delivers(j, copy.msg, copy.O, past[j], held[j], LOG[j])
    /\ UNCHANGED <<clock, network>>

-------------------------------------------------------------------------------
(* Properties. *)

MayDeliver(j, s) ==
    \E copy \in buffer[j] : copy.msg = s.msg /\ DeliveryCondition(copy.O, SR[j], j)

Integrity == NothingTwice

StateFacts(j) == Facts(LOG[j])

MissingInState == \A j \in Procs : Required(past[j]) \subseteq StateFacts(j)

RedundantInState == \A j \in Procs : StateFacts(j) \subseteq Required(past[j])

(* What packet says with O; the message's own entry is left out. *)
FactsOn(packet, O) == {f \in Facts(O) : f[1] # Id(packet.msg)}

RequiredOn(packet) == RequiredOnCopy(SentMessage(packet), packet.to)

NothingMissingInPacket(PacketFacts(_)) ==
    \A packet \in AllInTransit : RequiredOn(packet) \subseteq PacketFacts(packet)

NothingRedundantInPacket(PacketFacts(_)) ==
    \A packet \in AllInTransit : PacketFacts(packet) \subseteq RequiredOn(packet)
===============================================================================
