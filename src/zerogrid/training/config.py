"""A configuration: frozen dataclasses <-> TOML <-> dotted names on the command line.

    config = Config().but({"game.spec": "tictactoe", "learner.lr": 0.001})
    config = from_toml(text);  to_toml(config)
    config.but(from_words(["learner.lr=0.002", "network.settings.size=nano"]))

A configuration that exists is a sensible one: each value is in its range, and together they can be run (see
config_checks.py). It names games, encodings, networks and agents, and can never name code.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from zerogrid.core.errors import BadSetting, nearest, quote
from zerogrid.search.settings import SearchSettings
from zerogrid.training import sections
from zerogrid.training.options import BadConfig, Limits, checked, from_word, limits_of, section_from
from zerogrid.training.search_options import ELSEWHERE, search_limits

LARGEST_FILE = 1_000_000
Value = bool | int | float | str


@dataclass(frozen=True)
class NetworkSection:
    """The network by its name, and the settings in which it differs from its defaults."""

    name: str = ""
    settings: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Config:
    """All that defines a run."""

    game: sections.GameSection = field(default_factory=sections.GameSection)
    run: sections.RunSection = field(default_factory=sections.RunSection)
    network: NetworkSection = field(default_factory=NetworkSection)
    search: SearchSettings = field(default_factory=SearchSettings)
    selfplay: sections.SelfplaySection = field(default_factory=sections.SelfplaySection)
    curriculum: sections.CurriculumSection = field(default_factory=sections.CurriculumSection)
    buffer: sections.BufferSection = field(default_factory=sections.BufferSection)
    learner: sections.LearnerSection = field(default_factory=sections.LearnerSection)
    gate: sections.GateSection = field(default_factory=sections.GateSection)
    shaping: sections.ShapingSection = field(default_factory=sections.ShapingSection)
    league: sections.LeagueSection = field(default_factory=sections.LeagueSection)
    exam: sections.ExamSection = field(default_factory=sections.ExamSection)
    saving: sections.SavingSection = field(default_factory=sections.SavingSection)

    def __post_init__(self) -> None:
        from zerogrid.training.config_checks import check_together

        check_together(self)

    def but(self, changes: Mapping[str, Any]) -> "Config":
        """The same with other values under dotted names; checked together at the end."""
        made = as_dict(self)
        for name, value in sorted(changes.items(), key=lambda change: change[0] != "network.name"):
            section, key = _split(name)
            if section == "network" and key.startswith("settings."):
                made["network"]["settings"][key.removeprefix("settings.")] = value
            elif section == "network" and key == "name" and value != made["network"]["name"]:
                made["network"] = {"name": value, "settings": {}}
            else:
                limits_named(name)
                made[section][key] = value
        return from_dict(made)

    # --- what other parts ask -----------------------------------------------------------------------------------------

    def search_for_play(self, simulations: int = 0) -> SearchSettings:
        """The search of self-play: noise, and shaping where it is asked for."""
        play = self.selfplay
        noisy = {} if self.search.kind == "gumbel" else {"noise": play.noise, "alpha": play.alpha}
        shaped = self.shaping.potential != "none" and self.shaping.in_search
        more = {"shaping": shaped, "gamma": self.shaping.gamma if shaped else self.search.gamma}
        return self.search.but(simulations=simulations or self.search.simulations, **noisy, **more)

    def search_for_match(self, simulations: int = 0) -> SearchSettings:
        """The search of gates and exams: no noise, no shaping, one's best."""
        more = {"gumbel_scale": 0.0} if self.search.kind == "gumbel" else {}
        return self.search.but(simulations=simulations or self.search.simulations, forced=0.0, **more)


# --- names ----------------------------------------------------------------------------------------------------------

SECTIONS = tuple(part.name for part in fields(Config))
SEARCH = search_limits()


def _split(name: str) -> tuple[str, str]:
    section, dot, key = name.partition(".")
    if section not in SECTIONS or not dot:
        close = nearest(name, all_names()) or f" Sections are {', '.join(SECTIONS)}."
        raise BadConfig(f"there is no option {quote(name)}.{close}")
    return section, key


def all_names() -> list[str]:
    """Every option's dotted name."""
    return [name for name, _ in all_options()]


def all_options() -> list[tuple[str, Limits]]:
    """Every option and what is known of it, in order."""
    found: list[tuple[str, Limits]] = []
    for part in fields(Config):
        if part.name == "network":
            found.append(("network.name", NETWORK_NAME))
        elif part.name == "search":
            found += [(f"search.{name}", limits) for name, limits in SEARCH.items() if name not in ELSEWHERE]
        else:
            kind: Any = part.default_factory
            found += [(f"{part.name}.{inner.name}", limits_of(inner)) for inner in fields(kind)]
    return found


NETWORK_NAME = Limits(str, "the network; empty: one of ours that suits the size of the board", papers="see docs/papers")


def limits_named(name: str) -> Limits:
    """What is known of an option; a name that does not exist is refused."""
    known = dict(all_options())
    if name not in known:
        section, _ = _split(name)
        close = nearest(name, known)
        if not close and section:
            close = f" [{section}] has {', '.join(n.partition('.')[2] for n in known if n.startswith(section + '.'))}."
        raise BadConfig(f"there is no option {quote(name)}.{close}")
    return known[name]


