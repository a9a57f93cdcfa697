"""Examples 17 to 29 of the rules, single rules of the adventure, and games followed with the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.state import NOTHING
from tests.port_royal import plain
from tests.port_royal.adventure_table import AdventureTable
from tests.port_royal.follow_adventure import CONFIGURATIONS, follow_games

SAMUEL, THOMAS, PETER, MARY = "samuel_blackguard", "thomas_fishborn", "peter_landman", "mary_the_ruthless"
TEAM = {"mode": "cooperative"}


def seats(*given: dict[str, Any]) -> list[dict[str, Any]]:
    """Two seats with characters that change little."""
    both = [*given, *[{}] * (2 - len(given))]
    return [{"character": name, **own} for name, own in zip((SAMUEL, PETER, THOMAS), both, strict=False)]


def out(*missions: str) -> list[dict[str, Any]]:
    """Missions laid out, without progress."""
    return [{"mission": mission} for mission in missions]


# -- examples of the rules ---------------------------------------------------------------------------------------------


def test_17_mission_13_takes_coins_and_leaves_the_priest() -> None:
    own = {"coins": 4, "display": {"priest_4_1": 1}}
    table = AdventureTable({"seats": seats(own), "missions": out("13")}, chapter=5).play("complete", "13")
    assert table.coins() == 2  # Samuel's one-time coins
    assert table.seat(0)["display"] == {"priest_4_1": 1}
    assert not AdventureTable({"seats": seats({**own, "coins": 3}), "missions": out("13")}, chapter=5).may(
        "complete", "13"
    )


@pytest.mark.parametrize("sabres", [{"sailor_3_1": 2}, {"sailor_3_1": 1, "pirate_5_1": 1}])
def test_18_mission_15_keeps_sabres_and_discards_pirates(sabres: dict[str, int]) -> None:
    own = {"display": sabres, "items": {"ares_1_2_book": 1, "ares_1_4_book": 1}}
    table = AdventureTable({"seats": seats(own), "missions": out("15")}, chapter=5).play("complete", "15")
    assert table.seat(0)["items"] == {}
    assert table.seat(0)["display"] == sabres
    assert table.discarded("ares_1_2_book") == table.discarded("ares_1_4_book") == 1


def test_19_mission_30_needs_an_expedition_and_discards_nothing() -> None:
    table = AdventureTable({"seats": seats({"expeditions": ["two_priests"]}), "missions": out("30")}, chapter=5)
    table.play("complete", "30")
    assert table.seat(0)["expeditions"] == ["two_priests"]
    assert not AdventureTable({"seats": seats(), "missions": out("30")}, chapter=5).may("complete", "30")


def test_20_mission_40_counts_the_printed_cost() -> None:
    cheap = {"sailor_3_1": 2, "trader_red_3_1": 1, "mademoiselle_7_2": 1}
    table = AdventureTable({"seats": seats({"display": cheap}), "missions": out("40")}, chapter=5)
    assert table.may("complete", "40")
    dear = {"captain_4_1": 1, "sailor_3_1": 2, "mademoiselle_7_2": 1}  # 3 coins with the discount
    table = AdventureTable({"seats": seats({"display": dear}), "missions": out("40")}, chapter=5)
    assert not table.may("complete", "40")


def test_21_mission_41_discards_herbs_and_bread() -> None:
    right = {"items": {"ares_1_2_herbs": 1, "blue_2_2_bread": 1}}
    table = AdventureTable({"seats": seats(right), "missions": out("41")}, chapter=5).play("complete", "41")
    assert table.seat(0)["items"] == {}
    wrong = {"items": {"ares_1_2_book": 1, "blue_2_2_bread": 1}}
    assert not AdventureTable({"seats": seats(wrong), "missions": out("41")}, chapter=5).may("complete", "41")


SHIPS = ["yellow_1_1", "blue_1_1", "green_1_1"]


@pytest.mark.parametrize(("mission", "coins", "asked"), [("33", 0, True), ("34", 5, True), ("34", 4, False)])
def test_22_missions_33_and_34_are_asked_at_once(mission: str, coins: int, asked: bool) -> None:
    position = {"seats": seats({"coins": coins}), "missions": out(mission), "harbour": {"ships": SHIPS}, "drawn": 3}
    table = AdventureTable(position, chapter=5).play("draw", cards=["ares_1_skull_book"])
    assert (table.asked == ("immediate", 0)) == asked
    if asked:
        table.play("accept")
        assert table.coins() == 2
        assert table.asked == ("discover", 0)


def test_22_a_fifth_colour_does_not_ask_again() -> None:
    position = {"seats": seats(), "missions": out("33"), "harbour": {"ships": SHIPS}, "drawn": 3}
    table = AdventureTable(position, chapter=5).play("draw", cards=["black_4_skull"]).play("decline")
    assert table.play("draw", cards=["ares_1_skull_book"]).asked == ("discover", 0)


def test_23_mission_50_asks_those_who_pay_the_tax() -> None:
    position = {"seats": seats({"coins": 11}, {"coins": 12}), "missions": out("50")}
    table = AdventureTable(position, chapter=5).play("draw", cards=["tax_max_sabres"])
    assert table.asked == ("immediate", 1)
    table.play("accept")
    assert (table.coins(0), table.coins(1)) == (11 + 1, 6 + 2 + 1)  # first finisher; both tie for most sabres
    assert table.record.crowns[1] == 2


def test_24_mission_51_ends_discovering_and_costs_a_take() -> None:
    harbour = {"persons": {"sailor_3_1": 1, "captain_4_1": 1}, "ships": ["yellow_1_1"]}
    position = {"seats": seats({"coins": 9}), "missions": out("51"), "harbour": harbour, "drawn": 3}
    table = AdventureTable(position, chapter=5).play("draw", cards=["priest"])
    assert table.asked == ("immediate", 0)
    table.play("accept")
    assert table.coins() == 9 - 5 + 2  # Samuel's one-time coins
    assert table.asked == ("take", 1)  # nothing is left to take for the active player


def test_25_mission_52_needs_three_stops() -> None:
    position = {"seats": seats()[:1], "missions": out("52"), "drawn": 0}
    table = AdventureTable(position, ["captain"], chapter=5, **TEAM)
    for step in (1, 2, "done"):
        assert table.asked == ("immediate", 0)
        table.play("accept", cards=["captain"])
        assert table.uncovered() == (step == "done")
        assert observed(table, 0)["team"][0] == (step == "done")  # cubes on missions


def test_26_crowns_count_by_the_last_shield() -> None:
    position: dict[str, Any] = {"seats": seats({"crowns": 1}), "missions": out("40")}
    for crowns, influence in ((1, 0), (2, 1), (3, 1), (4, 2)):
        position["seats"][0]["crowns"] = crowns
        assert AdventureTable(position, chapter=5).record.influence[0] == influence
    own = {"crowns": 3, "display": {"priest_4_1": 1}}
    table = AdventureTable({"seats": seats(own), "missions": out("48")}, chapter=5).play("complete", "48")
    assert (table.record.crowns[0], table.record.influence[0]) == (1, 1)  # of the priest alone


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_27_failures_bring_three_more_coins_each(failures: int) -> None:
    game = PortRoyal(deck="adventure", players=2, **TEAM, bonus_coins=(3 * failures, 0))  # type: ignore[arg-type]
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(1))
    for _ in range(2):
        assert record.purse.sum() == 0
        plain.rules.step(record, tables, game.action_number("side_a"))
    start = [game.cards.characters[side].start_coins for side in record.character[:2]]  # type: ignore[attr-defined]
    assert record.purse[1] >= start[1]
    assert record.purse[0] >= start[0] + 3 * failures


def test_28_the_third_turn_is_month_end_and_the_seventh() -> None:
    game = PortRoyal(deck="adventure", players=2, chapter=1, **TEAM)  # type: ignore[arg-type]
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(3))
    ends = set()
    while record.turn < 9:
        if record.event == tables.month_end:
            ends.add(int(record.turn))
        legal = np.flatnonzero(record.legal)
        plain.rules.step(record, tables, int(legal[-1]))
    assert ends == {3, 7}


def test_29_jean_blackbeard_is_no_sailor() -> None:
    own = {"character": "jean_blackbeard", "display": {"sailor_3_1": 1}, "returned_cubes": 1}
    for counts in (False, True):
        table = AdventureTable({"seats": seats(own), "missions": out("15")}, chapter=5, jean_counts_for_missions=counts)
        assert table.record.sabres[0] == 2
        items = {"ares_1_2_book": 1, "ares_1_4_book": 1}
        position = {"seats": seats({**own, "items": items}), "missions": out("15")}
        assert AdventureTable(position, chapter=5, jean_counts_for_missions=counts).may("complete", "15") == counts


# -- lookouts ----------------------------------------------------------------------------------------------------------


def looking() -> AdventureTable:
    """Seat 0 looks at three cards."""
    table = AdventureTable({"seats": seats({"display": {"lookout_4_1": 1}}), "missions": out("40")}, chapter=5)
    return table.play("use_lookout", cards=["jester", "sailor", "captain"])


def observed(table: AdventureTable, viewer: int) -> dict[str, np.ndarray]:
    """The view of a seat."""
    seen = np.zeros(table.game.observation_size, np.float32)
    scratch = plain.rules.new_scratch(table.record.games)
    plain.rules.observe(table.record, table.tables, viewer, scratch, seen)
    return table.game.read_observation(seen)


def test_a_lookout_discards_two_cards_and_puts_one_back() -> None:
    table = looking()
    assert table.legal == {("top_1",), ("top_2",), ("top_3",)}
    deck = int(table.record.deck)
    table.play("top_1")
    assert table.record.deck == deck + 1
    assert table.discarded("jester_5_1") == 1
    top = table.names[table.record.top]
    assert table.play("draw").record.harbour[table.names.index(top)] == 1


def test_only_the_looker_sees_the_cards() -> None:
    table = looking()
    assert observed(table, 0)["look"].any()
    assert not observed(table, 1)["look"].any()
    table.play("top_1")
    assert observed(table, 0)["top"][0] == 1
    assert observed(table, 0)["next_card"].max() == 1000
    others = observed(table, 1)["top"]
    assert (others[0], others[1]) == (0, 1)
    assert not others[2:].any()


@pytest.mark.parametrize("looked", [False, True])
def test_what_others_see_and_resample_does_not_depend_on_what_was_seen(looked: bool) -> None:
    """Two positions that differ only in what seat 0 has seen look the same to seat 1."""
    tables = []
    for cards in (["jester", "sailor", "captain"], ["jester", "sailor", "priest"]):
        position = {"seats": seats({"display": {"lookout_4_1": 1}}), "missions": out("40"), "generator": 5}
        table = AdventureTable(position, chapter=5).play("use_lookout", cards=cards)
        table.record.rng = np.uint64(11)
        if looked:
            position["discard"] = {"jester_5_1": 1, "sailor_3_1": 1}
            kind = next(name for name in table.names if name.startswith(cards[2]))
            position["seen_on_top"] = {"card": kind, "seat": 0}
            table = AdventureTable(position, chapter=5)
        tables.append(table)
    before = [observed(table, 1) for table in tables]
    for name in before[0]:
        assert np.array_equal(before[0][name], before[1][name]), name
    assert tables[0].record.flush().tobytes() != tables[1].record.flush().tobytes()
    for table in tables:
        plain.rules.resample(table.record, table.tables, 1, np.uint64(77))
        table._check()
    assert tables[0].record.flush().tobytes() == tables[1].record.flush().tobytes()
    after = observed(tables[0], 1)
    for name in after:
        assert np.array_equal(before[0][name], after[name]), name


def test_the_looker_keeps_what_it_knows() -> None:
    table = looking()
    look = table.record.look.tolist()
    plain.rules.resample(table.record, table.tables, 0, np.uint64(77))
    assert table.record.look.tolist() == look
    table.play("top_1")
    top = int(table.record.top)
    plain.rules.resample(table.record, table.tables, 0, np.uint64(78))
    assert table.record.top == top != NOTHING


def test_resampling_is_fair() -> None:
    """For seat 1 the top card is any unseen card, weighted by the number of copies."""
    table = looking().play("top_1")
    pool = table.record.unseen.astype(int)
    pool[table.record.top] += 1
    found = np.zeros(len(pool))
    for chance in range(4000):
        copy = table.record.copy()
        plain.rules.resample(copy, table.tables, 1, np.uint64(1000003 * chance))
        found[copy.top] += 1
    expected = 4000 * pool / pool.sum()
    there = expected > 0
    assert found[~there].sum() == 0
    assert ((found - expected)[there] ** 2 / expected[there]).sum() < 1.6 * there.sum()


# -- the reference -----------------------------------------------------------------------------------------------------


def test_the_engine_follows_games_of_the_reference() -> None:
    assert "no difference" in follow_games(1, every=7)


def test_the_configurations_taken_have_everything() -> None:
    taken = CONFIGURATIONS[::7]
    assert {config.get("mode", "competitive") for config in taken} == {
        "competitive",
        "cooperative",
        "post_adventure",
    }
    assert {config["players"] for config in CONFIGURATIONS} == {1, 2, 3, 4}
