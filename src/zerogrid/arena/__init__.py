"""Matches between agents, and the statistics that say what their results mean."""
