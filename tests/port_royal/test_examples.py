"""The worked examples of the rulebook, position by position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.tables import TITLES
from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import Seat, Table

FOUR_SHIPS = ("yellow_2_1", "blue_3_2", "green_1_1", "red_1_1")
SOLO: dict[str, Any] = {"add": CONTRACTS, "mode": "cooperative"}
SOLO_EXAMPLE = ("lady_killer", "maritime_supremacy", "galleon_foe")


def test_1_a_repelled_ship_is_discarded_and_sabres_are_not_used_up() -> None:
    table = Table(Seat("sailor", "pirate"), Seat(), harbour=["admiral"])
    table.draw("blue_2_2")
    assert (table.asked, table.sabres[0]) == (("repel", 0), 3)
    table.play("repel")
    assert table.discarded("blue_2_2") == 1
    assert table.harbour == {"admiral_5_1"}
    assert table.sabres[0] == 3


def test_2_a_claim_with_one_way_to_pay_asks_nothing() -> None:
    table = Table(Seat("priest", "jack_of_all_trades"), Seat(), expeditions=["two_priests"])
    assert table.influence[0] == 2
    table.play("claim", "two_priests")
    assert table.question == "discover"
    assert (table.discarded("priest"), table.discarded("jack_of_all_trades")) == (1, 1)
    assert table.expedition_of("two_priests") == 0
    assert (table.coins[0], table.influence[0]) == (2, 4)


def test_3_a_tax_takes_half_from_12_coins_on() -> None:
    coins = (11, 12, 13, 24, 25)
    table = Table(Seat("sailor", coins=coins[0]), *(Seat(coins=count) for count in coins[1:]))
    table.draw("tax_max_sabres")
    assert table.coins == [11 + 1, 12 - 6, 13 - 6, 24 - 12, 25 - 12]  # the bonus is the sailor's


@pytest.mark.parametrize("tax", ["tax_max_sabres", "tax_min_influence"])
def test_4_the_first_tax_pays_everybody(tax: str) -> None:
    table = Table(Seat(coins=3), Seat(coins=3), Seat(coins=3)).draw(tax)
    assert table.coins == [4, 4, 4]
    assert table.discarded(tax) == 1


def test_5_a_traded_ship_is_discarded_and_pays_its_coins() -> None:
    table = Table(Seat(coins=1), Seat(), harbour=["blue_2_2"]).play("stop").play("trade", "blue")
    assert table.coins[0] == 3
    assert table.discarded("blue_2_2") == 1


def test_6_a_hired_person_is_paid_with_cards_that_are_discarded_face_up() -> None:
    table = Table(Seat(coins=4), Seat(), harbour=["sailor"]).play("stop")
    before = int(table.record.discards)
    table.play("hire", "sailor")
    assert int(table.record.discards) - before == 3
    assert table.coins[0] == 1
    assert table.display(0) == ["sailor_3_1"]


def test_7_a_whole_phase_two() -> None:
    table = Table(Seat(), Seat(), Seat(), harbour=[*FOUR_SHIPS, "sailor"]).play("stop")
    assert (table.asked, table.takes) == (("take", 0), 2)
    table.play("trade", "blue").play("hire", "sailor")
    assert (table.coins[0], table.display(0)) == (0, ["sailor_3_1"])
    assert table.asked == ("take", 1)
    table.play("trade", "yellow")
    assert table.coins == [1, 1, 0]
    table.play("done")
    assert table.harbour == set() or table.record.turn == 2
    assert {table.discarded(ship) for ship in FOUR_SHIPS} == {1}


def test_8_two_mademoiselles_make_every_hire_two_cheaper_but_not_below_0() -> None:
    two = Seat("mademoiselle_7_2", "mademoiselle_9_3", coins=1)
    table = Table(two, Seat(), harbour=["sailor_3_1", "settler"]).play("stop")
    assert table.may("hire", "sailor_3_1")
    assert not table.may("hire", "settler")
    table.play("hire", "sailor_3_1")
    assert table.coins[0] == 0
    four = Seat(*["mademoiselle_7_2", "mademoiselle_9_3"] * 2)
    table = Table(four, Seat(), harbour=["sailor_3_1"]).play("stop").play("hire", "sailor_3_1")
    assert (table.coins[0], table.display(0).count("sailor_3_1")) == (0, 1)


@pytest.mark.parametrize(("colours", "takes"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 3)])
def test_9_takes_of_the_active_player_by_colours(colours: int, takes: int) -> None:
    ships = [*FOUR_SHIPS, "black_1_2"][:colours]
    table = Table(Seat(coins=9), Seat(), harbour=[*ships, "sailor"]).play("stop")
    assert (table.asked, table.takes) == (("take", 0), takes)


def test_10_expeditions_on_the_table_survive_a_bust() -> None:
    table = Table(Seat(), Seat(), harbour=["blue_1_1", "admiral"], expeditions=["two_priests"])
    table.play("draw", cards=["blue_2_1", "sailor"])  # a bust, and the next player's forced draw
    assert table.record.turn == 2
    assert table.expedition_of("two_priests") == "table"
    assert [table.discarded(name) for name in ("blue_1_1", "blue_2_1", "admiral")] == [1, 1, 1]


@pytest.mark.parametrize("person", ["admiral_7_2", "governor_8_0", "gunner_6_2"])
def test_11_a_newly_hired_person_does_nothing_for_the_part_it_was_hired_in(person: str) -> None:
    options: dict[str, Any] = {"add": ("contract_cards",)} if person.startswith("gunner") else {}
    table = Table(Seat(coins=16), Seat(), harbour=[*FOUR_SHIPS, person, person], **options).play("stop")
    cost = int(person.split("_")[1])
    assert (table.coins[0], table.takes) == (16, 2)
    table.play("hire", person)
    assert (table.asked, table.coins[0], table.takes) == (("take", 0), 16 - cost, 1)


def test_11_a_newly_hired_jester_is_not_paid_for_the_harbour_that_it_leaves_empty() -> None:
    table = Table(Seat(coins=5), Seat(), harbour=["jester_5_1"]).play("stop").play("hire", "jester_5_1")
    assert table.coins[0] == 0


def test_11_a_newly_hired_vice_admiral_is_not_paid() -> None:
    harbour = ["vice_admiral_5_1", "yellow_1_1", "sailor"]
    table = Table(Seat(coins=5), Seat(), harbour=harbour, add=("contract_cards",)).play("stop")
    assert table.play("hire", "vice_admiral_5_1").coins[0] == 0


def test_12_the_second_finisher_of_a_contract_and_its_own_second_contract() -> None:
    julia = Seat("priest", "jester_5_1", cubes={"fighter": "done"})
    first = Seat(cubes={"comedian": "done"})
    table = Table(julia, first, contracts=["comedian", "fighter"], add=CONTRACTS)
    before = table.influence[0]
    table.play("complete", "comedian")
    assert (table.coins[0], table.influence[0] - before) == (3, 1)
    assert table.display(0) == ["priest_4_1", "jester_5_1"]


def set_up(monkeypatch: pytest.MonkeyPatch, contracts: tuple[str, ...], **options: Any) -> Any:
    """A cooperative game with these contracts at its start."""
    game = PortRoyal(**options)

    def turn_up(record: Any, wanted: int) -> None:
        assert len(contracts) == wanted
        record.face_up[:] = [contract.name in contracts for contract in game.cards.contracts]

    monkeypatch.setattr(plain.setup, "_turn_up_contracts", turn_up)
    record = plain.Light(game.blank.copy())
    plain.setup.set_up(record, plain.Light(game.tables), np.uint64(1))
    return record


def test_13_the_time_deck_counts_seal_numbers_and_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set_up(monkeypatch, SOLO_EXAMPLE, players=1, **SOLO).time == 13 + (1 + 0 - 1) + 2


def test_14_a_seal_letter_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set_up(monkeypatch, ("fighter", "gamester", "little_gamester"), players=1, **SOLO).time == 13 + 0 + 1


def test_15_cards_moved_before_the_start_leave_fewer_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    record = set_up(monkeypatch, SOLO_EXAMPLE, players=1, score_start=5, **SOLO)
    assert (record.time, record.score) == (10, 5)
    table = Table(Seat(), time=0, score=5, turn=10, contracts=SOLO_EXAMPLE, **SOLO)  # the tenth turn
    table.play("stop")
    while not table.over:
        table.play("done")
    assert (table.ending, table.final["turns"], table.final["won"]) == ("time", 10, 0)


def test_15_a_won_game_has_a_point_for_each_card_of_the_score_deck() -> None:
    almost = Seat("captain", "vice_admiral", cubes={"lady_killer": "done", "galleon_foe": "done"})
    table = Table(almost, time=3, score=5, contracts=SOLO_EXAMPLE, **SOLO).play("complete", "maritime_supremacy")
    assert (table.ending, table.final["won"], table.final["points"][0].tolist()) == ("contracts", 1, [3, 5])
    assert TITLES[table.final["title"]] == "pirate"
    table = Table(almost, time=3, score=5, contracts=SOLO_EXAMPLE, **SOLO)
    table.draw("tax_max_sabres").play("accept")
    assert (table.record.time, table.record.score) == (2, 6)
    assert TITLES[table.play("complete", "maritime_supremacy").final["title"]] == "captain"


@pytest.mark.parametrize(
    ("points", "title"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 4), (20, 4)]
)
def test_15_titles_by_points(points: int, title: int) -> None:
    almost = Seat("captain", "vice_admiral", cubes={"lady_killer": "done", "galleon_foe": "done"})
    table = Table(almost, score=points, contracts=SOLO_EXAMPLE, **SOLO).play("complete", "maritime_supremacy")
    assert (table.final["title"], TITLES[-1]) == (title, "lord_of_the_seas")


def test_16_in_a_team_a_one_coin_ship_is_a_coin_for_the_active_player() -> None:
    table = Table(Seat(), Seat(coins=2), harbour=["green_1_1", "admiral"], **SOLO).play("stop")
    table.play("done").play("trade", "green")
    assert table.coins == [1, 2]


def test_30_the_tax_of_set_sail_leaves_8_coins() -> None:
    table = Table(Seat("sailor", coins=9), Seat("sailor", coins=14), Seat(coins=8), deck="set_sail")
    assert table.draw("tax_down_to_8").coins == [8, 8, 8 + 1]
