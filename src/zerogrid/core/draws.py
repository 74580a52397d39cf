"""Random numbers and hashes that are the same on every target: plain 32-bit integer arithmetic, no state to keep.

A draw is a function of (seed, stream, and two counters): nothing is consumed, so no order of evaluation matters. The
generator is Philox 4x32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
Every intermediate result is masked to 32 bits, so that Python's unbounded integers and 64-bit machine words agree.

Streams keep draws apart that must not be related. A new use takes a new number here.
"""

import numpy as np

START, PLAYOUT, NOISE, TEMPERATURE, OPENING, AUGMENT, AGENT, CAP, TEST = 1, 2, 3, 4, 5, 6, 7, 8, 9

WORD = 0xFFFFFFFF


def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Four random 32-bit words from a 128-bit counter and a 64-bit key."""
    for _ in range(10):
        p = c0 * 0xD2511F53
        q = c2 * 0xCD9E8D57
        c0, c1, c2, c3 = ((q >> 32) & WORD) ^ c1 ^ k0, q & WORD, ((p >> 32) & WORD) ^ c3 ^ k1, p & WORD
        k0 = (k0 + 0x9E3779B9) & WORD
        k1 = (k1 + 0xBB67AE85) & WORD
    return c0, c1, c2, c3


def word(seed: int, stream: int, a: int, b: int) -> int:
    """One random 32-bit word: draw (a, b) of a stream. Seed and a may have 63 bits, b and stream 32."""
    w, _, _, _ = philox(a & WORD, (a >> 32) & WORD, b & WORD, stream & WORD, seed & WORD, (seed >> 32) & WORD)
    return w


def below(limit: int, seed: int, stream: int, a: int, b: int) -> int:
    """A number from 0 to limit - 1; the bias is under limit / 2**32."""
    return (word(seed, stream, a, b) * limit) >> 32


def uniform(seed: int, stream: int, a: int, b: int) -> float:
    """A number strictly between 0 and 1, with 24 bits."""
    return ((word(seed, stream, a, b) >> 8) + 0.5) * 5.9604644775390625e-08


def mix(h: int, value: int) -> int:
    """Stir one more integer into a 32-bit hash (the finaliser of MurmurHash3 on their combination)."""
    h = (h ^ (value & WORD)) & WORD
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & WORD
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & WORD
    return ((h ^ (h >> 16)) + 0x9E3779B9) & WORD


def hash_range(state: np.ndarray, first: int, last: int) -> int:
    """A signed 64-bit hash of state[first:last], from two independently stirred halves."""
    low, high = 0x243F6A88, 0x13198A2E
    for i in range(first, last):
        value = int(state[i])
        low = mix(low, value)
        high = mix(high ^ 0x5BD1E995, value + 0x10001)
    if high >= 0x80000000:
        high -= 0x100000000
    return high * 0x100000000 + low
