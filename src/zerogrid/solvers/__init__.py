"""Exact values: whole games where they can be enumerated, endings and late positions elsewhere."""
