"""Records a game for tests/data/playthroughs: what it shows, the game, its moves.

    python tests/games/record.py "Gomoku: black completes four." gomoku:5x5x4 a1 b1 a2 b2 a3 b3 a4
    python tests/games/record.py "..." battlefield:5x5 --seed 3 --as battlefield_zone wait+wait ...
    python tests/games/record.py --again          writes all records anew after rules or texts have changed

Read what it wrote, line by line: from then on a test holds the rules to it. After --again, read `git diff`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.playthrough import FOLDER, read, records, write
from zerogrid.core.errors import ZeroGridError


def main() -> None:
    """Write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("about", nargs="?", help="one line: what the game shows")
    parser.add_argument("game", nargs="?", help="such as gomoku:5x5x4")
    parser.add_argument("moves", nargs="*", help="names or numbers")
    parser.add_argument("--seed", type=int, default=0, help="for games with chance")
    parser.add_argument("--as", dest="name", help="the file's name, if it is not the game's")
    parser.add_argument("--again", action="store_true", help="write all records anew")
    asked = parser.parse_intermixed_args()
    if asked.again:
        for name, record in records().items():
            (FOLDER / f"{name}.txt").write_text(write(*read(record)), encoding="utf-8")
        return
    if not asked.about or not asked.game:
        parser.error("say what the game shows, and which game it is")
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{asked.name or asked.game.partition(':')[0].partition(',')[0]}.txt"
    try:
        record = write(asked.about, asked.game, asked.seed, asked.moves)
    except ZeroGridError as error:
        parser.exit(2, f"{error}\n")
    file.write_text(record, encoding="utf-8")
    print(record)


if __name__ == "__main__":
    main()
