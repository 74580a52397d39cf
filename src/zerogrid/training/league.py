"""The league: past champions that are met in proportion to how hard they are, and exploiters that join them.

Of a rival the last results are remembered, older ones fading. With a share w of points won against it, it is met in
proportion to (1 - w)^power; one that has not been met counts as even (AlphaStar's prioritised fictitious self-play).
An exploiter learns only against the main agent's champion; when it beats it, or runs out of patience, its weights join
the pool and it begins anew from the champion.
"""

from typing import Any

from zerogrid.training.sections import LeagueSection

FADING = 0.9  # of old results, each iteration


class League:
    """Who is in the pool, and how the main agent has fared against them. Names are seat@iteration."""

    def __init__(self, section: LeagueSection) -> None:
        self.section = section
        self.pool: list[str] = []
        self.results: dict[str, list[float]] = {}  # name -> games, points of the main agent
        self.began: dict[str, int] = dict.fromkeys(self.exploiters, 0)
        self.anew: list[str] = []  # exploiters that begin anew in the next iteration

    @property
    def exploiters(self) -> list[str]:
        """The seats of the exploiters."""
        return [f"exploiter-{k + 1}" for k in range(self.section.exploiters)]

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"pool": self.pool, "results": self.results, "began": self.began, "anew": self.anew}

    def restore(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.pool = [str(name) for name in state["pool"]]
        self.results = {str(name): [float(x) for x in pair] for name, pair in state["results"].items()}
        self.began = {name: int(state["began"].get(name, 0)) for name in self.exploiters}
        self.anew = [str(name) for name in state["anew"] if name in self.exploiters]

    def share_won(self, name: str) -> float:
        """The share of points won against a rival, two even games added."""
        games, points = self.results.get(name, [0.0, 0.0])
        return (points + 1.0) / (games + 2.0)

    def shares(self) -> dict[str, float]:
        """In which share of its games the main agent meets each rival."""
        if not self.pool or self.section.past == 0:
            return {}
        hardness = {name: max(1e-3, 1.0 - self.share_won(name)) ** self.section.power for name in self.pool}
        total = sum(hardness.values())
        return {name: self.section.past * value / total for name, value in hardness.items()}

    def after(self, against: dict[str, tuple[int, int, int]]) -> None:
        """Remember how the games of an iteration went: wins, draws and losses of the main agent by rival."""
        self.results = {name: [FADING * x for x in pair] for name, pair in self.results.items() if name in self.pool}
        for name, (wins, draws, losses) in against.items():
            if name in self.pool:
                games, points = self.results.get(name, [0.0, 0.0])
                self.results[name] = [games + wins + draws + losses, points + wins + draws / 2]

    def join(self, name: str) -> None:
        """A new rival; the pool lets go of the easiest when it is full."""
        if self.section.past == 0 or name in self.pool:
            return
        self.pool.append(name)
        while len(self.pool) > self.section.pool:
            easiest = max(self.pool[:-1] or self.pool, key=lambda one: (self.share_won(one), -self.pool.index(one)))
            self.pool.remove(easiest)
            self.results.pop(easiest, None)

    def exploiter_joins(self, seat: str, iteration: int, result: tuple[int, int, int]) -> bool:
        """Whether an exploiter is done, after these wins, draws and losses against the main agent; it begins anew."""
        wins, draws, losses = result
        games = wins + draws + losses
        good = games > 0 and (wins + draws / 2) / games >= self.section.exploiter_share
        tired = iteration - self.began[seat] >= self.section.exploiter_patience
        if good or tired:
            self.began[seat] = iteration
            self.anew.append(seat)
        return good or tired
