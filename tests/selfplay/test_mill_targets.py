"""Compiled self-play brings in what plain Python does, and threads change nothing."""

import threading

import pytest

import zerogrid
from selfplay.replaying import SEARCH, judge, mill, same, settings
from zerogrid.core.errors import BadSetting, ZeroGridError
from zerogrid.evaluators.evaluator import BadAnswer, Batch
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay import mill as mills
from zerogrid.selfplay.settings import PlaySettings

GAME = zerogrid.game("tictactoe")
PLAY = settings(
    cap_share=0.7, cap_simulations=4, resign_check=0.3, target_temperature=0.8, temperature=((0, 1.0), (4, 0.3))
)


def test_compiled_self_play_brings_in_the_same() -> None:
    plain, compiled = mill(GAME, PLAY), mill(GAME, PLAY, target="cpu")
    for more in ({}, {"random_moves": 3, "resign": 0.4}):
        same(plain.play(judge(plain), positions=30, **more), compiled.play(judge(compiled), positions=30, **more))


def test_the_number_of_threads_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mills, "ROOM_GAMES", 2)  # so that these few games are three rooms
    one, three = mill(GAME, PLAY, target="cpu"), mill(GAME, PLAY, target="cpu", threads=3)
    used: set[int] = set()
    evaluator = judge(three)
    plain = evaluator.evaluate

    def noted(batch: Batch) -> None:
        used.add(threading.get_ident())
        plain(batch)

    monkeypatch.setattr(evaluator, "evaluate", noted)
    for _ in range(2):
        same(one.play(judge(one), positions=40), three.play(evaluator, positions=40))
    assert len(used) > 1


def test_an_evaluator_that_gives_no_numbers_is_named() -> None:
    one = mill(GAME, PLAY, target="cpu")
    wrong = judge(one)

    def silent(batch: Batch) -> None:
        batch.logits[:] = 0
        batch.values[:] = float("nan")

    wrong.evaluate = silent  # type: ignore[method-assign]
    with pytest.raises(BadAnswer, match="no evaluations"):
        one.play(wrong, positions=10)


def test_being_asked_to_stop_stops() -> None:
    one = mill(GAME, PLAY, target="cpu")
    with pytest.raises(KeyboardInterrupt):
        one.play(judge(one), positions=10**6, stop=lambda: True)
    assert one.play(judge(one), positions=10).positions >= 10  # and playing goes on when asked again


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"search": SearchSettings(kind="uct")}, "uct"),
        ({"games": 0}, "games"),
        ({"cap_share": 0.0}, "cap_share"),
        ({"cap_share": 0.5, "cap_simulations": 0}, "cap_simulations"),
        ({"temperature": ((3, 1.0),)}, "ply 0"),
        ({"temperature": ((0, -1.0),)}, "temperature"),
        ({"target_temperature": 0.0}, "target_temperature"),
        ({"draw_value": 2.0}, "draw_value"),
        ({"resign_check": 1.5}, "resign_check"),
        ({"gamma": float("nan")}, "gamma"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        PlaySettings(**{"search": SEARCH, **changes})  # type: ignore[arg-type]


def test_shaped_targets_need_a_potential() -> None:
    one = mill(GAME, settings(shaped_targets=True))
    with pytest.raises(ZeroGridError, match="potential"):
        one.play(judge(one), positions=1)
