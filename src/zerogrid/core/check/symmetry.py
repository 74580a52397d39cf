"""Symmetries: tables that are permutations, and games played side by side with their images."""

from collections.abc import Iterable, Sequence

import numpy as np

from zerogrid.core import draws
from zerogrid.core.check.guarded import GuardedRules, State, Trouble
from zerogrid.core.check.plays import Sample
from zerogrid.core.check.report import Report
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.symmetry import Symmetry

MOST_AT_A_TIME = 8  # symmetries tried on one position; with more, other positions try others


def check_symmetries(rules: GuardedRules, samples: Sequence[Sample], report: Report) -> None:
    """Every symmetry keeps the rules: legal actions, whose turn it is, the end, the scores, and what plays lead to."""
    game = rules.game
    try:
        symmetries = game.symmetries
    except Exception as error:
        report.add("symmetries", f"symmetries() fails: {type(error).__name__}: {error}.")
        return
    wrong = _fault_of_tables(game, symmetries)
    if wrong:
        report.add("symmetries", wrong)
        return
    others = symmetries[1:]
    for number, sample in enumerate(samples):
        first = number * MOST_AT_A_TIME
        count = min(MOST_AT_A_TIME, len(others))
        for symmetry in (others[(first + i) % len(others)] for i in range(count)):
            try:
                _compare(rules, symmetry, sample)
            except Trouble as trouble:
                report.add(trouble.name, f"{trouble.sentence[:-1]} (symmetry {quote(symmetry.name)}).", sample.where)


def _fault_of_tables(game: Game, symmetries: Sequence[Symmetry]) -> str:
    cells = {part.length for part in game.layout.fields if part.kind == "cells"}
    if not symmetries or not _is_identity(symmetries[0]):
        return "the first of symmetries() must be the identity, which moves nothing."
    for symmetry in symmetries:
        tables: list[tuple[str, Iterable[int], int]] = [("actions", symmetry.actions, game.ACTIONS)]
        tables += [("cells", symmetry.cells, length) for length in cells if length not in _own_lengths(game, symmetry)]
        for name, entries in symmetry.entries.items():
            part = next((one for one in game.layout.fields if one.name == name), None)
            if part is None:
                known = ", ".join(one.name for one in game.layout.fields)
                return f"symmetry {quote(symmetry.name)} has entries for {quote(name)}; the LAYOUT has {known}."
            tables.append((f"entries of {name}", entries, part.length))
        for name, table, length in tables:
            if sorted(table) != list(range(length)):
                right = f"a permutation of 0 to {length - 1}: every number once"
                return f"the {name} of symmetry {quote(symmetry.name)} are not {right}."
    seen: dict[tuple[object, ...], str] = {}
    for symmetry in symmetries:
        same = seen.setdefault(_tables(symmetry), symmetry.name)
        if same is not symmetry.name:
            return f"symmetries {quote(same)} and {quote(symmetry.name)} are the same; name each only once."
    return ""


def _own_lengths(game: Game, symmetry: Symmetry) -> set[int]:
    """The lengths of fields of cells for which the symmetry has a table of their own."""
    of_cells = [part for part in game.layout.fields if part.kind == "cells"]
    own = {part.length for part in of_cells if part.name in symmetry.entries}
    return own - {part.length for part in of_cells if part.name not in symmetry.entries}


def _tables(symmetry: Symmetry) -> tuple[object, ...]:
    entries = tuple((name, tuple(table)) for name, table in sorted(symmetry.entries.items()))
    return tuple(symmetry.cells), tuple(symmetry.actions), entries


def _is_identity(symmetry: Symmetry) -> bool:
    tables = (symmetry.cells, symmetry.actions, *symmetry.entries.values())
    return all(list(table) == list(range(len(table))) for table in tables)


def inverse(symmetry: Symmetry) -> Symmetry:
    """The symmetry that takes everything back."""

    def back(table: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(place) for place in np.argsort(table))

    entries = {name: back(table) for name, table in symmetry.entries.items()}
    return Symmetry(f"back from {symmetry.name}", back(symmetry.cells), back(symmetry.actions), entries)


def _compare(rules: GuardedRules, symmetry: Symmetry, sample: Sample) -> None:
    game = rules.game
    image = game.image(symmetry, sample.state)
    if not np.array_equal(game.image(inverse(symmetry), image), sample.state):
        raise Trouble("symmetry_state", "the image of a position, moved back, is another position.")
    expected = sorted(symmetry.actions[action] for action in sample.legal)
    found = rules.legal(image)
    if found != expected:
        raise Trouble("symmetry_legal", _differing_masks(game, symmetry, sample, found))
    if rules.to_move(image) != sample.mover:
        raise Trouble("symmetry_to_move", "in the image of a position the other player is to move.")
    if rules.ended(image) != sample.ended:
        words = f"ended returns {sample.ended} for a position and {rules.ended(image)} for its image"
        raise Trouble("symmetry_ended", f"{words}; look for rows, columns or corners that are treated differently.")
    if sample.ended and (rules.score(image, 0), rules.score(image, 1)) != sample.scores:
        words = f"player 0 scores {sample.scores[0]:g} in a position and {rules.score(image, 0):g} in its image"
        raise Trouble("symmetry_score", f"{words}; the score must not depend on where things stand.")
    for action in _some(sample):
        after, image_after = sample.state.copy(), image.copy()
        rules.play(after, action)
        rules.play(image_after, symmetry.actions[action])
        _compare_after(game, symmetry, action, game.image(symmetry, after), image_after)


def _compare_after(game: Game, symmetry: Symmetry, action: int, expected: State, found: State) -> None:
    differing = np.flatnonzero(expected != found)
    if not len(differing):
        return
    entry = int(differing[0])
    names = f"{game.action_name(action)} and its image {game.action_name(symmetry.actions[action])}"
    words = f"{names} lead to positions that are not images of one another: {game.layout.where(entry)} is"
    words = f"{words} {found[entry]} instead of {expected[entry]}"
    if entry >= game.layout.key_size:
        mend = "declare in LAYOUT what it holds: per_cell, per_action, a_cell, an_action or number"
        raise Trouble("symmetry_remembered", f"{words}; {mend}.")
    mend = "play treats parts of the board differently, the tables are wrong, or LAYOUT misnames what the entry holds"
    raise Trouble("symmetry_play", f"{words}; {mend}.")


def _differing_masks(game: Game, symmetry: Symmetry, sample: Sample, found: list[int]) -> str:
    for action in sample.legal:
        if symmetry.actions[action] not in found:
            image = game.action_name(symmetry.actions[action])
            names = f"{game.action_name(action)} is legal, but its image {image} is not"
            break
    else:
        extra = next(action for action in found if action not in {symmetry.actions[a] for a in sample.legal})
        names = f"{game.action_name(extra)} is legal in the image, but comes from no legal action"
    return f"{names}; either legal treats parts of the board differently, or this is no symmetry of the game."


def _some(sample: Sample) -> list[int]:
    """A few of the legal actions, others each time."""
    count = len(sample.legal)
    if count <= 4:
        return list(sample.legal)
    ply = len(sample.where.moves)
    picks = {draws.below(count, sample.where.seed, draws.TEST, ply, 100 + i) for i in range(4)}
    return [sample.legal[pick] for pick in sorted(picks)]
