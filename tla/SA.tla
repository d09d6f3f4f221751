---------------------------------- MODULE SA ----------------------------------
(***************************************************************************)
(* C. Sanchez, A. Alvarez, A lightweight asynchronous algorithm for causal *)
(* delivery using extra message insertion, short paper, DISC 2000,         *)
(* Section 3.  The labels are those of algorithms.md, Section 6.           *)
(*                                                                         *)
(* Messages carry a matrix of constraints.  When it has too many non-zero  *)
(* entries, an extra message takes a column of it away.  An extra message  *)
(* is a signal, and goes out within the send or the delivery that exceeds  *)
(* the threshold.                                                          *)
(*                                                                         *)
(* Assumes reliable asynchronous channels; FIFO is not assumed.            *)
(* Checked: TypeOK, CausalOrder, NotStuck and the claims C_SA_...          *)
(* NoNeedlessDelay is not claimed: a message may wait for an extra one.    *)
(***************************************************************************)
EXTENDS CausalTransport

CONSTANTS
    K,         \* the threshold; 0 stands for n + 1
    SA_1,      \* attached to a user message is M a: before any change
               \* b: after the reset, before the increment  c: after both
    SA_2,      \* too many entries are a: more than K  b: K or more
    SA_3,      \* one detection sends a: one extra message  b: as many as it takes
    SA_4,      \* the threshold is checked after a: deliveries and sends
               \* b: deliveries  c: sends  d: neither, but just before each send
    SA_6,      \* an extra message counts in a: DELIV and M  b: nothing  c: M  d: DELIV
    SA_7,      \* an extra message is a: not merged into M  b: merged and checked
    SA_8,      \* self-addressed messages are a: forbidden
               \* b: taken out of M at deliveries  c: at once
    SA_9,      \* a multicast is a: one send, its destinations on the message
               \* b: one send, receivers do not know them  c: unicasts in ascending order
    SA_11,     \* of the fullest columns, the victim is that of a: the lowest id
               \* b: the highest  c: any
    SA_11single, \* a column of one entry may be the victim a: no  b: yes
    SA_11own,  \* the own column may be the victim a: no  b: yes
    SA_13      \* an extra message carries a: the column  b: all of M

ASSUME /\ K \in Nat
       /\ SA_1 \in {"a", "b", "c"}
       /\ SA_2 \in {"a", "b"}
       /\ SA_3 \in {"a", "b"}
       /\ SA_4 \in {"a", "b", "c", "d"}
       /\ SA_6 \in {"a", "b", "c", "d"}
       /\ SA_7 \in {"a", "b"}
       /\ SA_8 \in {"a", "b", "c"}
       /\ SA_9 \in {"a", "b", "c"}
       /\ SA_11 \in {"a", "b", "c"}
       /\ SA_11single \in {"a", "b"}
       /\ SA_11own \in {"a", "b"}
       /\ SA_13 \in {"a", "b"}

(* Equal extra messages in transit would be one in a set.  With SA-6b and    *)
(* SA-6d there can be such; they are one here, where channels are no queues. *)
ASSUME Queues \/ SA_11own = "a" \/ SA_11single = "a"

