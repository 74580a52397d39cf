"""ZeroGrid: a laboratory for learning grid games from nothing."""
