"""zerogrid train: learn a game from nothing, or go on with a run."""

import contextlib
import sys
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import GAME, Plugins, use_plugins
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError


def train(
    out: Output,
    game: Annotated[str, GAME] = "",
    *,
    preset: Annotated[str, "where to start from: quick, strong, papers/...; zerogrid train --presets lists them"] = "",
    config: Annotated[Path | None, "a configuration file instead of a preset"] = None,
    set: Annotated[tuple[str, ...], "an option, as learner.lr=0.002; may be given again"] = (),
    run: Annotated[str, "the run's name, or a folder; the same name goes on with it"] = "",
    iterations: Annotated[int | None, "the same as --set run.iterations="] = None,
    minutes: Annotated[float | None, "the same as --set run.minutes="] = None,
    seed: Annotated[int | None, "the same as --set run.seed="] = None,
    device: Annotated[str, "the same as --set run.device=: cpu or cuda"] = "",
    smoke: Annotated[bool, "a dummy run: every number small, every stage passed, in seconds"] = False,
    dry_run: Annotated[bool, "say how big and how long it will be, and do nothing"] = False,
    options: Annotated[bool, "list every option with its default, its meaning and the papers' values"] = False,
    presets: Annotated[bool, "list the presets"] = False,
    plugin: Plugins = (),
) -> int:
    """Learn a game from nothing by playing against oneself, with a network and a search.

    A run is a folder under runs/. It can be stopped at any moment, with Ctrl-C or by pulling the plug, and the same
    command goes on with it. zerogrid report RUN shows how it went; zerogrid play and zerogrid match take run:NAME.

    Examples:
      zerogrid train gomoku:6x6x4
      zerogrid train gomoku:6x6x4 --set learner.lr=0.002 --set search.simulations=100 --run mine
      zerogrid train --run mine
      zerogrid train --preset papers/sigmago/hybrid --dry-run
      zerogrid train tictactoe --smoke --run dummy
    """
    use_plugins(plugin)
    if options:
        return _list_options(out)
    if presets:
        return _list_presets(out)
    from zerogrid.training.config_checks import resolved

    shortcuts = {"run.iterations": iterations, "run.minutes": minutes, "run.seed": seed, "run.device": device or None}
    asked = _asked(game, preset, config, set, run, {k: v for k, v in shortcuts.items() if v is not None}, smoke)
    chosen, place = resolved(asked[0]), asked[1]
    if dry_run:
        return _plan(out, chosen, place)
    return carry_out(out, chosen, place)


def _asked(
    game: str, preset: str, file: Path | None, words: tuple[str, ...], run: str, shortcuts: dict[str, Any], smoke: bool
) -> tuple[Any, Path]:
    """The configuration that was asked for, and the folder of its run."""
    from zerogrid.papers.presets import preset as preset_named
    from zerogrid.training import config as configs
    from zerogrid.training import directory
    from zerogrid.training.presets import smoke as smaller

    if preset and file:
        raise ZeroGridError("give --preset or --config, not both.")
    going_on = bool(run) and (directory.place_of(run) / directory.CONFIG).is_file()
    if going_on and not (game or preset or file):
        made, preset = directory.read_config(directory.place_of(run)), ""
    elif file:
        made = configs.from_toml(_content(file), file.name)
        made = made.but({"game.spec": game}) if game else made
    else:
        if not game and not preset:
            raise ZeroGridError("name a game, as in zerogrid train gomoku:6x6x4, or a preset, or a run to go on with.")
        preset = preset or "quick"
        found = preset_named(preset)
        made = found.config(game)
        if found.games and made.game.spec.partition(":")[0] not in found.games:
            raise ZeroGridError(f"the preset {preset} is for {', '.join(found.games)}, not for {made.game.spec}.")
    changes = {**configs.from_words(words), **shortcuts}
    made = made.but(changes)
    if smoke:  # what was asked of the run itself still holds
        made = smaller(made).but({name: value for name, value in changes.items() if name.startswith("run.")})
    name = run or directory.default_name(made.game.spec, preset or (file.stem if file else ""))
    return made, directory.place_of(name)


def _content(file: Path) -> bytes:
    from zerogrid.training.config import LARGEST_FILE

    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ZeroGridError(f'the configuration "{file}" cannot be read: {reason}.') from error


def carry_out(out: Output, config: Any, place: Path) -> int:
    """Train in a folder, or go on there, with a display; the exit code."""
    from zerogrid.training import directory, disk, events
    from zerogrid.training.assemble import engine as assembled
    from zerogrid.training.diagnosis import diagnose
    from zerogrid.training.display import Lines, Live
    from zerogrid.training.journal import read_lines
    from zerogrid.training.lock import Lock
    from zerogrid.training.loop import Loop, TrainingFailed
    from zerogrid.training.stopping import Stopper
    from zerogrid.training.tensorboard import TensorBoard

    def records(event: events.Event) -> None:
        if isinstance(event, events.IterationDone):
            out.record({**event.metrics, "timings": event.timings})
        elif isinstance(event, events.Ended):
            out.record({"run": str(place), "ended": event.why, "iteration": event.iteration})

    title = f"{config.game.spec}, {config.network.name}, run {place.name}"
    _refuse_without_means(config, place)
    disk.make_folder(place)
    with contextlib.ExitStack() as stack:
        stack.enter_context(Lock(place))
        config = directory.settle_config(place, config)
        engine = assembled(config)
        stack.callback(engine.close)
        listeners: list[events.Listener] = [records]
        if config.saving.tensorboard:
            listeners.append(TensorBoard(place))
        listeners.append(stack.enter_context(Live(title)) if sys.stderr.isatty() else Lines())
        stopper = stack.enter_context(Stopper(lambda words: print(words, file=sys.stderr)))
        try:
            why = Loop(config, engine, place, listeners, stopper, provenance(config)).run()
        except TrainingFailed as error:
            stack.close()
            print(error, file=sys.stderr)
            return 1
    out.text(f"{place}: {'stopped; the same command goes on' if why == 'asked' else 'done'}")
    for finding in diagnose(read_lines(place / "metrics.jsonl")):
        out.text(f"  {finding.name}: {finding.seen}; {finding.advice}")
    out.text(f"  zerogrid report {place.name}      how it went")
    return 130 if why == "asked" else 0


