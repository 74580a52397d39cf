"""Curricula: where games start and how hard is searched, iteration by iteration.

    none        from the start position, always with search.simulations
    rollback    Dotsformer, appendix B.3: search starts at ply S, before which moves are guided-random; S goes back when
                the values at the first searched position and at every fourth ply after it predict the results
    wide        games start after r random moves, r drawn from 0 to random_moves
    archive     a share of games starts from a position of an earlier game
    budget      simulations grow evenly over the first iterations
"""

from typing import Any

import numpy as np

from zerogrid.search.settings import SearchSettings
from zerogrid.training.config_checks import curriculum_kinds
from zerogrid.training.parts import Arrays
from zerogrid.training.sections import CurriculumSection


class Curriculum:
    """What the curriculum asks of self-play. Its state is two numbers."""

    def __init__(self, section: CurriculumSection, search: SearchSettings) -> None:
        self.section = section
        self.simulations = search.simulations
        self.kinds = curriculum_kinds(section.kind)
        self.search_from = section.rollback_start if "rollback" in self.kinds else 0
        self.moved_at = 0

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"search_from": self.search_from, "moved_at": self.moved_at}

    def restore(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.search_from, self.moved_at = int(state["search_from"]), int(state["moved_at"])

    def orders(self, iteration: int) -> dict[str, Any]:
        """The fields of Orders that are the curriculum's."""
        asked: dict[str, Any] = {"simulations": self.simulations, "search_from": self.search_from}
        if "wide" in self.kinds:
            asked["random_moves"] = self.section.random_moves
        if "archive" in self.kinds and iteration > 1:
            asked["archive"] = self.section.archive_share
        if "budget" in self.kinds:
            share = min(1.0, (iteration - 1) / self.section.budget_iterations)
            start = self.section.budget_start
            asked["simulations"] = round(start + share * (self.simulations - start))
        return asked

    def after(self, iteration: int, columns: Arrays) -> dict[str, Any]:
        """Look at what the new examples (z, q, ply, game_id) say, and move on if it is time. Returns what to log."""
        if "rollback" not in self.kinds:
            return {}
        root, inner = predictions(columns, self.section.rollback_eps, self.section.rollback_interval)
        told = {"search_from": self.search_from, "root_right": root[0], "root_total": root[1]}
        told |= {"step_right": inner[0], "step_total": inner[1], "rolled_back": False}
        good = all(total and right / total > self.section.rollback_tau for right, total in (root, inner))
        late = iteration - self.moved_at >= self.section.rollback_every
        if good and late and self.search_from >= self.section.rollback_step:
            self.search_from -= self.section.rollback_step
            self.moved_at = iteration
            told["rolled_back"] = True
        return told


def predictions(columns: Arrays, eps: float, interval: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """(right, all) at the first searched position of each game, and (right, all) at every `interval`-th ply after it.

    A value is right when it lies beyond eps on the side of the result; for a drawn game, when it lies within 1 - eps.
    """
    if len(columns["ply"]) == 0:
        return (0, 0), (0, 0)
    _, game = np.unique(columns["game_id"], return_inverse=True)
    ply = columns["ply"].astype(np.int64)
    first = np.full(int(game.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, game, ply)
    since = ply - first[game]
    z, q = columns["z"], columns["q"]
    right = np.where(z == 0, np.abs(q) < 1.0 - eps, q * np.sign(z) > eps)
    roots = since == 0
    steps = (since > 0) & (since % interval == 0)
    return (int(right[roots].sum()), int(roots.sum())), (int(right[steps].sum()), int(steps.sum()))
