"""The only file that knows the CUDA compiler: block primitives, compiling, launching, device arrays.

A linked kernel runs on LANES lanes for each game, so several games share a warp; a kernel that is all work for one lane
is linked `alone`, with one lane a game and 32 games a warp (docs/log.d/card.md has the figures). Without a card a
kernel can be compiled to PTX (`ptx`), or run in the compiler's simulator (NUMBA_ENABLE_CUDASIM=1), where each game is
a block with few lanes, since each is a Python thread. Floats are rounded as on the CPU: no fused multiply-add, division
and square root as IEEE 754 has them.
"""

import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from zerogrid.core import block, spmd, warp
from zerogrid.core.binding import Binder, Interfaces
from zerogrid.core.errors import CannotLink, TargetMissing
from zerogrid.core.explain import explain
from zerogrid.core.plain import constant, plain

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
LANES = 4 if SIMULATED else 16
BLOCK = LANES if SIMULATED else 128  # threads that are launched together
BLOCK_ALONE = 1 if SIMULATED else 32  # the same where each is a game of its own
STRICT = {"fma": False, "prec_div": True, "prec_sqrt": True}
SOME_CARD = (9, 0)  # what PTX is made for where there is no card; the H200's compute capability


@cache
def _compiler() -> Any:
    """numba.cuda, with the one NumPy name it still asks for and NumPy 2.5 no longer has."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # noqa: NPY201 - for the compiler, not for us
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")  # one warp a game is what is wanted
    try:
        from numba import cuda
    except ImportError as error:
        raise TargetMissing(f"target cuda needs numba-cuda: pip install 'zerogrid[cuda]' ({error}).") from error
    return cuda


def available() -> bool:
    """Whether kernels can run here: on a card, or in the simulator."""
    try:
        return SIMULATED or bool(_compiler().is_available())
    except TargetMissing:
        return False


# --- compiling ------------------------------------------------------------------------------------------------------


cuda: Any = None  # these two are put into the globals of grid, which has the constants of this file as well
kernel: Any = None


def grid(first: int, last: int, args: Any) -> None:
    """The launched kernel: each group of LANES threads works on one game."""
    thread = cuda.blockIdx.x * BLOCK + cuda.threadIdx.x
    game = first + thread // LANES
    if game < last:
        kernel(game, thread % LANES, args)


def _shape(alone: bool) -> tuple[int, int]:
    """(lanes of a game, threads that are launched together)."""
    return (1, BLOCK_ALONE) if alone else (LANES, BLOCK)


def _inside(function: Any, alone: bool, **names: Any) -> types.FunctionType:
    """A function with the compiler's own names, which it needs, in its globals."""
    lanes, block_size = _shape(alone)
    known = {"cuda": _compiler(), "LANES": lanes, "BLOCK": block_size}
    globals_ = {**known, "__name__": __name__, "__builtins__": __builtins__, **names}
    return types.FunctionType(function.__code__, globals_, function.__name__)


@cache
def _dispatcher() -> Any:
    """The compiler's class of compiled functions, changed in two ways.

    Device functions compile where there is no card; it would ask the card for its kind, which for functions that the
    compiler brings along itself (those of tuples, say) is answered in the card's place. And kernels are compiled with
    STRICT, for which the compiler has no option. Both are exchanged for the time of compiling, under its lock.
    """
    from numba.cuda import dispatcher as compiling
    from numba.cuda.codegen import CUDACodeLibrary, JITCUDACodegen
    from numba.cuda.compiler import compile_cuda
    from numba.cuda.core.compiler_lock import global_compiler_lock
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.dispatcher import CUDADispatcher

    class Library(CUDACodeLibrary):  # type: ignore[misc]
        def __init__(self, codegen: Any, name: str, nvvm_options: Any = None, **more: Any) -> None:
            super().__init__(codegen, name, nvvm_options={**(nvvm_options or {}), **STRICT}, **more)

    class Codegen(JITCUDACodegen):  # type: ignore[misc]
        _library_class = Library

    class Dispatcher(CUDADispatcher):  # type: ignore[misc]
        def compile_device(self, args: Any, return_type: Any = None) -> Any:
            if args not in self.overloads:
                options = {"opt": 3, "fastmath": False}
                made = compile_cuda(self.py_func, return_type, args, cc=_kind(), nvvm_options=options)
                self.overloads[args] = made
                made.target_context.insert_user_function(made.entry_point, made.fndesc, [made.library])
            return self.overloads[args]

        def compile(self, signature: Any) -> Any:
            with self.strictly():
                return super().compile(signature)

        @staticmethod
        @contextmanager
        def strictly() -> Iterator[None]:
            context = cuda_target.target_context
            with global_compiler_lock:
                usual = context._internal_codegen, compiling.get_current_device
                context._internal_codegen = Codegen("zerogrid")
                if not _compiler().is_available():
                    compiling.get_current_device = lambda: types.SimpleNamespace(compute_capability=_kind())
                try:
                    yield
                finally:
                    context._internal_codegen, compiling.get_current_device = usual

    return Dispatcher


@cache
def _kind() -> tuple[int, int]:
    """The compute capability to compile for."""
    cuda = _compiler()
    major, minor = cuda.get_current_device().compute_capability if cuda.is_available() else SOME_CARD
    return int(major), int(minor)


