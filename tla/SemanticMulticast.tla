-------------------------- MODULE SemanticMulticast --------------------------
(***************************************************************************)
(* The problem of Gambhire and Kshemkalyani: as CausalMulticast, but only  *)
(* messages whose sends depend on each other are delivered in order.       *)
(*                                                                         *)
(* There are no packets and no control information: what may be delivered  *)
(* is read off the events and their dependencies.                          *)
(***************************************************************************)
EXTENDS SemanticHistory

CONSTANT Procs \* the processes

VARIABLES
    past,  \* past[i]: the causal past of process i
    events \* events[i]: the events of process i, with their dependencies

Causal == INSTANCE CausalMulticast

Init == Causal!Init /\ events = [i \in Procs |-> <<>>]

Happens(i, event) == events' = [events EXCEPT ![i] = Append(@, event)]

Earlier(i) == 0..Len(events[i])

NextMessage(i, Dests) ==
    LET sent == {s \in past[i].sent : s.msg.sender = i}
    IN  [sender |-> i, number |-> Cardinality(sent) + 1, dests |-> Dests]

Send(i, Dests, p) ==
    LET m == NextMessage(i, Dests)
    IN  /\ past' = [past EXCEPT ![i] = AfterSend(@, m)]
        /\ Happens(i, SendEvent(m, p))

(* All on which the send of msg depends is delivered at d. *)
InSemanticOrder(msg, d) == MustPrecede(events, msg, d) \subseteq DeliveredAt(past[d], d)

(* The sender delivers its own copy within the send; the two are one event. *)
SendAndDeliverOwn(i, Dests, p) ==
    LET m == NextMessage(i, Dests)
    IN  /\ i \in Dests
        /\ Happens(i, SendEvent(m, p))
        /\ MustPrecede(events', m, i) \subseteq DeliveredAt(past[i], i)
        /\ past' = [past EXCEPT ![i] =
                        AfterDelivery(AfterSend(@, m), [msg |-> m, past |-> @], i)]

Deliver(s, d, p) ==
    /\ s \in Causal!Undelivered(d)
    /\ InSemanticOrder(s.msg, d)
    /\ past' = [past EXCEPT ![d] = AfterDelivery(@, s, d)]
    /\ Happens(d, DeliveryEvent(s.msg, p))

Internal(i, p) ==
    /\ Happens(i, InternalEvent(p))
    /\ UNCHANGED past

Next ==
    \E i \in Procs : \E p \in Earlier(i) :
        \/ \E Dests \in SUBSET Procs \ {{}} :
               Send(i, Dests, p) \/ SendAndDeliverOwn(i, Dests, p)
        \/ \E s \in Causal!Undelivered(i) : Deliver(s, i, p)
        \/ Internal(i, p)

SafeSpec == Init /\ [][Next]_<<past, events>>

Spec ==
    /\ SafeSpec
    /\ \A d \in Procs :
        WF_<<past, events>>(\E s \in Causal!Undelivered(d), p \in Earlier(d) :
                                Deliver(s, d, p))
==============================================================================
