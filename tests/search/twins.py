"""Naive twins of the searches: nodes are objects, edges a dictionary by action, everything is looked for anew.

Written from the formulas (PUCT: Silver et al. 2017; UCT: Kocsis, Szepesvari 2006; Gumbel: Danihelka et al. 2022; forced
playouts: Wu 2019), not from the kernels. They share with those only what makes numbers comparable: whole numbers in
units of 2**-30 for values and priors, and the project's own exp and log. A value belongs to a player: here always to
player 0, and is turned for whoever looks at it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from zerogrid.core.draws import NOISE, PLAYOUT, mix, uniform, word
from zerogrid.core.exact import exp, log
from zerogrid.core.game import Game
from zerogrid.kernels.noise import gamma_variate
from zerogrid.search.settings import SearchSettings

FINE = 2**30
State = npt.NDArray[np.int16]
Judge = Callable[[State], tuple[npt.NDArray[np.float32], float]]
Phi = Callable[[State, int], float]


def whole(x: float) -> int:
    return int(x * FINE)


@dataclass
class Edge:
    action: int
    prior: int
    visits: int = 0
    worth: int = 0  # for its mover, virtual losses included
    child: "Node | None" = None
    low: int = -FINE  # what player 0 gets behind it at least and at most
    high: int = FINE

    @property
    def known(self) -> bool:
        return self.low == self.high

    def q(self) -> float:
        return self.worth / (float(self.visits) * FINE)


@dataclass
class Node:
    state: State
    mover: int  # -1: the game is over
    low: int
    high: int
    phi: tuple[int, int]
    edges: dict[int, Edge] = field(default_factory=dict)
    visits: int = 0
    total: int = 0  # for player 0
    own: int = 0  # its own evaluation, for player 0

    @property
    def sign(self) -> int:
        return -1 if self.mover == 1 else 1


Path = list[tuple[Node, Edge]]


class Twin:
    """What all searches share. Subclasses choose edges."""

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        state: State,
        judge: Judge | None = None,
        seed: int = 0,
        ply: int = 0,
        phi: Phi | None = None,
        slot: Callable[[State, int], int] | None = None,
    ) -> None:
        self.game, self.settings, self.judge = game, settings, judge
        self.seed, self.ply, self.phi = seed, ply, phi
        self.slot = slot or (lambda state, action: action)
        self.losses = settings.virtual_loss if settings.leaves > 1 else 0
        self.done = self.asked = 0
        self.root = self.new_node(state)

    # --- the tree -----------------------------------------------------------------------------------------------------

    def plain(self, state: State) -> list[int]:
        return [int(number) for number in state]

    def new_node(self, state: State) -> Node:
        numbers = self.plain(state)
        phi = tuple(whole(self.phi(state, player)) if self.phi else 0 for player in (0, 1))
        if self.game.ended(numbers):
            coarse = math.floor(abs(self.game.score(numbers, 0)) * 2**14 + 0.5)
            exact = int(math.copysign(coarse, self.game.score(numbers, 0))) * 2**16
            return Node(state, -1, exact, exact, phi)  # type: ignore[arg-type]
        return Node(state, self.game.to_move(numbers), -FINE, FINE, phi)  # type: ignore[arg-type]

    def legal(self, state: State) -> list[int]:
        out = [0] * self.game.MAX_LEGAL
        return out[: self.game.legal(self.plain(state), out)]

    def after(self, state: State, action: int) -> State:
        numbers = self.plain(state)
        self.game.play(numbers, action)
        return np.array(numbers, np.int16)

    def solved(self, node: Node) -> bool:
        return node.low == node.high and (self.settings.proofs or node.mover < 0)

    def expand(self, node: Node, logits: npt.NDArray[np.float32]) -> None:
        """Softmax over the legal actions in whole numbers; logits are cut to multiples of 2**-20 first."""
        actions = self.legal(node.state)
        if self.settings_tokens:
            raw = [int(float(logits[i]) * 2**20) for i in range(len(actions))]
        else:
            raw = [int(float(logits[self.slot(node.state, action)]) * 2**20) for action in actions]
        weights = [int(exp((x - max(raw)) / 2**20) * FINE) + 1 for x in raw]
        for action, weight in zip(actions, weights, strict=True):
            node.edges[action] = Edge(action, int(weight * (FINE / float(sum(weights)))))

    settings_tokens = False  # whether logits come in the order of the legal actions

    # --- a simulation -------------------------------------------------------------------------------------------------

    def run(self, simulations: int | None = None) -> "Twin":
        """Search until so many simulations are done or the root is solved."""
        limit = self.done + (self.settings.simulations if simulations is None else simulations)
        self.limit = limit
        waiting: list[tuple[Path, Node]] = []
        while True:
            for path, leaf in waiting:
                self.answer(path, leaf)
            waiting = []
            for place in range(self.settings.leaves):
                found = self.find(place, waiting, limit)
                if found is not None:
                    waiting.append(found)
            if not waiting and (self.done >= limit or self.solved(self.root)):
                return self

    def find(self, place: int, waiting: list[tuple[Path, Node]], limit: int) -> tuple[Path, Node] | None:
        """A leaf for one place. Finished games on the way are backed up at once."""
        for _ in range(self.settings.tries):
            if self.done + len(waiting) >= limit or self.solved(self.root):
                return None
            path: Path = []
            leaf = self.descend(self.root, path)
            if any(leaf is other for _, other in waiting):
                for node, edge in path:
                    node.visits -= 1
                    edge.visits -= 1
                    edge.worth += self.losses * FINE
                return None
            leaf.visits += 1
            if not self.solved(leaf):
                return path, leaf
            self.back_up(path, leaf, leaf.low)
        return None

    def descend(self, node: Node, path: Path) -> Node:
        if not node.edges or (path and self.solved(node)):
            return node
        edge = self.choose(node)
        edge.visits += 1
        edge.worth -= self.losses * FINE
        node.visits += 1
        path.append((node, edge))
        if edge.child is None:
            edge.child = self.new_node(self.after(node.state, edge.action))
            return edge.child
        return self.descend(edge.child, path)

    def answer(self, path: Path, leaf: Node) -> None:
        assert self.judge is not None
        logits, value = self.judge(leaf.state)
        leaf.own = leaf.sign * whole(min(max(value, -1.0), 1.0))
        self.asked += 1
        if not leaf.edges:
            self.expand(leaf, logits)
        if leaf is self.root:
            self.prepare_root()
        self.back_up(path, leaf, leaf.own)

    def back_up(self, path: Path, leaf: Node, value: int) -> None:
        """To player 0's total everywhere, to each edge as its mover sees it; bounds cut values, then get narrower."""
        self.done += 1
        leaf.total += value
        gains = {0: 0, 1: 0, -1: 0}
        after = leaf
        for node, edge in reversed(path):
            if self.settings.proofs and after is not leaf:
                value = min(max(value, after.low), after.high)
            if self.settings.shaping:
                before = node.phi[node.mover]
                gains[node.mover] += int(self.settings.gamma * after.phi[node.mover]) - before
            node.total += value
            edge.worth += node.sign * value + gains[node.mover] + self.losses * FINE
            after = node
        if self.settings.proofs and leaf.low == leaf.high:
            behind = leaf
            for node, edge in reversed(path):
                edge.low, edge.high = behind.low, behind.high
                best = max if node.mover == 0 else min
                node.low = best(one.low for one in node.edges.values())
                node.high = best(one.high for one in node.edges.values())
                behind = node

    # --- to be filled in ----------------------------------------------------------------------------------------------

    def choose(self, node: Node) -> Edge:
        raise NotImplementedError

    def prepare_root(self) -> None:
        pass

    def weights(self) -> dict[int, int]:
        raise NotImplementedError

    # --- what came of it ----------------------------------------------------------------------------------------------

    def usable(self, edge: Edge) -> bool:
        """False where another move is surely better, or where this one has lost and another may not have."""
        if not self.settings.proofs:
            return True
        root, sign = self.root, self.root.sign
        best_case = max(sign * edge.low, sign * edge.high)
        floor, ceiling = sorted((sign * root.low, sign * root.high))
        return not (best_case < floor or (best_case == -FINE and ceiling > -FINE))

    def policy(self) -> dict[int, float]:
        root = self.root
        if self.settings.proofs and root.low == root.high:
            raw = {
                action: 1 + edge.visits if edge.known and edge.low == root.low else 0
                for action, edge in root.edges.items()
            }
        else:
            raw = self.weights()
        if sum(raw.values()) == 0:
            raw = {action: edge.prior + 1 if self.usable(edge) else 0 for action, edge in root.edges.items()}
        return {action: weight / sum(raw.values()) for action, weight in raw.items()}

    def leader(self) -> int:
        edges = self.root.edges.values()
        pool = [edge for edge in edges if self.usable(edge)] or list(edges)
        if pool == list(edges) and not any(self.usable(edge) for edge in edges):
            return next(iter(self.root.edges))
        return max(pool, key=lambda edge: (edge.visits, edge.prior, -edge.action)).action

    def best(self) -> int:
        """The leader; a proven move where that is worth at least as much, unless it has lost."""
        leader, sign = self.root.edges[self.leader()], self.root.sign
        known = [edge for edge in self.root.edges.values() if edge.known]
        if not self.settings.proofs or not known:
            return leader.action
        sure = max(known, key=lambda edge: (sign * edge.low, -edge.action))
        if (leader.known and sign * leader.low >= sign * sure.low) or sign * sure.low <= -FINE:
            return leader.action
        hope = -1.0
        if leader.known:
            hope = sign * leader.low / FINE
        elif leader.visits:
            hope = leader.q()
        return sure.action if sign * sure.low / FINE >= hope else leader.action

    def visits(self) -> list[int]:
        return [edge.visits for edge in self.root.edges.values()]


