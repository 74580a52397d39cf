"""Commands are run as in tests/cli."""

from cli.conftest import zerogrid

__all__ = ["zerogrid"]
