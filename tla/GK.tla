---------------------------------- MODULE GK ----------------------------------
(***************************************************************************)
(* P. Gambhire, A. Kshemkalyani, Reducing false causality in causal        *)
(* message ordering, HiPC 2000, LNCS 1970, Figure 3, in the multicast form *)
(* of algorithms.md, Section 5, with MCV as Definition 5 has it.           *)
(*                                                                         *)
(* A copy waits only for messages up to MCV.  The application says on      *)
(* which earlier event p of its process an event depends: any, or none.    *)
(*                                                                         *)
(* Assumes reliable asynchronous FIFO channels.                            *)
(* Checked: TypeOK, SemanticOrder, NotStuck and the claims C_GK_...        *)
(* NoNeedlessDelay is not claimed: some false causality is left.           *)
(***************************************************************************)
EXTENDS CausalSystem, SemanticHistory

CONSTANTS
    internal_events, \* internal events of each process, at most
    chained,         \* 1: an event depends on the one before it; 0: on any, or none
    GK_1,  \* MCV[i] after send event k whose own E1 is true is a: k  b: k - 1
           \* c: k, and E7 counts its message in PREV
           \* d: as c, and R3 in SP, where the vectors on the copy tell so (GK-5c)
    GK_2,  \* R1 compares a: counts  b: counts, each sender's messages in order
           \* c: sets of numbers of messages
    GK_3,  \* a multicast is a: counted by R3 for the receiver only
           \* b: by E7 and R3 for all its destinations
           \* c: sent in ascending order of destinations, copy after copy
    GK_4,  \* E1 is decided a: once for a send  b: before each copy (with GK-3c)
    GK_5,  \* messages carry a: no vector  b: MCV  c: MCV and ECV
    GK_7,  \* an internal event does a: nothing  b: as E1-E5, and MCV := ECV
           \* c: its dependency counts as the next send's  d: MCV := ECV only
    GK_8,  \* the order of steps is a: printed  b: R8 before R7  c: E7 before E6
           \* d: printed, but R3 counts on CONC
    GK_9,  \* a delivery depends on a: its send only  b: any event
           \* c: the event before it
    GK_12, \* E1 is true a: by Definition 5  b: at every send
    GK_13, \* self-addressed messages are a: forbidden  b: as any other
           \* c: delivered within the send, which is one event; only DELIV changes
    GK_19  \* R1 tests a: the receiver's PREV  b: the SP of the message

ASSUME /\ internal_events \in Nat
       /\ chained \in {0, 1}
       /\ GK_1 \in {"a", "b", "c", "d"}
       /\ GK_2 \in {"a", "b", "c"}
       /\ GK_3 \in {"a", "b", "c"}
       /\ GK_4 \in {"a", "b"}
       /\ GK_5 \in {"a", "b", "c"}
       /\ GK_7 \in {"a", "b", "c", "d"}
       /\ GK_8 \in {"a", "b", "c", "d"}
       /\ GK_9 \in {"a", "b", "c"}
       /\ GK_12 \in {"a", "b"}
       /\ GK_13 \in {"a", "b", "c"}
       /\ GK_19 \in {"a", "b"}

(* The two ways to deliver an own copy belong to one each of the values of Self. *)
ASSUME /\ Self = "network" => GK_13 # "c"
       /\ Self = "at-send" => GK_13 # "b"

(* Ids are compared where copies are sent in ascending order. *)
ASSUME GK_3 = "c" => Procs = 1..Cardinality(Procs)

VARIABLES
    MCV,      \* MCV[i]: the maximum causality vector, as far as i knows it (GK-5)
    ECV,      \* ECV[i]: numbers of events in its past; ECV[i][i] counts its own
    DELIV,    \* DELIV[i][k]: messages of k delivered at i
    PREV,     \* PREV[i][k][l]: messages from k to l sent up to MCV
    CONC,     \* CONC[i][k][l]: messages from k to l sent after MCV
    internal, \* internal[i]: internal events so far
    pending,  \* pending[i]: the latest event that one of them depends on (GK-7c)
    events    \* events[i]: the events with their dependencies; a history variable

vectors == <<MCV, ECV>>
matrices == <<PREV, CONC>>
vars == <<vectors, DELIV, matrices, internal, pending, events, systemVars>>

-------------------------------------------------------------------------------
(* Matrices.  A cell is a count of messages, or with GK-2c the set of their  *)
(* numbers.                                                                  *)

Sets == GK_2 = "c"

Cell == IF Sets THEN SUBSET (1..MaxSendsPerProcess) ELSE Nat

