"""check_game, as people call it: the game itself (core/check), then the encodings that show it to networks.

    report = zerogrid.check_game("my_game")
    print(report)
"""

from collections.abc import Sequence

from zerogrid.core.check import Report, Tell
from zerogrid.core.check import check_game as check_rules
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.catalogue import default_name, names_for
from zerogrid.encodings.check import check_encoding

POSITIONS = 24


def check_game(
    game: Game | str,
    twin: Game | str | None = None,
    targets: Sequence[str] = ("python", "cpu", "cuda"),
    tell: Tell | None = None,
) -> Report:
    """Look for everything that is wrong with a game; what is looked at stands in zerogrid.core.check."""
    return check_rules(game, twin, targets, tell, more=(check_encodings,))


def check_encodings(game: Game, targets: Sequence[str], tell: Tell, report: Report) -> None:
    """Every encoding of the game in plain Python, and the one it has by default on all targets."""
    usual = default_name(game)
    known = sorted(names_for(game), key=lambda name: name != usual)
    for number, name in enumerate(known):
        tell("encodings", number, len(known))
        try:
            found = check_encoding(game, name, ("python",) if number else targets, POSITIONS)
        except ZeroGridError as error:
            report.add(f"encoding_{name}", f"the encoding {name} cannot be made: {error}")
            continue
        for finding in found.findings:
            sentence = f"as the encoding {found.encoding} shows it: {finding.sentence}"
            report.add(f"encoding_{name}_{finding.name}", sentence, finding.where)
