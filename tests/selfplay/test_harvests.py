"""Examples of self-play are true: replayed by the rules, each state, player, result and policy is what happened."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import zerogrid
from search.judges import Hashing, opinion
from selfplay.replaying import SEARCH, after, by_game, judge, legal, mill, same, settings
from zerogrid.encodings import potential_for
from zerogrid.encodings.labels import labels_for
from zerogrid.evaluators.evaluator import Batch
from zerogrid.kernels import tree
from zerogrid.kernels.mill import seed_of_game
from zerogrid.selfplay.mill import Harvest, Mill

SPECS = ["tictactoe", "dots_and_boxes:2x2,utility=margin", "othello:4x4", "battlefield:5x5,agents=1"]


def check_against_rules(one: Mill, harvest: Harvest, draw_value: float = 0.0) -> None:
    """Every sampled game replays; its examples are its positions."""
    game, columns, rows = one.game, harvest.columns, by_game(harvest)
    seeds = {seed_of_game(one.seed, number): number for number in range(10_000)}
    assert harvest.sample
    for told in harvest.sample:
        position = game.start(told.seed)
        states, movers = [], []
        for move in told.moves:
            states.append(position.state)
            movers.append(position.to_move)
            position.play(move)
        resigned = told.ending == 0
        assert resigned or position.over
        if not resigned:
            assert told.scores == pytest.approx(position.outcome.scores, abs=1e-3)
        for row in rows.get(seeds[told.seed], []):
            ply, player = int(columns["ply"][row]), int(columns["player"][row])
            assert ply >= told.opened
            known = int(columns["known"][row])
            for back in range(known):
                np.testing.assert_array_equal(columns["state"][row, back], states[ply - back])
            assert not columns["state"][row, known:].any()
            assert player == movers[ply]
            result = told.scores[player]
            assert columns["z"][row] == pytest.approx(draw_value if result == 0 else result, abs=1e-3)
            actions, policy = legal(game, states[ply]), columns["policy"][row]
            assert policy[: len(actions)].sum() == pytest.approx(1.0, abs=1e-5)
            assert (policy >= 0).all()
            assert not policy[len(actions) :].any()
            assert -1 <= columns["q"][row] <= 1
            assert columns["initiative"][row] == labels_for(game).module.initiative(states[ply], told.moves[ply])


@pytest.mark.parametrize("spec", SPECS)
def test_every_example_is_a_position_of_its_game(spec: str) -> None:
    one = mill(zerogrid.game(spec), settings())
    harvest = one.play(judge(one), positions=40)
    assert harvest.positions >= 40
    assert len(harvest.columns["z"]) == harvest.positions
    check_against_rules(one, harvest)
    assert harvest.wins[0] + harvest.wins[1] + harvest.draws == harvest.games


def test_positions_come_with_as_much_past_as_the_encoding_shows() -> None:
    one = mill(zerogrid.game("gomoku:4x4x3"), settings(games=3), shown="stones,history=3")
    harvest = one.play(judge(one), positions=20, random_moves=4)
    assert harvest.columns["state"].shape[1] == 3
    check_against_rules(one, harvest)
    opened = harvest.columns["ply"] - harvest.columns["known"] + 1
    assert (harvest.columns["known"] == 3).any()
    assert (opened >= 0).all()


def test_games_go_on_from_call_to_call_and_their_numbers_stay_unique() -> None:
    one, numbers, games = mill(zerogrid.game("tictactoe"), settings()), Counter[int](), 0
    for _ in range(3):
        harvest = one.play(judge(one), positions=25)
        check_against_rules(one, harvest)
        numbers.update(by_game(harvest).keys())
        games += harvest.games
    assert set(numbers.values()) == {1}
    assert len(numbers) == games


def test_numbers_stay_unique_when_rivals_come_and_go() -> None:
    one, seen = mill(zerogrid.game("tictactoe"), settings()), Counter[int]()
    met = (judge(one, 1), 0.5, "met")
    for rivals in ((), (met,), (), (met,)):
        harvest = one.play(judge(one), games=8, rivals=rivals)
        seen.update(by_game(harvest).keys())
    assert set(seen.values()) == {1}


def test_as_many_games_as_are_asked_for_come_with_all_their_examples() -> None:
    one = mill(zerogrid.game("tictactoe"), settings(games=2))
    harvest = one.play(judge(one), games=12)
    assert harvest.games >= 12
    assert harvest.positions == len(harvest.columns["z"]) == harvest.plies
    check_against_rules(one, harvest)


def test_openings_are_random_and_not_learned_from() -> None:
    one = mill(zerogrid.game("gomoku:4x4x3"), settings())
    harvest = one.play(judge(one), games=24, random_moves=5)
    check_against_rules(one, harvest)
    assert {told.opened for told in harvest.sample} == set(range(6))
    assert len({told.moves[0] for told in harvest.sample if told.opened}) > 4


def test_guided_openings_keep_to_careful_moves() -> None:
    """No box is given away while another edge may be drawn: the rule of thumb of Dots-and-Boxes."""
    game = zerogrid.game("dots_and_boxes:2x2")
    rank = labels_for(game).module.rank
    one = mill(game, settings())
    harvest = one.play(judge(one), games=12, search_from=6)
    check_against_rules(one, harvest)
    for told in harvest.sample:
        assert told.opened == 6
        position = game.start(told.seed)
        for move in told.moves[:6]:
            ranks = {action: rank(position.state, action) for action in position.actions}
            assert ranks[move] == max(ranks.values())
            position.play(move)
    assert (harvest.columns["ply"] >= 6).all()


def test_games_start_from_the_archive() -> None:
    game = zerogrid.game("tictactoe")
    archived = [game.start().play(a).play(b).state for a, b in ((4, 0), (0, 8), (1, 2))]
    one = mill(game, settings())
    harvest = one.play(judge(one), games=12, archive=np.array(archived), archive_share=1.0)
    first = {tuple(harvest.columns["state"][rows[0], 0].tolist()) for rows in by_game(harvest).values()}
    assert first == {tuple(state.tolist()) for state in archived}
    assert harvest.sample == []  # moves alone do not tell these games
    assert harvest.games >= 12


def test_resigned_games_are_lost_and_some_are_played_on_to_see() -> None:
    one = mill(zerogrid.game("gomoku:4x4x3"), settings(resign_check=0.5))
    harvest = one.play(judge(one), games=24, resign=0.3)
    check_against_rules(one, harvest)
    gave_up = [told for told in harvest.sample if told.ending == 0]
    assert harvest.resigned == len(gave_up) > 0
    for told in gave_up:
        position = zerogrid.game("gomoku:4x4x3").start(told.seed)
        for move in told.moves:
            position.play(move)
        assert told.scores[position.to_move] == -1.0
    assert len(gave_up) < harvest.games
    strict = one.play(judge(one), games=4, resign=0.0)
    assert strict.resigned == strict.checked == 0


def test_a_false_resignation_is_one_that_would_not_have_lost() -> None:
    """Counted once more from what the lines say, with every game played on."""
    one = mill(zerogrid.game("tictactoe"), settings(resign_check=1.0))
    evaluator = judge(one)
    harvest = one.play(evaluator, games=30, resign=0.2)
    assert harvest.resigned == 0
    rows = by_game(harvest)
    checked = false = 0
    for number in rows:
        low = [row for row in rows[number] if harvest.columns["q"][row] < -0.2]
        if low:
            checked += 1
            false += harvest.columns["z"][low[0]] >= 0
    assert (harvest.checked, harvest.false_resigns) == (checked, false)


def test_cheap_moves_are_neither_learned_from_nor_noisy() -> None:
    play = settings(cap_share=0.4, cap_simulations=3, games=4)
    one = mill(zerogrid.game("tictactoe"), play)
    harvest = one.play(judge(one), games=30)
    check_against_rules(one, harvest)
    share = harvest.positions / harvest.plies
    assert 0.25 < share < 0.55
    searched = harvest.simulations / harvest.plies
    assert 3 < searched < SEARCH.simulations


def test_noise_is_that_of_the_move_under_way_in_kept_trees_too() -> None:
    """Seen from outside while games go on: roots of cheap moves have the plain priors, others have not."""
    game = zerogrid.game("tictactoe")
    noisy = settings(cap_share=0.5, cap_simulations=4, games=4, search=SEARCH.but(noise=1.0, alpha=0.3, proofs=False))
    one = mill(game, noisy)
    seen: Counter[tuple[bool, bool]] = Counter()

    class Watching(Hashing):
        def evaluate(self, batch: Batch) -> None:
            t = next(iter(one._rooms.values())).forest.trees
            for b in range(4):
                count = int(t.node[b, 0, tree.COUNT])
                if count > 1:
                    logits, _ = opinion(t.states[b, 0], 9)
                    shares = np.exp(logits[t.action[b, :count]].astype(float))
                    priors = t.edge[b, :count, tree.PRIOR] / tree.FINE
                    plain = np.abs(priors - shares / shares.sum()).max() < 1e-4
                    seen[bool(t.game[b, tree.QUIET]), bool(plain)] += 1
            super().evaluate(batch)

    one.play(Watching(one.encoding), games=10)
    assert set(seen) == {(True, True), (False, False)}


def test_draws_and_policies_are_worth_what_the_settings_say() -> None:
    plain, sharp = settings(), settings(draw_value=-0.25, target_temperature=0.5)
    one, two = mill(zerogrid.game("tictactoe"), plain), mill(zerogrid.game("tictactoe"), sharp)
    first, second = one.play(judge(one), games=20), two.play(judge(two), games=20)
    check_against_rules(two, second, draw_value=-0.25)
    assert first.draws == second.draws > 0
    wide, narrow = first.columns["policy"].astype(float), second.columns["policy"]
    expected = wide**2 / (wide**2).sum(1, keepdims=True)
    np.testing.assert_allclose(narrow, expected, atol=1e-6)


def test_very_low_temperatures_are_those_of_the_best_move() -> None:
    cold = settings(temperature=((0, 0.001),), target_temperature=0.001, search=SEARCH.but(noise=0.0))
    none = settings(temperature=((0, 0.0),), search=SEARCH.but(noise=0.0))
    harvests = [one.play(judge(one), games=4) for one in (mill(zerogrid.game("othello:4x4"), s) for s in (cold, none))]
    top = harvests[0].columns["policy"]
    assert np.isfinite(top).all()
    np.testing.assert_allclose(top.sum(1), 1.0, atol=1e-6)
    assert (top.max(1) > 0.32).all()


@pytest.mark.parametrize("in_search", [True, False])
def test_shaped_targets_are_the_movers_own_later_gains(in_search: bool) -> None:
    spec = "battlefield:5x5,agents=1"
    game, gamma = zerogrid.game(spec), 0.9
    phi = potential_for(game, "tactics")
    play = settings(search=SEARCH.but(shaping=in_search, gamma=gamma), shaped_targets=True, gamma=gamma, games=3)
    one = mill(game, play, potential=phi.module)
    harvest = one.play(judge(one), games=6)
    rows = by_game(harvest)
    numbers = {seed_of_game(one.seed, number): number for number in rows}
    gains_seen = 0
    for told in harvest.sample:
        position, now, movers = game.start(told.seed), [], []
        for move in told.moves:
            mover = position.to_move
            before = phi.of(position, mover)
            position.play(move)
            now.append(gamma * phi.of(position, mover) - before)
            movers.append(mover)
        for row in rows[numbers[told.seed]]:
            ply, player = int(harvest.columns["ply"][row]), int(harvest.columns["player"][row])
            later = range(ply, len(told.moves))
            expected = sum(gamma ** (k - ply) * now[k] for k in later if movers[k] == player)
            assert harvest.columns["shaped"][row] == pytest.approx(expected, abs=1e-5)
            gains_seen += expected != 0
    assert gains_seen > 10


def test_one_learns_from_ones_own_moves_against_rivals_and_sides_alternate() -> None:
    game = zerogrid.game("tictactoe")
    one = mill(game, settings())
    harvest = one.play(judge(one), games=16, rivals=[(judge(one, 1), 1.0, "older")])
    check_against_rules(one, harvest)
    sides = Counter(told.players for told in harvest.sample)
    assert set(sides) == {("self", "older"), ("older", "self")}
    rows = by_game(harvest)
    numbers = {seed_of_game(one.seed, number): number for number in rows}
    for told in harvest.sample:
        own = told.players.index("self")
        assert {int(harvest.columns["player"][row]) for row in rows[numbers[told.seed]]} == {own}
    won, drawn, lost = harvest.against["older"]
    mine = [told.scores[told.players.index("self")] for told in harvest.sample]
    assert (won, drawn, lost) == (sum(s > 0 for s in mine), sum(s == 0 for s in mine), sum(s < 0 for s in mine))


def test_a_rivals_moves_are_the_rivals() -> None:
    """Two simulations follow the likeliest move of whoever is to move; no tree is handed on to the other side."""
    game = zerogrid.game("tictactoe")
    still = settings(search=SEARCH.but(noise=0.0, simulations=2, proofs=False), temperature=((0, 0.0),))
    one = mill(game, still)
    mine, theirs = judge(one, 3), judge(one, 4)
    harvest = one.play(mine, games=8, rivals=[(theirs, 1.0, "other")])
    for told in harvest.sample:
        position = game.start(told.seed)
        for move in told.moves:
            asked = mine if told.players[position.to_move] == "self" else theirs
            logits, _ = opinion(position.state, 9, asked.salt)
            likeliest = max(position.actions, key=lambda a: (int(logits[a] * 2**20), -a))
            assert move == likeliest
            position.play(move)


def test_state_and_restore_continue_games_under_way() -> None:
    game = zerogrid.game("gomoku:4x4x3")
    play = settings(cap_share=0.5, cap_simulations=4, resign_check=0.2)
    one = mill(game, play, shown="stones,history=3")
    one.play(judge(one), positions=15, random_moves=3, resign=0.5)
    kept = {name: array.copy() for name, array in one.state().items()}
    expected = one.play(judge(one), positions=30, random_moves=3, resign=0.5)
    again = mill(game, play, shown="stones,history=3")
    again.restore(kept)
    same(expected, again.play(judge(again), positions=30, random_moves=3, resign=0.5))


def test_duplicate_games_are_counted() -> None:
    still = settings(search=SEARCH.but(noise=0.0), temperature=((0, 0.0),))
    one = mill(zerogrid.game("tictactoe"), still)
    harvest = one.play(judge(one), games=12)
    assert harvest.distinct == 1 < harvest.games
    lively = one.play(judge(one), games=12, random_moves=4)
    assert lively.distinct == len({told.moves for told in lively.sample})


def test_gumbel_plays_itself_and_keeps_trees() -> None:
    search = SEARCH.for_kind("gumbel", simulations=8, gumbel_scale=1.0)
    one = mill(zerogrid.game("tictactoe"), settings(search=search, cap_share=0.5, cap_simulations=4))
    check_against_rules(one, one.play(judge(one), games=12))


def test_after_moves_the_states_follow_from_one_another() -> None:
    game = zerogrid.game("othello:4x4")
    one = mill(game, settings(games=2))
    harvest = one.play(judge(one), games=4)
    for rows in by_game(harvest).values():
        for row, following in pairwise(rows):
            state = harvest.columns["state"][row, 0]
            images = [after(game, state, action).tolist() for action in legal(game, state)]
            assert harvest.columns["state"][following, 0].tolist() in images
