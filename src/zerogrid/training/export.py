"""A run's champion as a folder that can be given away: the model file, its configuration, and a card in words."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerogrid.core import catalogue
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.progress import duration
from zerogrid.training import disk
from zerogrid.training.config import to_toml
from zerogrid.training.report.findings import Findings, findings_of
from zerogrid.training.store import Store

EXAMINED = (100, 0)  # simulations a move


@dataclass(frozen=True)
class Exported:
    """What was written."""

    folder: Path
    champion: str
    sha256: str
    bytes: int


def export(place: Path, folder: Path, iteration: int | None = None, examine: bool = False) -> Exported:
    """Write the model folder: the champion's, or that of a checkpoint; with what the held exam says of it, if asked."""
    found, store = findings_of(place), Store(place)
    there = store.iterations()
    if not there:
        raise ZeroGridError(f"the run {quote(place.name)} has no checkpoint yet; nothing can be exported.")
    who = str(found.last.get("champion", f"main@{there[-1]}")) if iteration is None else f"main@{iteration}"
    at = int(who.partition("@")[2])
    if at not in there:
        known = ", ".join(map(str, there))
        raise ZeroGridError(f"the run {quote(place.name)} keeps no model of iteration {at}; it has {known}.")
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise ZeroGridError(f"{quote(folder)} is there already; name a new folder.")
    model = store.model(at)
    disk.make_folder(folder)
    disk.write_file(folder / "model.safetensors", model)
    disk.write_file(folder / "config.toml", to_toml(found.config).encode())
    held = examined(folder / "model.safetensors", found.config.game.spec) if examine else []
    disk.write_file(folder / "README.md", card(found, who, folder.name, provenance_of(model), held).encode())
    return Exported(folder, who, disk.digest_of(model), len(model))


def examined(file: Path, spec: str) -> list[str]:
    """How often the model gives value away on the exam that is held back while learning, in sentences."""
    from zerogrid.agents.naming import agent_for
    from zerogrid.arena.exam import exam
    from zerogrid.arena.exam_sets import exam_for

    game = catalogue.game(spec)
    questions, lines = exam_for(game, held=True), []
    for simulations in EXAMINED:
        agent = agent_for(f"net:{file}@sims={simulations}", game)
        try:
            found = exam(agent, questions)
        finally:
            agent.close()
        rate, how = found.rate, f"With {simulations} simulations" if simulations else "Without search"
        interval = f"95% interval {rate.low:.2%} to {rate.high:.2%}"
        lines.append(
            f"- {how}, on the exam held back while learning: gives value away in {found.whole.errors} of "
            f"{found.whole.positions:,} positions, {rate.estimate:.2%} ({interval})."
        )
    return lines


def provenance_of(model: bytes) -> dict[str, Any]:
    """How a model came about, as its file says; nothing where it does not."""
    try:
        length = int.from_bytes(model[:8], "little")
        told = json.loads(json.loads(model[8 : 8 + length])["__metadata__"]["zerogrid"])["provenance"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def card(found: Findings, who: str, name: str, provenance: dict[str, Any], held: list[str]) -> str:
    """What a model is, how it was made, how strong it is, and how to use it."""
    config, at = found.config, int(who.partition("@")[2])
    told: dict[str, Any] = next((m for m in reversed(found.metrics) if m["iteration"] <= at), {})
    spent = sum(float(t.get("seconds", 0)) for t in found.timings if t.get("iteration", 0) <= at)
    search = f"{config.search.kind}, {config.search.simulations} simulations"
    lines = [
        f"# {name}",
        "",
        f"Plays {config.game.spec} with the network {config.network.name} on the encoding {config.game.encoding}.",
        "",
        "## How it was made",
        "",
        f"From nothing, by playing against itself: {told.get('iteration', 0)} iterations, "
        f"{told.get('total_games', 0):,} games, {told.get('total_positions', 0):,} positions, "
        f"{told.get('total_simulations', 0):,} simulations, in "
        f"{duration(spent)} on {config.run.device}. Search: {search}. Seed {config.run.seed}. "
        f"Commit {provenance.get('commit') or 'unknown'}, ZeroGrid {provenance.get('zerogrid', 'unknown')}.",
        "",
        "    zerogrid train --config config.toml",
        "",
        "## How strong it is",
        "",
        *_strength(found, who, held),
        "",
        "## How to use it",
        "",
        f"    zerogrid play {config.game.spec} --against net:model.safetensors",
    ]
    return "\n".join(lines) + "\n"


def _strength(found: Findings, who: str, held: list[str]) -> list[str]:
    lines, exam = list(held), found.exam(who)
    if exam:
        lines += [""] * bool(held)
        simulations = found.config.exam.simulations or found.config.search.simulations
        lines += [f"With {simulations:,} simulations a move; every opening played from both sides.", ""]
        if "error_interval" in exam:
            low, high = (exam["error_interval"][side] for side in ("low", "high"))
            lines.append(
                f"- Gives value away in {exam['error_rate']:.2%} (95% interval {low:.2%} to {high:.2%}) of "
                f"{exam['positions']:,.0f} positions, by the exact solver."
            )
        for name, one in exam["scores"].items():
            counts = f"{one['wins']} won, {one['draws']} drawn, {one['losses']} lost"
            lines.append(f"- Against {name}: {counts}; {one['estimate']:.0%} ({one['low']:.0%} to {one['high']:.0%}).")
    for rating in found.ratings:
        if rating["player"] == who:
            interval = f"95% interval {rating['low']:.0f} to {rating['high']:.0f}"
            lines.append(f"- Elo {rating['estimate']:.0f} ({interval}), where random play is 0.")
    return lines or ["It was not measured; zerogrid exam and zerogrid match do that."]