class Puct(Twin):
    """Q + c P sqrt(sum N) / (1 + N)."""

    noisy = True

    def factor(self, node: Node) -> float:
        s = self.settings
        c = s.c + log((1.0 + node.visits + s.c_base) / s.c_base) if s.c_base > 0 else s.c
        return c * math.sqrt(float(max(node.visits - 1, 1)))

    def unvisited(self, node: Node) -> float:
        if self.settings.fpu < 0:
            return 0.0
        seen = sum(edge.prior for edge in node.edges.values() if edge.visits)
        mean = node.sign * (node.total / (float(max(node.visits, 1)) * FINE))
        return mean - self.settings.fpu * math.sqrt(seen / float(FINE))

    def choose(self, node: Node) -> Edge:
        best, found = -math.inf, None
        weight, unvisited = self.factor(node) / FINE, self.unvisited(node)
        for edge in node.edges.values():
            score = (edge.q() if edge.visits else unvisited) + weight * edge.prior / (1.0 + edge.visits)
            wanted = self.settings.forced * edge.prior * (node.visits - 1)
            if node is self.root and edge.visits and edge.visits**2 * float(FINE) < wanted:
                score = 1e20 + edge.prior
            if self.settings.proofs and edge.known:
                score = -1e30
            if score > best:
                best, found = score, edge
        assert found is not None
        return found

    def prepare_root(self) -> None:
        """Dirichlet noise, where asked for."""
        share, edges = self.settings.noise, list(self.root.edges.values())
        if share <= 0:
            return
        alpha = self.settings.alpha if self.settings.alpha > 0 else 10.0 / len(edges)
        drawn = [whole(min(gamma_variate(alpha, self.seed, self.ply, i), 1000.0)) + 1 for i in range(len(edges))]
        for edge, part in zip(edges, drawn, strict=True):
            edge.prior = int((1.0 - share) * edge.prior + share * FINE * (part / float(sum(drawn))))

    def weights(self) -> dict[int, int]:
        return {edge.action: self.earned(edge) if self.usable(edge) else 0 for edge in self.root.edges.values()}

    def earned(self, edge: Edge) -> int:
        """Forced playouts are taken back one by one, as long as PUCT would not have wanted the edge next anyway."""
        n, best = edge.visits, self.root.edges[self.leader()]
        if self.settings.forced <= 0 or edge is best or n == 0:
            return n
        weight = self.factor(self.root)
        goal = weight * (best.prior / FINE) / (1.0 + best.visits) + (best.q() if best.visits else 0.0)
        taken_back = int(math.sqrt(self.settings.forced * (edge.prior / FINE) * (self.root.visits - 1)))
        while taken_back > 0 and n > 0 and edge.q() + weight * (edge.prior / FINE) / float(n) < goal:
            n, taken_back = n - 1, taken_back - 1
        return n if n > 1 else 0


