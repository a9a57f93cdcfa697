"""The tests that `make quick` skips."""

from __future__ import annotations

import pytest

# Whole games, subprocesses, comparisons with other implementations: slow without compiled code.
LONG = (
    "test_damage",
    "test_golden",
    "test_random_games",
    "test_recorded_reference",
    "test_reference",
    "test_reference_adventure",
    "test_reference_adventure_sleep",
    "test_reference_expansion",
    "test_small_decks",
    "test_interfaces",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add the marker `long` to all tests in these files."""
    for item in items:
        if item.path.stem in LONG:
            item.add_marker(pytest.mark.long)
