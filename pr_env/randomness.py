"""The random generator inside a record: 64 bits of state, and the same numbers on any machine, compiled or not.

It is a multiply-with-carry generator (32-bit values, 32-bit carry, period about 2**63). All products fit into 64 bits,
so ordinary NumPy scalars compute the same numbers as compiled code, without overflow.
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled

_LOW_32 = np.uint64(0xFFFFFFFF)
_THIRTY_TWO = np.uint64(32)
_SIXTEEN = np.uint64(16)
_FIFTEEN = np.uint64(15)
_ONE = np.uint64(1)
_MULTIPLIER = np.uint64(4294883355)
_MIX_A = np.uint64(0x7FEB352D)
_MIX_B = np.uint64(0x846CA68B)
_GOLDEN = np.uint64(0x9E3779B9)


@compiled
def _mix(value: np.uint64) -> np.uint64:
    """Scramble 32 bits, so that neighbouring seeds start far apart."""
    value = value ^ (value >> _SIXTEEN)
    value = (value * _MIX_A) & _LOW_32
    value = value ^ (value >> _FIFTEEN)
    value = (value * _MIX_B) & _LOW_32
    return value ^ (value >> _SIXTEEN)


@compiled
def start_generator(seed: np.uint64) -> np.uint64:
    """The generator's first state for a seed."""
    high = _mix((seed >> _THIRTY_TWO) ^ _GOLDEN)
    low = _mix((seed & _LOW_32) ^ high)
    high = _mix(high ^ low)
    # A carry of 1 to 2**31 - 1 avoids the two states in which the generator would get stuck.
    return (((high >> _ONE) | _ONE) << _THIRTY_TWO) | low


@compiled
def next_state(state: np.uint64) -> np.uint64:
    """The state after one step."""
    return (state & _LOW_32) * _MULTIPLIER + (state >> _THIRTY_TWO)


@compiled
def random_bits(state: np.uint64) -> np.uint64:
    """The 32 random bits of a state."""
    return (state & _LOW_32) ^ (state >> _THIRTY_TWO)


@compiled
def random_below(state: np.uint64, limit: int) -> int:
    """A number from 0 to ``limit - 1`` from a state's random bits."""
    return int((random_bits(state) * np.uint64(limit)) >> _THIRTY_TWO)
