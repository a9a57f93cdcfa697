"""Contracts: who completes which, when, and the rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal
from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS, EVERYTHING
from tests.port_royal.table import Seat, Table

COMPETITIVE: dict[str, Any] = {"add": CONTRACTS}
TEAM: dict[str, Any] = {"add": CONTRACTS, "mode": "cooperative"}
PAIRS = {
    "lady_killer": ("captain", "mademoiselle_7_2"),
    "comedian": ("priest", "jester_5_1"),
    "maritime_supremacy": ("captain", "vice_admiral_5_1"),
    "new_colony": ("settler", "gunner_4_1"),
    "trade_outpost": ("settler", "clerk_red"),
    "trader_prince": ("trader_red", "trader_blue_5_2"),
}
STRONG = Seat("sailor", "pirate", coins=0)  # three sabres


@pytest.mark.parametrize("contract", PAIRS)
def test_two_persons_complete_their_contract_and_stay(contract: str) -> None:
    persons = PAIRS[contract]
    table = Table(Seat(*persons), Seat(), contracts=[contract], **COMPETITIVE).play("complete", contract)
    assert (table.cube(0, contract), len(table.display(0))) == ("done", 2)
    assert not table.may("complete", contract)  # once per player
    for missing in persons:
        others = [person for person in persons if person != missing]
        table = Table(Seat(*others, "jack_of_all_trades"), Seat(), contracts=[contract], **COMPETITIVE)
        assert not table.may("complete", contract)  # a jack is no substitute


def test_free_contracts_are_completed_at_any_moment_of_ones_own() -> None:  # R38
    options: dict[str, Any] = {"contracts": ["fighter"], **COMPETITIVE}
    assert Table(STRONG, Seat(), drawn=0, **options).may("complete", "fighter")
    table = Table(Seat(), STRONG, Seat("governor", coins=3), harbour=["blue_1_1", "governor"], **options).play("stop")
    table.play("done")
    assert (table.asked, table.may("complete", "fighter")) == (("take", 1), True)
    table = Table(STRONG, Seat(), harbour=["blue_1_1"], **options).draw("blue_2_2").play("let_in")
    assert (table.asked, table.may("complete", "fighter")) == (("end_of_turn", 0), True)


def test_declining_a_free_contract_costs_nothing() -> None:  # R38, R73
    table = Table(STRONG, Seat(), contracts=["fighter"], **COMPETITIVE).draw("captain", "priest")
    assert table.may("complete", "fighter")


def test_cheap_staff_counts_printed_costs() -> None:  # R39
    cheap = ("sailor_3_1", "sailor_3_1", "trader_red")
    options: dict[str, Any] = {"contracts": ["cheap_staff"], **COMPETITIVE}
    assert not Table(Seat(*cheap), Seat(), **options).may("complete", "cheap_staff")
    assert Table(Seat(*cheap, "trader_green"), Seat(), **options).may("complete", "cheap_staff")
    discounted = Seat(*cheap, "captain", "mademoiselle_7_2")  # a captain would cost 3
    assert not Table(discounted, Seat(), **options).may("complete", "cheap_staff")
    assert min(card.cost for card in PortRoyal(add=EVERYTHING).cards.kinds if card.cost) == 3


@pytest.mark.parametrize(
    ("persons", "may"), [(("pirate",), False), (("pirate", "sailor"), True), (("sailor",) * 4, True)]
)
def test_fighter_needs_three_sabres(persons: tuple[str, ...], may: bool) -> None:
    assert Table(Seat(*persons), Seat(), contracts=["fighter"], **COMPETITIVE).may("complete", "fighter") is may


def test_explorer_needs_an_expedition() -> None:
    options: dict[str, Any] = {"contracts": ["explorer"], **COMPETITIVE}
    assert Table(Seat(expeditions=["two_captains"]), Seat(), **options).may("complete", "explorer")
    table = Table(Seat("priest", "priest"), Seat(), expeditions=["two_priests"], **options)
    assert not table.may("complete", "explorer")
    assert table.play("claim", "two_priests").may("complete", "explorer")


def test_little_gamester_is_completed_by_three_colours_in_a_second_turn() -> None:  # R40
    options: dict[str, Any] = {"contracts": ["little_gamester"], **COMPETITIVE}
    table = Table(Seat(), Seat(), harbour=["blue_1_1", "green_1_1"], **options).draw("red_1_1")
    assert (table.asked, table.asked_about) == (("immediate", 0), "little_gamester")
    table.play("accept")
    assert (table.asked, table.cube(0, "little_gamester"), table.coins[0]) == (("discover", 0), 1, 0)
    table.draw("yellow_1_1")
    assert table.cube(0, "little_gamester") == 1  # not in the same turn
    later = Seat(cubes={"little_gamester": 1})
    table = Table(later, Seat(), harbour=["blue_1_1", "green_1_1"], **options).draw("red_1_1")
    assert (table.asked, table.cube(0, "little_gamester"), table.coins[0]) == (("discover", 0), "done", 2)


def test_four_colours_are_asked_about_when_the_fourth_ship_has_entered() -> None:  # R41, R80
    options: dict[str, Any] = {"contracts": ["gamester"], **COMPETITIVE}
    table = Table(Seat("sailor"), Seat(), harbour=["blue_1_1", "green_1_1", "red_1_1"], **options)
    assert table.draw("captain").question == "discover"
    assert table.draw("yellow_1_1").question == "repel"
    table.play("let_in")
    assert (table.asked, table.asked_about) == (("immediate", 0), "gamester")
    table.play("decline")
    assert table.draw("black_1_2").question == "discover"  # once a turn
    assert (table.cube(0, "gamester"), table.coins[0]) == (0, 0)


def test_accepting_gamester_pays_its_coins() -> None:
    options: dict[str, Any] = {"contracts": ["gamester"], **COMPETITIVE}
    table = Table(Seat(), Seat(), harbour=["blue_1_1", "green_1_1", "red_1_1"], **options).draw("yellow_1_1")
    assert table.play("accept").coins[0] == 2


def test_a_repelled_ship_makes_no_colour() -> None:  # R41
    options: dict[str, Any] = {"contracts": ["gamester"], **COMPETITIVE}
    table = Table(Seat("sailor"), Seat(), harbour=["blue_1_1", "green_1_1", "red_1_1"], **options).draw("yellow_1_1")
    assert table.play("repel").question == "discover"


def test_colours_of_a_gambler_are_asked_about_after_the_fourth_card() -> None:  # R41
    options: dict[str, Any] = {"contracts": ["gamester", "little_gamester"], "add": ("gambler", *CONTRACTS)}
    gambler = Seat("gambler_4_1")
    table = Table(gambler, Seat(), **options)
    table.play("use_gambler", cards=["blue_1_1", "green_1_1", "red_1_1", "yellow_1_1"])
    assert (table.asked_about, table.record.draws_left) == ("little_gamester", 0)
    table.play("accept")
    assert table.asked_about == "gamester"
    table = Table(gambler, Seat(), harbour=["yellow_1_1"], **options)  # a bust: neither is asked about
    table.play("use_gambler", cards=["blue_1_1", "green_1_1", "red_1_1", "yellow_2_1", "captain"])
    assert table.record.turn == 2


def test_a_cube_on_a_progress_space_is_one_of_three() -> None:  # R42
    used = {"galleon_foe": 1, "tax_officer": "done", "jinx": "done"}
    options: dict[str, Any] = {"contracts": ["fighter", *used], **COMPETITIVE}
    table = Table(Seat("sailor", "pirate", cubes=used), Seat(), **options)
    assert not table.may("complete", "fighter")


def test_without_a_free_cube_nothing_is_begun() -> None:  # R42
    used = {"fighter": "done", "jinx": "done", "explorer": "done"}
    seat = Seat("sailor", "sailor", "pirate", expeditions=["two_captains"], cubes=used)
    table = Table(seat, Seat(), harbour=["black_1_2"], contracts=["galleon_foe", *used], **COMPETITIVE).play("stop")
    assert not table.may("refuse", "black")
    options: dict[str, Any] = {"contracts": ["little_gamester", *used], **COMPETITIVE}
    table = Table(seat, Seat(), harbour=["blue_1_1", "green_1_1"], **options).draw("red_3_skull")
    assert table.question == "discover"


def test_a_cube_that_lies_on_a_progress_space_needs_no_free_cube() -> None:  # R42
    used = {"fighter": "done", "jinx": "done", "galleon_foe": 1}
    table = Table(Seat(cubes=used), Seat(), harbour=["black_1_2"], contracts=list(used), **COMPETITIVE).play("stop")
    table.play("refuse", "black")
    assert (table.cube(0, "galleon_foe"), table.coins[0], table.influence[0]) == ("done", 6, 3)


def test_influence_from_contracts_counts_for_the_end() -> None:  # R43
    seat = Seat("sailor", "pirate_9_3", "admiral_9_3", "admiral_9_3", cubes={"jinx": "done", "tax_officer": "done"})
    table = Table(seat, Seat(), contracts=["fighter", "jinx", "tax_officer"], **COMPETITIVE)
    assert (table.influence[0], table.record.end_flag) == (11, 0)
    table.play("complete", "fighter")
    assert (table.influence[0], table.record.end_flag) == (13, 1)


def test_coins_are_refused_only_where_that_advances_a_contract() -> None:  # R44
    ships = ["red_1_1", "black_1_2", "blue_1_1"]
    table = Table(
        Seat(), Seat(), harbour=ships, contracts=["galleon_foe", "fighter", "jinx", "explorer"], **COMPETITIVE
    )
    table.play("stop")
    assert (table.may("refuse", "black"), table.may("refuse", "red")) == (True, False)
    done = Seat(cubes={"galleon_foe": "done"})
    table = Table(done, Seat(), harbour=ships, contracts=["galleon_foe", "frigate_foe"], **COMPETITIVE).play("stop")
    assert (table.may("refuse", "black"), table.may("refuse", "red")) == (False, True)


def test_frigate_foe_takes_three_refusals_and_galleon_foe_two() -> None:
    for contract, ship, spaces, reward in (("frigate_foe", "red_2_3", 2, 8), ("galleon_foe", "black_1_2", 1, 6)):
        colour = ship.split("_")[0]
        for progress in range(spaces + 1):
            seat = Seat("trader_red", "trader_black", cubes={contract: progress} if progress else {})
            table = Table(seat, Seat(), harbour=[ship], contracts=[contract], **COMPETITIVE).play("stop")
            table.play("refuse", colour)
            finished = progress == spaces
            assert table.coins[0] == (reward if finished else 0)  # no trader's coins either
            assert table.cube(0, contract) == ("done" if finished else progress + 1)
            assert table.discarded(ship) == 1


def test_tax_officer_is_offered_to_everybody_who_loses_coins_before_the_bonus() -> None:  # R45
    seats = Seat(coins=11), Seat(coins=12), Seat(coins=20), Seat("captain", coins=12)
    table = Table(*seats, active=2, contracts=["tax_officer"], **COMPETITIVE).draw("tax_min_influence")
    asked = []
    for answer in ("accept", "decline", "accept"):
        asked.append(table.asked)
        assert (table.asked_about, table.coins[0]) == ("tax_officer", 11)  # no bonus yet
        table.play(answer)
    assert asked == [("immediate", 2), ("immediate", 3), ("immediate", 1)]
    assert table.asked == ("discover", 2)
    assert table.coins == [11 + 1, 6 + 7 + 1, 10 + 7 + 1, 6]


def test_influence_of_a_tax_officer_can_change_who_has_least() -> None:  # R45
    seats = Seat("captain", coins=3), Seat(coins=12, cubes={"jinx": "done"})
    table = Table(*seats, contracts=["tax_officer", "jinx"], **COMPETITIVE).draw("tax_min_influence").play("accept")
    assert table.influence == [1, 1]
    assert table.coins == [3 + 1, 6 + 7 + 1]


def test_jinx_is_offered_after_the_jesters_are_paid_and_before_the_last_chance() -> None:  # R46
    seat = Seat("jester_5_1", "priest", "priest")
    options: dict[str, Any] = {"contracts": ["jinx"], "expeditions": ["two_priests"], **COMPETITIVE}
    table = Table(seat, Seat(), harbour=["blue_1_1"], **options).draw("blue_2_1")
    assert (table.asked, table.asked_about) == (("immediate", 0), "jinx")
    assert (table.coins[0], table.harbour) == (1, set())
    table.play("accept")
    assert (table.asked, table.coins[0]) == (("end_of_turn", 0), 2)
    assert table.may("claim", "two_priests")


def test_jinx_is_for_the_active_player_alone_also_with_a_gambler() -> None:  # R46
    options: dict[str, Any] = {"contracts": ["jinx"], "add": ("gambler", *CONTRACTS)}
    table = Table(Seat("gambler_4_1"), Seat(), **options)
    table.play("use_gambler", cards=["blue_1_1", "blue_2_1", "captain", "priest"])
    assert (table.asked, table.asked_about) == (("immediate", 0), "jinx")
    table.play("decline", cards=["captain"])
    assert (table.record.turn, table.asked) == (2, ("discover", 1))


def test_pack_of_pirates_keeps_one_repelled_ship_of_each_colour() -> None:  # R47
    seat = Seat("sailor", "pirate")
    table = Table(seat, Seat(), contracts=["pack_of_pirates"], **COMPETITIVE)
    table.draw("blue_1_1").play("repel").draw("blue_2_1").play("repel")
    assert (table.kept(0), table.discarded("blue_1_1"), table.discarded("blue_2_1")) == ({"blue"}, 0, 1)


def test_pack_of_pirates_is_done_with_all_five_colours() -> None:  # R47
    kept = ("blue_1_1", "green_1_1", "red_1_1", "yellow_1_1")
    table = Table(Seat("sailor", "pirate", kept=kept), Seat(), contracts=["pack_of_pirates"], **COMPETITIVE)
    table.draw("black_1_2").play("repel")
    assert (table.kept(0), table.cube(0, "pack_of_pirates"), table.coins[0]) == (set(), "done", 3)
    assert [table.discarded(ship) for ship in (*kept, "black_1_2")] == [1] * 5
    table.draw("blue_2_1").play("repel")
    assert (table.kept(0), table.discarded("blue_2_1")) == (set(), 1)  # completed: discarded as usual


def test_ships_are_kept_only_with_the_contract_and_a_free_cube() -> None:  # R47
    other = ["fighter", "jinx", "galleon_foe", "explorer"]
    table = Table(Seat("sailor"), Seat(), contracts=other, **COMPETITIVE).draw("blue_1_1").play("repel")
    assert (table.kept(0), table.discarded("blue_1_1")) == (set(), 1)
    used = {"fighter": "done", "jinx": "done", "galleon_foe": 1}
    seat = Seat("sailor", "pirate", kept=("green_1_1",), cubes=used)
    table = Table(seat, Seat(), contracts=["pack_of_pirates", *used], **COMPETITIVE).draw("blue_1_1").play("repel")
    assert (table.kept(0), table.discarded("blue_1_1")) == ({"green"}, 1)  # earlier ships stay


def test_the_first_coin_space_that_is_free_pays() -> None:  # R51
    paid = []
    for before in range(5):
        seats = [STRONG, *(Seat(cubes={"fighter": "done"} if place < before else {}) for place in range(4))]
        table = Table(*seats, contracts=["fighter"], **COMPETITIVE).play("complete", "fighter")
        paid.append(table.coins[0])
    assert paid == [3, 2, 1, 0, 0]


def test_the_number_of_contract_points_is_not_limited() -> None:  # R52
    done = {"jinx": "done", "tax_officer": "done", "explorer": "done"}
    seats = [Seat(cubes=done) for _ in range(5)]
    assert Table(*seats, contracts=list(done), **COMPETITIVE).influence == [3] * 5


def test_a_fourth_contract_is_not_completed() -> None:
    done = {"jinx": "done", "tax_officer": "done", "explorer": "done"}
    table = Table(Seat("sailor", "pirate", cubes=done), Seat(), contracts=["fighter", *done], **COMPETITIVE)
    assert not table.may("complete", "fighter")


@pytest.mark.parametrize(
    ("options", "face_up", "known"),
    [
        ({"players": 3}, 4, 16),
        *(({"players": players, "mode": "cooperative"}, 1 + 2 * players, 18) for players in range(1, 6)),
    ],
)
def test_contracts_that_lie_face_up(options: dict[str, Any], face_up: int, known: int) -> None:
    game = PortRoyal(add=CONTRACTS, **options)
    assert len(game.cards.contracts) == known
    seen = set()
    for seed in range(40):
        record = plain.Light(game.blank.copy())
        plain.setup.set_up(record, plain.Light(game.tables), np.uint64(seed))
        assert int(record.face_up.sum()) == face_up
        seen |= {number for number, up in enumerate(record.face_up) if up}
    assert len(seen) == known


def test_small_fortune_needs_12_influence_and_ransom_15_coins() -> None:
    strong = Seat("pirate_9_3", "admiral_9_3", "admiral_9_3", "mademoiselle_9_3", coins=16)
    table = Table(strong, Seat(), contracts=["small_fortune", "ransom"], **TEAM)
    assert table.influence[0] == 12
    table.play("complete", "small_fortune").play("complete", "ransom")
    assert table.coins[0] == 1
    weak = Seat("pirate_9_3", coins=14)
    table = Table(weak, Seat(), contracts=["small_fortune", "ransom"], **TEAM)
    assert not table.may("complete", "small_fortune")
    assert not table.may("complete", "ransom")
