"""Binding: plain functions are copied with exactly the globals they use, each replaced by its linked form.

    a function        is bound in turn, then finished for the target (left alone, or handed to a compiler)
    the rules module  (or another interface) becomes a namespace with one game's functions and constants
    another module    becomes a namespace with the attributes that are used
    a number, a string, a tuple of numbers, a NumPy array: a constant, as it is
    anything else     is refused in plain words

Along the way everything that was bound goes into one digest: code, constants and all that they reach. It names the
compiled result on disk, so an edited rule or another board can never meet code made from the old one.
"""

import dis
import hashlib
import math
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from zerogrid.core.errors import CannotLink

Finish = Callable[[Any], Any]
Interfaces = Mapping[types.ModuleType, Any]

_BUILTINS = {"range", "len", "int", "float", "bool", "min", "max", "abs", "divmod", "round", "True", "False", "None"}
_KEPT_MODULES = {math, np}


class Binder:
    """Binds functions for one target; the same function is bound once."""

    def __init__(self, interfaces: Interfaces, finish: Finish, constant: Finish | None = None) -> None:
        self.interfaces = dict(interfaces)
        self.finish = finish
        self.constant = constant or (lambda value: value)
        self._done: dict[types.FunctionType, tuple[Any, str]] = {}
        self._binding: list[types.FunctionType] = []

    def function(self, function: types.FunctionType, finish: Finish | None = None) -> tuple[Any, str]:
        """The linked form of a function, and the digest of everything it is made of."""
        if function in self._done:
            return self._done[function]
        if function in self._binding:
            raise CannotLink(f"{_where(function)} calls itself; a linked function must use a loop instead.")
        if function.__closure__:
            names = ", ".join(function.__code__.co_freevars)
            raise CannotLink(f"{_where(function)} uses {names} of the function around it; make that a module constant.")
        self._binding.append(function)
        digest = hashlib.sha256(_code_bytes(function.__code__) + repr(function.__defaults__).encode())
        bound: dict[str, Any] = {"__name__": __name__, "__builtins__": __builtins__}
        for name, attributes in _globals_used(function.__code__).items():
            if name not in function.__globals__:
                if name not in _BUILTINS:
                    raise CannotLink(f"{_where(function)} uses {name}, which is not defined or cannot be linked.")
                continue
            value, mark = self._value(function.__globals__[name], attributes, f"{name} in {_where(function)}")
            bound[name] = value
            digest.update(f"{name}={mark};".encode())
        copy = types.FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
        self._binding.pop()
        self._done[function] = (finish or self.finish)(copy), digest.hexdigest()
        return self._done[function]

    def _value(self, value: Any, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if isinstance(value, types.ModuleType):
            if value in _KEPT_MODULES:
                return value, value.__name__
            return self._namespace(value, attributes, where)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, bool | int | float | str | np.number):
            return value, repr(value)
        if isinstance(value, np.ndarray):
            mark = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return self.constant(value), f"{value.dtype}{value.shape}{mark}"
        if isinstance(value, tuple) and all(_number(one) for one in _flat(value)):
            return value, repr(value)
        if isinstance(value, types.BuiltinFunctionType) and value.__module__ == "math":
            return value, f"math.{value.__name__}"
        if isinstance(value, type) and issubclass(value, np.generic):
            return value, value.__name__
        kind = type(value).__name__
        hint = " (make it a tuple or a NumPy array)" if isinstance(value, list | dict | set) else ""
        raise CannotLink(f"{where} is a {kind}, which a linked function cannot use{hint}.")

    def _namespace(self, module: types.ModuleType, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if attributes is None:
            raise CannotLink(f"{where} is a module; a linked function may only use it as module.name.")
        source = self.interfaces.get(module, module)
        space = types.ModuleType("linked_" + module.__name__.rpartition(".")[2])
        marks = []
        for name in sorted(attributes):
            if not hasattr(source, name):
                raise CannotLink(f"{where} has no {name}.")
            value, mark = self._value(getattr(source, name), None, f"{name} of {where}")
            setattr(space, name, value)
            marks.append(f"{name}:{mark}")
        return space, ",".join(marks)


def _globals_used(code: types.CodeType) -> dict[str, set[str] | None]:
    """The global names a function loads; for each the attributes taken from it, or None where it is used by itself."""
    used: dict[str, set[str] | None] = {}
    instructions = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "PUSH_NULL", "NOP")]
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
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            for name, attributes in _globals_used(inner).items():
                had = used.get(name, set())
                used[name] = None if had is None or attributes is None else had | attributes
    return used


def _code_bytes(code: types.CodeType) -> bytes:
    parts = [code.co_code, repr(code.co_names).encode(), repr(code.co_varnames).encode()]
    for constant in code.co_consts:
        parts.append(_code_bytes(constant) if isinstance(constant, types.CodeType) else repr(constant).encode())
    return b"|".join(parts)


def _flat(value: tuple[Any, ...]) -> Iterator[Any]:
    for one in value:
        if isinstance(one, tuple):
            yield from _flat(one)
        else:
            yield one


def _number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.number)


def _where(function: types.FunctionType) -> str:
    file = function.__code__.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{function.__name__} ({file}, line {function.__code__.co_firstlineno})"
