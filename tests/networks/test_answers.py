"""What every network gives for every game and encoding that it can express."""

import pytest
import torch

from networks.cases import SHAPES, expressible, inputs, shape_of, small
from zerogrid.networks import NETWORKS, NEVER, boards, make
from zerogrid.networks.fold import folded

ALL = expressible()
ONE_EACH = list({name: (name, board) for name, board in reversed(ALL)}.values())


def test_every_network_expresses_something_and_ours_everything() -> None:
    assert {name for name, _ in ALL} == set(NETWORKS)
    assert {board for name, board in ALL if name == "zerogrid/residual"} == set(SHAPES)
    assert len(ALL) > 200


@pytest.mark.parametrize("name, board", ALL)
def test_shapes_and_ranges_and_that_members_of_a_batch_do_not_meet(name: str, board: str) -> None:
    network = small(name, SHAPES[board])
    given = inputs(network, 3)
    with torch.no_grad():
        answer = network(*given)
        alone = network(*(part[1:2] for part in given))
    shape = network.shape
    assert answer.policy.shape == (3, 6 if network.needs_tokens else shape.actions)
    assert answer.value.shape == (3,)
    assert answer.value.abs().max() <= 1
    assert all(bool(part.isfinite().all()) for part in (answer.policy, answer.value, *answer.extra.values()))
    torch.testing.assert_close(alone.policy, answer.policy[1:2], atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(alone.value, answer.value[1:2], atol=2e-5, rtol=1e-4)
    if network.settings.to_json().get("auxiliary"):
        rows, columns = shape.boxes
        assert answer.extra["initiative"].shape == (3, 3)
        assert answer.extra["classes"].shape == (3, 4, 2 * rows + 1, 2 * columns + 1)
    else:
        assert not answer.extra


@pytest.mark.parametrize("name, board", ONE_EACH)
def test_gradients_reach_every_weight_and_are_finite(name: str, board: str) -> None:
    network = small(name, SHAPES[board]).train()
    answer = network(*inputs(network, 4))
    parts = (answer.policy.masked_fill(answer.policy == NEVER, 0.0), answer.value, *answer.extra.values())
    sum(part.sum() + (part**2).sum() for part in parts).backward()
    for which, weights in network.named_parameters():
        assert weights.grad is not None, which
        assert bool(weights.grad.isfinite().all()), which


@pytest.mark.parametrize("name, board", ONE_EACH)
def test_half_precision_stays_close_to_full(name: str, board: str) -> None:
    network = small(name, SHAPES[board])
    half = small(name, SHAPES[board]).to(torch.bfloat16)
    given = inputs(network, 8)
    with torch.no_grad():
        full = network(*given)
        short = half(*(part.bfloat16() if part.is_floating_point() else part for part in given))
    assert (torch.softmax(full.policy, 1) - torch.softmax(short.policy.float(), 1)).abs().max() < 0.03
    assert (full.value - short.value.float()).abs().max() < 0.05


@pytest.mark.parametrize("name, board", ONE_EACH)
def test_the_folded_network_is_the_same_function(name: str, board: str) -> None:
    network = small(name, SHAPES[board])
    given = inputs(network, 4)
    with torch.no_grad():
        answer, again = network(*given), folded(network)(*given)
    torch.testing.assert_close(again.policy, answer.policy, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(again.value, answer.value, atol=1e-4, rtol=1e-3)


def test_folding_leaves_no_norm_behind_a_convolution() -> None:
    kinds = [type(part).__name__ for part in folded(small("dotsformer/baseline", SHAPES["tictactoe stones"])).modules()]
    assert "BatchNorm2d" not in kinds
    assert "BatchNorm1d" not in kinds


def test_actions_that_are_never_legal_have_no_chance() -> None:
    network = small("zerogrid/residual", SHAPES["pawn_dama:5x5 oneplane"])
    with torch.no_grad():
        logits = network(*inputs(network, 2)).policy
    never = torch.tensor([not places for places in network.shape.places])
    assert never.sum() > 500
    assert bool((logits[:, never] == NEVER).all())
    assert bool((logits[:, ~never] > NEVER / 2).all())


@pytest.mark.parametrize("name", ["battlefield/transformer-actions", "battlefield/transformer-cross"])
def test_the_order_of_action_tokens_means_nothing_and_absent_ones_are_not_seen(name: str) -> None:
    network = small(name, SHAPES["battlefield:7x7 teams"])
    planes, tokens, present = inputs(network, 3, actions=7)
    order = torch.tensor([3, 0, 6, 2, 5, 1, 4])
    with torch.no_grad():
        answer = network(planes, tokens, present)
        turned = network(planes, tokens[:, order], present[:, order])
        more = network(planes, torch.cat([tokens, torch.full_like(tokens, 9.0)], 1),
                       torch.cat([present, torch.zeros_like(present)], 1))  # fmt: skip
    torch.testing.assert_close(turned.policy, answer.policy[:, order], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(turned.value, answer.value, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(more.policy[:, :7], answer.policy, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(more.value, answer.value, atol=1e-5, rtol=1e-4)
    assert bool((more.policy[:, 7:] == NEVER).all())
    assert bool((answer.policy[~present] == NEVER).all())


def test_with_cross_attention_the_value_does_not_depend_on_the_listed_actions() -> None:
    for name, depends in (("battlefield/transformer-cross", False), ("battlefield/transformer-actions", True)):
        network = small(name, SHAPES["battlefield:7x7 teams"])
        planes, tokens, present = inputs(network, 3, actions=7)
        with torch.no_grad():
            difference = (network(planes, tokens, present).value - network(planes, -tokens, present).value).abs().max()
        assert (float(difference) > 1e-4) is depends, name


def test_a_joint_order_is_worth_what_its_agents_see() -> None:
    """Swapping the two agents' planes swaps the two digits of every joint order."""
    network = small("battlefield/transformer", SHAPES["battlefield:7x7 teams"])
    (planes,) = inputs(network, 2)
    read = network.policy.read
    read.pairs = None  # what the pair is worth together is not symmetrical
    cells, whole = torch.randn(2, 49, 64), torch.randn(2, 64)
    swapped = planes[:, [1, 0, *range(2, planes.shape[1])]]
    with torch.no_grad():
        one, other = read(cells, whole, planes), read(cells, whole, swapped)
    torch.testing.assert_close(one.view(2, 9, 9), other.view(2, 9, 9).transpose(1, 2), atol=1e-4, rtol=1e-4)


def test_an_edge_between_two_boxes_is_the_mean_of_what_they_say() -> None:
    network = small("dotsformer/baseline", SHAPES["dots_and_boxes:3x3 edgequad4"])
    maps = torch.arange(36.0).view(1, 4, 3, 3)
    logits = network.places(maps)[0]
    right, up, left, down = (maps[0, side] for side in range(4))
    # horizontal edges come first, row by row: the second row's first edge lies below box (0, 0), above (1, 0)
    assert logits[0] == up[0, 0]
    assert logits[3] == (down[0, 0] + up[1, 0]) / 2
    assert logits[12] == left[0, 0]
    assert logits[13] == (right[0, 0] + left[0, 1]) / 2


@pytest.mark.parametrize("made, game, spec", [
    (boards.gomoku(3, 3, game="tictactoe"), "tictactoe", "stones"), (boards.gomoku(6, 6), "gomoku:6x6x4", "stones"),
    (boards.gomoku(6, 6, 4, 5), "gomoku:6x6x4", "stones,history=5"), (boards.connect_four(), "connect_four", "discs"),
    (boards.othello(6, 6), "othello:6x6", "discs"), (boards.battlefield(), "battlefield:7x7", "teams"),
    (boards.pawn_dama(5, 5), "pawn_dama:5x5", "oneplane"),
    (boards.pawn_dama(5, 5, compact=True), "pawn_dama:5x5", "oneplane,policy=compact"),
    *((boards.dots_and_boxes(3, 2, spec), "dots_and_boxes:3x2", spec) for spec in boards.DOTS_ENCODINGS),
])  # fmt: skip
def test_the_shapes_made_from_sizes_alone_are_those_of_the_encodings(made: object, game: str, spec: str) -> None:
    assert made == shape_of(game, spec)


def test_a_sentence_says_what_would_work() -> None:
    from zerogrid.networks import refusal

    cases = [
        ("pawn_dama/cnn", "pawn_dama:4x4 oneplane", "at least 5", ["zerogrid/residual"]),
        ("sigmago/temporal", "gomoku:6x6x4 stones", "history of at least 2", ["sigmago/hybrid", "sigmago/vanilla"]),
        ("sigmago/dual", "tictactoe stones", "history", ["sigmago/hybrid"]),
        ("dotsformer/multiscale2-topo", "gomoku:6x6x4 stones", "boxes", ["dotsformer/tr", "dotsformer/linear-notopo"]),
        ("dotsformer/tr", "battlefield:7x7 teams", "where its actions lie", ["battlefield/cnn", "zerogrid/residual"]),
        ("battlefield/transformer", "connect_four generic", "where its actions lie", ["battlefield/cnn"]),
        ("pawn_dama/residual-compact", "pawn_dama:5x5 oneplane", "compact", ["zerogrid/residual"]),
    ]
    for name, board, why, instead in cases:
        said = refusal(name, SHAPES[board])
        assert why in said, said
        assert said.endswith(".")
        for other in instead:
            assert other in said, said
            assert not refusal(other, SHAPES[board]), f"{other} was named and cannot do it either"


def test_unknown_networks_and_settings_are_named_with_what_exists() -> None:
    from zerogrid.core.errors import BadNetwork

    shape = SHAPES["tictactoe stones"]
    with pytest.raises(BadNetwork, match=r'"sigmago/vanila".*Did you mean "sigmago/vanilla"\?'):
        make("sigmago/vanila", shape)
    with pytest.raises(BadNetwork, match=r'no setting "head"; it has .*heads'):
        make("sigmago/hybrid", shape, head=4)
    with pytest.raises(BadNetwork, match="a whole number from 1 to 64"):
        make("sigmago/hybrid", shape, heads=0)
    with pytest.raises(BadNetwork, match="must be a multiple"):
        make("sigmago/hybrid", shape, heads=7)
    with pytest.raises(BadNetwork, match="one of nano, small, base"):
        make("zerogrid/residual", shape, size="huge")
