"""What pasts and ghosts are after a step is compared: an action that leaves one of them as it was makes a
difference."""

from __future__ import annotations

import pytest
from test_tie_bss import TIE as BSS
from test_tie_bss_groups import TIE as BSS_GROUPS
from test_tie_gk import TIE as GK
from test_tie_jang import TIE as JANG
from test_tie_kimkim import TIE as KIMKIM
from test_tie_ks import TIE as KS
from test_tie_ks_hardware import TIE as KS_HARDWARE
from test_tie_prs import TIE as PRS
from test_tie_rst import TIE as RST
from test_tie_ses import TIE as SES
from tied import first_difference, forgetful, start, updates, walks

from precede.checker.bounds import Bounds

TIES = {tie.model: tie for tie in (KS, KS_HARDWARE, JANG, RST, PRS, SES, BSS, BSS_GROUPS, KIMKIM, GK)}
BOUNDS = {"gk": Bounds(processes=3, sends=5, channel="fifo")} | dict.fromkeys(
    ("bss", "kimkim"), Bounds(processes=3, sends=5, dests="broadcast")
)
"""Of those that have bounds of their own."""


@pytest.mark.parametrize(
    ("model", "action", "ghost"), [(model, *update) for model, tie in TIES.items() for update in updates(tie)]
)
def test_a_ghost_that_an_action_leaves_as_it_was_makes_a_difference(model, action, ghost):
    moves = walks(start(model, BOUNDS.get(model, Bounds(processes=3, sends=5))), 25)
    assert first_difference(forgetful(TIES[model], action, ghost), moves)[0] == ghost
