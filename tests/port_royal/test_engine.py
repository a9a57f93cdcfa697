"""The engine against games of other implementations, the interface of games, and the sums of the card files."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import EXPEDITION, FOLDER, PERSON, SHIP, TAX
from pr_env.testing import check_game
from tests.port_royal.configurations import CONTRACTS


@pytest.mark.parametrize(
    ("options", "kinds", "actions"),
    [
        ({}, (26, 28, 6, 2), 44),
        ({"deck": "set_sail"}, (13, 23, 0, 1), 23),
        ({"add": ("gambler",)}, (29, 28, 6, 2), 48),
        ({"add": ("set_sail_20",)}, (32, 28, 6, 2), 50),
        ({"add": ("contract_cards",)}, (37, 34, 6, 2), 59),
        ({"add": CONTRACTS}, (37, 34, 6, 2), 79),
        ({"add": CONTRACTS, "mode": "cooperative"}, (37, 34, 6, 2), 81),
        ({"add": ("gambler", "set_sail_20", *CONTRACTS)}, (46, 34, 6, 2), 89),
    ],
    ids=str,
)
def test_kinds_and_actions_of_the_configurations(options: dict[str, Any], kinds: tuple[int, ...], actions: int) -> None:
    game = PortRoyal(**options)
    assert tuple(len(game.cards.of(kind)) for kind in (PERSON, SHIP, EXPEDITION, TAX)) == kinds
    assert len(game.actions) == actions
    assert game.record["legal"].shape == (actions,)


def test_sizes_of_the_base_game() -> None:
    assert [PortRoyal(players=players).observation_size for players in range(2, 6)] == [294, 332, 370, 408]
    assert PortRoyal().record.itemsize < 0.8 * 1024


def test_the_base_game_keeps_the_contract_of_games() -> None:
    assert check_game(PortRoyal(players=3), games=8, steps=120)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 1}, "players of a competitive game with the deck base must be a whole number from 2 to 5, got 1"),
        ({"players": 5, "deck": "set_sail"}, "must be a whole number from 2 to 4, got 5"),
        ({"add": ("contracts",)}, "contracts need the contract cards"),
        ({"add": ("gambler",), "deck": "set_sail"}, "set_sail takes no additions"),
        ({"mode": "cooperative"}, "a cooperative game needs contracts"),
        ({"add": "gambler"}, "add must be a list"),
        ({"score_start": 2}, "score_start is for cooperative games"),
        (
            {"players": 1, "mode": "cooperative", "add": CONTRACTS, "score_start": 14},
            "score_start must be a whole number from 0 to",
        ),
        ({"alternative_end": True, "deck": "set_sail"}, "alternative_end is for competitive games"),
        ({"vice_admiral_passive": 3}, "vice_admiral_passive must be a whole number from 1 to 2, got 3"),
    ],
)
def test_impossible_configurations_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        PortRoyal(**options)


def test_other_cards_are_played_without_another_build(tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    shutil.copytree(FOLDER, folder)
    file = folder / "base_cards.csv"
    file.write_text(file.read_text().replace("base,person,governor,,8,0", "base,person,governor,,8,4"))
    printed, edited = PortRoyal(), PortRoyal(data=str(folder))
    governor = next(number for number, card in enumerate(printed.cards.kinds) if card.type == "governor")
    assert printed.tables["influence"][0, governor] == 0
    assert edited.tables["influence"][0, governor] == 4
    assert edited.options_for_agents() != printed.options_for_agents()
    assert edited.record == printed.record
