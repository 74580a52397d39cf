"""What every network returns."""

from typing import NamedTuple

from torch import Tensor

NEVER = -10_000.0  # the logit of an action that was not listed or can never be legal; finite in half precision too


class Answer(NamedTuple):
    """A batch of answers, from the viewpoint of the player to move.

    policy  [B, actions] logits; masks are applied outside
    value   [B] in [-1, 1], 1 when the player to move wins
    extra   further heads by name, such as `initiative` [B, 3] and `classes` [B, 4, height, width]
    """

    policy: Tensor
    value: Tensor
    extra: dict[str, Tensor]
