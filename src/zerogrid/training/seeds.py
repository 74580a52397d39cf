"""Seeds: one for each purpose, iteration and attempt, all from the seed of the run."""

import hashlib


def seed_of(seed: int, *purpose: str | int) -> int:
    """A number with 62 bits that has nothing to do with those for other purposes."""
    told = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "little") >> 2
