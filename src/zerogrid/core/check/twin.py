"""Two games side by side: a game and its twin, written another way, must agree about everything but their states."""

from zerogrid.core import draws
from zerogrid.core.check.guarded import GuardedRules, State, Trouble
from zerogrid.core.check.report import Report, Where
from zerogrid.core.game import Game


def compare_with_twin(rules: GuardedRules, twin: Game, report: Report, games: int) -> None:
    """Play random games in both and compare what they say at every ply."""
    if rules.game.ACTIONS != twin.ACTIONS:
        words = f"the twin {twin.spec} has {twin.ACTIONS} actions, this game {rules.game.ACTIONS}"
        report.add("twin", f"{words}; compare games whose actions have the same numbers.")
        return
    other = GuardedRules(twin)
    for seed in range(games):
        where = Where(seed)
        try:
            where = _play_both(rules, other, seed)
        except _Apart as apart:
            report.add(apart.trouble.name, apart.trouble.sentence, apart.where)
        except Trouble as trouble:
            report.add(trouble.name, trouble.sentence, where)


class _Apart(Exception):
    def __init__(self, trouble: Trouble, where: Where) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble
        self.where = where


def _play_both(rules: GuardedRules, other: GuardedRules, seed: int) -> Where:
    where = Where(seed)
    one, two = rules.start(seed), other.start(seed)
    for ply in range(rules.game.MAX_PLIES + 1):
        difference = _difference(rules, other, one, two)
        if difference is not None:
            raise _Apart(difference, where)
        legal = rules.legal(one)
        if not legal:
            break
        action = legal[draws.below(len(legal), seed, draws.TEST, ply, 0)]
        rules.play(one, action)
        other.play(two, action)
        where = where.then(action)
    return where


def _difference(rules: GuardedRules, other: GuardedRules, one: State, two: State) -> Trouble | None:
    game = rules.game
    legal, twin_legal = rules.legal(one), other.legal(two)
    ended, twin_ended = rules.ended(one), other.ended(two)
    if (ended > 0) != (twin_ended > 0):
        words = "is over here and goes on" if ended else "goes on here and is over"
        return Trouble("twin_ended", f"the game {words} in its twin; look at what play and ended do.")
    if rules.to_move(one) != other.to_move(two) and not ended:
        mover = game.players[rules.to_move(one)]
        mend = "is an extra turn or a pass forgotten, or given where there is none?"
        return Trouble("twin_to_move", f"{mover} is to move here, the other player in the twin; {mend}")
    missing = [action for action in twin_legal if action not in legal]
    extra = [action for action in legal if action not in twin_legal]
    if missing or extra:
        name = game.action_name((missing or extra)[0])
        words = f"{name} is {'not legal here but' if missing else 'legal here but not'} in the twin"
        return Trouble("twin_legal", f"{words}; look at what legal allows.")
    if ended:
        score, twin_score = rules.score(one, 0), other.score(two, 0)
        if score != twin_score:
            words = f"{game.players[0]} scores {score:g} here and {twin_score:g} in the twin"
            mend = "look at what score says of this ending"
            return Trouble("twin_score", f"{words} ({game.ENDINGS[ended - 1]}); {mend}.")
        reason, twin_reason = game.ENDINGS[ended - 1], other.game.ENDINGS[twin_ended - 1]
        if game.ENDINGS == other.game.ENDINGS and reason != twin_reason:
            return Trouble("twin_ending", f"the game is over here because {reason!r}, in the twin {twin_reason!r}.")
    return None
