"""The only file that knows the CUDA compiler: block primitives, compiling, launching, device arrays.

A linked kernel runs as one block of LANES lanes for each game. The reductions go through shared memory and barriers,
which the compiler's simulator (NUMBA_ENABLE_CUDASIM=1) runs too; it gets fewer lanes, since each is a Python thread.
"""

import hashlib
import os
import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from zerogrid.core import block, spmd
from zerogrid.core.binding import Binder
from zerogrid.core.errors import CannotLink, TargetMissing
from zerogrid.core.plain import plain

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
LANES = 4 if SIMULATED else 32


@cache
def _compiler() -> Any:
    """numba.cuda, with the one NumPy name it still asks for and NumPy 2.5 no longer has."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack
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


def _inside(function: Any, **names: Any) -> types.FunctionType:
    """A function of block.py with the compiler's own names, which it needs, in its globals."""
    globals_ = {"cuda": _compiler(), "LANES": LANES, "__name__": block.__name__, "__builtins__": __builtins__, **names}
    return types.FunctionType(function.__code__, globals_, function.__name__)


@cache
def _primitives() -> types.ModuleType:
    from numba import float64, int64

    space = types.ModuleType("linked_spmd")
    for function in (block.sync, block.argmax, block.allmax, block.allsum, block.broadcast):
        inside = _inside(function, float64=float64, int64=int64)
        setattr(space, function.__name__, _compiler().jit(device=True)(inside))
    space.LANES = LANES  # type: ignore[attr-defined]
    return space


class CudaBinder(Binder):
    """A binder that leaves the block primitives, which are finished already, as they are."""

    def _value(self, value: Any, attributes: set[str] | None, where: str) -> tuple[Any, str]:
        if value is spmd:
            return _primitives(), "spmd"
        return super()._value(value, attributes, where)


def _bind(kernel: types.FunctionType, interfaces: Mapping[types.ModuleType, Any]) -> tuple[types.FunctionType, str]:
    cuda = _compiler()
    constant = plain if SIMULATED else None
    device, digest = CudaBinder(interfaces, finish=cuda.jit(device=True), constant=constant).function(kernel)
    return _inside(block.grid, kernel=device), hashlib.sha256(digest.encode()).hexdigest()


def link_cuda(kernel: types.FunctionType, interfaces: Mapping[types.ModuleType, Any]) -> tuple[Callable[..., None], str]:
    """Compile a kernel for the card (on its first launch) and say how to launch it."""
    cuda = _compiler()
    if not available():
        raise TargetMissing("target cuda needs a CUDA card, and none is usable here; use target cpu.")
    bound, digest = _bind(kernel, interfaces)
    compiled = cuda.jit(bound)

    def run(first: int, last: int, args: Any, threads: int) -> None:
        from numba.core.errors import NumbaError

        try:
            compiled[last - first, LANES, current_stream()](first, plain(args) if SIMULATED else args)
        except NumbaError as error:
            raise CannotLink(f"{kernel.__name__} cannot be compiled for CUDA: {str(error)[:400]}") from error

    return run, digest


def ptx(kernel: Any, interfaces: Mapping[types.ModuleType, Any], args: Any) -> str:
    """The kernel as PTX for arguments of these types; needs neither a card nor a driver."""
    cuda = _compiler()
    from numba import int64, typeof

    bound, _ = _bind(kernel, interfaces)
    text, _ = cuda.compile_ptx(bound, (int64, typeof(args)), cc=(9, 0))
    return str(text)


# --- memory ---------------------------------------------------------------------------------------------------------

_stream: Any = None


def use_stream(pointer: int | None) -> None:
    """Launch on another library's stream (torch's, while a graph is captured); None goes back to the default one."""
    global _stream
    _stream = None if pointer is None or SIMULATED else _compiler().external_stream(pointer)


def current_stream() -> Any:
    """The stream launches go to."""
    return 0 if _stream is None else _stream


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
