"""Which tests `make quick` leaves out."""

from __future__ import annotations

import pytest

# Whole games, subprocesses, comparisons with other implementations: long without compiled code.
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
    """Give the marker `long` to every test of these files."""
    for item in items:
        if item.path.stem in LONG:
            item.add_marker(pytest.mark.long)