None == IF Sets THEN {} ELSE 0

One(msg) == IF Sets THEN {msg.number} ELSE 1

Size(x) == IF Sets THEN Cardinality(x) ELSE x

Plus(x, y)   == IF Sets THEN x \cup y ELSE x + y
Minus(x, y)  == IF Sets THEN x \ y ELSE x - y
Larger(x, y) == IF Sets THEN x \cup y ELSE IF x > y THEN x ELSE y
AtMost(x, y) == IF Sets THEN x \subseteq y ELSE x <= y

Cellwise(Op(_, _), A, B) == [k \in Procs |-> [l \in Procs |-> Op(A[k][l], B[k][l])]]

Empty == [k \in Procs |-> [l \in Procs |-> None]]

(* A with one more message, msg, from its sender to every d in Dests. *)
Counted(A, msg, Dests) ==
    [A EXCEPT ![msg.sender] =
        [l \in Procs |-> IF l \in Dests THEN Plus(@[l], One(msg)) ELSE @[l]]]

Matrix == [Procs -> [Procs -> Cell]]

Vector == [Procs -> Nat]

-------------------------------------------------------------------------------
TypeOK ==
    /\ SystemTypeOK
    /\ MCV \in [Procs -> Vector]
    /\ ECV \in [Procs -> Vector]
    /\ DELIV \in [Procs -> [Procs -> Cell]]
    /\ PREV \in [Procs -> Matrix]
    /\ CONC \in [Procs -> Matrix]
    /\ internal \in [Procs -> 0..internal_events]
    /\ pending \in [Procs -> Nat]
    /\ AreEvents(events, Procs)
    /\ \A i \in Procs : ECV[i][i] = Len(events[i])
    /\ \A packet \in network :
        packet.control \in [SP : Matrix, SC : Matrix, MCV : Vector, ECV : Vector]

Zero == [k \in Procs |-> 0]

Init ==
    /\ SystemInit
    /\ MCV = [i \in Procs |-> Zero]
    /\ ECV = [i \in Procs |-> Zero]
    /\ DELIV = [i \in Procs |-> [k \in Procs |-> None]]
    /\ PREV = [i \in Procs |-> Empty]
    /\ CONC = [i \in Procs |-> Empty]
    /\ internal = Zero
    /\ pending = Zero
    /\ events = [i \in Procs |-> <<>>]

-------------------------------------------------------------------------------
(* Emission. *)

(* The next event of i. *)
Happens(i, event) == events' = [events EXCEPT ![i] = Append(@, event)]

(* The events on which a send or an internal event of i may depend, 0 for none. *)
Earlier(i) == IF chained = 1 THEN {ECV[i][i]} ELSE 0..ECV[i][i]

Ticked(i) == [ECV[i] EXCEPT ![i] = @ + 1]

(* E1: event p, the latest on which this event depends, is after MCV. *)
ShouldSemanticallyPrecede(i, p) ==
    GK_12 = "b" \/ p > MCV[i][i] \/ pending[i] > MCV[i][i]

MCVAfterSend(i, precedes) ==
    CASE ~precedes -> MCV[i]
      [] OTHER     -> Latest(MCV[i], IF GK_1 = "b" THEN ECV[i] ELSE Ticked(i))

(* E4, E5, where E1 is true. *)
Shifted(r, precedes) ==
    IF precedes
    THEN [r EXCEPT !.PREV = Cellwise(Plus, @, r.CONC), !.CONC = Empty]
    ELSE r

(* E7 *)
WithMessage(r, msg, Dests, precedes) ==
    IF GK_1 \in {"c", "d"} /\ precedes
    THEN [r EXCEPT !.PREV = Counted(@, msg, Dests)]
    ELSE [r EXCEPT !.CONC = Counted(@, msg, Dests)]

(* E1-E7 for the copies of msg to Dests: r has PREV, CONC and SP[d], SC[d]. *)
Emitted(r, msg, Dests, e1, precedes) ==
    LET before == Shifted(r, e1)                                            \* E4, E5
        after  == WithMessage(before, msg, Dests, precedes)                 \* E7
        carried == IF GK_8 = "c" THEN after ELSE before                     \* E6
    IN  [after EXCEPT !.SP = [d \in Procs |-> IF d \in Dests THEN carried.PREV ELSE @[d]],
                      !.SC = [d \in Procs |-> IF d \in Dests THEN carried.CONC ELSE @[d]]]

