"""Random numbers: the published generator, the same on every target, unrelated between streams."""

import math

import numpy as np
import pytest

from zerogrid.core import draws

# Counter, key and result of Philox4x32-10 as its authors publish them (Random123, file kat_vectors).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_philox_gives_the_published_words(
    counter: tuple[int, ...], key: tuple[int, ...], result: tuple[int, ...]
) -> None:
    assert draws.philox(*counter, *key) == result


def test_seeds_and_counters_do_not_share_words() -> None:
    words = [draws.word(seed, draws.TEST, a, 0) for seed in range(40) for a in range(40)]
    assert len(set(words)) == len(words)


def test_streams_seeds_and_counters_are_unrelated() -> None:
    names = [name for name in dir(draws) if name.isupper() and name != "WORD"]
    streams = [getattr(draws, name) for name in names]
    assert len(set(streams)) == len(streams)
    ways = {
        "streams": [[draws.word(7, stream, i, 0) for i in range(256)] for stream in streams],
        "seeds": [[draws.word(seed, draws.TEST, i, 0) for i in range(256)] for seed in range(8)],
        "high seeds": [[draws.word(1 + (seed << 33), draws.TEST, i, 0) for i in range(256)] for seed in range(8)],
        "a": [[draws.word(7, draws.TEST, a << 32, i) for i in range(256)] for a in range(8)],
    }
    for way, rows in ways.items():
        flat = [word for row in rows for word in row]
        assert len(set(flat)) >= len(flat) - 2, way
        bits = np.array(rows, np.uint64)
        for i in range(len(rows) - 1):
            agreeing = 32 - np.array([int(x).bit_count() for x in bits[i] ^ bits[i + 1]]).mean()
            assert abs(agreeing - 16) < 0.9, way  # five standard deviations


def test_numbers_below_a_limit_are_even() -> None:
    counts = np.bincount([draws.below(6, 3, draws.TEST, i, 1) for i in range(6000)], minlength=6)
    assert len(counts) == 6
    assert ((counts - 1000) ** 2 / 1000).sum() < 25  # chi squared, 5 degrees of freedom
    assert {draws.below(1, 3, draws.TEST, i, 0) for i in range(9)} == {0}


def test_uniform_numbers_lie_between_and_are_even() -> None:
    numbers = [draws.uniform(5, draws.TEST, i, 0) for i in range(4000)]
    assert 0 < min(numbers) < 0.01
    assert 0.99 < max(numbers) < 1
    assert abs(np.mean(numbers) - 0.5) < 5 * math.sqrt(1 / 12 / 4000)
    assert all(float(np.float32(number)) == number for number in numbers[:200] if number < 0.5)


def test_hashes_notice_every_entry_and_its_place() -> None:
    states = [np.zeros(8, np.int16)]
    for i in range(8):
        for value in (1, -1, 2, 32767, -32768):
            states.append(np.zeros(8, np.int16))
            states[-1][i] = value
    hashes = {draws.hash_range(state, 0, 8) for state in states}
    assert len(hashes) == len(states)
    assert all(-(2**63) <= one < 2**63 for one in hashes)
    assert draws.hash_range(states[0], 0, 8) != draws.hash_range(states[0], 0, 7)
    low_halves = {one & draws.WORD for one in hashes}
    high_halves = {one >> 32 for one in hashes}
    assert len(low_halves) == len(high_halves) == len(states)
