"""Custom card files: two folders in one process, edited files, and their effects."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.neural import _FORMAT, WrongWeightsError, _trained_for
from pr_env import Batch, PositionError
from pr_env.port_royal import CardFileError, PortRoyal
from pr_env.port_royal.cards import FOLDER
from pr_env.replay import Recorder, Replay, ReplayError
from tests.port_royal.uncompiled import run_uncompiled

PRINTED = "base,person,governor,,8,0"


def cards_in(folder: Path, *changes: tuple[str, str]) -> str:
    """A copy of the package's files with changed base cards."""
    shutil.copytree(FOLDER, folder)
    edit(folder, *changes)
    return str(folder)


def edit(folder: Path, *changes: tuple[str, str]) -> None:
    file = folder / "base_cards.csv"
    text = file.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    file.write_text(text)


def influence_after_hiring_a_governor(game: PortRoyal) -> int:
    """Played with the compiled rules."""
    position = {
        "question": "take",
        "harbour": {"persons": {name_of(game, "governor"): 1, "sailor_3_1": 1}},
        "seats": [{"coins": 12}, {}, {}],
    }
    batch = Batch.from_dicts(game, [position], autoreset=False, threads=1)
    batch.step([game.action_number("hire", name_of(game, "governor"))])
    return int(batch.games["influence"][0, 0])


def name_of(game: PortRoyal, person: str) -> str:
    return next(card.name for card in game.cards.kinds if card.type == person)


def test_two_folders_and_an_edited_one_are_played_with_the_same_machine_code(tmp_path: Path) -> None:
    four = PortRoyal(data=cards_in(tmp_path / "four", (PRINTED, "base,person,governor,,8,4")))
    five = PortRoyal(data=cards_in(tmp_path / "five", (PRINTED, "base,person,governor,,8,5")))
    printed = PortRoyal()
    assert [influence_after_hiring_a_governor(game) for game in (printed, four, five, printed)] == [0, 4, 5, 0]
    edit(tmp_path / "four", ("base,person,governor,,8,4", "base,person,governor,,8,6"))
    six = PortRoyal(data=four.data)
    assert [influence_after_hiring_a_governor(game) for game in (six, four, six)] == [6, 4, 6]
    assert six != four
    assert len({printed, four, five, six}) == 4


def with_another_kind(folder: Path) -> PortRoyal:
    """One of the four governors costs 9: one more kind."""
    data = cards_in(folder)
    file = folder / "base_cards.csv"
    rows = file.read_text().splitlines()
    place = next(place for place, row in enumerate(rows) if row.startswith(PRINTED))
    values = rows[place].split(",")
    copies = rows[0].split(",").index("copies")
    assert values[copies] == "4"
    fewer, other = values.copy(), values.copy()
    fewer[copies] = "3"
    other[copies], other[4] = "1", "9"
    rows[place : place + 1] = [",".join(fewer), ",".join(other)]
    file.write_text("\n".join(rows) + "\n")
    return PortRoyal(data=data)


def without_a_kind(folder: Path) -> PortRoyal:
    """All sailors of cost 7 cost 5: one kind fewer."""
    data = cards_in(folder)
    file = folder / "base_cards.csv"
    rows = file.read_text().splitlines()
    copies = rows[0].split(",").index("copies")
    seven = next(row for row in rows if row.startswith("base,person,sailor,,7,3"))
    five = next(row for row in rows if row.startswith("base,person,sailor,,5,2"))
    values = five.split(",")
    values[copies] = str(int(values[copies]) + int(seven.split(",")[copies]))
    rows[rows.index(five)] = ",".join(values)
    rows.remove(seven)
    file.write_text("\n".join(rows) + "\n")
    return PortRoyal(data=data)


def test_kinds_that_are_added_or_removed_change_record_actions_and_observation(tmp_path: Path) -> None:
    printed = PortRoyal()
    more, fewer = with_another_kind(tmp_path / "more"), without_a_kind(tmp_path / "fewer")
    assert [len(game.actions) for game in (printed, more, fewer)] == [44, 45, 43]
    assert len({game.record for game in (printed, more, fewer)}) == 3
    assert more.action_number("hire", "governor_9_0") == more.action_number("hire", "governor_8_0") + 1
    position = {"seats": [{"display": {"governor_8_0": 2}}, {}, {}]}
    for game in (printed, more, fewer, printed):  # compiled for each type of record, in one process
        finals = np.zeros(1, game.final)
        game.score(_described(game, position), finals)
        assert finals["total"][0].tolist() == [0] * 5
    with pytest.raises(PositionError, match="display in seat 0 has no 'governor_9_0'"):
        printed.from_dict({"seats": [{"display": {"governor_9_0": 1}}, {}, {}]})


def _described(game: PortRoyal, position: dict[str, Any]) -> np.ndarray:
    from pr_env.port_royal.read_position import read_position

    return read_position(position, game)