(* Ids are compared where the lowest or the highest counts. *)
ASSUME (SA_11 # "c" \/ SA_9 = "c") => Procs = 1..Cardinality(Procs)

VARIABLES
    M,     \* M[i][a][b]: b must have delivered the first M[i][a][b] messages of a
    DELIV  \* DELIV[i][a]: messages of a delivered at i; both count extra messages

vars == <<M, DELIV, transportVars>>

Vector == [Procs -> Nat]

Matrix == [Procs -> Vector]

TypeOK ==
    /\ TransportTypeOK
    /\ M \in [Procs -> Matrix]
    /\ DELIV \in [Procs -> Vector]
    /\ \A packet \in AllInTransit :
        packet.control \in IF IsSignal(packet) /\ SA_13 = "a" THEN Vector ELSE Matrix

Init ==
    /\ TransportInit
    /\ M = [i \in Procs |-> [a \in Procs |-> [b \in Procs |-> 0]]]
    /\ DELIV = [i \in Procs |-> [a \in Procs |-> 0]]

-------------------------------------------------------------------------------
(* Matrices. *)

Column(A, j) == [a \in Procs |-> A[a][j]]

NonZero(V) == Cardinality({a \in Procs : V[a] # 0})

Entries(A) == Cardinality({c \in Procs \X Procs : A[c[1]][c[2]] # 0})

Max(A, B) ==
    [a \in Procs |-> [b \in Procs |-> IF A[a][b] > B[a][b] THEN A[a][b] ELSE B[a][b]]]

WithoutColumn(A, j) == [a \in Procs |-> [A[a] EXCEPT ![j] = 0]]

(* Zeros in the columns of Dests, but for the entries of i. *)
Reset(A, i, Dests) ==
    [a \in Procs |-> [b \in Procs |-> IF a # i /\ b \in Dests THEN 0 ELSE A[a][b]]]

(* One more message from i to every d in Dests. *)
Counted(A, i, Dests) ==
    [A EXCEPT ![i] = [b \in Procs |-> IF b \in Dests THEN @[b] + 1 ELSE @[b]]]

-------------------------------------------------------------------------------
(* An outcome of a part of a step is the matrix M, and what goes out to each *)
(* process, in order.                                                        *)

Silent == [d \in Procs |-> <<>>]

AndThen(out, next) == [d \in Procs |-> out[d] \o next[d]]

(* The outcomes of o, with each of those that Continue gives for its matrix. *)
FollowedBy(outcomes, Continue(_)) ==
    LET Both(o) == {[M |-> p.M, out |-> AndThen(o.out, p.out)] : p \in Continue(o.M)}
    IN  UNION {Both(o) : o \in outcomes}

-------------------------------------------------------------------------------
(* The threshold. *)

Limit == IF K = 0 THEN Cardinality(Procs) + 1 ELSE K

TooMany(A) == IF SA_2 = "a" THEN Entries(A) > Limit ELSE Entries(A) >= Limit

(* x1: the columns that an extra message of i may take away. *)
Victims(i, A) ==
    LET allowed == {j \in Procs : j # i \/ SA_11own = "b"}
        Full(j) == NonZero(Column(A, j))
        fullest == {j \in allowed : \A l \in allowed : Full(l) <= Full(j)}
        enough  == {j \in fullest : Full(j) >= IF SA_11single = "a" THEN 2 ELSE 1}
    IN  CASE ~TooMany(A)   -> {}
          [] SA_11 = "a"   -> {j \in enough : \A l \in enough : j <= l}
          [] SA_11 = "b"   -> {j \in enough : \A l \in enough : j >= l}
          [] SA_11 = "c"   -> enough

CountedInM == SA_6 \in {"a", "c"}

CountedInDELIV == SA_6 \in {"a", "d"}

(* x2: what an extra message of i to j carries, and the matrix after it. *)
ExtraControl(A, j) == IF SA_13 = "a" THEN Column(A, j) ELSE A

AfterExtra(i, A, j) ==
    LET reset == Reset(A, i, {j})
    IN  IF CountedInM THEN Counted(reset, i, {j}) ELSE reset

(* The outcomes of the check of A at i.  A repetition ends when an extra     *)
(* message leaves as many entries as there were: it would never end (SA-5).  *)
RECURSIVE Cleared(_, _)
Cleared(i, A) ==
    LET One(j) == [M   |-> AfterExtra(i, A, j),
                   out |-> [Silent EXCEPT ![j] = <<Signal(i, j, ExtraControl(A, j))>>]]
        GoOn(B) == IF SA_3 = "b" /\ Entries(B) < Entries(A)
                   THEN Cleared(i, B)
                   ELSE {[M |-> B, out |-> Silent]}
    IN  IF Victims(i, A) = {}
        THEN {[M |-> A, out |-> Silent]}
        ELSE FollowedBy({One(j) : j \in Victims(i, A)}, GoOn)

(* The same, where the threshold is checked at this moment. *)
Checked(i, A, letters) ==
    IF SA_4 \in letters THEN Cleared(i, A) ELSE {[M |-> A, out |-> Silent]}

-------------------------------------------------------------------------------
(* u1, u2: message m of i to those of Dests. *)
SentTo(i, A, m, Dests) ==
    LET reset   == Reset(A, i, Dests)
        counted == Counted(reset, i, Dests)
        after   == IF SA_8 = "c" THEN WithoutColumn(counted, i) ELSE counted
        Mm      == CASE SA_1 = "a" -> A [] SA_1 = "b" -> reset [] SA_1 = "c" -> after
        Copy(d) == Packet(i, d, SendingNow(m), Mm)
    IN  [M   |-> after,
         out |-> [d \in Procs |-> IF d \in Dests THEN <<Copy(d)>> ELSE <<>>]]

(* The outcomes of the emission of m to those of Dests, checks included. *)
Emitted(i, A, m, Dests) ==
    LET Emit(B)  == {SentTo(i, B, m, Dests)}
        Check(B) == Checked(i, B, {"a", "c"})
    IN  FollowedBy(FollowedBy(Checked(i, A, {"d"}), Emit), Check)

RECURSIVE EmittedInTurn(_, _, _, _)
EmittedInTurn(i, A, m, Dests) ==
    LET first   == CHOOSE d \in Dests : \A l \in Dests : d <= l
        Rest(B) == EmittedInTurn(i, B, m, Dests \ {first})
    IN  IF Dests = {} THEN {[M |-> A, out |-> Silent]}
        ELSE FollowedBy(Emitted(i, A, m, {first}), Rest)

Emission(i, m) ==
    IF SA_9 = "c" THEN EmittedInTurn(i, M[i], m, m.dests) ELSE Emitted(i, M[i], m, m.dests)

-------------------------------------------------------------------------------
(* d1, x3: wait until DELIV[a] >= Mm[a][j] for all a. *)
Asked(packet) ==
    IF IsSignal(packet) /\ SA_13 = "a"
    THEN packet.control
    ELSE Column(packet.control, packet.to)

Ready(packet) == \A a \in Procs : DELIV[packet.to][a] >= Asked(packet)[a]

(* d2: the outcomes of the delivery of m of i at j, where M is A. *)
Delivered(j, A, i, m, Mm) ==
    LET carried == IF SA_9 = "a" THEN Counted(Reset(Mm, i, m.dests), i, m.dests) ELSE Mm
    IN  Checked(j, WithoutColumn(Max(A, carried), j), {"a", "b"})

-------------------------------------------------------------------------------
MayAddress(i, Dests) == SA_8 = "a" => i \notin Dests

Send(i, Dests) ==
    LET m == NextMessage(i, Dests)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ ~KeepsOwnCopy(i, Dests)
        /\ \E o \in Emission(i, m) :
            LET Out(d) == o.out[d]
            IN  /\ network' = With(network, i, Out)                         \* u1, x2
                /\ M' = [M EXCEPT ![i] = o.M]                               \* u2, x1
        /\ past' = [past EXCEPT ![i] = AfterSend(@, m)]
        /\ UNCHANGED <<DELIV, held>>

SendAndDeliverOwn(i, Dests) ==
    LET m == NextMessage(i, Dests)
        s == SendingNow(m)
    IN  /\ MaySend(i) /\ MayAddress(i, Dests) /\ KeepsOwnCopy(i, Dests)
        /\ \E o \in Emission(i, m) :
            LET own == CHOOSE packet \in Range(o.out[i]) : ~IsSignal(packet)
            IN  /\ Ready(own)                                               \* d1
                /\ \E p \in Delivered(i, o.M, i, m, own.control) :
                    LET Rest(d) == SelectSeq(o.out[d], LAMBDA x : x # own) \o p.out[d]
                    IN  /\ network' = With(network, i, Rest)                \* u1, x2
                        /\ M' = [M EXCEPT ![i] = p.M]                       \* u2, x1, d2
        /\ DELIV' = [DELIV EXCEPT ![i][i] = @ + 1]                          \* d2
        /\ DeliverFrom(i, AfterSend(past[i], m), held[i] \cup {s}, {m})

ReceivePacket(packet) ==
    LET i == packet.from
        j == packet.to
    IN  /\ ~IsSignal(packet)
        /\ Ready(packet)                                                    \* d1
        /\ ChannelAllows(packet, Ready)
        /\ \E o \in Delivered(j, M[j], i, packet.msg, packet.control) :     \* d2, x1
            LET Out(d) == o.out[d]
            IN  /\ network' = With(Without(packet), j, Out)                 \* x2
                /\ M' = [M EXCEPT ![j] = o.M]
        /\ DELIV' = [DELIV EXCEPT ![j][i] = @ + 1]                          \* d2
        /\ DeliverFrom(j, past[j], HeldWith(j, packet), {packet.msg})

TakeSignal(packet) ==
    LET i == packet.from
        j == packet.to
        merged == IF SA_13 = "b" THEN WithoutColumn(Max(M[j], packet.control), j) ELSE M[j]
        outcomes == IF SA_7 = "a" THEN {[M |-> M[j], out |-> Silent]}
                    ELSE Checked(j, merged, {"a", "b"})
    IN  /\ IsSignal(packet)
        /\ Ready(packet)                                                    \* x3
        /\ ChannelAllows(packet, Ready)
        /\ \E o \in outcomes :
            LET Out(d) == o.out[d]
            IN  /\ network' = With(Without(packet), j, Out)
                /\ M' = [M EXCEPT ![j] = o.M]
        /\ DELIV' = [DELIV EXCEPT ![j][i] = IF CountedInDELIV THEN @ + 1 ELSE @] \* x3
        /\ UNCHANGED <<past, held>>

Receive(j) == \E packet \in AllInTransit : packet.to = j /\ ReceivePacket(packet)

ReceiveSignal(j) == \E packet \in AllInTransit : packet.to = j /\ TakeSignal(packet)

Move ==
    \/ \E j \in Procs : Receive(j)
    \/ \E j \in Procs : ReceiveSignal(j)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : SendAndDeliverOwn(i, Dests)
    \/ Move

Fairness ==
    \A i \in Procs, d \in Procs :
        /\ \A number \in 1..MaxSendsPerProcess :
            WF_vars(\E packet \in Copies(i, number, d) : ReceivePacket(packet))
        /\ WF_vars(\E packet \in Signals(i, d) : TakeSignal(packet))

Spec == Init /\ [][Next]_vars /\ Fairness

-------------------------------------------------------------------------------
NotStuck == AllDelivered \/ ENABLED Move

UserMessages == {packet \in AllInTransit : ~IsSignal(packet)}

Extras == AllInTransit \ UserMessages

(* Violated: a message may wait for an extra message alone (C-SA-DLY). *)
NoNeedlessDelay == NeverHeldNeedlessly(Ready, LAMBDA i, s : FALSE)

-------------------------------------------------------------------------------
(* The claims. *)

(* The own column is always zero. *)
C_SA_COL == \A i \in Procs : NonZero(Column(M[i], i)) = 0

(* n + 1 non-zero entries force a column with at least two. *)
C_SA_PIG ==
    \A i \in Procs :
        Entries(M[i]) > Cardinality(Procs) =>
            \E j \in Procs : NonZero(Column(M[i], j)) >= 2

(* A user message carries at most K non-zero entries. *)
C_SA_SZ == \A packet \in UserMessages : Entries(packet.control) <= Limit

(* After each step M has at most K non-zero entries. *)
C_SA_SZ_state == \A i \in Procs : Entries(M[i]) <= Limit

(* An extra message carries at most n counts. *)
C_SA_SZ_extra ==
    \A packet \in Extras :
        (IF SA_13 = "a" THEN NonZero(packet.control) ELSE Entries(packet.control))
            <= Cardinality(Procs)

(* The messages of i to j in the past h. *)
Between(h, i, j) == {s \in h.sent : s.msg.sender = i /\ j \in s.msg.dests}

(* If DELIV[j][i] < x, the x-th user message of i to j has not been delivered *)
(* at j (SA-16b).                                                             *)
C_SA_P5_user ==
    \A i \in Procs, j \in Procs :
        \A s \in Between(past[j], i, j) :
            IsDelivered(s, j) =>
                Cardinality({r \in Between(past[j], i, j) : r.msg.number <= s.msg.number})
                    <= DELIV[j][i]

(* "First x of a to b" carried by m means: the x-th message of a to b was     *)
(* sent before m.  Judged while the channels used in the past of m are too    *)
(* few for extra messages, which a past does not show.                        *)
C_SA_ACC ==
    LET Used(h) == {c \in Procs \X Procs : Between(h, c[1], c[2]) # {}}
        TooFew(h) == Cardinality(Used(h)) < IF SA_2 = "a" THEN Limit + 1 ELSE Limit
    IN  \A packet \in UserMessages :
            TooFew(packet.past) =>
                \A a \in Procs, b \in Procs :
                    packet.control[a][b] <= Cardinality(Between(packet.past, a, b))
===============================================================================
