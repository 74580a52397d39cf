"""The pages of the games say what is: settings, encodings, sizes, counts, commands."""

import re
import shlex
from pathlib import Path

import pytest

import zerogrid
from house.truth import TRUTH
from zerogrid.cli.frame import run
from zerogrid.encodings.catalogue import SHELF

PAGES = Path(__file__).resolve().parents[2] / "docs" / "games"


def page(name: str) -> str:
    assert (PAGES / f"{name}.md").is_file(), f"write docs/games/{name}.md; look at docs/games/connect_four.md"
    return (PAGES / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", zerogrid.names())
def test_a_page_names_every_setting_with_its_default(name: str) -> None:
    for setting in zerogrid.game(name).declared.values():
        default = str(setting.default).lower()
        assert f"`{setting.name}` | `{default}` |" in page(name), f"docs/games/{name}.md: say what {setting.name} is"
        for choice in setting.choices or ():
            assert f"`{choice}`" in page(name)


@pytest.mark.parametrize("name", zerogrid.names())
def test_a_page_names_every_encoding_and_its_pictures_exist(name: str) -> None:
    for encoding in SHELF.names_for(zerogrid.game(name)):
        assert f"`{encoding}`" in page(name), f"docs/games/{name}.md: name the encoding {encoding}"
    for picture in re.findall(r"!\[.+?\]\((.+?)\)", page(name)):
        assert (PAGES / picture).is_file()


@pytest.mark.parametrize("name", zerogrid.names())
def test_the_numbers_of_a_page_are_those_of_the_game(name: str) -> None:
    rows = re.findall(r"^\| `(\S+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page(name), re.MULTILINE)
    what = "| `board` | numbers in a state | actions | legal at most | plays at most | symmetries |"
    assert rows, f"docs/games/{name}.md: a table with lines such as {what}"
    for spec, *numbers in rows:
        game = zerogrid.game(spec)
        counted = [game.STATE_SIZE, game.ACTIONS, game.MAX_LEGAL, game.MAX_PLIES, len(game.symmetries)]
        assert counted == [int(number) for number in numbers], spec


@pytest.mark.parametrize("name", zerogrid.names())
def test_the_counts_of_a_page_are_the_known_ones(name: str) -> None:
    rows = dict(re.findall(r"^\| `(\S+)` \| ([\d,]+, [\d, ]+)(?: …)? \|$", page(name), re.MULTILINE))
    for spec, counts in rows.items():
        known = TRUTH["gomoku:3x3x3" if spec == "tictactoe" else spec]["leaves"]
        numbers = [int(number.replace(",", "")) for number in counts.strip().split(", ")]
        assert numbers == known[: len(numbers)], spec
    assert set(rows) >= {spec for spec in TRUTH if spec.partition(":")[0] == name}


@pytest.mark.parametrize("name", zerogrid.names())
def test_the_commands_of_a_page_work(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^    zerogrid (.+)$", page(name), re.MULTILINE)
    assert commands, f"docs/games/{name}.md: give an example, four spaces and zerogrid show {name} ..."
    for command in commands:
        assert run(shlex.split(command)) == 0, command
        assert capsys.readouterr().out


def test_the_index_leads_to_every_page() -> None:
    index = page("README")
    for name in zerogrid.names():
        line = f"[{zerogrid.game(name).title}]({name}.md) | `{zerogrid.game(name).spec}`"
        assert line in index, f"docs/games/README.md: a line | {line} | ..."
    for link in re.findall(r"\]\(([^)]+)\)", index):
        assert (PAGES / link).exists(), link
