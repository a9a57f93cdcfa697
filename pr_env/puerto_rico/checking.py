"""Shared parts of the checks of records: the configuration to check against, and the report."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Sentence = Callable[[int], str]  # maps a game's index to what is wrong with it


class Report:
    """Collects sentences about games that fail a check."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def wrong_if(self, bad: np.ndarray | np.bool_, sentence: str | Sentence) -> None:
        """Add the sentence for every game where ``bad`` is True."""
        for i in np.flatnonzero(bad):
            self.say(i, sentence if isinstance(sentence, str) else sentence(int(i)))

    def say(self, i: np.integer, sentence: str) -> None:
        """Add the sentence for one game."""
        self.sentences.append(f"game {i}: {sentence}")


class Setting:
    """The configuration that records are checked against, read from a blank record."""

    def __init__(self, blank: np.ndarray) -> None:
        self.blank = blank
        self.extended = "in_game" in (blank.dtype.names or ())
        self.players = int(blank["players"][0])
        self.max_rounds = int(blank["max_rounds"][0])
        self.row = int(blank["row"][0]) if self.extended else self.players
        self.buildings = blank["city"].shape[2]
        self.roles = blank["role_taken_by"].shape[1]
        self.seats = blank["doubloons"].shape[1]
