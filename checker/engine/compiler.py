"""The compilation of kernels, by Numba, to native code that needs nothing of it at run time."""

# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.cpu import CPUTargetOptions
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from ..errors import EnvironmentProblem
from .native import HEAD, Kept, Kernel, target_machine

UNCOUNTED: dict[str, Any] = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}
"""Compile without counting references to arrays, where the compiler lets us: kernels neither make arrays nor keep them,
and the counting took most of their time."""

SETTINGS: dict[str, Any] = {
    "nogil": True,
    "boundscheck": False,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    **UNCOUNTED,
}
"""Nothing is called but by its native code, and nothing raises: that would need the interpreter."""

PROVIDED = {"memcpy", "memmove", "memset"}
"""What native code may call besides itself: every process has these."""


def compiled(kernel: Kernel, arguments: tuple[Any, ...], name: str) -> Kept:
    """Native code of a kernel for arguments of the kinds of these, as a function `name`. Raises TypeError where it
    needs more than this module provides, EnvironmentProblem where the compiler is switched off, and the compiler's own
    errors."""
    if getattr(config, "DISABLE_JIT"):  # noqa: B009 - the compiler makes its settings at run time
        raise EnvironmentProblem("NUMBA_DISABLE_JIT switches the compiler off, and nothing runs without it: unset it")
    target = _dispatcher_of(kernel)
    target.compile(tuple(map(_type_of, arguments)))
    results = _kinds_of_results(target.nopython_signatures[-1].return_type)
    names: dict[str, Any] = {"target": target, "array_at": array_at, "np": np}
    words = count()
    source = f"def entry(words, results):\n  result = target({_tuple_of(arguments, words, names)})\n"
    if isinstance(results, str):
        source += "  results[0] = np.uint64(result)\n"
    else:
        source += "".join(f"  results[{index}] = np.uint64(result[{index}])\n" for index in range(len(results)))
    exec(source, names)
    pointer = types.CPointer(types.uint64)
    entry = numba.njit(types.void(pointer, pointer), **SETTINGS)(names["entry"])
    return Kept(name, results, _native(entry, name))


def _native(entry: Any, name: str) -> bytes:
    """The native code of what was compiled, in which nothing but the entry has a name."""
    (signature,) = entry.signatures
    compiled_name = entry.overloads[signature].fndesc.llvm_func_name
    module = llvm.parse_assembly(entry.inspect_llvm(signature))
    for function in module.functions:
        if function.name == compiled_name:
            function.name = name
        elif not function.is_declaration:
            function.linkage = "internal"
    machine = target_machine()
    called = {function.name for function in module.functions if function.is_declaration}
    if strange := {other for other in called if not other.startswith("llvm.")} - PROVIDED:
        raise TypeError(f"{name} is no kernel: it needs {', '.join(sorted(strange))}")
    code: bytes = machine.emit_object(module)
    return code


@cache
def _dispatcher_of(kernel: Kernel) -> Any:
    """A kernel as Numba knows it, and with it all kernels that it calls."""
    function = kernel.function
    names: dict[str, Any] = {}
    own = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    own.__module__, own.__qualname__ = function.__module__, function.__qualname__
    dispatcher = numba.njit(inline="always" if kernel.inlined else "never", **SETTINGS)(own)
    for name in set(function.__code__.co_names) & set(function.__globals__):
        value = function.__globals__[name]
        known = dispatcher if value is kernel else None
        names[name] = known or (_dispatcher_of(value) if isinstance(value, Kernel) else value)
    return dispatcher


def _type_of(value: Any) -> Any:
    """What an argument is to Numba. An array may be written to, whoever holds it."""
    if isinstance(value, np.ndarray):
        return types.Array(numba.from_dtype(value.dtype), value.ndim, "C")
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(tuple(map(_type_of, value)), None if type(value) is tuple else type(value))
    return types.int64 if type(value) is int else numba.typeof(value)


def _tuple_of(values: tuple[Any, ...], words: Iterator[int], names: dict[str, Any]) -> str:
    """The parts of a tuple in the entry, made of the words; `names` gets the classes that it needs."""
    return "".join(_value_of(value, words, names) + ", " for value in values)


def _value_of(value: Any, words: Iterator[int], names: dict[str, Any]) -> str:
    if isinstance(value, np.ndarray):
        return f"array_at(words[{next(words)}], np.{value.dtype.name}, {value.ndim})"
    if isinstance(value, bool | np.bool_):
        return f"(words[{next(words)}] != 0)"
    if isinstance(value, int):
        return f"np.int64(words[{next(words)}])"
    if isinstance(value, np.integer):
        return f"np.{value.dtype.name}(words[{next(words)}])"
    parts = _tuple_of(value, words, names)
    if type(value) is tuple:
        return f"({parts})"
    name = f"{type(value).__name__}_{len(names)}"  # classes of two modules may be called alike
    names[name] = type(value)
    return f"{name}({parts})"


def _kinds_of_results(result: Any) -> list[str] | str:
    if result is types.none:
        return []
    if isinstance(result, types.Tuple | types.UniTuple):
        return [_kind_of_result(part) for part in result.types]
    return _kind_of_result(result)


def _kind_of_result(result: Any) -> str:
    if not isinstance(result, types.Integer | types.Boolean):
        raise TypeError(f"a kernel returns integers and truth values, not {result}")
    return "bool" if isinstance(result, types.Boolean) else str(result)


@intrinsic(prefer_literal=True)
def array_at(typing_context, address, element, dimensions):
    """The contiguous array of such elements and so many dimensions that is NumPy's object at an address."""
    made = types.Array(element.dtype, dimensions.literal_value, "C")

    def code(context, builder, signature, arguments):
        word = context.get_value_type(types.intp)

        def word_at(start, offset):
            return builder.load(builder.inttoptr(builder.add(start, word(offset)), word.as_pointer()))

        array = make_array(made)(context, builder)
        elements = builder.inttoptr(word_at(arguments[0], HEAD), array.data.type)
        lengths = word_at(arguments[0], HEAD + 16)
        shape = [word_at(lengths, 8 * axis) for axis in range(made.ndim)]
        size = word(context.get_abi_sizeof(context.get_data_type(made.dtype)))
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(array, elements, shape, strides, size, None)
        return array._getvalue()

    return made(address, element, dimensions), code
