"""Binding: plain functions are copied with exactly the globals they use, each replaced by its linked form.

    a function        is bound in turn, then finished for the target (left alone, or handed to a compiler)
    the rules module  (or another interface) becomes a namespace with one game's functions and constants
    another module    becomes a namespace with the attributes that are used
    a number, a string, a tuple of numbers, a NumPy array: a constant, as it is
    anything else     is refused in plain words

Along the way everything that was bound goes into one digest: code, constants and all that they reach. It names the
compiled result on disk, so an edited rule or another board can never meet code made from the old one.
"""

import builtins
import dis
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from zerogrid.core.errors import CannotLink

Finish = Callable[[Any], Any]
Interfaces = Mapping[types.ModuleType, Any]

_BUILTINS = ("range", "len", "int", "float", "bool", "min", "max", "abs", "divmod", "round")

# Compilers leave float(x) at 32 bits where x has 32, and int(x) at 16; Python knows one kind of each.
COMPILED_CASTS = {"float": np.float64, "int": np.int64}

# What a function does, by the instruction that does it, and what it should do instead. Some of it would compile for
# one target and not for another, or give other answers there.
_REFUSED = {
    "BUILD_LIST": "makes a list; linked functions have none: write into an array they are given, or use a tuple",
    "BUILD_MAP": "makes a dictionary; linked functions have none: use an array of numbers",
    "BUILD_SET": "makes a set; linked functions have none: use an array of numbers",
    "MAKE_FUNCTION": "has a function or comprehension inside; write a loop, or a function at the top level of the file",
    "RAISE_VARARGS": "raises or asserts; linked functions cannot: return a number that says so",
    "PUSH_EXC_INFO": "uses try or with, which linked functions cannot: test for the case beforehand",
    "RETURN_GENERATOR": "is a generator; linked functions return numbers: write into an array they are given",
    "IMPORT_NAME": "imports inside a function; import at the top of the file",
    "STORE_GLOBAL": "changes a global; keep what changes in the state",
    "BUILD_STRING": "makes a string; linked functions work on numbers only",
    "FORMAT_VALUE": "makes a string; linked functions work on numbers only",
    "FORMAT_SIMPLE": "makes a string; linked functions work on numbers only",
}


