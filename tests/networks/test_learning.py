"""Every network can learn solved positions by heart: value and policy to an error under 1%.

Families whose full size is slow are learned at the small size of cases.py, the Battlefield Transformers with two
layers instead of four; Vanilla, HybridNet, TemporalNet, DualNet and Battlefield's CNN at full size.
"""

from dataclasses import replace

import pytest
import torch

from networks.cases import SMALL
from networks.solved import Solved, solved
from zerogrid.networks import make, names
from zerogrid.networks.losses import policy_loss, value_loss

# Networks that need more than one 3x3 grid: a history, boxes, or a side of five.
BOARDS = {
    "sigmago/temporal": ("tictactoe", "stones,history=2"),
    "sigmago/dual": ("tictactoe", "stones,history=2"),
    "pawn_dama/cnn": ("dots_and_boxes:2x2", "baseline"),
    "dotsformer/rt": ("dots_and_boxes:2x2", "edgequad9"),
    "dotsformer/multiscale2-topo": ("dots_and_boxes:2x2", "chainloop6"),
    "dotsformer/multiscale4-topo": ("dots_and_boxes:2x2", "chainloop6"),
}
SETTINGS = {
    **SMALL,
    "pawn_dama/cnn": {**SMALL["pawn_dama/cnn"], "dropout": 0.0},
    **{f"battlefield/transformer{kind}": {"layers": 2} for kind in ("", "-actions", "-cross")},
}
MOST_STEPS = 600


def for_compact_actions(data: Solved) -> Solved:
    """Four kinds of move from each square, of which only the first is ever legal: the compact network's form."""
    cells = data.shape.cells
    places = data.shape.places + ((),) * (3 * cells)
    shape = replace(data.shape, actions=4 * cells, policy_planes=4, places=places)
    wider = [torch.nn.functional.pad(part, (0, 3 * cells)) for part in (data.policy, data.legal)]
    return replace(data, shape=shape, policy=wider[0], legal=wider[1])


@pytest.mark.parametrize("name", names())
def test_it_learns_solved_positions(name: str) -> None:
    torch.manual_seed(0)
    data = solved(*BOARDS.get(name, ("tictactoe", "stones")))
    if name == "pawn_dama/residual-compact":
        data = for_compact_actions(data)
    network = make(name, data.shape, **SETTINGS.get(name, {}))
    given = (data.planes, data.tokens, data.present) if network.needs_tokens else (data.planes,)
    policy, legal = data.policy, data.legal
    if network.needs_tokens:
        policy, legal = policy.gather(1, data.actions) * data.present, data.present
    # Dotsformer's value ends in a norm, whose slope begins at one and has far to go.
    last = [weights for which, weights in network.named_parameters() if which.startswith("value.linear")]
    others = [weights for which, weights in network.named_parameters() if not which.startswith("value.linear")]
    rate = 0.01 if name.startswith(("dotsformer", "pawn_dama")) else 0.004
    optimiser = torch.optim.Adam([{"params": others}, *([{"params": last}] if last else [])])
    rates = [rate, 10 * rate][: len(optimiser.param_groups)]
    schedule: torch.optim.lr_scheduler.LRScheduler
    if network.needs_tokens:  # these learn where actions lie before anything else, and too fast a start spoils it
        optimiser.param_groups[0]["lr"] = 0.002
        schedule = torch.optim.lr_scheduler.ConstantLR(optimiser, 1.0)
    else:
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=MOST_STEPS)
    errors = (1.0, 1.0)
    for step in range(MOST_STEPS):
        network.train()
        answer = network(*given)
        loss = policy_loss(answer.policy, policy, legal=legal) + 4 * value_loss(answer.value, data.value)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 20 == 19:
            errors = _errors(network, given, policy, legal, data.value)
            if max(errors) < 0.01:
                break
    assert max(errors) < 0.01, f"after {MOST_STEPS} steps: policy {errors[0]:.4f}, value {errors[1]:.4f}"


@torch.no_grad()
def _errors(network, given, policy, legal, value):  # type: ignore[no-untyped-def]
    """The chance of a move that is not best, and how far the value is off, as a share of its range."""
    network.eval()
    answer = network(*given)
    chances = torch.softmax(answer.policy.masked_fill(~legal, -1e4), 1)
    wrong = (chances * (policy == 0)).sum(1).mean()
    return float(wrong), float((answer.value - value).abs().mean() / 2)
