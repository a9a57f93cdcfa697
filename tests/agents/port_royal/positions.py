"""Positions of Port Royal for tests of its players: what lies where, in the names of the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents import make_agent
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import EXPEDITION, PERSON
from pr_env.port_royal.state import NOTHING, ON_TABLE, QUESTIONS

Name = tuple[str | int, ...]


def position(
    game: PortRoyal,
    *,
    question: str = "discover",
    displays: Sequence[Sequence[str]] = (),
    coins: Sequence[int] = (),
    harbour: Sequence[str] = (),
    expeditions: Sequence[str] = (),
    pending: str | None = None,
    takes: int = 0,
    fields: Mapping[str, Any] | None = None,
) -> np.ndarray:
    """A record (1,): the first seat is active and is asked; cards that are not named lie in the deck.

    Args:
        game: The configuration.
        question: What is asked.
        displays: Persons of each seat.
        coins: Coins of each seat.
        harbour: Persons and ships.
        expeditions: On the table.
        pending: The ship that was just drawn.
        takes: How many are left.
        fields: Fields of the record to set besides.
    """
    names = [card.name for card in game.cards.kinds]
    persons = len(game.cards.of(PERSON))
    first_expedition = names.index(game.cards.of(EXPEDITION)[0].name) if game.cards.of(EXPEDITION) else 0
    games = game.blank.copy()
    games["seed"] = 1
    tables = game.tables[0]
    record: Any = games[0]
    record["unseen"] = np.where(tables["min_players"] == 0, tables["copies"], 0)
    record["turn"], record["drawn"], record["question"] = 1, 1, QUESTIONS.index(question)
    record["takes"] = takes

    def lay_out(name: str) -> int:
        kind = names.index(name)
        assert record["unseen"][kind] > 0, f"there is no other {name}"
        record["unseen"][kind] -= 1
        return kind

    for seat, display in enumerate(displays):
        for name in display:
            kind = lay_out(name)
            record["display"][seat, kind] += 1
            record["staff"][seat, tables["ability"][kind]] += 1
            record["sabres"][seat] += tables["sabres"][kind]
            record["influence"][seat] += tables["influence"][kind]
    for name in harbour:
        kind = lay_out(name)
        if kind < persons:
            record["harbour"][kind] += 1
            record["harbour_persons"] += 1
        else:
            assert record["harbour_ship"][tables["colour"][kind]] == NOTHING
            record["harbour_ship"][tables["colour"][kind]] = kind
    for name in expeditions:
        record["expedition"][lay_out(name) - first_expedition] = ON_TABLE
    if pending is not None:
        record["pending"] = lay_out(pending)
    for seat, count in enumerate(coins):
        record["purse"][seat] = count
        record["coins"][seat, 0] = count
    for name, value in (fields or {}).items():
        record[name] = value
    record["deck"] = int(record["unseen"].sum()) - sum(coins) - sum(int((fields or {}).get(pile, 0)) for pile in _TIME)
    game.refresh(games)
    assert games["question"][0] == QUESTIONS.index(question), "the position is played on by itself"
    return games


_TIME = ("time", "score")


def decide(agent: str, game: PortRoyal, games: np.ndarray) -> Name:
    """What an agent does in a position."""
    masks = games["legal"].astype(np.bool_)
    action = int(make_agent(agent, game).choose(np.zeros((1, 0), np.float32), masks, games)[0])
    assert masks[0, action]
    return game.actions[action].name