class Binder:
    """Binds functions for one target; the same function is bound once."""

    def __init__(
        self,
        interfaces: Interfaces,
        finish: Finish,
        constant: Finish | None = None,
        compiled: bool = False,
        finished: dict[str, Any] | None = None,
    ) -> None:
        self.interfaces = dict(interfaces)
        self.finish = finish
        self.constant = constant or (lambda value: value)
        self.casts = COMPILED_CASTS if compiled else {}
        self.finished: dict[str, Any] = {} if finished is None else finished  # by digest; kernels may share it
        self._done: dict[types.FunctionType, tuple[Any, str]] = {}
        self._binding: list[types.FunctionType] = []

    def function(self, function: types.FunctionType) -> tuple[Any, str]:
        """The linked form of a function, and the digest of everything it is made of."""
        if function in self._done:
            return self._done[function]
        if function in self._binding:
            raise CannotLink(f"{_where(function)} calls itself; a linked function must use a loop instead.")
        self._refuse_by_name(function)
        _refuse_by_code(function)
        self._binding.append(function)
        defaults = (function.__defaults__, function.__kwdefaults__)
        digest = hashlib.sha256(_code_bytes(function.__code__) + repr(defaults).encode())
        bound: dict[str, Any] = {"__name__": __name__, "__builtins__": __builtins__}
        for name, attributes in _globals_used(function.__code__).items():
            if name not in function.__globals__:
                _refuse_unless_known(function, name)
                if name in self.casts:
                    bound[name] = self.casts[name]
                continue
            value, mark = self._value(function.__globals__[name], attributes, f"{name} in {_where(function)}")
            bound[name] = value
            digest.update(f"{name}={mark};".encode())
        copy = types.FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
        # The compiler names machine code after this. Two games loaded from the disk cache must not share a name, or the
        # linker takes one game's rules for the other's.
        copy.__qualname__ = f"{function.__name__}_{digest.hexdigest()[:24]}"
        copy.__kwdefaults__ = function.__kwdefaults__
        self._binding.pop()
        if digest.hexdigest() not in self.finished:
            self.finished[digest.hexdigest()] = self.finish(copy)
        self._done[function] = self.finished[digest.hexdigest()], digest.hexdigest()
        return self._done[function]

    def _value(self, value: Any, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if isinstance(value, types.ModuleType):
            return self._namespace(value, attributes, where)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, bool | int | float | str | np.number):
            return value, f"{type(value).__name__} {value!r}"
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            mark = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return self.constant(value), f"{value.dtype}{value.shape}{value.strides}{mark}"
        if isinstance(value, tuple) and all(_is_number(one) for one in _flat(value)):
            return value, repr(value)
        if isinstance(value, types.BuiltinFunctionType) and value.__module__ == "math":
            return value, f"math.{value.__name__}"
        if isinstance(value, type) and issubclass(value, np.generic):
            return value, value.__name__
        kind = type(value).__name__
        hint = " (make it a tuple or a NumPy array of numbers)" if isinstance(value, _CONTAINERS) else ""
        raise CannotLink(f"{where} is a {kind}, which a linked function cannot use{hint}.")

    def _namespace(self, module: types.ModuleType, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if attributes is None:
            raise CannotLink(f"{where} is a module; a linked function may only use it as module.name.")
        source = self.interfaces.get(module, module)
        if module.__name__ in ("random", "secrets"):
            raise CannotLink(f"{where} {_OTHER_LUCK}")
        space = types.ModuleType("linked_" + module.__name__.rpartition(".")[2])
        marks = []
        for name in sorted(attributes):
            if not hasattr(source, name):
                raise CannotLink(f"{where} has no {name}.")
            if source is np:
                _refuse_of_numpy(name, where)
            value, mark = self._value(getattr(source, name), None, f"{name} of {where}")
            setattr(space, name, value)
            marks.append(f"{name}:{mark}")
        return space, ",".join(marks)

    def _refuse_by_name(self, function: types.FunctionType) -> None:
        if function.__closure__:
            names = ", ".join(function.__code__.co_freevars)
            raise CannotLink(f"{_where(function)} uses {names} of the function around it; make that a module constant.")
        for module in self.interfaces:
            if function is getattr(module, function.__name__, None):
                short, name = module.__name__.rpartition(".")[2], function.__name__
                user = f" in {_where(self._binding[-1])}" if self._binding else ""
                raise CannotLink(f"{name}{user} is taken out of {short}; write {short}.{name}, which link replaces.")


def _refuse_of_numpy(name: str, where: str) -> None:
    """Of NumPy there are numbers only: its functions make arrays, differ by target, or draw from a hidden state."""
    value = getattr(np, name)
    if name == "random":
        raise CannotLink(f"{where} {_OTHER_LUCK}")
    if not (isinstance(value, float) or (isinstance(value, type) and issubclass(value, np.generic))):
        raise CannotLink(f"np.{name} cannot be linked ({where}); of NumPy there are number types, such as np.int32.")


_OTHER_LUCK = "draws random numbers; take them from zerogrid.core.draws, which all targets share."
_CONTAINERS = (list, dict, set, tuple, np.ndarray)


def _refuse_by_code(function: types.FunctionType) -> None:
    line = function.__code__.co_firstlineno
    for instruction in dis.get_instructions(function.__code__):
        line = _line(instruction, line)
        refused = "BUILD_SET" if isinstance(instruction.argval, frozenset) else instruction.opname
        if refused in _REFUSED:
            raise CannotLink(f"{_where(function, line)} {_REFUSED[refused]}.")


def _line(instruction: dis.Instruction, otherwise: int) -> int:
    return (instruction.positions.lineno if instruction.positions else None) or otherwise


def _refuse_unless_known(function: types.FunctionType, name: str) -> None:
    if name in _BUILTINS:
        return
    if hasattr(builtins, name):
        raise CannotLink(f"{_where(function)} uses {name}, which cannot be linked; there are {', '.join(_BUILTINS)}.")
    raise CannotLink(f"{_where(function)} uses {name}, which is not defined in its file.")


def _globals_used(code: types.CodeType) -> dict[str, set[str] | None]:
    """The global names a function loads; for each the attributes taken from it, or None where it is used by itself."""
    used: dict[str, set[str] | None] = {}
    silent = ("CACHE", "PUSH_NULL", "NOP", "EXTENDED_ARG")
    instructions = [i for i in dis.get_instructions(code) if i.opname not in silent]
    for now, after in zip(instructions, [*instructions[1:], None], strict=True):
        if now.opname not in ("LOAD_GLOBAL", "LOAD_NAME"):
            continue
        name = now.argval
        if after is not None and after.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            taken = used.setdefault(name, set())
            if taken is not None:
                taken.add(after.argval)
        else:
            used[name] = None
    return used


def _code_bytes(code: types.CodeType) -> bytes:
    parts = [code.co_code, repr(code.co_names).encode(), repr(code.co_varnames).encode()]
    parts += [f"{type(constant).__name__} {constant!r}".encode() for constant in code.co_consts]
    return b"|".join(parts)


def _flat(value: tuple[Any, ...]) -> Iterator[Any]:
    for one in value:
        if isinstance(one, tuple):
            yield from _flat(one)
        else:
            yield one


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.number)


def _where(function: types.FunctionType, line: int | None = None) -> str:
    file = function.__code__.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{function.__name__} ({file}, line {line or function.__code__.co_firstlineno})"
