"""docs/encodings.md says what is so: its examples run, and the encoding it teaches passes the check."""

import doctest
import re
from pathlib import Path

import zerogrid
from zerogrid.core.position import Position
from zerogrid.encodings import check_encoding, encoding, names_for, use_file
from zerogrid.encodings.catalogue import DEFAULTS, SHELF

PAGE = Path(__file__).resolve().parents[2] / "docs" / "encodings.md"
TEXT = PAGE.read_text("utf-8")


def test_its_examples_give_what_it_says() -> None:
    examples = re.sub(r"^```.*$", "", TEXT, flags=re.MULTILINE)
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(examples, {}, PAGE.name, str(PAGE), 0))
    assert runner.tries >= 12
    assert not runner.failures


def test_the_encoding_it_teaches_is_right(tmp_path: Path) -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "game_module" in block)
    (tmp_path / "rows.py").write_text(code)
    try:
        spec = use_file(tmp_path / "rows.py")
        report = check_encoding("tictactoe", f"{spec},history=2", targets=("python", "cpu"))
        assert report.ok, str(report)
        assert report.targets == ["python", "cpu"]
        position = Position.parse("tictactoe\nx x .\no . .\no . .\nturn 0\nstones 4\nend 0\nlast 6")
        made = encoding("tictactoe", spec)
        assert made.encode(position)[..., 2].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    finally:
        for kept in (SHELF._from_files, SHELF._code, SHELF._declared, SHELF._names):
            kept.clear()


def test_every_encoding_and_every_default_is_on_the_page() -> None:
    for game in zerogrid.names():
        for name in names_for(game):
            assert f"`{name}`" in TEXT
    table = dict(re.findall(r"^\| ([^|]+) \| [^|]+ \| `(\w+)` \|$", TEXT, re.MULTILINE))
    for game, name in DEFAULTS.items():
        title = zerogrid.game(game).title
        assert any(title.lower() in games.lower() for games in table if table[games] == name), (game, name)
