"""Anything that picks a move: random, rule-based, searching, solving, or a program behind a pipe."""
