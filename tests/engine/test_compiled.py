"""Kernels: what they take, how they are kept and loaded, and that the compiler stays out of it."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from precede.checker.engine import compiled, native

pytestmark = pytest.mark.filterwarnings("error")

CHECK = """
import sys
import precede.checker.cli as cli
cli.run(["check", "rst", "--sends", "2", *sys.argv[1:]])
print(*(name for name in ("numba", "scipy") if name in sys.modules), "loaded")
"""


class Inner(NamedTuple):
    rows: NDArray[np.int32]
    size: NDArray[np.int64]


class Outer(NamedTuple):
    inner: Inner
    flags: NDArray[np.uint8]


def total(outer, plain, offset, negate):
    result = np.int64(offset)
    for row in range(outer.inner.size[0]):
        for column in range(outer.inner.rows.shape[1]):
            result += outer.inner.rows[row, column] * outer.flags[row]
    result += plain[0][0] + plain[1]
    return -result if negate else result


def arguments(offset=0, negate=False):
    rows = np.array([[1, 2], [3, -4], [50, 60]], np.int32)
    return (
        Outer(Inner(rows, np.array([2])), np.array([1, 10], np.uint8)), (np.array([1000]), 5), offset, negate,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiled, "CACHE", tmp_path)
    return tmp_path


@pytest.mark.parametrize("engine", ["histories", "states"])
def test_a_check_with_kept_kernels_loads_no_compiler(engine: str) -> None:
    command = [sys.executable, "-c", CHECK, "--engine", engine]
    subprocess.run(command, capture_output=True, check=True)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


def test_a_kernel_computes_what_the_function_does_compiled_and_from_its_file(folder: Path) -> None:
    cases = [(0, False), (-7, True), (np.int32(-3), True), (np.uint64(2), np.bool_(False))]
    expected = [total(*arguments(*case)) for case in cases]
    assert expected[:2] == [998, -991]
    for _ in range(2):  # the second kernel finds the files of the first
        again = compiled.kernel(total)
        assert [again(*arguments(*case)) for case in cases] == expected
    assert len(list(folder.glob("*.kernel"))) == 3  # int, int32 and uint64 with numpy's bool are three kinds


def test_a_kernel_sees_arrays_that_were_enlarged_in_place(folder: Path) -> None:
    def length_and_last(bundle):
        return len(bundle.size), bundle.size[len(bundle.size) - 1] < 0

    done = compiled.kernel(length_and_last)
    bundle = Inner(np.zeros((1, 1), np.int32), np.array([3]))
    assert done(bundle) == (1, False)
    bundle.size.resize((1000,), refcheck=False)
    bundle.size[999] = -1
    assert done(bundle) == (1000, True)


def test_arguments_in_another_order_are_another_kind(folder: Path) -> None:
    """Here and there the same arrays come one after the other, in tuples of the same classes."""

    def difference(first, second):
        return first[0] - second[0]

    done = compiled.kernel(difference)
    one, two = np.array([1]), np.array([2])
    assert (done(one, two), done(two, one)) == (-1, 1)
    assert native.taken_apart(((one,), two))[0] != native.taken_apart((two, (one,)))[0]


def test_two_classes_of_the_same_name_are_told_apart(folder: Path) -> None:
    def made(*fields: str) -> Any:
        return namedtuple("Same", fields)

    def first_and_second(one, two):
        return one.first[0] * 10 + two.second[0]

    one, two = made("first", "second"), made("second", "first")
    a, b = np.array([1]), np.array([2])
    assert compiled.kernel(first_and_second)(one(a, b), two(a, b)) == 11


def test_a_damaged_file_is_compiled_anew(folder: Path) -> None:
    assert compiled.kernel(total)(*arguments()) == 998
    (file,) = folder.glob("*.kernel")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-20], whole[:-1] + b"x", b"[]\n" + whole):
        file.write_bytes(damaged)
        assert native.load(file) is None
        assert compiled.kernel(total)(*arguments()) == 998
        assert native.load(file) is not None


def test_without_a_folder_kernels_are_compiled_for_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "CACHE", None)
    assert compiled.kernel(total)(*arguments()) == 998


def test_what_no_kernel_can_take_or_be_is_refused(folder: Path) -> None:
    def first(values):
        return values[0]

    def gamma(values):
        return np.int64(math.gamma(np.float64(values[0])))

    def checked(values):
        if values[0] < 0:
            raise ValueError("negative")
        return values[0]

    with pytest.raises(TypeError, match="contiguous"):
        compiled.kernel(first)(np.zeros((4, 2))[:, 0])
    with pytest.raises(TypeError, match="integers and truth values"):
        compiled.kernel(first)(np.zeros(4))
    with pytest.raises(TypeError, match="is no kernel: it needs numba_gamma"):
        compiled.kernel(gamma)(np.array([1]))
    with pytest.raises(RuntimeError, match="status"):
        compiled.kernel(checked)(np.array([-1]))


def test_arrays_of_another_kind_get_code_of_their_own(folder: Path) -> None:
    def last(values):
        return values[len(values) - 1]

    done = compiled.kernel(last)
    assert done(np.array([1, -2], np.int64)) == -2
    assert done(np.array([1, -2], np.int8)) == -2
    assert done(np.array([1, 2**63 + 1], np.uint64)) == 2**63 + 1
    assert done(np.array([True, False])) is False


def test_a_compiler_that_is_switched_off_is_one_line(tmp_path: Path) -> None:
    surroundings = os.environ | {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, env=surroundings)
    assert done.stderr.splitlines() == [
        "precede: NUMBA_DISABLE_JIT switches the compiler off, and nothing runs without it: unset it"
    ]
