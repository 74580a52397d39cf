"""Sharing games out among rivals.

Games under way are lost when a rival's part becomes larger or smaller, so it stays as it was while it is near enough to
what is wanted; the league wants a little more or less of everybody after each iteration.
"""

from collections.abc import Mapping

NEAR = 0.25  # of what is wanted


def allotted(games: int, shares: Mapping[str, float], before: Mapping[str, int]) -> dict[str, int]:
    """How many of the games are played against each rival; at least one against each while there are enough.

    One game at least is left for playing oneself, unless the shares make up all of them.
    """
    whole = sum(shares.values())
    most = games if whole >= 1.0 else games - 1
    total = min(most, max(len(shares), round(whole * games)))
    if whole <= 0.0 or total < 1:
        return {}
    names = sorted(shares, key=lambda name: -shares[name])[:total]
    whole = sum(shares[name] for name in names)
    wanted = {name: total * shares[name] / whole for name in shares if name in names}
    same = before.keys() == wanted.keys() and sum(before.values()) == total
    if same and all(abs(before[name] - part) <= max(1.0, NEAR * part) for name, part in wanted.items()):
        return {name: before[name] for name in wanted}
    found = {name: max(1, int(part)) for name, part in wanted.items()}
    while sum(found.values()) > total:
        found[max(found, key=lambda name: found[name])] -= 1
    while sum(found.values()) < total:
        found[max(found, key=lambda name: wanted[name] - found[name])] += 1
    return found
