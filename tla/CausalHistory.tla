---------------------------- MODULE CausalHistory ----------------------------
(***************************************************************************)
(* Messages and causal pasts.                                              *)
(*                                                                         *)
(* A message is [sender, number, dests]; its identity is                   *)
(* <<sender, number>>.  A past is everything that happened before a point  *)
(* of one process, or before one send: the messages sent in it, each with  *)
(* the past before its own send, and the pairs <<identity, d>> of the      *)
(* messages delivered at d in it.  A past has no order of deliveries.      *)
(*                                                                         *)
(* The relation is happened-before over Send and Deliver events.           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

Id(msg) == <<msg.sender, msg.number>>

EmptyPast == [sent |-> {}, delivered |-> {}]

(* The past of a process just after it has sent msg. *)
AfterSend(before, msg) ==
    [before EXCEPT !.sent = @ \cup {[msg |-> msg, past |-> before]}]

(* The past of process d just after it has delivered the sent message s. *)
AfterDelivery(before, s, d) ==
    [sent      |-> before.sent \cup s.past.sent \cup {s},
     delivered |-> before.delivered \cup s.past.delivered \cup {<<Id(s.msg), d>>}]

(* The past of process d just after it has delivered the sent messages S. *)
AfterDeliveries(before, S, d) ==
    [sent      |-> before.sent \cup S \cup UNION {s.past.sent : s \in S},
     delivered |-> before.delivered \cup UNION {s.past.delivered \cup {<<Id(s.msg), d>>} : s \in S}]

(* The messages of the past h that are addressed to d. *)
AddressedTo(h, d) == {Id(s.msg) : s \in {e \in h.sent : d \in e.msg.dests}}

(* The messages whose delivery at d lies in the past h. *)
DeliveredAt(h, d) == {f[1] : f \in {e \in h.delivered : e[2] = d}}

(***************************************************************************)
(* The facts <<identity, d>> that a process with past h must know by the   *)
(* Propagation Constraints of Kshemkalyani and Singhal (Distributed        *)
(* Computing 11(2), 1998, Section 3): sent, not known to be delivered      *)
(* (PC1), and no later message of the past goes to d as well (PC2).        *)
(***************************************************************************)
Required(h) ==
    LET Facts(s)   == {Id(s.msg)} \X s.msg.dests
        Covered(s) == UNION {AddressedTo(s.past, d) \X {d} : d \in s.msg.dests}
    IN  UNION {Facts(s) : s \in h.sent}
            \ (h.delivered \cup UNION {Covered(s) : s \in h.sent})

(* The facts required on the copy of the sent message s to d, its own entry *)
(* left out: those required just before the send, less those about the     *)
(* other destinations of s (PC2).                                          *)
RequiredOnCopy(s, d) ==
    {f \in Required(s.past) : f[2] \notin s.msg.dests \ {d}}

(* TypeOK of histories. *)
IsMessage(msg, procs) ==
    msg \in [sender : procs, number : Nat \ {0}, dests : SUBSET procs \ {{}}]

RECURSIVE IsPast(_, _)
IsPast(h, procs) ==
    /\ DOMAIN h = {"sent", "delivered"}
    /\ \A s \in h.sent : IsMessage(s.msg, procs) /\ IsPast(s.past, procs)
    /\ \A f \in h.delivered : \E s \in h.sent : f[1] = Id(s.msg) /\ f[2] \in s.msg.dests
==============================================================================
