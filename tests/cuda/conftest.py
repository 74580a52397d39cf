"""Tests of CUDA kernels in the compiler's simulator.

A process simulates CUDA from its first import on or not at all, so these tests have a pytest of their own, with
NUMBA_ENABLE_CUDASIM=1 (`make test` starts it). In any other they are not even collected.
"""

import os

if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") in ("", "0"):
    collect_ignore_glob = ["test_*.py"]
