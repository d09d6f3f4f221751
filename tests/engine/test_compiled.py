"""What the compiler costs before the first kernel."""

from __future__ import annotations

import subprocess
import sys

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