RECURSIVE EmittedInTurn(_, _, _, _, _)
EmittedInTurn(r, msg, Dests, e1, precedes) ==
    LET first == CHOOSE d \in Dests : \A l \in Dests : d <= l
        again == precedes /\ GK_4 = "b"
        sent  == Emitted(r, msg, {first}, e1, precedes)
    IN  IF Dests = {} THEN r
        ELSE EmittedInTurn(sent, msg, Dests \ {first}, again, precedes)

Emission(i, msg, precedes) ==
    LET nothing == [d \in Procs |-> Empty]
        r == [PREV |-> PREV[i], CONC |-> CONC[i], SP |-> nothing, SC |-> nothing]
    IN  IF GK_3 = "c"
        THEN EmittedInTurn(r, msg, msg.dests, precedes, precedes)
        ELSE Emitted(r, msg, msg.dests, precedes, precedes)

(* What the copy to d carries; a vector that is not carried is Zero. *)
CopyControl(r, mcv, ecv, d) ==
    [SP  |-> r.SP[d],
     SC  |-> r.SC[d],
     MCV |-> IF GK_5 = "a" THEN Zero ELSE mcv,
     ECV |-> IF GK_5 = "c" THEN ecv ELSE Zero]

-------------------------------------------------------------------------------
(* Reception. *)

(* R1: forall k: SP[k][j] <= DELIV[k] *)
Ready(packet) ==
    LET i == packet.msg.sender
        j == packet.to
        SP == packet.control.SP
        SC == packet.control.SC
        tested == IF GK_19 = "a" THEN PREV[j] ELSE SP
        Asked(k) == IF GK_2 = "b" /\ k = i THEN SP[k][j] + SC[k][j] ELSE tested[k][j]
    IN  \A k \in Procs : AtMost(Asked(k), DELIV[j][k])

(* Definition 5: the send of the packet is in its own MC. *)
InOwnMC(packet) ==
    LET i == packet.msg.sender
    IN  GK_5 = "c" /\ packet.control.ECV[i] = packet.control.MCV[i]

(* R3, R7, R8: PREV and CONC after the reception of packet. *)
Received(packet) ==
    LET j    == packet.to
        msg  == packet.msg
        copies == IF GK_3 = "b" THEN msg.dests ELSE {j}
        where == CASE GK_8 = "d"                      -> "CONC"             \* R3
                   [] GK_8 # "d" /\ GK_1 = "d" /\ InOwnMC(packet) -> "SP"
                   [] OTHER                           -> "SC"
        Here(name, A) == IF where = name THEN Counted(A, msg, copies) ELSE A
        SP   == Here("SP", packet.control.SP)
        SC   == Here("SC", packet.control.SC)
        C    == Here("CONC", CONC[j])
        P    == IF GK_8 = "b" THEN Cellwise(Larger, PREV[j], SP) ELSE PREV[j]
        all  == Cellwise(Larger, Cellwise(Plus, C, P), Cellwise(Plus, SP, SC))
    IN  [CONC |-> Cellwise(Minus, all, Cellwise(Larger, P, SP)),            \* R7
         PREV |-> Cellwise(Larger, PREV[j], SP)]                            \* R8

(* The events on which a delivery at j may depend, besides its send. *)
EarlierOfDelivery(j) ==
    CASE GK_9 = "a" -> {0}
      [] GK_9 = "b" -> 0..ECV[j][j]
      [] GK_9 = "c" -> {ECV[j][j]}

-------------------------------------------------------------------------------
MayAddress(i, Dests) == GK_13 = "a" => i \notin Dests

(* What a send does to the vectors and matrices of i, and to its events. *)
Emit(i, msg, p, precedes, r) ==
    /\ MCV' = [MCV EXCEPT ![i] = MCVAfterSend(i, precedes)]
    /\ ECV' = [ECV EXCEPT ![i] = Ticked(i)]
    /\ PREV' = [PREV EXCEPT ![i] = r.PREV]
    /\ CONC' = [CONC EXCEPT ![i] = r.CONC]
    /\ pending' = [pending EXCEPT ![i] = 0]
    /\ Happens(i, SendEvent(msg, p))
    /\ UNCHANGED internal

SendDepending(i, Dests, p) ==
    LET msg == NextMessage(i, Dests)
        precedes == ShouldSemanticallyPrecede(i, p)                         \* E1
        r == Emission(i, msg, precedes)                                     \* E2-E5, E7
        SPSC(d) == CopyControl(r, MCVAfterSend(i, precedes), Ticked(i), d)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
        /\ Emit(i, msg, p, precedes, r)
        /\ Transmit(msg, SPSC)                                              \* E6
        /\ UNCHANGED DELIV

