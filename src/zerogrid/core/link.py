"""link: one source, three targets.

    search = link(kernel, "cpu", {rules: game.module})
    search(64, args)                  # runs kernel(b, lane, args) for b in 0..63

A kernel is a plain function `kernel(b, lane, args)`; `args` is a NamedTuple of arrays and numbers. What it reaches
through an interface module (`rules.play`) is replaced by the functions given for that module (see binding.py).

    python   the functions as they are, on checked plain arrays: for reading, debugging, and as the twin in tests
    cpu      compiled by Numba into one loop over b, kept on disk, spread over threads where asked
    cuda     compiled by numba-cuda, one block of LANES lanes for each b, on arrays in device memory
"""

import hashlib
import os
import platform
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Literal, get_args

from zerogrid.core.binding import Binder, Interfaces
from zerogrid.core.errors import CannotLink, ZeroGridError, nearest, quote
from zerogrid.core.explain import explain
from zerogrid.core.plain import constant, plain

Target = Literal["python", "cpu", "cuda"]
TARGETS: tuple[Target, ...] = get_args(Target)


class Linked:
    """A kernel that is ready to run on its target."""

    def __init__(self, target: Target, run: Callable[..., None], digest: str, cache: Any = None) -> None:
        self.target = target
        self.digest = digest
        self.cache = cache
        self._run = run

    def prepare(self, args: Any) -> None:
        """Compile for arguments of these types, or find it on the disk, and run nothing."""
        self._run(0, 0, args, 1)

    def __call__(self, count: int, args: Any, threads: int = 1, first: int = 0) -> None:
        """Run kernel(b, lane, args) for b from first to count - 1; only the cpu target uses more than one thread."""
        if count > first:
            self._run(first, count, args, threads)


def link(kernel: Callable[..., None], target: str, interfaces: Interfaces, alone: bool = False) -> Linked:
    """Bind a kernel to its interfaces and make it ready for a target; `alone`: it has work for one lane only."""
    check_target(target)
    assert isinstance(kernel, types.FunctionType)
    if target == "python":
        return _link_python(kernel, interfaces)
    if target == "cpu":
        return _link_cpu(kernel, interfaces)
    from zerogrid.core import cuda

    run, digest = cuda.link_cuda(kernel, interfaces, alone)
    return Linked("cuda", run, digest)


def check_target(target: str) -> None:
    """Refuse what is not a target."""
    if target not in TARGETS:
        raise ZeroGridError(f"target {quote(target)} is not one of {', '.join(TARGETS)}.{nearest(target, TARGETS)}")


# --- python ---------------------------------------------------------------------------------------------------------


def _link_python(kernel: types.FunctionType, interfaces: Interfaces) -> Linked:
    bound, digest = Binder(interfaces, finish=lambda f: f, constant=constant).function(kernel)

    def run(first: int, last: int, args: Any, threads: int) -> None:
        visible = plain(args)
        for b in range(first, last):
            bound(b, 0, visible)

    return Linked("python", run, digest)


# --- cpu ------------------------------------------------------------------------------------------------------------


OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}  # nothing is allocated; floats rounded as written
UNCALLED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # for functions that Python never calls

kernel: Any = None  # put into the globals of grid


def grid(first: int, last: int, args: Any) -> None:
    """The loop that a compiled kernel runs in."""
    for b in range(first, last):
        kernel(b, 0, args)


_compiled: dict[str, Any] = {}  # functions handed to the compiler, by digest: kernels share the rules they call


def _link_cpu(kernel: types.FunctionType, interfaces: Interfaces) -> Linked:
    import numba
    from numba.core.errors import NumbaError

    from zerogrid.core.disk_cache import DiskCache

    jit = numba.njit(**OPTIONS)
    binder = Binder(interfaces, finish=_inner(), compiled=True, finished=_compiled)
    compiled, digest = binder.function(kernel)
    digest = hashlib.sha256(f"{digest}|{_machine()}".encode()).hexdigest()
    loop = types.FunctionType(grid.__code__, {"kernel": compiled, "__name__": __name__}, kernel.__name__)
    loop.__qualname__ = f"{kernel.__name__}_grid_{digest[:24]}"  # see binding.py
    dispatcher = jit(loop)
    disk = DiskCache(digest)
    dispatcher._cache = disk

    def run(first: int, last: int, args: Any, threads: int) -> None:
        try:
            if threads <= 1 or last - first < 2:
                dispatcher(first, last, args)
                return
            dispatcher(first, first, args)  # compile before the threads ask for it together
        except NumbaError as error:
            raise CannotLink(explain(kernel.__name__, "cpu", error)) from error
        parts = min(threads, last - first)
        cuts = [first + (last - first) * i // parts for i in range(parts + 1)]
        list(_pool(threads, os.getpid()).map(lambda i: dispatcher(cuts[i], cuts[i + 1], args), range(parts)))

    return Linked("cpu", run, digest, disk)


@cache
def _inner() -> Callable[[Any], Any]:
    """For functions that only compiled code calls: no machine code of their own, and no way in from Python.

    The compiler makes both for every function; without them a search kernel compiles in half the time.
    """
    from numba.core.compiler import Compiler
    from numba.core.registry import CPUDispatcher

    class InnerCompiler(Compiler):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.state.flags.no_compile = True

    class InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
        def add_overload(self, compiled: Any) -> None:
            name = object()  # what callers know it by, in place of its address
            self.targetctx.insert_user_function(name, compiled.fndesc, [compiled.library])
            self.overloads[tuple(compiled.signature.args)] = compiled._replace(entry_point=name)

    options = {**OPTIONS, **UNCALLED, "nopython": True}
    return lambda function: InnerDispatcher(function, {}, dict(options), pipeline_class=InnerCompiler)


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Threads to share the work; a forked process has none of its parent's, and gets its own."""
    return ThreadPoolExecutor(threads, thread_name_prefix="zerogrid")


@cache
def _machine() -> str:
    """What compiled code depends on beside its source."""
    import llvmlite
    import llvmlite.binding
    import numba
    import numpy as np

    host = llvmlite.binding
    versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__} {platform.python_version()}"
    names = ("CPU_NAME", "CPU_FEATURES", "OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
    asked = [getattr(numba.config, name) for name in names]
    processor = f"{platform.machine()} {host.get_host_cpu_name()} {host.get_host_cpu_features().flatten()}"
    return f"{versions} {platform.system()} {processor} {asked} {OPTIONS}"
