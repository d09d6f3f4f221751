--------------------------- MODULE SemanticHistory ---------------------------
(***************************************************************************)
(* What depends on what: the semantic relation of P. Gambhire and          *)
(* A. Kshemkalyani, HiPC 2000, Section 2, and the vectors ECV and MCV.     *)
(*                                                                         *)
(* events[i] is the sequence of the events of process i: its sends, its    *)
(* deliveries and its internal events.  An event has the number dependsOn  *)
(* of the latest earlier event of i on which it depends, 0 for none; that  *)
(* is the application's choice.  A delivery depends on its send as well.   *)
(*                                                                         *)
(* Event k of process i is <<i, k>>; events are counted from 1.            *)
(***************************************************************************)
EXTENDS CausalHistory, Sequences

SendEvent(msg, p) == [kind |-> "send", msg |-> msg, dependsOn |-> p]

DeliveryEvent(msg, p) == [kind |-> "delivery", msg |-> msg, dependsOn |-> p]

InternalEvent(p) == [kind |-> "internal", dependsOn |-> p]

Event(events, e) == events[e[1]][e[2]]

AllEvents(events) == UNION {{i} \X DOMAIN events[i] : i \in DOMAIN events}

IsSend(events, e) == Event(events, e).kind = "send"

(* The event in which msg is sent. *)
SendOf(events, msg) ==
    <<msg.sender, CHOOSE k \in DOMAIN events[msg.sender] :
                      /\ IsSend(events, <<msg.sender, k>>)
                      /\ events[msg.sender][k].msg = msg>>

-------------------------------------------------------------------------------
(* The relations. *)

(* The event, if any, of another process that comes just before e. *)
Remote(events, e) ==
    IF Event(events, e).kind = "delivery"
    THEN {SendOf(events, Event(events, e).msg)}
    ELSE {}

(* Definition 1: the events on which e depends. *)
RECURSIVE DependsOn(_, _)
DependsOn(events, e) ==
    LET p      == Event(events, e).dependsOn
        direct == (IF p = 0 THEN {} ELSE {<<e[1], p>>}) \cup Remote(events, e)
    IN  direct \cup UNION {DependsOn(events, f) : f \in direct}

(* The messages that must be delivered before msg at d, by semantic order. *)
MustPrecede(events, msg, d) ==
    LET before == {e \in DependsOn(events, SendOf(events, msg)) : IsSend(events, e)}
        toD    == {e \in before : d \in Event(events, e).msg.dests}
    IN  {Id(Event(events, e).msg) : e \in toD}

-------------------------------------------------------------------------------
(* The vectors: v[j] is a number of events of j.  Event <<i, 0>> is the      *)
(* initial one, and precedes all others.                                     *)

NoEvents(events) == [j \in DOMAIN events |-> 0]

Latest(v, w) == [j \in DOMAIN v |-> IF v[j] > w[j] THEN v[j] ELSE w[j]]

Within(v, w) == \A j \in DOMAIN v : v[j] <= w[j]

(* The events of each process in the causal past of e, itself included. *)
RECURSIVE EventCount(_, _)
EventCount(events, e) ==
    LET before == EventCount(events, <<e[1], e[2] - 1>>)
        remote == {EventCount(events, f) : f \in Remote(events, e)}
        known  == IF remote = {} THEN before
                  ELSE Latest(before, CHOOSE v \in remote : TRUE)
    IN  IF e[2] = 0 THEN NoEvents(events) ELSE [known EXCEPT ![e[1]] = e[2]]

(* Definition 5: an event that depends on one of its own process after MCV   *)
(* has all of its causal past in MCV.  In Definition 4 it may be an event of *)
(* any process.                                                              *)
RECURSIVE MaximumCausality(_, _, _)
MaximumCausality(events, e, definition) ==
    LET before == MaximumCausality(events, <<e[1], e[2] - 1>>, definition)
        later  == {f \in DependsOn(events, e) :
                      f[2] > before[f[1]] /\ (definition = 4 \/ f[1] = e[1])}
        remote == {MaximumCausality(events, f, definition) : f \in Remote(events, e)}
    IN  CASE e[2] = 0     -> NoEvents(events)
          [] OTHER -> IF remote # {} THEN Latest(before, CHOOSE v \in remote : TRUE)
                      ELSE IF later # {} THEN EventCount(events, e)
                      ELSE before

(* [j][l]: how many messages j has sent to l in its first v[j] events. *)
SentWithin(events, v) ==
    LET Sends(j, l) ==
            {k \in 1..v[j] : IsSend(events, <<j, k>>) /\ l \in events[j][k].msg.dests}
    IN  [j \in DOMAIN events |-> [l \in DOMAIN events |-> Cardinality(Sends(j, l))]]

-------------------------------------------------------------------------------
(* TypeOK of events. *)
AreEvents(events, procs) ==
    /\ DOMAIN events = procs
    /\ \A i \in procs : \A k \in DOMAIN events[i] :
        LET e == events[i][k]
        IN  /\ e.kind \in {"send", "delivery", "internal"}
            /\ e.dependsOn \in 0..(k - 1)
            /\ e.kind # "internal" => IsMessage(e.msg, procs)
==============================================================================
