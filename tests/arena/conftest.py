"""Commands for the tests of the arena."""

from cli.conftest import zerogrid

__all__ = ["zerogrid"]
