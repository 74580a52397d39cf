"""How fast is learned: the learning rate over the iterations, and how many steps one iteration makes."""

from math import ceil, cos, pi

from zerogrid.training.sections import LearnerSection

KL_FACTOR = 1.5  # AlphaZero_Gomoku's multiplier: by this up or down, between a tenth and ten
KL_LEAST, KL_MOST = 0.1, 10.0


def rate_at(learner: LearnerSection, done: float, iterations: int, multiplier: float) -> float:
    """The learning rate when so many iterations are done; fractions are inside an iteration."""
    rate = learner.lr
    if learner.schedule == "halving":
        rate *= 0.5 ** (int(done) // learner.halve_every)
    elif learner.schedule == "cosine":
        share = min(1.0, done / max(1, iterations))
        rate *= learner.lr_least + (1.0 - learner.lr_least) * 0.5 * (1.0 + cos(pi * share))
    elif learner.schedule == "kl":
        rate *= multiplier
    if learner.lr_warmup and done < learner.lr_warmup:
        rate *= (done + 1.0) / (learner.lr_warmup + 1.0)
    return rate


def after_kl(learner: LearnerSection, multiplier: float, kl: float) -> float:
    """The multiplier after an iteration in which the policy moved by this much."""
    if learner.schedule != "kl":
        return multiplier
    if kl > 2.0 * learner.kl_target:
        return max(KL_LEAST, multiplier / KL_FACTOR)
    if kl < 0.5 * learner.kl_target:
        return min(KL_MOST, multiplier * KL_FACTOR)
    return multiplier


def steps_for(learner: LearnerSection, new: int, held: int) -> int:
    """How many steps to make after so many new positions, with so many in the buffer."""
    if held == 0:
        return 0
    if learner.steps:
        return learner.steps
    positions = learner.epochs * held if learner.epochs else learner.samples * new
    return max(1, ceil(positions / learner.batch)) if positions > 0 else 0