(* GK-13c *)
SendAndDeliverOwnDepending(i, Dests, p) ==
    LET msg == NextMessage(i, Dests)
        precedes == ShouldSemanticallyPrecede(i, p)                         \* E1
        r == Emission(i, msg, precedes)                                     \* E2-E5, E7
        SPSC(d) == CopyControl(r, MCVAfterSend(i, precedes), Ticked(i), d)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ Ready(Packet(msg, i, SPSC(i)))                                   \* R1
        /\ Emit(i, msg, p, precedes, r)
        /\ TransmitAndDeliverOwn(msg, SPSC)                                 \* E6, R2
        /\ DELIV' = [DELIV EXCEPT ![i][i] = Plus(@, One(msg))]              \* R4

ReceivePacket(packet, p) ==
    LET i == packet.msg.sender
        j == packet.to
        r == Received(packet)                                               \* R3, R5, R6
        known == Latest(ECV[j], packet.control.ECV)
    IN  /\ Ready(packet)                                                    \* R1
        /\ ChannelAllows(packet, Ready)
        /\ Deliver(packet)                                                  \* R2
        /\ DELIV' = [DELIV EXCEPT ![j][i] = Plus(@, One(packet.msg))]       \* R4
        /\ CONC' = [CONC EXCEPT ![j] = r.CONC]                              \* R7
        /\ PREV' = [PREV EXCEPT ![j] = r.PREV]                              \* R8
        /\ MCV' = [MCV EXCEPT ![j] = Latest(@, packet.control.MCV)]
        /\ ECV' = [ECV EXCEPT ![j] = [known EXCEPT ![j] = @ + 1]]
        /\ Happens(j, DeliveryEvent(packet.msg, p))
        /\ UNCHANGED <<internal, pending>>

InternalDepending(i, p) ==
    LET precedes == ShouldSemanticallyPrecede(i, p)
        r == Shifted([PREV |-> PREV[i], CONC |-> CONC[i]], precedes /\ GK_7 = "b")
    IN  /\ internal[i] < internal_events
        /\ internal' = [internal EXCEPT ![i] = @ + 1]
        /\ ECV' = [ECV EXCEPT ![i] = Ticked(i)]
        /\ MCV' = [MCV EXCEPT ![i] =
                       IF GK_7 \in {"b", "d"} /\ precedes THEN Latest(@, Ticked(i)) ELSE @]
        /\ PREV' = [PREV EXCEPT ![i] = r.PREV]
        /\ CONC' = [CONC EXCEPT ![i] = r.CONC]
        /\ pending' = [pending EXCEPT ![i] = IF GK_7 = "c" /\ p > @ THEN p ELSE @]
        /\ Happens(i, InternalEvent(p))
        /\ UNCHANGED <<DELIV, systemVars>>

(* One step for each earlier event on which the application may let it depend. *)
Send(i, Dests) == \E p \in Earlier(i) : SendDepending(i, Dests, p)

SendAndDeliverOwn(i, Dests) == \E p \in Earlier(i) : SendAndDeliverOwnDepending(i, Dests, p)

Receive(j) ==
    \E packet \in network : \E p \in EarlierOfDelivery(j) :
        packet.to = j /\ ReceivePacket(packet, p)

Internal(i) == \E p \in Earlier(i) : InternalDepending(i, p)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ \E j \in Procs : Receive(j)
    \/ \E i \in Procs : Internal(i)

Fairness ==
    \A i \in Procs, d \in Procs, number \in 1..MaxSendsPerProcess :
        WF_vars(\E packet \in Copies(i, number, d) :
                    \E p \in EarlierOfDelivery(d) : ReceivePacket(packet, p))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
(* Properties. *)

(* Theorem 1: what is delivered at d has no undelivered message to d on      *)
(* whose send its own depends.  It takes the place of CausalOrder.           *)
SemanticOrder ==
    \A d \in Procs : \A s \in past[d].sent :
        IsDelivered(s, d) =>
            MustPrecede(events, s.msg, d) \subseteq DeliveredAt(past[d], d)

(* Refinement: every step sends, delivers in semantic order, or is internal. *)
Semantic == INSTANCE SemanticMulticast

ImplementsSemanticMulticast == Semantic!SafeSpec

NotStuck == NeverStuck(Ready)

(* Violated: false causality is left up to MCV. *)
NoNeedlessDelay ==
    \A packet \in network :
        MustPrecede(events, packet.msg, packet.to)
            \subseteq DeliveredAt(past[packet.to], packet.to) => Ready(packet)

