------------------------------ MODULE Centralised ------------------------------
(***************************************************************************)
(* A. Kshemkalyani, M. Singhal, Necessary and sufficient conditions on     *)
(* information for causal message ordering and their optimal               *)
(* implementation, Distributed Computing 11(2), 1998, Section 7.1:         *)
(* centralised organisation.  Every multicast request goes to one process, *)
(* the coordinator, which multicasts the requests serially.  A message     *)
(* carries nothing.  The labels are ours: s1 and s2 send, c1-c3 are steps  *)
(* of the coordinator, d1 and d2 deliver.                                  *)
(*                                                                         *)
(* Assumes reliable asynchronous FIFO channels.  KS-29seq builds them by   *)
(* sequence numbers where the system's channels are not.                   *)
(* Checked: TypeOK, CausalOrder, NotStuck, Integrity.                      *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    KS_29,   \* through the coordinator goes a: everything, own copies too
             \* b: multicasts; a message to one destination goes there directly
             \* c: everything, but the sender delivers its own copy at once
    KS_29seq \* sequence numbers are a: on no channels  b: on those to the coordinator
             \* c: on those from it  d: on both

ASSUME /\ KS_29 \in {"a", "b", "c"}
       /\ KS_29seq \in {"a", "b", "c", "d"}
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival"}
       /\ Procs = 1..Cardinality(Procs)

(* Self is "forbidden" or "network": KS-29c says what is delivered at the send. *)
ASSUME /\ Self \in {"forbidden", "network"}

VARIABLES
    requested, \* requested[i]: requests of i, if they are numbered; else 0
    taken,     \* taken[i]: copies that i has taken, if they are numbered; else 0
    served,    \* served[i][k], i the coordinator: requests of k that are served
    copies     \* copies[i][d], i the coordinator: copies sent to d

vars == <<requested, taken, served, copies, transportVars>>

Coordinator == 1

NumberedRequests == KS_29seq \in {"b", "d"}

NumberedCopies == KS_29seq \in {"c", "d"}

TypeOK ==
    /\ TransportTypeOK
    /\ requested \in [Procs -> Nat]
    /\ taken \in [Procs -> Nat]
    /\ served \in [Procs -> [Procs -> Nat]]
    /\ copies \in [Procs -> [Procs -> Nat]]
    /\ \A packet \in AllInTransit : ~IsSignal(packet) /\ packet.control \in Nat

Zeros == [i \in Procs |-> 0]

Init ==
    /\ TransportInit
    /\ requested = Zeros
    /\ taken = Zeros
    /\ served = [i \in Procs |-> Zeros]
    /\ copies = [i \in Procs |-> Zeros]

-------------------------------------------------------------------------------
(* Which way a message takes. *)

IsDirect(Dests) == KS_29 = "b" /\ Cardinality(Dests) = 1

IsRequest(packet) == packet.to = Coordinator /\ ~IsDirect(packet.msg.dests)

(* What the sender of s delivers within the send. *)
OwnAtOnce(s) ==
    IF s.msg.sender \in s.msg.dests /\ (KS_29 = "c" \/ s.msg.sender = Coordinator)
    THEN {s}
    ELSE {}

(* Those to whom the coordinator gives M. *)
Served(M) == IF KS_29 = "c" THEN M.dests \ {M.sender} ELSE M.dests

(* A number follows the last one; 0 is none. *)
Follows(number, latest) == number # 0 => number = latest + 1

Ready(packet) ==
    CASE IsDirect(packet.msg.dests) -> TRUE
      [] IsRequest(packet) ->                                               \* c1
            Follows(packet.control, served[Coordinator][packet.from])
      [] OTHER -> Follows(packet.control, taken[packet.to])                 \* d1

(* c2: copies of the coordinator, once it has multicast M. *)
Counted(M) ==
    [d \in Procs |->
        copies[Coordinator][d] + IF NumberedCopies /\ d \in Served(M) THEN 1 ELSE 0]

(* The coordinator multicasts s, with net, before and athand as the network, *)
(* its past and what it holds, and delivers s if it is a destination.        *)
Multicasting(net, s, before, athand) ==
    LET M == s.msg
        Out(d) == IF d \in Served(M) \ {Coordinator}
                  THEN <<Packet(Coordinator, d, s, Counted(M)[d])>>
                  ELSE <<>>
    IN  /\ copies' = [copies EXCEPT ![Coordinator] = Counted(M)]            \* c2
        /\ network' = With(net, Coordinator, Out)                           \* c3
        /\ DeliverFrom(Coordinator, before, athand, {M})                    \* d2

-------------------------------------------------------------------------------
(* A message to one destination, which goes there directly. *)
SendDirectly(i, Dests) ==
    LET M == NextMessage(i, Dests)
        Out(d) == IF d \in Dests THEN <<Packet(i, d, SendingNow(M), 0)>> ELSE <<>>
    IN  /\ network' = With(network, i, Out)                                 \* s1
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i], {})
        /\ UNCHANGED <<requested, copies>>

SendRequest(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
        number == requested[i] + IF NumberedRequests THEN 1 ELSE 0
        Out(d) == IF d = Coordinator THEN <<Packet(i, d, s, number)>> ELSE <<>>
    IN  /\ network' = With(network, i, Out)                                 \* s2
        /\ requested' = [requested EXCEPT ![i] = number]
        /\ DeliverFrom(i, AfterSend(past[i], M), held[i] \cup OwnAtOnce(s), {M})
        /\ UNCHANGED copies

(* The coordinator need not ask. *)
SendByCoordinator(i, Dests) ==
    LET M == NextMessage(i, Dests)
        s == SendingNow(M)
    IN  /\ Multicasting(network, s,                                         \* c2, c3, d2
                        AfterSend(past[i], M), held[i] \cup OwnAtOnce(s))
        /\ UNCHANGED requested

Send(i, Dests) ==
    /\ MaySend(i)
    /\ CASE IsDirect(Dests)  -> SendDirectly(i, Dests)
         [] i = Coordinator  -> SendByCoordinator(i, Dests)
         [] OTHER            -> SendRequest(i, Dests)
    /\ UNCHANGED <<taken, served>>

(* The coordinator serves a request. *)
Serve(packet) ==
    LET i == packet.to
    IN  /\ IsRequest(packet)
        /\ Ready(packet)                                                    \* c1
        /\ ChannelAllows(packet, Ready)
        /\ served' = [served EXCEPT ![i][packet.from] = packet.control]
        /\ Multicasting(Without(packet), SentMessage(packet),               \* c2, c3
                        past[i], HeldWith(i, packet))
        /\ UNCHANGED <<requested, taken>>

TakeCopy(packet) ==
    LET i == packet.to
    IN  /\ ~IsRequest(packet)
        /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ network' = Without(packet)
        /\ DeliverFrom(i, past[i], HeldWith(i, packet), {packet.msg})       \* d2
        /\ taken' = IF IsDirect(packet.msg.dests)
                    THEN taken
                    ELSE [taken EXCEPT ![i] = packet.control]
        /\ UNCHANGED <<requested, served, copies>>

ReceivePacket(packet) == Serve(packet) \/ TakeCopy(packet)

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

Move == \E j \in Procs : Receive(j)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NotStuck == AllDelivered \/ ENABLED Move

Integrity == NothingTwice
===============================================================================
