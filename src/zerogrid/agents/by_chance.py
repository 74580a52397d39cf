"""random: any legal move, each as likely."""

from zerogrid.agents.agent import RuleAgent, pick
from zerogrid.core.position import Position


class RandomAgent(RuleAgent):
    """Knows the rules and nothing else."""

    def move(self, position: Position, seed: int) -> int:
        return pick(position.actions, position, seed)