def test_whole_games_are_played_with_other_kinds(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from tests.port_royal.test_data import *\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "for game in (with_another_kind(folder / 'more'), PortRoyal(), without_a_kind(folder / 'fewer')):\n"
        "    batch = Batch(game, 2, seed=1, threads=1)\n"
        "    for _ in range(60):\n"
        "        batch.step(batch.sample_actions())\n"
        "        assert not game.problems(np.array(batch.games))\n"
        "print('played')"
    )
    assert "played" in run_uncompiled("-c", code, str(tmp_path))


def test_two_kinds_of_one_name_are_refused(tmp_path: Path) -> None:
    data = cards_in(tmp_path / "cards", ("base,person,sailor,,5,2,,,,1", "base,person,sailor,,3,1,,,,2"))
    with pytest.raises(CardFileError, match="kinds of cards must have different names, got 'sailor_3_1' twice"):
        PortRoyal(data=data)


# -- effects of the files ----------------------------------------------------------------------------------------------


@pytest.fixture
def other(tmp_path: Path) -> PortRoyal:
    return PortRoyal(data=cards_in(tmp_path / "secret_folder", (PRINTED, "base,person,governor,,8,4")))


def test_equal_cards_elsewhere_are_the_packages_cards(tmp_path: Path) -> None:
    same = PortRoyal(data=cards_in(tmp_path / "same"))
    assert same.recorded_options() == PortRoyal().recorded_options() == {"players": 3}
    assert same.options_for_agents() == PortRoyal().options_for_agents()
    assert same.options() == {"players": 3, "data": same.data}


def test_options_for_files_have_a_fingerprint_and_no_folder(other: PortRoyal) -> None:
    recorded = other.recorded_options()
    assert recorded == {"players": 3, "cards": other.cards.fingerprint}
    assert PortRoyal.from_recorded(recorded, data=other.data) == other
    assert other.options_for_agents() == recorded
    assert pickle.loads(pickle.dumps(other)) == copy.deepcopy(other) == other


def test_a_file_never_names_a_folder_that_is_opened(other: PortRoyal) -> None:
    for data in (other.data, "/nowhere", None):
        with pytest.raises(ValueError, match="a file must not set data, which only the user can set"):
            PortRoyal.from_recorded({"players": 3, "data": data})


@pytest.mark.parametrize(
    ("options", "given", "sentence"),
    [
        ({"cards": "0123"}, False, "it was made with cards with the fingerprint '0123', and these are the package's"),
        ({"cards": "0123"}, True, "it was made with cards with the fingerprint '0123', and those of data="),
        ({}, True, "it was made with the package's cards, and those of data="),
        ({"cards": 7}, False, "cards must be a fingerprint, got 7"),
    ],
)
def test_files_made_with_other_cards_are_refused(
    other: PortRoyal, options: dict[str, Any], given: bool, sentence: str
) -> None:
    local = {"data": other.data} if given else {}
    with pytest.raises(ValueError, match=sentence):
        PortRoyal.from_recorded({"players": 3, **options}, **local)


def test_an_option_that_is_not_of_this_machine_is_refused() -> None:
    with pytest.raises(ValueError, match="port_royal has no local option 'players'; it has data"):
        PortRoyal.from_recorded({}, players=3)


def test_replays_say_the_cards_and_not_the_folder(other: PortRoyal) -> None:
    batch, recorder = Batch(other, 1, seed=2, threads=1), Recorder(other, 2)
    for _ in range(6):
        action = batch.sample_actions()
        recorder.add(action[0])
        batch.step(action)
    line = recorder.replay().to_json()
    assert "secret_folder" not in line
    assert Replay.from_json(line, data=other.data).game == other
    with pytest.raises(ReplayError, match="has options that port_royal refuses: it was made with cards with"):
        Replay.from_json(line)
    evil = json.loads(line)
    evil["options"] = {"players": 3, "data": other.data}
    with pytest.raises(ReplayError, match="a file must not set data"):
        Replay.from_json(json.dumps(evil))


def test_saved_games_are_restored_with_equal_cards_only(other: PortRoyal, tmp_path: Path) -> None:
    saved = Batch(other, 2, seed=1, threads=1).save()
    assert b"secret_folder" not in saved
    elsewhere = PortRoyal(data=cards_in(tmp_path / "elsewhere", (PRINTED, "base,person,governor,,8,4")))
    Batch(elsewhere, 2, seed=5, threads=1).restore(saved)
    printed = Batch(PortRoyal(), 2, seed=5, threads=1)
    before = printed.games.tobytes()
    with pytest.raises(PositionError, match="saved games have options"):
        printed.restore(saved)
    assert printed.games.tobytes() == before


def test_weights_are_for_the_cards_that_they_were_trained_with(other: PortRoyal) -> None:
    def about(game: PortRoyal) -> dict[str, Any]:
        return {"format": _FORMAT, "game": game.name, "layout": game.layout, "options": game.recorded_options()}

    path = Path("weights.npz")
    assert _trained_for(path, about(other), other) == other
    for trained, game in ((other, PortRoyal()), (PortRoyal(), other), (other, None)):
        with pytest.raises(WrongWeightsError, match="it was made with"):
            _trained_for(path, about(trained), game)