def _device(function: types.FunctionType) -> Any:
    """A function that kernels may call. The simulator calls plain functions."""
    return function if SIMULATED else _dispatcher()(function, {"device": True})


@cache
def _primitives(alone: bool) -> types.ModuleType:
    from numba import float64, int32, int64

    source = block if SIMULATED else warp
    wrap = _compiler().jit(device=True) if SIMULATED else _device
    space = types.ModuleType("linked_spmd")
    names: dict[str, Any] = {"float64": float64, "int32": int32, "int64": int64}
    if SIMULATED:
        names["making"] = Lock()
    else:
        names |= {"MOST": warp.MOST, "LEAST": warp.LEAST, "group": wrap(_inside(warp.group_of_lanes, alone))}
    for name in ("sync", "argmax", "allmax", "allsum", "broadcast"):
        setattr(space, name, wrap(_inside(getattr(source, name), alone, **names)))
    space.LANES = _shape(alone)[0]  # type: ignore[attr-defined]
    return space


class CudaBinder(Binder):
    """A binder that leaves the block primitives, which are finished already, as they are."""

    alone = False

    def _value(self, value: Any, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if value is spmd:
            return _primitives(self.alone), "spmd of one lane" if self.alone else "spmd"
        return super()._value(value, attributes, where)


_compiled: dict[str, Any] = {}  # functions handed to the compiler, by digest


def _bind(kernel: types.FunctionType, interfaces: Interfaces, alone: bool) -> tuple[types.FunctionType, str]:
    arrays = constant if SIMULATED else None
    binder = CudaBinder(interfaces, finish=_device, constant=arrays, compiled=not SIMULATED, finished=_compiled)
    binder.alone = alone
    device, digest = binder.function(kernel)
    return _inside(grid, alone, kernel=device), hashlib.sha256(digest.encode()).hexdigest()


def link_cuda(
    kernel: types.FunctionType, interfaces: Interfaces, alone: bool = False
) -> tuple[Callable[..., None], str]:
    """Compile a kernel for the card (on its first launch) and say how to launch it."""
    cuda = _compiler()
    if not available():
        raise TargetMissing("target cuda needs a CUDA card, and none is usable here; use target cpu.")
    bound, digest = _bind(kernel, interfaces, alone)
    lanes, block_size = _shape(alone)
    if SIMULATED:
        return _simulated(cuda.jit(bound), block_size), digest
    compiled = _dispatcher()(bound, cuda.jit(bound, lto=False).targetoptions)

    def run(first: int, last: int, args: Any, threads: int) -> None:
        try:
            compiled[-(-(last - first) * lanes // block_size), block_size, current_stream()](first, last, args)
        except _errors() as error:
            raise CannotLink(explain(kernel.__name__, "cuda", error)) from error

    return run, digest


def _simulated(compiled: Any, block_size: int) -> Callable[..., None]:
    def run(first: int, last: int, args: Any, threads: int) -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)  # its lanes are threads that wait for one another at every barrier
        try:
            compiled[last - first, block_size](first, last, plain(args))
        finally:
            sys.setswitchinterval(usual)

    return run


def ptx(kernel: Any, interfaces: Interfaces, args: Any, alone: bool = False) -> str:
    """The kernel as PTX for arguments of these types; needs neither a card nor a driver."""
    from numba import int64, typeof

    bound, _ = _bind(kernel, interfaces, alone)
    with _dispatcher().strictly():
        try:
            text, _ = _compiler().compile_ptx(bound, (int64, int64, typeof(args)), cc=SOME_CARD)
        except _errors() as error:
            raise CannotLink(explain(kernel.__name__, "cuda", error)) from error
    return str(text)


def _errors() -> tuple[type[Exception], ...]:
    """What the compiler raises for code it cannot compile: its own errors, the host compiler's, and slips of both."""
    from numba.core.errors import NumbaError
    from numba.cuda.core.errors import NumbaError as CudaError

    return NumbaError, CudaError, AttributeError, NotImplementedError, AssertionError


# --- memory ---------------------------------------------------------------------------------------------------------

_stream: Any = None


def use_stream(pointer: int | None) -> None:
    """Launch on another library's stream (torch's, while a graph is captured); None goes back to the default one."""
    global _stream
    _stream = None if pointer is None or SIMULATED else _compiler().external_stream(pointer)


def current_stream() -> Any:
    """The stream launches go to."""
    return 0 if _stream is None else _stream


def borrow(tensor: Any) -> Any:
    """Another library's memory on the card (a torch tensor's), as kernels take it; nothing is copied."""
    return tensor if SIMULATED else _compiler().as_cuda_array(tensor, sync=False)


def to_device(args: Any) -> Any:
    """Arrays copied to the card; in the simulator they stay where they are."""
    if isinstance(args, tuple):
        parts = [to_device(part) for part in args]
        return type(args)(*parts) if hasattr(args, "_fields") else tuple(parts)
    if isinstance(args, np.ndarray) and not SIMULATED:
        return _compiler().to_device(args)
    return args


def to_host(args: Any) -> Any:
    """Arrays copied back from the card."""
    if isinstance(args, tuple):
        parts = [to_host(part) for part in args]
        return type(args)(*parts) if hasattr(args, "_fields") else tuple(parts)
    return args.copy_to_host() if hasattr(args, "copy_to_host") else args
