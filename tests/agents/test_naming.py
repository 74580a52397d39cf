"""Agents by name: every form there is, and a sentence for everything that is none."""

import json
from pathlib import Path

import pytest

import zerogrid
from zerogrid.agents.agent import UnknownAgent
from zerogrid.agents.naming import agent_for, names_for
from zerogrid.agents.places import checkpoint_model
from zerogrid.core.errors import ZeroGridError

GAME = zerogrid.game("gomoku:6x6x4")


@pytest.mark.parametrize("name, words", [
    ("", "there is no agent"),
    ("uct", "needs a number, as in uct:1000"),
    ("uct:many", "must be a whole number"),
    ("uct:0", "from 1 to"),
    ("utc:100", 'Did you mean "uct"'),
    ("uct:100@sims=4", "has no option \"sims\"; it has seconds, c, batch"),
    ("uct:100@seconds=-1", "must be a number"),
    ("uct:100@seconds=1,seconds=2", "given twice"),
    ("random:7", "takes nothing behind a colon"),
    ("alphabeta:99", "from 1 to 30"),
    ("alphabeta:2@potential=none,x=1", "no option"),
    ("greedy", "dots_and_boxes and pawn_dama only"),
    ("naive:9", "from 0 to 3"),
    ("net", "needs a model file"),
    ("net:/no/such/file", "there is no model file"),
    ("run:nothing", "there is no run"),
    ("solver@memory=lots", "512M or 2G"),
    ("random\x00", "is not the name"),
    ("r" * 2000, "is not the name"),
])
def test_a_name_that_is_none_gets_a_sentence_with_what_there_is(name: str, words: str) -> None:
    with pytest.raises(ZeroGridError) as refusal:
        agent_for(name, GAME)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_each_game_lists_its_own_agents() -> None:
    assert {"random", "beginner", "uct:SIMULATIONS", "gomocup:COMMAND"} <= set(names_for(GAME))
    assert "greedy" not in names_for(GAME)
    assert "greedy" in names_for(zerogrid.game("pawn_dama:5x5"))
    assert "rush" in names_for(zerogrid.game("battlefield:7x7"))


def test_an_agent_keeps_its_name() -> None:
    for name in ("random", "naive:2", "alphabeta:2"):
        assert agent_for(name, GAME).name == name
    assert agent_for("hold", zerogrid.game("battlefield:7x7")).name == "hold"


def lay(folder: Path, *iterations: int, champion: int | None = None) -> None:
    """A run's folder as far as agents look at it."""
    for iteration in iterations:
        place = folder / "checkpoints" / f"{iteration:06d}"
        place.mkdir(parents=True)
        (place / "model.safetensors").write_bytes(b"")
        (place / "manifest.json").write_text("{}")
    if champion is not None:
        lines = [json.dumps({"iteration": n}) for n in iterations if n <= champion]
        (folder / "champions.jsonl").write_text("\n".join([*lines, "not json"]) + "\n")


def test_a_run_is_played_by_its_champion_or_by_the_checkpoint_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lay(tmp_path / "runs" / "first", 10, 20, 30, champion=20)
    lay(tmp_path / "runs" / "second", 5, 7)
    assert checkpoint_model("first", None).parent.name == "000020"
    assert checkpoint_model("first", 30).parent.name == "000030"
    assert checkpoint_model("second", None).parent.name == "000007"
    assert checkpoint_model(str(tmp_path / "runs" / "first"), 10).parent.name == "000010"
    with pytest.raises(UnknownAgent, match="there are 10, 20, 30"):
        checkpoint_model("first", 40)
    with pytest.raises(UnknownAgent, match="there are first, second"):
        checkpoint_model("third", None)


def test_a_checkpoint_without_its_manifest_does_not_exist(tmp_path: Path) -> None:
    lay(tmp_path / "run", 1, 2)
    (tmp_path / "run" / "checkpoints" / "000002" / "manifest.json").unlink()
    assert checkpoint_model(str(tmp_path / "run"), None).parent.name == "000001"
