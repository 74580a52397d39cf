"""From a configuration to an engine: the one place where the loop meets the engine room."""

from importlib import import_module, util
from typing import Any

from zerogrid.core.errors import ZeroGridError
from zerogrid.training.config import Config
from zerogrid.training.parts import Engine

PLACE = "zerogrid.training.engine"


def engine(config: Config) -> Engine:
    """The engine that plays and learns as the configuration says."""
    if util.find_spec(PLACE) is None:
        raise ZeroGridError("this ZeroGrid has no engine to train with; --dry-run still says what it would do.")
    make: Any = import_module(PLACE).make
    made = make(config)
    assert isinstance(made, Engine)
    return made