def _refuse_without_means(config: Any, place: Path) -> None:
    """A card, memory or a disk that is not there is better found out now than hours later."""
    from zerogrid.training.disk import free_bytes
    from zerogrid.training.memory import refuse_missing_card, refuse_too_large, size
    from zerogrid.training.plan import plan

    refuse_missing_card(config)
    made = plan(config, measure=False)
    refuse_too_large(config, made.needs)
    needed, free = 2 * made.checkpoint_bytes, free_bytes(place)
    if free < needed:
        raise ZeroGridError(f"{place} needs {size(needed)} for its checkpoints and {size(free)} are free; make room.")


def provenance(config: Any) -> dict[str, Any]:
    """How a model came about, for its file: the same for the same command."""
    import zerogrid
    from zerogrid.arena.provenance import commit

    told = {"command": "zerogrid train --config config.toml", "seed": config.run.seed}
    return {**told, "zerogrid": zerogrid.__version__, "commit": commit() or ""}


# --- telling --------------------------------------------------------------------------------------------------------


def _plan(out: Output, config: Any, place: Path) -> int:
    from zerogrid.core.progress import duration
    from zerogrid.training.disk import free_bytes
    from zerogrid.training.memory import refuse_too_large, size, there_is
    from zerogrid.training.plan import plan

    made = plan(config, measure=False)
    refuse_too_large(config, made.needs)
    made, free, memory = plan(config), free_bytes(place), there_is(config.run.device)
    out.record({"run": str(place), **made.as_dict(), "memory_bytes": memory, "free_bytes": free})
    out.text(f"{place}: {made.game} with {made.network}")
    out.text(f"  network      {made.parameters:,} numbers, {made.multiply_adds:,} multiply-adds an evaluation")
    out.text(f"  iterations   {made.iterations:,}, about {made.positions // made.iterations:,} positions each")
    out.text(f"  in all       {made.positions:,} positions, {made.simulations:,} simulations,")
    out.text(f"               {made.games:,} games if they are as long as random ones")
    out.text(f"  learning     {made.steps:,} steps of {config.learner.batch:,}")
    there = f"; there are {size(memory)}" if memory else ""
    up_to, needs = "" if config.run.device == "cuda" else "up to ", made.needs
    out.text(f"  memory       {up_to}{size(needs.total)}{there}")
    out.text(f"               {size(needs.buffer)} buffer, {up_to}{size(needs.trees)} search trees,")
    out.text(f"               {size(needs.games)} games under way, {size(needs.learning)} learning")
    save, end = size(made.checkpoint_bytes), size(made.disk_bytes)
    out.text(f"  disk         {save} a save, {end} at the end; {size(free)} are free")
    if made.seconds is None or made.evaluations_per_second is None:
        out.text(f"  time         cannot be known here: there is no {made.device}")
    else:
        rate = made.evaluations_per_second
        out.text(f"  time         about {duration(made.seconds)}, at {rate:,.0f} evaluations/s of the bare network")
        if config.run.minutes:
            out.text(f"               and at most {config.run.minutes:g} minutes, as asked")
    return 0


def _list_options(out: Output) -> int:
    from zerogrid.training.config import Config, all_options, as_dict

    values = as_dict(Config())
    section = ""
    for name, limits in all_options():
        head, _, key = name.partition(".")
        default = values[head][key]
        words = {"option": name, "default": default, "about": limits.about, "papers": limits.papers}
        out.record({**words, "choices": list(limits.choices)})
        if head != section:
            out.text(f"\n[{head}]" if section else f"[{head}]")
            section = head
        shown = str(default).lower() if isinstance(default, bool) else default
        choices = f" ({', '.join(limits.choices)})" if limits.choices else ""
        papers = f"  [papers: {limits.papers}]" if limits.papers else ""
        out.text(f"  {key:<20} {shown!s:<14} {limits.about}{choices}{papers}")
    return 0


def _list_presets(out: Output) -> int:
    from zerogrid.papers.modern import SUFFIX
    from zerogrid.papers.presets import all_presets

    for name, one in all_presets().items():
        out.record({"preset": name, "about": one.about, "changes": dict(one.changes)})
        if not name.endswith(SUFFIX):
            out.text(f"  {name:<34} {one.about}")
    out.text(f"Each papers/... is there as papers/...{SUFFIX} too: the same game, network and simulations, used as one")
    out.text("would today: wide starts, averaged weights, cheap moves between dear ones.")
    return 0
