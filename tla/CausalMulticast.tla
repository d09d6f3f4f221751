---------------------------- MODULE CausalMulticast ----------------------------
(***************************************************************************)
(* The problem: messages are delivered in causal order, and no message     *)
(* that causal order does not hold back is forbidden to be delivered.      *)
(*                                                                         *)
(* There are no packets and no control information: what may be delivered  *)
(* is read off the causal pasts.  Algorithms implement this specification: *)
(* each of their steps is a step here, or leaves past as it is.            *)
(*                                                                         *)
(* Happened-before is that of Lamport over Send and Deliver events.        *)
(***************************************************************************)
EXTENDS CausalHistory

CONSTANT Procs \* the processes

VARIABLE past \* past[i]: the causal past of process i

Init == past = [i \in Procs |-> EmptyPast]

Sent == UNION {{s \in past[i].sent : s.msg.sender = i} : i \in Procs}

Undelivered(d) == {s \in Sent : d \in s.msg.dests /\ Id(s.msg) \notin DeliveredAt(past[d], d)}

(* S is delivered at d at once; all that must come before is in S or delivered. *)
InCausalOrder(S, d) ==
    \A s \in S : AddressedTo(s.past, d) \subseteq DeliveredAt(past[d], d) \cup {Id(r.msg) : r \in S}

(* Those in Met deliver the message within its send: the sender, or in a rendezvous all. *)
Send(i, Dests, Met) ==
    LET number    == Cardinality({s \in Sent : s.msg.sender = i}) + 1
        M         == [sender |-> i, number |-> number, dests |-> Dests]
        s         == [msg |-> M, past |-> past[i]]
        Before(p) == IF p = i THEN AfterSend(past[i], M) ELSE past[p]
    IN  /\ \A d \in Met : AddressedTo(past[i], d) \subseteq DeliveredAt(past[d], d)
        /\ past' = [p \in Procs |->
                        IF p \in Met THEN AfterDelivery(Before(p), s, p) ELSE Before(p)]

Deliver(d) ==
    \E S \in SUBSET Undelivered(d) \ {{}} :
        /\ InCausalOrder(S, d)
        /\ past' = [past EXCEPT ![d] = AfterDeliveries(@, S, d)]

Next ==
    \/ \E i \in Procs : \E Dests \in SUBSET Procs \ {{}} : \E Met \in SUBSET Dests :
        Send(i, Dests, Met)
    \/ \E d \in Procs : Deliver(d)

SafeSpec == Init /\ [][Next]_past

Spec == SafeSpec /\ \A d \in Procs : WF_past(Deliver(d))

-------------------------------------------------------------------------------
TypeOK == DOMAIN past = Procs /\ \A i \in Procs : IsPast(past[i], Procs)

CausalOrder ==
    \A d \in Procs : \A s \in past[d].sent :
        Id(s.msg) \in DeliveredAt(past[d], d) => AddressedTo(s.past, d) \subseteq DeliveredAt(past[d], d)
================================================================================