# --- mappings, TOML, words ------------------------------------------------------------------------------------------


def as_dict(config: Config) -> dict[str, dict[str, Any]]:
    """The configuration as nested mappings, complete."""
    made: dict[str, dict[str, Any]] = {name: asdict(getattr(config, name)) for name in SECTIONS}
    made["network"]["settings"] = dict(config.network.settings)
    for name in ELSEWHERE:
        del made["search"][name]
    return made


def from_dict(given: Mapping[str, Any]) -> Config:
    """A configuration from nested mappings; what is left out has its default."""
    made: dict[str, Any] = {}
    for name, values in given.items():
        if name not in SECTIONS:
            known = ", ".join(SECTIONS)
            raise BadConfig(f"a configuration has no section {quote(name)}; it has {known}.{nearest(name, SECTIONS)}")
        if name == "network":
            made[name] = _network(values)
        elif name == "search":
            made[name] = _search(values)
        else:
            kind: Any = {part.name: part.default_factory for part in fields(Config)}[name]
            made[name] = section_from(kind, name, values)
    return Config(**made)


def _network(given: Any) -> NetworkSection:
    if not isinstance(given, Mapping):
        raise BadConfig(f"[network] is a section with names and values, not {quote(given)}.")
    for name in given:
        if name not in ("name", "settings"):
            known = ("name", "settings")
            raise BadConfig(f"[network] has no {quote(name)}; it has name and settings.{nearest(str(name), known)}")
    settings = given.get("settings", {})
    if not isinstance(settings, Mapping) or len(settings) > 64:
        raise BadConfig("[network.settings] is a section with names and values.")
    for name, value in settings.items():
        if not isinstance(value, Value) or len(str(name)) > 60 or len(str(value)[:200]) > 100:
            where = f"network.settings.{str(name)[:60]}"
            raise BadConfig(f"{where} is a number, true, false or a word, not {quote(value)}.")
    return NetworkSection(checked("network.name", given.get("name", ""), NETWORK_NAME), tuple(settings.items()))


def _search(given: Any) -> SearchSettings:
    if not isinstance(given, Mapping):
        raise BadConfig(f"[search] is a section with names and values, not {quote(given)}.")
    values = {}
    for name, value in given.items():
        if name in ELSEWHERE or name not in SEARCH:
            where = f" {SEARCH[name].about.capitalize()}." if name in SEARCH else nearest(str(name), SEARCH)
            raise BadConfig(f"[search] has no {quote(name)}.{where}")
        values[name] = checked(f"search.{name}", value, SEARCH[name])
    try:
        return SearchSettings(**values)
    except BadSetting as error:
        raise BadConfig(f"[search] {error}") from error


def to_toml(config: Config) -> str:
    """The configuration as TOML, complete, with a comment on what each section is."""
    lines = ["# A ZeroGrid run, resolved and complete: zerogrid train --config THIS_FILE makes it again."]
    for name, values in as_dict(config).items():
        inner = values.pop("settings", {}) if name == "network" else {}
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in values.items())]
        if inner:
            lines += ["", "[network.settings]", *(f"{key} = {_toml(value)}" for key, value in inner.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


def from_toml(content: str | bytes, name: str = "the configuration") -> Config:
    """A configuration from TOML that may come from anywhere."""
    return from_dict(parse_toml(content, name))


def parse_toml(content: str | bytes, name: str) -> dict[str, Any]:
    """TOML as nested mappings, or a sentence."""
    try:
        if len(content) > LARGEST_FILE:
            raise BadConfig(f"{name} has {len(content):,} bytes; a configuration has at most {LARGEST_FILE:,}.")
        return tomllib.loads(content.decode("utf-8") if isinstance(content, bytes) else content)
    except UnicodeDecodeError as error:
        raise BadConfig(f"{name} is not UTF-8 text (byte {error.start + 1}); save the file as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{name} is not TOML: {str(error)[:200]}.") from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise BadConfig(f"{name} cannot be read as TOML: {type(error).__name__}.") from error


def from_words(words: Iterable[str]) -> dict[str, Any]:
    """Changes by dotted name, from words such as learner.lr=0.002."""
    changes: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals:
            raise BadConfig(f"{quote(word)} sets nothing; write it like learner.lr=0.002.")
        if name.startswith("network.settings."):
            changes[name] = _guessed(value.strip())
        else:
            changes[name] = from_word(name, value.strip(), limits_named(name))
    return changes


def _guessed(word: str) -> Value:
    """A value of a network's setting, whose type the network knows."""
    if word in ("true", "false"):
        return word == "true"
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def differences(one: Config, other: Config) -> list[tuple[str, Any, Any]]:
    """Options in which two configurations differ: (name, value here, value there)."""
    found = []
    ours, theirs = as_dict(one), as_dict(other)
    for section in SECTIONS:
        for key in {**ours[section], **theirs[section]}:
            if ours[section].get(key) != theirs[section].get(key):
                found.append((f"{section}.{key}", ours[section].get(key), theirs[section].get(key)))
    return found
