"""Native code of kernels: how it is kept in files, loaded, and called; nothing here needs the compiler.

The code of a kernel is one function of the arguments as 64-bit words, and of where the results go. A number is itself;
an array is the address of NumPy's object, in which the code finds the elements and the lengths (`HEAD`); a tuple is its
parts, one after the other.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import threading
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from ..errors import EnvironmentProblem

HEAD = object.__basicsize__
"""Where in NumPy's object the address of the elements is; behind it are the number of dimensions and the address of the
lengths. Every compiled extension of NumPy relies on these places (`PyArrayObject_fields`)."""

MOST_RESULTS = 8
"""Numbers that a kernel may return."""

WORD = (1 << 64) - 1

Kinds = tuple[Any, ...]
"""The kinds of arguments: their shape, which is for each tuple its class and length and for each other part None, in
their order; and then for each number its class, and for each array the type of its elements and its dimensions."""

_CALL = ctypes.CFUNCTYPE(ctypes.c_int32, *(ctypes.c_void_p,) * 4)
_loading = threading.RLock()


class Kept(NamedTuple):
    """What a file holds: the name of the function, the kinds of its results, and the native code. A single result is a
    kind by itself."""

    name: str
    results: list[str] | str
    code: bytes


class Entry:
    """The native code of one kernel for arguments of some kinds, ready to be called."""

    def __init__(self, kept: Kept) -> None:
        """One at a time: the engine is the process's own."""
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(kept.code))
        engine.finalize_object()
        self._call = _CALL(engine.get_function_address(kept.name))
        self._results = kept.results

    def __call__(self, words: array[int]) -> Any:
        """What the kernel returns for these arguments: None, a number, or a tuple of numbers."""
        results = (ctypes.c_uint64 * MOST_RESULTS)()
        unused = ctypes.c_void_p()  # for the result of the function itself, which has none, and for an exception
        failed = self._call(ctypes.addressof(unused), ctypes.addressof(unused), words.buffer_info()[0], results)
        if failed:
            raise RuntimeError(f"a kernel ended with status {failed}")
        if isinstance(self._results, str):
            return _number(self._results, results[0])
        return tuple(map(_number, self._results, results)) if self._results else None


class Kernel:
    """A function that is native code from its first call on. Its arguments are contiguous arrays, integers, truth
    values, and tuples of these."""

    def __init__(
        self, function: Callable[..., Any], inlined: bool, provide: Callable[[Kernel, tuple[Any, ...], Kinds], Entry]
    ) -> None:
        """`inlined`: it is only called by others, and compiled into each of them. `provide` gives the native code for
        arguments of some kinds, of which an example is passed too."""
        self.function = function
        self.inlined = inlined
        self._provide = provide
        self._entries: dict[Kinds, Entry] = {}

    @property
    def name(self) -> str:
        """The name by which its files are known."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns for these arguments. Raises TypeError where no kernel can take them."""
        kinds, words = taken_apart(arguments)
        entry = self._entries.get(kinds)
        if entry is None:
            with _loading:
                entry = self._entries.get(kinds) or self._provide(self, arguments, kinds)
                self._entries[kinds] = entry
        return entry(words)


def taken_apart(arguments: tuple[Any, ...]) -> tuple[Kinds, array[int]]:
    """The kinds of arguments, and the arguments as words. Raises TypeError for an array that is not contiguous."""
    kinds: list[Any] = []
    parts: list[Any] = []
    words: list[int] = []
    _take_apart(arguments, kinds, parts)
    for part in parts:
        if isinstance(part, np.ndarray):
            if not part.flags.c_contiguous:
                raise TypeError("a kernel takes contiguous arrays only")
            kinds.append(part.dtype.str)
            kinds.append(part.ndim)
            words.append(id(part))
        else:
            kinds.append(type(part))
            words.append(int(part) & WORD)
    return tuple(kinds), array("Q", words)


def _take_apart(values: tuple[Any, ...], kinds: list[Any], parts: list[Any]) -> None:
    kinds.append(type(values))
    kinds.append(len(values))
    for value in values:
        if isinstance(value, tuple):
            _take_apart(value, kinds, parts)
        else:
            kinds.append(None)
            parts.append(value)


def _number(kind: str, word: int) -> int | bool:
    if kind == "bool":
        return bool(word)
    return word - (1 << 64) if kind.startswith("int") and word >> 63 else word


def keep(file: Path, kept: Kept) -> None:
    """Write a file, which is there in full or not at all."""
    head = json.dumps([kept.name, kept.results, hashlib.sha256(kept.code).hexdigest()])
    new = file.with_suffix(f".{os.getpid()}")
    try:
        new.write_bytes(head.encode() + b"\n" + kept.code)
        new.replace(file)
    except OSError:
        new.unlink(missing_ok=True)


def load(file: Path) -> Entry | None:
    """What a file holds, ready to be called; None where there is none, or one that was damaged."""
    try:
        head, _, code = file.read_bytes().partition(b"\n")
        name, results, digest = json.loads(head)
    except (OSError, ValueError):
        return None
    return Entry(Kept(name, results, code)) if hashlib.sha256(code).hexdigest() == digest else None


@cache
def _engine() -> Any:
    """What holds all native code of this process. Raises EnvironmentProblem where arrays are not as the code expects
    them."""
    example = np.zeros((2, 3))
    address, dimensions, lengths = (ctypes.c_int64 * 3).from_address(id(example) + HEAD)
    if address != example.ctypes.data or dimensions != 2 or tuple((ctypes.c_int64 * 2).from_address(lengths)) != (2, 3):
        raise EnvironmentProblem(
            "this NumPy does not keep arrays as the kernels expect: use CPython and NumPy 1.26 to 2"
        )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())


@cache
def target_machine() -> Any:
    """This processor, as native code is made for it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, codemodel="jitdefault",
        jit=True,
    )  # fmt: skip


def processor() -> str:
    """Names the kind of this processor: another may not run the same native code."""
    return f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