(* Property 2: MCV and PREV do not decrease. *)
Property2 ==
    [][\A i \in Procs, k \in Procs :
           /\ MCV[i][k] <= MCV'[i][k]
           /\ \A l \in Procs : AtMost(PREV[i][k][l], PREV'[i][k][l])]_vars

-------------------------------------------------------------------------------
(* The claims, for the latest event of each process, and so for all events.  *)
(* ECV and MCV are those of Section 2 and Definition 5, not what a process   *)
(* computes of them; -msg is of the send of a copy.                          *)

Now(i) == <<i, Len(events[i])>>

KindNow(i) == IF events[i] = <<>> THEN "initial" ELSE Event(events, Now(i)).kind

Depends(i) == IF events[i] = <<>> THEN {} ELSE DependsOn(events, Now(i))

TrueECV(e) == EventCount(events, e)

TrueMCV(e) == MaximumCausality(events, e, 5)

Counts(A) == [k \in Procs |-> [l \in Procs |-> Size(A[k][l])]]

Sum(A, B) == [k \in Procs |-> [l \in Procs |-> Size(A[k][l]) + Size(B[k][l])]]

Rest(A, B) == [k \in Procs |-> [l \in Procs |-> A[k][l] - B[k][l]]]

(* Every send on which a send e depends is among the first MCV(e)[j] of its j. *)
C_GK_P1 ==
    \A i \in Procs : KindNow(i) = "send" =>
        \A f \in Depends(i) : IsSend(events, f) => f[2] <= TrueMCV(Now(i))[f[1]]

(* MCV(e) <= ECV(e), and every event on which e depends is within MCV(e). *)
MeetsDefinition3(i) ==
    /\ Within(TrueMCV(Now(i)), TrueECV(Now(i)))
    /\ \A f \in Depends(i) : f[2] <= TrueMCV(Now(i))[f[1]]

C_GK_L1 == \A i \in Procs : MeetsDefinition3(i)

(* The same for sends and internal events e. *)
C_GK_L1_sends == \A i \in Procs : KindNow(i) # "delivery" => MeetsDefinition3(i)

(* Definitions 4 and 5 define the same MCV. *)
C_GK_D45 == \A i \in Procs : MaximumCausality(events, Now(i), 4) = TrueMCV(Now(i))

(* The process knows MCV (Property 1). *)
C_GK_PR1 == \A i \in Procs : MCV[i] = TrueMCV(Now(i))

(* PREV + CONC = SENT_ECV *)
C_GK_L2 == \A i \in Procs : Sum(PREV[i], CONC[i]) = SentWithin(events, TrueECV(Now(i)))

(* PREV counts exactly the messages sent up to MCV. *)
C_GK_L3 == \A i \in Procs : Counts(PREV[i]) = SentWithin(events, TrueMCV(Now(i)))

(* CONC counts exactly those sent after MCV, up to ECV. *)
SentBetween(v, w) == Rest(SentWithin(events, w), SentWithin(events, v))

C_GK_L4 ==
    \A i \in Procs : Counts(CONC[i]) = SentBetween(TrueMCV(Now(i)), TrueECV(Now(i)))

(* The same on a copy: the message itself is left out. *)
SendEventOf(packet) == SendOf(events, packet.msg)

WithoutIts(v, e) == [v EXCEPT ![e[1]] = IF @ < e[2] THEN @ ELSE e[2] - 1]

C_GK_L2_msg ==
    \A packet \in network :
        LET e == SendEventOf(packet)
        IN  Sum(packet.control.SP, packet.control.SC)
                = SentWithin(events, WithoutIts(TrueECV(e), e))

C_GK_L3_msg ==
    \A packet \in network :
        LET e == SendEventOf(packet)
        IN  Counts(packet.control.SP) = SentWithin(events, WithoutIts(TrueMCV(e), e))

C_GK_L4_msg ==
    \A packet \in network :
        LET e == SendEventOf(packet)
        IN  Counts(packet.control.SC)
                = SentBetween(WithoutIts(TrueMCV(e), e), WithoutIts(TrueECV(e), e))

(* The same with the message itself, where it is after MCV (GK-15a). *)
C_GK_L4_msg_own ==
    \A packet \in network :
        LET e == SendEventOf(packet)
        IN  Counts(packet.control.SC) = SentBetween(TrueMCV(e), TrueECV(e))

(* A copy waits for no message outside MC of its send. *)
C_GK_FC ==
    \A packet \in network :
        LET allowed == SentWithin(events, TrueMCV(SendEventOf(packet)))
        IN  \A k \in Procs, l \in Procs : Size(packet.control.SP[k][l]) <= allowed[k][l]
===============================================================================
