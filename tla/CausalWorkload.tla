---------------------------- MODULE CausalWorkload ----------------------------
(***************************************************************************)
(* Who may send what to whom, and what is checked of every algorithm.      *)
(*                                                                         *)
(* Processes send at most MaxSends messages in all.  past[i] is a history  *)
(* variable: no algorithm reads it.                                        *)
(*                                                                         *)
(* CausalSystem and CausalTransport add the network, each its own.         *)
(***************************************************************************)
EXTENDS CausalHistory, TLC

CONSTANTS
    Procs,              \* the processes; 1..n where an algorithm compares their ids
    MaxSends,           \* sends in the whole run
    MaxSendsPerProcess, \* sends of one process
    Load,               \* "unicast", "multicast", "broadcast" or "groups"
    Groups,             \* the groups, sets of processes, where Load is "groups"
    Channel,            \* "unordered", "fifo", "fifo-delivery", "fifo-arrival" or "rendezvous"
    Self                \* "forbidden", "network" or "at-send"

ASSUME /\ IsFiniteSet(Procs)
       /\ MaxSends \in Nat
       /\ MaxSendsPerProcess \in Nat
       /\ Load \in {"unicast", "multicast", "broadcast", "groups"}
       /\ Groups \subseteq SUBSET Procs
       /\ Channel \in {"unordered", "fifo", "fifo-delivery", "fifo-arrival", "rendezvous"}
       /\ Self \in {"forbidden", "network", "at-send"}

VARIABLE past \* past[i]: the causal past of process i

PastTypeOK ==
    /\ DOMAIN past = Procs
    /\ \A i \in Procs : IsPast(past[i], Procs)

PastInit == past = [i \in Procs |-> EmptyPast]

(* For model values: processes that no algorithm compares may be exchanged. *)
Symmetry == Permutations(Procs)

-------------------------------------------------------------------------------
(* Sending. *)

Receivers(i) == IF Self = "forbidden" THEN Procs \ {i} ELSE Procs

DestinationSets(i) ==
    CASE Load = "unicast"   -> {{d} : d \in Receivers(i)}
      [] Load = "multicast" -> SUBSET Receivers(i) \ {{}}
      [] Load = "broadcast" -> {Receivers(i)}
      [] Load = "groups"    -> {G \cap Receivers(i) : G \in {H \in Groups : i \in H}} \ {{}}

SentBy(i) == {s \in past[i].sent : s.msg.sender = i}

AllSent == UNION {SentBy(i) : i \in Procs}

MaySend(i) ==
    /\ Cardinality(AllSent) < MaxSends
    /\ Cardinality(SentBy(i)) < MaxSendsPerProcess

NextMessage(i, Dests) ==
    [sender |-> i, number |-> Cardinality(SentBy(i)) + 1, dests |-> Dests]

(* The sender takes its own copy within the send. *)
KeepsOwnCopy(i, Dests) == Self = "at-send" /\ i \in Dests

-------------------------------------------------------------------------------
(* Properties. *)

(* Safety: what is delivered at d has no undelivered message to d in its past. *)
CausalOrder ==
    \A d \in Procs : \A s \in past[d].sent :
        <<Id(s.msg), d>> \in past[d].delivered
            => AddressedTo(s.past, d) \subseteq DeliveredAt(past[d], d)

IsDelivered(s, d) == <<Id(s.msg), d>> \in past[d].delivered

AllDelivered == \A s \in AllSent : \A d \in s.msg.dests : IsDelivered(s, d)

(* Liveness, as a temporal formula; it needs the fairness of the algorithm's Spec. *)
EveryMessageIsDelivered ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        (\E s \in SentBy(i) : s.msg.number = number /\ d \in s.msg.dests)
            ~> <<<<i, number>>, d>> \in past[d].delivered

(* Refinement: every step sends, delivers in causal order, or does neither. *)
Multicast == INSTANCE CausalMulticast

ImplementsCausalMulticast == Multicast!SafeSpec
===============================================================================
