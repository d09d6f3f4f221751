"""Slips of the pen in the transition systems: texts, each with what is written instead."""

from __future__ import annotations

BROKEN = {
    "histories": (
        ("Not(holds(R, c))", "holds(R, c)"),
        ("with_copy(s.received(p), C)", "s.received(p)"),
        ("sender(m) == to(c)), has(K, m)", "sender(m) == to(c)), Not(has(K, m))"),
        ("brought(s.known(p), C, s.known_before(of(C)))", "s.known(p)"),
        ("If(m == M, s.known(i), s.known_before(m))", "s.known_before(m)"),
        ("happened=with_one(s.happened, M)", "happened=s.happened"),
        ("has(K, m) == hb(m, M), own", "has(K, m) == hb(M, m), own"),
    ),
    "histories_exact": (
        ("Or(s.past(p, m), news(p, m))", "s.past(p, m)"),
        ("is_next(s, X), own_before(X, N)", "is_next(s, X)"),
        ("all_made(s), HERE.own(N)", "all_made(s)"),
        ("Implies(own_before(X, c), s.got(c))", "Implies(s.got(c), own_before(X, c))"),
        ("If(HERE.past(m), HERE.brought(m), C)", "HERE.brought(m)"),
    ),
    "rst": (
        ("If(condition, counter + 1, counter)", "counter + 1"),
        ("s.DELIV(j, a) >= s.ST(M, a, j)", "s.DELIV(j, a) > s.ST(M, a, j)"),
        ("s.DELIV(j, a) >= s.ST(M, a, j)", "s.DELIV(j, a) >= s.ST(M, j, a)"),
        ("And(p == j, a == i)", "a == i"),
        ("larger(ours(a, d), counted(theirs, a, d))", "larger(ours(a, d), theirs(a, d))"),
        ('steps("s1", s.SENT(i, a, d), IntVal(0))', 'steps("s1", SENT(a, d), IntVal(0))'),
        ("Not(s.pasts.delivered(j, M, j))", "BoolVal(True)"),
        ("s.channels.takes(i, M), Not(dest(M, i))", "s.channels.takes(i, M), s.DELIV(i, i) > 0, Not(dest(M, i))"),
    ),
    "prs": (
        ("If(dest(M, d), If(a == sender(M), number(M), 0), CB(d, a))", "If(a == sender(M), number(M), 0)"),
        ("larger(counted(k, l), s.CBM(M, i, k))", "s.CBM(M, i, k)"),
        ("larger(counted(k, l), s.CBM(M, i, k))", "larger(counted(k, l), s.CBM(M, k, i))"),
        ("And(d != j, DELIV(a, d) >= united(d, a))", "DELIV(a, d) >= united(d, a)"),
        ("And(d != j, DELIV(a, d) >= united(d, a))", "And(d != j, DELIV(a, d) > united(d, a))"),
        ("And(d != j, DELIV(a, d) >= united(d, a))", "And(d != j, DELIV(d, a) >= united(d, a))"),
        ('steps("s2", before(d, a), IntVal(0))', 'steps("s2", CB(d, a), IntVal(0))'),
    ),
    "ses": (
        ("And(s.has_M(M, d), d != j)", "s.has_M(M, d)"),
        ("And(dest(M, d), d != j)", "d != j"),
        ("Or(ours[0](d), theirs[0](d))", "And(ours[0](d), theirs[0](d))"),
        ("larger(one, other), If(", "other, If("),
        ("If(dest(M, d), T(a), s.V(i, d, a))", "If(dest(M, d), s.T(i, a), s.V(i, d, a))"),
        ("If(x == M, s.V(i, d, a), s.VM(x, d, a))", "If(x == M, V(d, a), s.VM(x, d, a))"),
        ("s.VM(M, j, a) <= s.T(j, a)", "s.VM(M, j, a) < s.T(j, a)"),
        ("Not(s.pasts.delivered(j, M, j))", "BoolVal(True)"),
    ),
    "bss": (
        ("If(a == i, s.V(i, a) + 1, s.V(i, a))", "s.V(i, a) + 1"),
        ("If(And(p == j, a == sender(M)), s.T(M, a), s.V(p, a))", "If(a == sender(M), s.T(M, a), s.V(p, a))"),
        ("If(And(p == j, a == sender(M)), s.T(M, a), s.V(p, a))", "If(p == j, s.T(M, a), s.V(p, a))"),
        ("s.T(M, i) == s.V(j, i) + 1", "s.T(M, i) >= s.V(j, i) + 1"),
        ("s.T(M, a) <= s.V(j, a)", "s.T(M, a) < s.V(j, a)"),
        ('steps("s2", V(a), IntVal(0))', 'steps("s2", s.V(i, a), IntVal(0))'),
    ),
    "bss_groups": (
        ("If(And(p == j, groups(g)), larger", "If(And(p == j, g == group(M), groups(g)), larger"),
        ("larger(s.V(p, g, a), s.T(M, g, a))", "s.T(M, g, a)"),
        ("And(g != k, member(g, j), member(g, a))", "And(g != k, member(g, sender(M)), member(g, a))"),
        ("And(g != k, member(g, j), member(g, a))", "And(g != k, member(g, a))"),
        ("If(And(a == i, g == k), s.V(i, g, a) + 1", "If(g == k, s.V(i, g, a) + 1"),
        ("s.T(M, k, i) == s.V(j, k, i) + 1", "s.T(M, k, i) >= s.V(j, k, i) + 1"),
    ),
    "kimkim": (
        ("If(And(p == i, a == i), s.V(i, i) + 1", "If(a == i, s.V(i, i) + 1"),
        ("If(p == i, m == M, s.DP(p, m))", "If(p == i, Or(m == M, s.DP(p, m)), s.DP(p, m))"),
        ("And(s.DP(j, m), Not(s.DPM(M, m)))", "And(s.DP(j, m), s.DPM(M, m))"),
        ("Or(left, m == M)", "m == M"),
        ("s.V(j, sender(m)) >= number(m)", "s.V(j, sender(m)) > number(m)"),
        ("s.V(j, sender(m)) >= number(m)", "s.V(sender(M), sender(m)) >= number(m)"),
    ),
    "sa": (
        ("s.DELIV(b, a) >= M(a, b)", "s.DELIV(b, a) > M(a, b)"),
        ("If(And(dest(x, d), a != i), 0, s.M(i, a, d))", "If(a != i, 0, s.M(i, a, d))"),
        ("If(d == e, s.M(i, a, d), 0)", "s.M(i, a, d)"),
        ("larger(s.M(j, a, d), Mm(a, d))", "Mm(a, d)"),
        ("larger(s.M(j, a, d), Mm(a, d))", "s.M(j, a, d) + Mm(a, d)"),
        ("If(d == j, 0, merged)", "If(a == j, 0, merged)"),
        ("Not(s.delivered(j, x))", "BoolVal(True)"),
    ),
    "jang": (
        ("And(CI(m), s.D(i, m, e))", "And(CI(m), s.D(i, m, i))"),
        ("And(s.D(i, m, d), Not(dest(M, d)))", "Or(s.D(i, m, d), Not(dest(M, d)))"),
        ("Or(m == last, before(m, last))", "m == last"),
        ("And(dest(M, d), d != i), dest(M, d))", "And(dest(M, d), d == i), dest(M, d))"),
        ("And(Not(CI(m)), Exists([newer], And(CI(newer), before(m, newer))))", "Not(CI(m))"),
        ("And(s.D(i, m, d), D_m(m, d))", "Or(s.D(i, m, d), D_m(m, d))"),
        ("If(And(p == i, q == sender(M)), M, s.DLV(p, q))", "If(q == sender(M), M, s.DLV(p, q))"),
    ),
    "ks": (
        ("And(d == e, s.D(j, m, e))", "And(d != e, s.D(j, m, e))"),
        ("before(m, pn_)", "before(pn_, m)"),
        ("purged(inserted, D)", "purged(inserted, lambda m, d: s.D(j, m, d))"),
        ("Implies(And(s.O(M, j, m), s.OD(M, j, m, j)), s.pasts", "Implies(s.O(M, j, m), s.pasts"),
        ("And(D, d != j)", "And(D, d == j)"),
        ("And(Exists([tn_], And(LOG(tn_), before(o, tn_))), Not(LOG(o)))", "Not(LOG(o))"),
        ("And(OD(m, d), s.D(j, m, d))", "Or(OD(m, d), s.D(j, m, d))"),
    ),
    "ks_hardware": (
        ("And(s.OD(M, j, m, d), Not(dest(M, d)))", "And(s.OD(M, j, m, d), dest(M, d))"),
        ("OD=lambda x, e, m, d: z3.If(x == M, s.D(j, m, d)", "OD=lambda x, e, m, d: z3.If(x == M, s.D(e, m, d)"),
        ("And(x == M, e == j)", "x != M"),
    ),
    "gk": (
        ("latest_number(F) > s.known(i)", "latest_number(F) >= s.known(i)"),
        ("If(And(p == i, is_true), num(F), s.known(p))", "If(is_true, num(F), s.known(p))"),
        ("s.SP(x, k, j) <= s.DELIV(j, k))", "s.SP(x, k, j) < s.DELIV(j, k))"),
        ("total - larger(s.PREV(j, k, d), SP(k, d))", "larger(s.CONC(j, k, d), SC(k, d))"),
        ("ForAll([y], Not(older))", "BoolVal(True)"),
    ),
}  # fmt: skip
"""Each breaks a condition."""

