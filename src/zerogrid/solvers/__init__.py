"""Exact solvers: positions in, exact values out, and never a guess."""

from zerogrid.solvers.choose import generic_solver, solver_for, solver_with_table
from zerogrid.solvers.limit import memory_of
from zerogrid.solvers.many import solve_each, solve_many
from zerogrid.solvers.solution import Solution
from zerogrid.solvers.solver import Solver

__all__ = [
    "Solution",
    "Solver",
    "generic_solver",
    "memory_of",
    "solve_each",
    "solve_many",
    "solver_for",
    "solver_with_table",
]
