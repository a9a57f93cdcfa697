"""The adventure's options, files, descriptions, words and pictures."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pr_env.moment import Moment
from pr_env.port_royal import CardFileError, PortRoyal
from pr_env.port_royal.adventure.cards import read_adventure
from pr_env.port_royal.cards import FOLDER
from pr_env.port_royal.explanations import EXPLANATIONS
from pr_env.port_royal.read_position import read_position
from pr_env.port_royal.state import GAME_OVER, QUESTIONS, SET_ASIDE
from tests.port_royal import plain
from tests.port_royal.follow_adventure import LIKED

OPTIONS: tuple[dict[str, Any], ...] = (
    {"players": 3, "chapter": 5},
    {"players": 2, "chapter": 4, "mode": "cooperative", "character_choice": "draft", "bonus_coins": (3, 0)},
    {"players": 2, "mode": "post_adventure"},
)


def moments(options: dict[str, Any], seed: int) -> Iterator[tuple[PortRoyal, Moment, int]]:
    """The moments of a game, each with the action played."""
    game = PortRoyal(deck="adventure", **options)
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(seed))
    chooser = random.Random(seed)
    while record.question != GAME_OVER:
        legal = [action for action in game.actions if record.legal[action.number]]
        liked = [action for action in legal if action.name[0] in LIKED]
        action = chooser.choice(liked if liked and chooser.random() < 0.8 else legal)
        yield game, Moment(game, record.flush()[0]), action.number
        plain.rules.step(record, tables, action.number)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_descriptions_say_everything(options: dict[str, Any]) -> None:
    for place, (game, moment, _) in enumerate(moments(options, seed=place_of(options))):
        assert game.problems(np.array([moment.record], game.record)) == []
        if place % 5 == 0:
            told = json.loads(json.dumps(game.to_dict(moment.record)))
            again = read_position(told, game)
            known = [name for name in again.dtype.names or () if name != "legal"]
            for name in known:
                assert np.array_equal(again[name][0], moment.record[name]), name


def place_of(options: dict[str, Any]) -> int:
    """A separate seed for each configuration."""
    return OPTIONS.index(options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_all_words_and_pictures_can_be_made(options: dict[str, Any]) -> None:
    for place, (game, moment, number) in enumerate(moments(options, seed=10 + place_of(options))):
        words = game.words
        assert "?" in words.question(moment)
        for action in moment.legal:
            assert re.fullmatch(r"[A-Z].*\.", words.sentence(action, moment)), action
            assert words.answer(action, moment)
        assert not any("None" in told for told in words.effects(game.actions[number], moment, moment, ()))
        if place % 25 == 0:
            assert "Missions" in game.text(moment.record, width=120, colour=False)
            assert "Missions" in game.text(moment.record, width=70, colour=False)
            assert str(game.render(moment.record, "svg")).startswith("<svg")


def test_the_log_does_not_tell_what_a_lookout_has_seen() -> None:
    looked = 0
    for game, moment, number in moments({"players": 3, "chapter": 5}, seed=4):
        action = game.actions[number]
        if str(action.name[0]).startswith("top_"):
            looked += 1
            assert game.words.move(action, moment) == "Put a card back on the deck"
    assert looked


def test_every_question_has_an_explanation() -> None:
    assert set(QUESTIONS[SET_ASIDE + 1 :]) <= set(EXPLANATIONS)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 5}, "players of a competitive chapter of the adventure must be a whole number from 2 to 4, got 5"),
        ({"players": 1}, "must be a whole number from 2 to 4, got 1"),
        ({"chapter": 6}, "chapter must be a whole number from 1 to 5, got 6"),
        ({"bonus_coins": (1,)}, "bonus_coins must have one number for each of 3 players, got 1"),
        ({"bonus_coins": (1, -1, 0)}, "each of bonus_coins must be a whole number from 0 to 99, got -1"),
        ({"character_choice": "random"}, "character_choice must be one of deal, draft, got 'random'"),
        ({"add": ("gambler",)}, "add is for the base deck"),
        ({"alternative_end": True}, "alternative_end is for competitive games with the base deck"),
        ({"score_start": 1, "mode": "cooperative"}, "score_start is for cooperative games with contracts"),
        ({"deck": "base", "chapter": 2}, "chapter is for the adventure"),
        ({"deck": "base", "mode": "post_adventure"}, "the mode post_adventure is for the adventure"),
        ({"mode": "post_adventure", "chapter": 2}, "a game after the adventure has no chapter"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        PortRoyal(**{"deck": "adventure", **options})


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("cards", "lookout,,4", "lookout,,x", "row 13: cost must be a whole number, got 'x'"),
        ("cards", "82,1", "82,2", "copies of cards of the type lookout must add up to 5, got 6"),
        ("characters", "1,b,", "1,a,", "there must be one side a of card 1, got 2"),
        ("crowns", "4,2,1", "4,0,1", "row 6: influence must begin with 0 and never decrease, got 0"),
        ("events", "e02,0", "e02,1", "there must be 13 events with the number 0, got 12"),
        ("events", "no_fee", "free", "row 13: effect must be one of"),
        ("event_deck", "cooperative,1,1", "cooperative,1,14", "row 2: number_0_cards must be from 1 to 13, got 14"),
        ("missions", "10,12,13", "10,12,23", "row 3: next_no must be a mission of chapter 1, got '23'"),
        ("missions", "10,1,1,1", "10,1,1,0", "star must be 1 in 15 rows, got 14"),
        ("missions", "1,,10,12,13", "1,81,10,12,13", "row 3: adds_group must be empty except on the first story card"),
        ("missions", "11,14,15", "11,11,15", "chapter 1 must lay out at most 4 missions"),
        ("victory", "2,5,16", "2,9,16", "row 3: cubes_on_missions must be from 0 to 8, got 9"),
    ],
)
def test_files_that_cannot_be_used_say_where(tmp_path: Path, file: str, old: str, new: str, sentence: str) -> None:
    folder = tmp_path / "data"
    shutil.copytree(FOLDER, folder)
    path = folder / f"adventure_{file}.csv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CardFileError, match=re.escape(sentence)) as error:
        PortRoyal(deck="adventure", data=str(folder))
    assert path.name in str(error.value)


def test_the_deck_grows_by_chapters() -> None:
    sizes = [sum(card.copies for card in read_adventure(None, chapter).kinds) - 1 for chapter in range(1, 6)]
    assert sizes == [127, 145, 151, 156, 158]
    assert {PortRoyal(deck="adventure", chapter=chapter).record.itemsize for chapter in (1, 5)} == {
        PortRoyal(deck="adventure").record.itemsize
    }
    assert len(PortRoyal(deck="adventure").actions) == 83
    assert len(PortRoyal(deck="adventure", character_choice="draft").actions) == 93
