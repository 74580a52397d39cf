"""One step of learning: the network's answer, the losses, the gradient, the optimiser; and what was seen on the way.

On the CPU in single precision, each thread of Python with a share of the batch and a copy of the network: PyTorch's own
threads spin while they wait for one another, and on a busy machine they wait most of the time. Norms then go by the
share, not by the whole batch. On a card in bfloat16 where nothing else is asked for, with the answer and the losses
compiled into few kernels; nothing there waits for the device before `told` is asked.
"""

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor, nn

from zerogrid.networks import losses
from zerogrid.networks.answer import NEVER, Answer
from zerogrid.networks.settings import Network
from zerogrid.training.learner_batches import Batch
from zerogrid.training.sections import LearnerSection

KINDS = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
COUNTED = ("values", "squares", "right", "decided", "rows")  # sums over positions, all else are means
SMALLEST_SHARE = 64  # rows of a batch that are worth a thread
MEANS = ("policy_loss", "value_loss", "initiative_loss", "classes_loss", "reg_loss", "policy_entropy", "target_entropy")


def optimiser_for(network: nn.Module, section: LearnerSection, device: str) -> torch.optim.Optimizer:
    """The optimiser that the configuration names; its learning rate is set at each step."""
    fused: dict[str, Any] = {"fused": True} if device == "cuda" else {}
    given = list(network.parameters())
    if section.optimiser == "sgd":
        decay, momentum = section.weight_decay, section.momentum
        return torch.optim.SGD(given, lr=section.lr, momentum=momentum, weight_decay=decay, **fused)
    kind = torch.optim.AdamW if section.optimiser == "adamw" else torch.optim.Adam
    return kind(given, lr=section.lr, weight_decay=section.weight_decay, **fused)


