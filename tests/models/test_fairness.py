"""X-11: is fairness of every receipt needed, or is it enough that every process goes on receiving?"""

from __future__ import annotations

import pytest

from fairly import starving, starving_by_process
from naively import explored
from precede.models import Model
from precede.models.ks import KS
from precede.models.psync_requests import PsyncRequests
from precede.models.sa import SA
from precede.models.serialised_broadcast import SerialisedBroadcast


def test_where_a_token_goes_round_a_process_may_receive_it_for_ever_and_a_message_never() -> None:
    """X-11b: fairness by process is not enough; X-11a, fairness of every receipt, is."""
    found = explored(SerialisedBroadcast(), processes=3, sends=2)
    assert len(found.states) == 1332
    assert starving(found) == set()
    assert len(starving_by_process(found)) == 1161


@pytest.mark.parametrize("model", [KS(), SA(K=2), PsyncRequests()], ids=lambda model: type(model).__name__)
def test_where_every_run_ends_any_fairness_is_enough(model: Model) -> None:
    found = explored(model, processes=3, sends=2)
    assert starving(found) == starving_by_process(found) == set()