EQUIVALENT = {
    "bss": (
        ("s.T(M, i) == s.V(j, i) + 1", "s.T(M, i) <= s.V(j, i) + 1", "what is not delivered is not counted by V"),
        ("sender(M)), s.T(M, a), s.V(p, a))", "sender(M)), s.V(p, a) + 1, s.V(p, a))", "the guard says it is the same"),
    ),
    "bss_groups": (
        ("And(g == k, a != i, member(g, a))", "And(g == k, a != i)", "who is no member has sent nothing in the group"),
        ("And(g != k, member(g, j), member(g, a))", "And(g != k, member(g, j))", "the same"),
    ),
    "kimkim": (
        ("s.V(j, sender(M)) == number(M) - 1", "s.V(j, sender(M)) < number(M)", "C-KK-2: the other test suffices"),
        ("s.V(j, sender(M)) == number(M) - 1", "s.V(j, sender(M)) >= number(M) - 1", "M itself is not counted"),
    ),
    "jang": (
        ("before(m, other), D_union(other, d)", "before(other, m), D_union(other, d)", "C-J-I5: R8 removes nothing"),
    ),
    "ks": (
        ("return If(m == M, dest(M, d), kept)", "return If(m == M, And(dest(M, d), d != j), kept)", "no self-sends"),
        ("s.OD(M, j, m, j)), s.pasts", "dest(m, j)), s.pasts", "what is ready is due, listed or not"),
        ("And(O(tn_), before(l, tn_))", "And(s.O(M, j, tn_), before(l, tn_))",
         "O_M has the newest message of the sender, and that is no older than what LOG has of it"),
        ("If(And(O_left(m), LOG_left(m)), both", "If(And(O(m), LOG(m)), both", "no test removes what both have"),
        ("If(x == M, carried_D(e, m, d)", "If(And(x == M, dest(M, e)), carried_D(e, m, d)", "there is no other copy"),
    ),
}  # fmt: skip
"""Each is the same transition in every state of the invariant, for this reason."""

SURVEYED = {
    "rst": (),
    "prs": (),
    "bss": ((("bss.snd: s.V(i, a) -> s.V(a, i)", "bss.snd: i -> a", "bss.snd: a -> i"), "there, a is i"),),
}  # fmt: skip
"""Systems of which every change that `mutants` makes is known: those that break nothing, with the reason."""