class Steps:
    """Makes steps, and adds up what they say."""

    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        section: LearnerSection,
        device: str,
        threads: int = 1,
        compiled: bool | None = None,
    ) -> None:
        self.network, self.optimiser, self.section, self.device = network, optimiser, section, device
        self.threads = threads if device == "cpu" else 1
        self._copies: list[Network] = []
        self._pool: ThreadPoolExecutor | None = None
        usual = "float32" if device == "cpu" else "bfloat16"
        self.precision = KINDS[usual if section.precision == "auto" else section.precision]
        self.scaler = torch.amp.GradScaler(device, enabled=self.precision is torch.float16)
        self.parameters = list(network.parameters())
        self._terms: Any = self._computed
        if compiled if compiled is not None else device == "cuda":
            self._terms = torch.compile(self._computed, dynamic=False)
        # the cause stands before what follows from it
        terms = {"initiative": section.initiative_weight, "classes": section.classes_weight, "reg": section.reg_weight}
        auxiliary = [f"{name}_loss" for name, weight in terms.items() if weight]
        entropies = ["target_entropy", "policy_entropy"]
        self.names = ["policy_loss", "value_loss", *auxiliary, *entropies, *COUNTED, "loss", "gradient"]
        self.balance: Tensor | None = None
        self.begin(None)

    def begin(self, balance: Tensor | None) -> None:
        """Forget what was added up; `balance` are the coefficients of the classes of initiative."""
        self.balance = balance
        self._count = 0
        self._sums = torch.zeros(len(self.names), dtype=torch.float64, device=self.device)
        self._whole = torch.ones(len(self.names), dtype=torch.bool, device=self.device)  # finite until now
        self._lasted = torch.zeros(len(self.names), dtype=torch.int64, device=self.device)  # steps they were

    def end(self) -> None:
        """Let the threads go; the next step makes them again."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def answer(self, batch: Batch, network: Network | None = None) -> Answer:
        """What the network says of a batch."""
        network = network or self.network
        with torch.autocast(self.device, self.precision, enabled=self.precision is not torch.float32):
            if batch.tokens is None:
                said: Answer = network(batch.planes)
            else:
                said = network(batch.planes, batch.tokens, batch.legal)
        return said

    def step(self, batch: Batch, lr: float) -> None:
        """One step with this learning rate."""
        for group in self.optimiser.param_groups:
            group["lr"] = lr
        self.optimiser.zero_grad(set_to_none=True)
        shares = min(self.threads, len(batch) // SMALLEST_SHARE)
        if shares > 1:
            told = self._in_shares(batch, shares)
        else:
            loss, told = self._terms(batch, self.balance)
            self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimiser)
        most = self.section.clip or float("inf")
        norm = nn.utils.clip_grad_norm_(self.parameters, most, error_if_nonfinite=False)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        self._add(torch.cat([told.detach(), norm.detach().reshape(1)]))

    def _in_shares(self, batch: Batch, shares: int) -> Tensor:
        """The gradient of a whole batch, each share of it computed by a thread; what was seen."""
        while len(self._copies) < shares:
            self._copies.append(copy.deepcopy(self.network).train())
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, initializer=torch.set_num_threads, initargs=(1,))
        cuts = [len(batch) * i // shares for i in range(shares + 1)]

        def gradients(i: int) -> tuple[list[Tensor | None], Tensor]:
            network = self._copies[i]
            take_over(network, self.network)
            loss, told = self._computed(batch.part(cuts[i], cuts[i + 1]), self.balance, network)
            return list(torch.autograd.grad(loss, list(network.parameters()), allow_unused=True)), told.detach()

        found = list(self._pool.map(gradients, range(shares)))
        parts = [(cuts[i + 1] - cuts[i]) / len(batch) for i in range(shares)]
        with torch.no_grad():
            for place, parameter in enumerate(self.parameters):
                own = [(found[i][0][place], parts[i]) for i in range(shares)]
                given = [gradient * part for gradient, part in own if gradient is not None]
                parameter.grad = torch.stack(given).sum(0) if given else None
            for name, buffer in self.network.named_buffers():
                own_buffers = [dict(network.named_buffers())[name] for network in self._copies[:shares]]
                if buffer.is_floating_point():
                    buffer.copy_(torch.stack([one * part for one, part in zip(own_buffers, parts)]).sum(0))
                else:
                    buffer.copy_(own_buffers[0])
            sums = torch.tensor([name in COUNTED for name in self.names[:-1]])
            return torch.stack([told * sums + told * ~sums * part for (_, told), part in zip(found, parts)]).sum(0)

    def _computed(
        self, batch: Batch, balance: Tensor | None, network: Network | None = None
    ) -> tuple[Tensor, Tensor]:
        """(what is minimised, all that `names` names but the gradient)."""
        network = network or self.network
        section, said = self.section, self.answer(batch, network)
        logits = said.policy.float().masked_fill(~batch.legal, NEVER)
        log_p = torch.log_softmax(logits, 1)
        value = said.value.float().reshape(-1)
        told = {
            "policy_loss": losses.policy_loss(logits, batch.policy, batch.weights),
            "value_loss": losses.value_loss(value, batch.value, batch.weights),
            "policy_entropy": -(log_p.exp() * log_p).sum(1).mean(),
            "target_entropy": -torch.xlogy(batch.policy, batch.policy).sum(1).mean(),
            "values": value.sum(),
            "squares": (value * value).sum(),
            "right": ((value * batch.result) > 0).sum(),
            "decided": (batch.result != 0).sum(),
        }
        loss = section.policy_weight * told["policy_loss"] + section.value_weight * told["value_loss"]
        if section.initiative_weight:
            logit = said.extra["initiative"]
            told["initiative_loss"] = losses.initiative_loss(logit, batch.initiative, balance, batch.weights)
            loss = loss + section.initiative_weight * told["initiative_loss"]
        if batch.classes is not None:
            told["classes_loss"] = losses.classes_loss(said.extra["classes"], batch.classes, batch.weights)
            loss = loss + section.classes_weight * told["classes_loss"]
        if section.reg_weight:
            told["reg_loss"] = losses.l2(network)
            loss = loss + section.reg_weight * told["reg_loss"]
        told |= {"loss": loss, "rows": torch.full_like(loss, batch.value.shape[0])}
        return loss, torch.stack([told[name].float() for name in self.names[:-1]])

    def _add(self, seen: Tensor) -> None:
        self._count += 1
        finite = seen.isfinite()
        if self.precision is torch.float16:  # the scaler leaves out a step whose gradient was too large for it
            finite[-1] = True
            seen = torch.where(torch.arange(len(seen), device=seen.device) < len(seen) - 1, seen, seen.nan_to_num(0, 0))
        self._sums += seen
        self._whole &= finite
        self._lasted += self._whole

    def told(self) -> dict[str, float]:
        """Means over the steps since `begin`."""
        sums = dict(zip(self.names, self._sums.tolist(), strict=True))
        found = {name: sums[name] / self._count for name in ("loss", *MEANS, "gradient") if name in sums}
        mean = sums["values"] / sums["rows"]
        found["value_spread"] = max(0.0, sums["squares"] / sums["rows"] - mean * mean) ** 0.5
        if sums["decided"]:
            found["value_accuracy"] = sums["right"] / sums["decided"]
        return found

    def first_broken(self) -> str:
        """What was the first not to be finite; nothing if all were."""
        lasted = dict(zip(self.names, self._lasted.tolist(), strict=True))
        name = min(self.names, key=lambda one: lasted[one])
        return "" if lasted[name] == self._count else name


def take_over(network: nn.Module, other: nn.Module) -> None:
    """Give a network the numbers of another one of its kind."""
    with torch.no_grad():
        for own, theirs in zip(network.state_dict().values(), other.state_dict().values(), strict=True):
            own.copy_(theirs)
