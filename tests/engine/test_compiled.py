"""What the compiler costs before the first kernel."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from precede.checker.engine import compiled

LOADED = """
import sys
import precede.checker.engine.compiled
print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
import scipy.linalg
print(scipy.linalg.det([[1, 2], [3, 4]]) < 0)
"""


def test_the_compiler_is_there_without_linear_algebra_which_can_be_imported_afterwards() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False", "True"]


class Bundle(NamedTuple):
    numbers: NDArray[np.int64]


def first_of(bundle):
    return bundle.numbers[0]


def with_room(bundle):
    return np.zeros(1, np.int64)[0] + bundle.numbers[0]


def test_kernels_do_not_count_references_to_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "CACHE", None)
    assert "_nrt" in compiled.UNCOUNTED
    for decorate, function, counts in ((compiled.kernel, first_of, False), (compiled.allocating, with_room, True)):
        done = decorate(function)
        assert done(Bundle(np.array([5]))) == 5
        assert ("NRT_" in done.inspect_llvm(done.signatures[0]).split("define")[1]) == counts
