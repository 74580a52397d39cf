"""What every network returns."""

from typing import NamedTuple

from torch import Tensor

NEVER = -10_000.0  # the logit of an action that was not listed or can never be legal; finite in half precision too


class Answer(NamedTuple):
    """A batch of answers, from the viewpoint of the player to move.

    policy  [B, slots] logits, masks are applied outside; with action tokens [B, T], in the order of the tokens
    value   [B] in [-1, 1], 1 when the player to move wins
    extra   further heads by name: `initiative` [B, 3], and `classes` [B, 4, 2 * rows + 1, 2 * columns + 1] on the grid
            of dots, edges and boxes
    """

    policy: Tensor
    value: Tensor
    extra: dict[str, Tensor]
