"""The texts of Port Royal: for every question, action, remark and result, in all configurations."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from pr_env.interpreting import interpreted
from pr_env.moment import Moment
from pr_env.port_royal import PortRoyal, phrases
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, TAX
from pr_env.port_royal.explanations import EXPLANATIONS
from pr_env.port_royal.observation import observe
from pr_env.port_royal.state import CONTRACTS_DONE, GAME_OVER, QUESTIONS, SET_ASIDE, TIME_OVER, TURNS_OVER
from pr_env.port_royal.view import View
from tests.port_royal.plain_games import CONFIGURATIONS, moves, positions

STRANGE = re.compile(r"[_{}]|None|\b1 (coins|sabres|takes|points|turns|contracts)\b")


def ended(view: View, ending: int, **fields: Any) -> View:
    """The same position, but over."""
    record = view.record.copy()
    record.question = GAME_OVER
    record.ending = ending
    record.legal[:] = 0
    for name, value in fields.items():
        record[name] = value
    return View(view.game, record)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_everything_is_said(configuration: str) -> None:
    for view in positions(configuration):
        if view.is_over:
            continue
        answers = [phrases.answer(action, view) for action in view.legal]
        assert len(set(answers)) == len(answers)
        said = [phrases.question(view), phrases.stage(view), EXPLANATIONS[view.question], *answers]
        for action in view.legal:
            sentence = phrases.sentence(action, view)
            assert re.fullmatch(r"[A-Z].*[^.]\.", sentence)
            assert sentence.startswith(phrases.decision(action, view))
            said += [sentence, phrases.remark(action, view)]
        assert not [words for words in said if STRANGE.search(words)]
        assert said[0].endswith("?") or said[0].endswith("left)")


def test_every_question_is_met() -> None:
    met = {view.question for configuration in CONFIGURATIONS for view in positions(configuration)}
    assert met == set(QUESTIONS[: SET_ASIDE + 1])  # for the others see test_adventure_interfaces.py
    assert set(EXPLANATIONS) == set(QUESTIONS) - {"game_over"}


def test_every_kind_of_action_is_met() -> None:
    met = {action.name[0] for name in CONFIGURATIONS for view in positions(name) for action in view.legal}
    assert met == {action.name[0] for name in CONFIGURATIONS for action in PortRoyal(**CONFIGURATIONS[name]).actions}


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_prices_and_fees_are_those_that_are_paid(configuration: str) -> None:
    game = PortRoyal(**CONFIGURATIONS[configuration])
    checked = 0
    for view, action, record in moves(game, seed=6):
        if action is not None and action.name[0] == "hire" and record.turn == view.turn:
            said = phrases.sentence(action, view)
            price = re.search(r"for (\d+) coin", said)
            fee = re.search(rf"and 1 coin to player {view.active}", said)
            paid = int(view.record.purse[view.player]) - int(record.purse[view.player])
            assert paid == (int(price[1]) if price else 0) + (1 if fee else 0)
            checked += 1
            if checked == 5:
                return


def test_the_chance_of_a_bust_is_that_of_the_observation() -> None:
    for configuration in ("base, 3 players", "cooperative"):
        game = PortRoyal(**CONFIGURATIONS[configuration])
        look = interpreted(observe)
        field = next(field for field in game.fields if field.name == "next_card")
        for view in positions(configuration):
            if view.question != "discover":
                continue
            seen = np.zeros(game.observation_size, np.float32)
            look(view.record, game.tables[0], view.player, np.zeros(0), seen)
            chances = dict(zip(field.axes[0], seen[field.start : field.stop], strict=True))
            assert view.chance_of_bust == pytest.approx(chances["bust"], abs=1e-6)
            assert view.chance(game.cards.of(PERSON)) == pytest.approx(chances["person"], abs=1e-6)
            assert view.chance(game.cards.of(TAX)) == pytest.approx(chances["tax"], abs=1e-6)


def test_cards_are_described() -> None:
    game = PortRoyal(players=3, add=("contract_cards", "contracts"))
    said = {card.name: phrases.described(card) for card in game.cards.kinds}
    assert said["trader_yellow_5_2"] == "yellow trader (cost 5, influence 2)"
    assert said["sailor_3_1"] == "sailor (cost 3, influence 1, 1 sabre)"
    assert said["red_3_skull"] == "red frigate (3 coins, skull)"
    assert said["green_3_3_gift"] == "green skiff (3 coins and 1 for another player, 3 sabres)"
    assert said["two_captains_settler"] == "expedition for two captains and a settler (6 influence, 3 coins)"
    assert said["one_of_each"] == "expedition for a captain, a priest and a settler (5 influence, 3 coins)"
    assert said["tax_max_sabres"] == "tax (12 or more coins: half of the coins; most sabres: +1)"
    assert len(set(said.values())) == len(said)
    needs = {contract.name: phrases.needs(contract) for contract in game.cards.contracts}
    assert needs["trader_prince"] == "two traders"
    assert needs["maritime_supremacy"] == "a captain and a vice admiral"
    assert len(game.cards.of(SHIP)) + len(game.cards.of(EXPEDITION)) == 40


def test_names_are_counted() -> None:
    names = ["sailor", "jack of all trades", "sailor", "jack of all trades", "priest"]
    assert phrases.counted_names(names) == ["2 sailors", "2 jacks of all trades", "priest"]


@pytest.mark.parametrize(
    ("chance", "said"), [(0, "0 %"), (0.004, "under 1 %"), (0.234, "23 %"), (0.996, "over 99 %"), (1, "100 %")]
)
def test_chances(chance: float, said: str) -> None:
    assert phrases.percent(chance) == said


def test_who_wins() -> None:
    view = positions("base, 3 players")[0]
    influence, purse = np.zeros(5, np.int16), np.zeros(5, np.int16)
    influence[:3], purse[:3] = (12, 13, 13), (9, 2, 4)
    over = ended(view, 1, influence=influence, purse=purse)
    assert phrases.result(over) == "Player 2 wins with 13 influence"
    assert phrases.ranking(over) == [2, 1, 0]
    assert phrases.marked_seats(over) == [2]
    purse[1] = 4
    assert phrases.result(ended(view, 1, influence=influence, purse=purse)) == (
        "Player 1 and Player 2 share the win with 13 influence"
    )
    cut = ended(view, TURNS_OVER, influence=influence, purse=purse)
    assert phrases.result(cut) == "Player 1 and Player 2 lead with 13 influence (the limit of turns is reached)"


def test_a_team_wins_or_loses() -> None:
    view = positions("cooperative")[0]
    won = ended(view, CONTRACTS_DONE, score=5)
    assert phrases.result(won) == "The team wins with 5 points: pirate (every contract is completed)"
    assert phrases.marked_seats(won) == [0, 1, 2]
    lost = ended(view, TIME_OVER, score=5)
    assert phrases.result(lost) == "The team loses with 0 of 7 contracts completed (the time deck is empty)"
    assert phrases.marked_seats(lost) == []
    alone = ended(positions("solo")[0], CONTRACTS_DONE, score=0)
    assert phrases.result(alone) == "Player 0 wins with 0 points: landlubber (every contract is completed)"
    cut = ended(view, TURNS_OVER)
    assert phrases.result(cut).startswith("The team is stopped with 0 of 7")


def test_every_end_reason_has_words() -> None:
    for configuration in ("base, 2 players", "alternative end", "cooperative"):
        view = positions(configuration)[0]
        for reason in view.game.end_reasons:
            assert not STRANGE.search(phrases.end_reason(reason, view))
    with_expedition = phrases.end_reason("influence", positions("alternative end")[0])
    assert with_expedition == "a player has 12 influence and an expedition"


def test_what_the_package_asks_for() -> None:
    """The texts of a moment, without compilation."""
    for configuration in ("contracts", "solo"):
        view = positions(configuration)[0]
        game, words = view.game, view.game.words
        moment = Moment(game, view.record)
        assert words.title == "Port Royal"
        assert words.question(moment) == phrases.question(view)
        action = view.legal[0]
        assert words.sentence(action, moment) == phrases.sentence(action, view)
        assert words.answer(action, moment) == phrases.answer(action, view)
        assert words.remark(action, moment) == phrases.remark(action, view)
        assert words.explanation(moment) == EXPLANATIONS[view.question]
        assert words.move(action, moment) == phrases.decision(action, view)
        assert list(words.effects(action, moment, moment, [0] * game.players))
        assert words.opens(moment) == (view.question == "discover")
        assert words.part(moment) == f"Turn {view.turn}"
        assert words.header(moment).startswith(f"Turn {view.turn}: player {view.active} | influence ")
        assert words.standing(0, moment).endswith(phrases.coins(view.displays[0].coins))
        assert (words.tie_break(moment) == "") == (configuration == "solo")