class Uct(Twin):
    """Q + c sqrt(ln N / n), unvisited moves first; a leaf's value is that of a random game from it."""

    def run(self, simulations: int | None = None) -> "Twin":
        limit = self.done + (self.settings.simulations if simulations is None else simulations)
        while self.done < limit and not self.solved(self.root):
            path: Path = []
            leaf = self.descend(self.root, path)
            leaf.visits += 1
            if leaf.visits > 1 and not self.solved(leaf):
                actions = self.legal(leaf.state)
                leaf.edges = {action: Edge(action, FINE // len(actions)) for action in actions}
                leaf.visits -= 1
                leaf = self.descend_once_more(leaf, path)
            self.back_up(path, leaf, leaf.low if self.solved(leaf) else self.random_game(leaf.state))
        if not self.root.edges:
            self.root.edges = {action: Edge(action, FINE) for action in self.legal(self.root.state)}
        return self

    def descend_once_more(self, node: Node, path: Path) -> Node:
        leaf = self.descend(node, path)
        leaf.visits += 1
        return leaf

    def random_game(self, state: State) -> int:
        numbers = self.plain(state)
        h, plies = word(self.seed, PLAYOUT, self.ply, self.asked), 0
        self.asked += 1
        out = [0] * self.game.MAX_LEGAL
        while not self.game.ended(numbers):
            h = mix(h, plies)
            count = self.game.legal(numbers, out)
            self.game.play(numbers, out[(h * count) >> 32])
            plies += 1
        return whole(self.game.score(numbers, 0))

    def choose(self, node: Node) -> Edge:
        def score(edge: Edge) -> float:
            if self.settings.proofs and edge.known:
                return -1e30
            if edge.visits == 0:
                return 1e20
            return edge.q() + self.settings.c * math.sqrt(log(float(node.visits)) / edge.visits)

        return max(node.edges.values(), key=lambda edge: (score(edge), -edge.action))

    def weights(self) -> dict[int, int]:
        return {edge.action: edge.visits if self.usable(edge) else 0 for edge in self.root.edges.values()}


class Gumbel(Twin):
    """Sequential halving at the root; below it, the visits follow softmax(log P + sigma(completed Q))."""

    def prepare_root(self) -> None:
        self.draws = {}
        for i, edge in enumerate(self.root.edges.values()):
            gumbel = -log(-log(uniform(self.seed, NOISE, self.ply, i))) * self.settings.gumbel_scale
            self.draws[edge.action] = gumbel + log(edge.prior / FINE)
        self.schedule = self.halving(min(len(self.root.edges), self.settings.considered), self.limit)

    @staticmethod
    def halving(width: int, budget: int) -> list[int]:
        """For each visit, how many visits its edge must have had (appendix of the paper, as a list)."""
        rounds = max(1, math.ceil(math.log2(width)))
        schedule: list[int] = []
        had, left = 0, width
        while len(schedule) < budget:
            for _ in range(max(1, budget // (rounds * left))):
                schedule += [had] * left
                had += 1
            left = left // 2 if left >= 4 else min(left, 2)
        return schedule

    def choose(self, node: Node) -> Edge:
        edges = list(node.edges.values())
        if node is self.root:
            wanted = self.schedule[sum(edge.visits for edge in edges)]
            pool = [edge for edge in edges if edge.visits == wanted]
            sigma, unvisited = self.sigma(node), self.mixed(node)

            def promise(edge: Edge) -> tuple[float, int]:
                return self.draws[edge.action] + sigma * self.completed(node, edge, unvisited), -edge.action

            return max(pool, key=promise)
        improved, visits = self.improved(node), sum(edge.visits for edge in edges)
        total = float(sum(improved.values()))

        def lag(edge: Edge) -> tuple[float, int]:
            if self.settings.proofs and edge.known:
                return -1e30, -edge.action
            return improved[edge.action] / total - edge.visits / (1.0 + visits), -edge.action

        return max(edges, key=lag)

    def sigma(self, node: Node) -> float:
        most = max(edge.visits for edge in node.edges.values())
        return (self.settings.c_visit + float(most)) * self.settings.c_scale

    def mixed(self, node: Node) -> float:
        """The node's own value and its visited edges', mixed (eq. 33 of the paper)."""
        visited = [edge for edge in node.edges.values() if edge.visits]
        own = float(node.sign * node.own)
        if visited:
            visits = sum(edge.visits for edge in visited)
            seen = float(max(sum(edge.prior for edge in visited), 1)) / FINE
            weighted = sum(int(edge.worth / float(edge.visits) * (edge.prior / FINE)) for edge in visited)
            own = (own + visits * (weighted / seen)) / (1.0 + visits)
        return min(max(own / FINE, -1.0), 1.0)

    def completed(self, node: Node, edge: Edge, unvisited: float) -> float:
        q = unvisited
        if edge.visits:
            q = edge.q()
        if self.settings.proofs and edge.known:
            q = node.sign * (edge.low / FINE)
        return 0.5 + 0.5 * q

    def improved(self, node: Node) -> dict[int, int]:
        sigma, unvisited = self.sigma(node), self.mixed(node)
        raw = {
            edge.action: log(max(edge.prior, 1) / FINE) + sigma * self.completed(node, edge, unvisited)
            for edge in node.edges.values()
        }
        top = max(raw.values())
        return {action: int(exp(x - top) * FINE) + 1 for action, x in raw.items()}

    def weights(self) -> dict[int, int]:
        return self.improved(self.root)

    def leader(self) -> int:
        most = max(edge.visits for edge in self.root.edges.values())
        pool = [edge for edge in self.root.edges.values() if edge.visits == most]
        sigma, unvisited = self.sigma(self.root), self.mixed(self.root)
        return max(
            pool,
            key=lambda e: (self.draws[e.action] + sigma * self.completed(self.root, e, unvisited), -e.action),
        ).action


TWINS = {"puct": Puct, "uct": Uct, "gumbel": Gumbel}
