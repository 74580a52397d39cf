"""What is minimised, term by term: Dotsformer, appendix B.1; without the auxiliary terms it is AlphaZero's loss.

    L = L_policy + 11 L_value + 1e-4 L_reg + 11 L_initiative + 10 L_classes

Each function is one term, a mean over the batch. `weights` [B] are the sample weights w_b; left out, they are one.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from zerogrid.networks.answer import NEVER

FORBIDDEN, CONCEDING, SAFE, SCORING = range(4)  # the class of a cell; forbidden ones do not count
CAPTURE, SACRIFICE, NEUTRAL = range(3)  # the initiative of a move
NO_LABEL = -1


def policy_loss(logits: Tensor, target: Tensor, weights: Tensor | None = None, legal: Tensor | None = None) -> Tensor:
    """L_pi = 1/B sum_b w_b sum_a -pi_b(a) log p_b(a).

    logits and target [B, slots]; `legal` [B, slots] are the slots that may be played.
    """
    logits = logits.float()
    if legal is not None:
        logits = logits.masked_fill(~legal, NEVER)
    return _mean(-(target * torch.log_softmax(logits, 1)).sum(1), weights)


def value_loss(value: Tensor, target: Tensor, weights: Tensor | None = None) -> Tensor:
    """L_v = 1/B sum_b w_b (v_b - z_b)^2; both [B]."""
    return _mean((value.float() - target) ** 2, weights)


def l2(network: nn.Module) -> Tensor:
    """L_reg = sum over all learned numbers of theta^2."""
    return torch.stack([(part.float() ** 2).sum() for part in network.parameters() if part.requires_grad]).sum()


def initiative_loss(
    logits: Tensor, label: Tensor, balance: Tensor | None = None, weights: Tensor | None = None, focus: float = 2.0
) -> Tensor:
    """L_I = 1/B sum_b w_b -alpha_t (1 - p_t)^focus log p_t, the focal loss of the true class t.

    logits [B, 3], label [B] (NO_LABEL: the sample does not count), balance [3] the class coefficients alpha.
    """
    counts = label != NO_LABEL
    true = label.clamp(min=0).unsqueeze(1)
    log_p = torch.log_softmax(logits.float(), 1).gather(1, true).squeeze(1)
    loss = -((1 - log_p.exp()) ** focus) * log_p
    if balance is not None:
        loss = loss * balance[true.squeeze(1)]
    return _mean(torch.where(counts, loss, 0.0), weights)


def class_balance(counts: Tensor) -> Tensor:
    """Coefficients alpha for classes seen so many times [K]: as if all were seen equally often, never above 10."""
    seen = counts.float().clamp(min=1)
    return (seen.sum() / (len(seen) * seen)).clamp(max=10.0)


def classes_loss(logits: Tensor, labels: Tensor, weights: Tensor | None = None) -> Tensor:
    """L_cls = 1/B sum_b w_b CE_b, the cross-entropy of each cell's class, mean over the cells that count.

    logits [B, 4, height, width], labels [B, height * width]; forbidden and unlabelled cells do not count.
    """
    counts = labels > FORBIDDEN
    entropy = F.cross_entropy(logits.float().flatten(2), labels.clamp(min=0).long(), reduction="none")
    each = torch.where(counts, entropy, 0.0).sum(1) / counts.sum(1).clamp(min=1)
    return _mean(each, weights)


def age_weights(now: int, iteration: Tensor, decay: float = 0.9) -> Tensor:
    """w_b = decay^(iteration now - iteration of sample b) (A6)."""
    return decay ** (now - iteration).clamp(min=0).float()


def _mean(each: Tensor, weights: Tensor | None) -> Tensor:
    return each.mean() if weights is None else (each * weights).mean()
