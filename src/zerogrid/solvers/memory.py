"""The engines' memory: a table of bounded size from positions to what is known of them.

    entry    KEY_WORDS words that name the position, then two words of knowledge; both 0 in an empty entry
    bucket   WAYS neighbouring entries; a position's hash says which bucket, and it may stand anywhere in it

A key is compared in full, so nothing is ever mistaken for something else. The lowest 7 bits of a word of knowledge say
how much work it cost (the number of binary digits of the nodes searched); in a full bucket the cheapest entry goes.
"""

from typing import Any

from zerogrid.solvers import compact

WAYS = 4
EFFORT = 127
HALF = 0x7FFFFFFF


def bucket(key: Any, buckets: int) -> int:
    """The first entry of the bucket a key belongs to. No product exceeds 63 bits, see bits.py."""
    low = 0x3C6EF372
    high = 0x1B873593
    for i in range(compact.KEY_WORDS):
        low = (low ^ (key[i] & HALF)) * 0x9E3779B1
        low = (low ^ (low >> 32)) & HALF
        high = (high ^ ((key[i] >> 31) & HALF)) * 0x85EBCA77
        high = (high ^ (high >> 32)) & HALF
    h = (low ^ (high >> 1)) * 0xC2B2AE3D
    return (((h ^ (h >> 32)) & HALF) * buckets >> 31) * WAYS


def find(table: Any, buckets: int, key: Any) -> int:
    """The entry of a key, or -1."""
    first = bucket(key, buckets)
    for entry in range(first, first + WAYS):
        same = table[entry, compact.KEY_WORDS] | table[entry, compact.KEY_WORDS + 1] != 0
        for i in range(compact.KEY_WORDS):
            same = same and table[entry, i] == key[i]
        if same:
            return entry
    return -1


def room(table: Any, buckets: int, key: Any) -> int:
    """The entry of a key, made by giving up the cheapest one of its bucket if need be."""
    first = bucket(key, buckets)
    chosen = -1
    least = EFFORT + 1
    for entry in range(first, first + WAYS):
        a = table[entry, compact.KEY_WORDS]
        b = table[entry, compact.KEY_WORDS + 1]
        if a | b == 0:
            chosen = entry
            break
        same = True
        for i in range(compact.KEY_WORDS):
            same = same and table[entry, i] == key[i]
        if same:
            return entry
        effort = max(a & EFFORT, b & EFFORT)
        if effort < least:
            least = effort
            chosen = entry
    for i in range(compact.KEY_WORDS):
        table[chosen, i] = key[i]
    table[chosen, compact.KEY_WORDS] = 0
    table[chosen, compact.KEY_WORDS + 1] = 0
    return chosen


def effort_of(nodes: int) -> int:
    """How many binary digits a number of nodes has, at least 1."""
    digits = 1
    while nodes > 1:
        nodes >>= 1
        digits += 1
    return digits


def rehash(b: int, lane: int, args: Any) -> None:
    """Kernel: move every entry of a table into a larger one."""
    old, new, buckets = args
    for entry in range(old.shape[0]):
        if old[entry, compact.KEY_WORDS] | old[entry, compact.KEY_WORDS + 1] != 0:
            place = room(new, buckets, old[entry])
            new[place, compact.KEY_WORDS] = old[entry, compact.KEY_WORDS]
            new[place, compact.KEY_WORDS + 1] = old[entry, compact.KEY_WORDS + 1]
