"""The pictures of Puerto Rico: they fit, they say what is on the table, and there is one for every phase."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import pytest

from pr_env import Action, Batch, PuertoRico
from pr_env.puerto_rico.state import PHASES
from pr_env.puerto_rico.tables import BUILDING_NAMES, PLAYER_COUNTS
from pr_env.render import words
from pr_env.render.puerto_rico import Picture, draw, text
from pr_env.render.scene import text_width

pytest.importorskip("PIL")
pytest.importorskip("rich")

ESCAPE_CODE = re.compile("\x1b\\[[0-9;]*m")

Table = tuple[dict[str, Any], list[Action], list[int]]  # what a picture is made from


def table_of(batch: Batch, index: int = 0) -> Table:
    points = batch.score()["total"][index, : batch.game.players].tolist()
    return batch.to_dict(index), batch.legal_actions(index), points


@cache
def tables(players: int) -> list[Table]:
    """Positions from the start to the end of a random game."""
    batch = Batch(PuertoRico(players=players), 1, seed=players, autoreset=False)
    seen = [table_of(batch)]
    while not batch.terminated[0]:
        batch.step(batch.sample_actions())
        seen.append(table_of(batch))
    return [*seen[:-1:45], seen[-1]]


@cache
def one_of_every_phase() -> dict[str, Table]:
    """For each phase the first position of it in random games."""
    found: dict[str, Table] = {}
    batch = Batch(PuertoRico(players=4), 16, seed=0, autoreset=False)
    for _ in range(1000):
        for index, phase in enumerate(batch.games["phase"]):
            if PHASES[phase] not in found:
                found[PHASES[phase]] = table_of(batch, index)
        if len(found) == len(PHASES):
            break
        batch.step(batch.sample_actions())
    return found


def written(picture: Picture) -> list[str]:
    """All texts of a picture."""
    root = ElementTree.fromstring(picture.svg())
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


# -- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_text_fits_its_width(players: int) -> None:
    for table in tables(players):
        for width in (80, 100):
            lines = ESCAPE_CODE.sub("", text(*table, width=width)).splitlines()
            assert max(map(len, lines)) <= width


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_text_tells_every_player_role_and_ship(players: int) -> None:
    for table in tables(players):
        position, _, points = table
        told = text(*table, colour=False)
        for seat in range(players):
            assert f"Player {seat}, {points[seat]} VP" in told
        for role in position["roles"]:
            assert role.replace("_", " ") in told
        for ship in position["ships"]:
            assert f"{ship['good'] or 'empty'} {ship['barrels']}/{ship['capacity']}" in told
        for building in (name for board in position["boards"] for name in board["city"]):
            assert building.replace("_", " ") in told


def test_text_without_colour_has_the_same_words_and_no_escape_codes() -> None:
    for table in tables(3):
        plain, coloured = text(*table, colour=False), text(*table)
        assert "\x1b" not in plain
        assert "\x1b" in coloured
        assert ESCAPE_CODE.sub("", coloured).split() == plain.split()


def test_text_does_not_listen_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables(2)[3]
    before = text(*table), text(*table, colour=False)
    for name, value in {"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "dumb", "COLUMNS": "40"}.items():
        monkeypatch.setenv(name, value)
    assert (text(*table), text(*table, colour=False)) == before


def test_few_answers_are_told_in_sentences_and_many_in_short() -> None:
    position, legal, points = one_of_every_phase()["pick_role"]
    told = text(position, legal, points, colour=False)
    assert all(f"{action.number} {action.sentence}" in told for action in legal)
    position, _, points = one_of_every_phase()["builder"]
    every_building = [action for action in PuertoRico().actions if action.name[0] == "build"]
    told = text(position, every_building, points, colour=False)
    assert all(f"{action.number} {str(action.name[1]).replace('_', ' ')}" in told for action in every_building)


# -- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_svg_names_players_and_buildings(players: int) -> None:
    for table in tables(players):
        texts = written(draw(*table))
        for seat in range(players):
            assert f"Player {seat}" in texts
        for name in BUILDING_NAMES:
            built = sum(name in board["city"] for board in table[0]["boards"])
            assert texts.count(name.replace("_", " ").capitalize()) == built + 1  # once on the board of all buildings


def test_the_svg_stands_alone_and_is_the_same_every_time() -> None:
    table = tables(4)[3]
    svg = draw(*table).svg()
    assert svg == draw(*table).svg()
    assert "href" not in svg
    assert "<script" not in svg


def test_texts_are_escaped() -> None:
    picture = Picture(100, 20, "#ffffff")
    picture.words(0, 10, '<corn> & "sugar"', 10, "#000000")
    assert written(picture) == ['<corn> & "sugar"']


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_has_text_and_picture(phase: str) -> None:
    table = one_of_every_phase()[phase]
    asked = words.result(table[0], table[2]) if phase == "game_over" else words.question(table[0])
    assert asked in text(*table, colour=False)
    assert any(asked in line for line in written(draw(*table)))
    assert "{" not in asked


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_pixels(players: int) -> None:
    picture = draw(*tables(players)[-1])
    pixels = picture.rgb()
    assert pixels.shape == (picture.height, picture.width, 3)
    assert pixels.dtype == np.uint8
    assert len({tuple(colour) for colour in pixels[::7, ::7].reshape(-1, 3).tolist()}) > 50
    half = picture.rgb(scale=0.5)
    assert half.shape == (round(picture.height * 0.5), round(picture.width * 0.5), 3)
    assert abs(half.mean() - pixels.mean()) < 2
    with pytest.raises(ValueError, match="scale"):
        picture.rgb(scale=0)


def test_answers_that_do_not_fit_are_counted() -> None:
    position, _, points = one_of_every_phase()["builder"]
    every_building = [action for action in PuertoRico().actions if action.name[0] == "build"]
    texts = written(draw(position, every_building, points))
    shown = sum(words.answer(action, position) in texts for action in every_building)
    assert f"+ {len(every_building) - shown} more" in texts


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_everything_stays_inside_the_picture(players: int) -> None:
    for table in tables(players):
        picture = draw(*table)
        root = ElementTree.fromstring(picture.svg())
        for element in root.iter("{http://www.w3.org/2000/svg}text"):
            width = text_width(element.text or "", float(element.attrib["font-size"]), "font-weight" in element.attrib)
            left = (
                float(element.attrib["x"])
                - {"start": 0, "middle": 0.5, "end": 1}[element.attrib["text-anchor"]] * width
            )
            assert left >= 0
            assert left + width <= picture.width
            assert 0 < float(element.attrib["y"]) < picture.height


def test_the_estimate_of_widths_is_enough_for_the_font_of_the_pixels() -> None:
    from PIL import ImageFont

    font = ImageFont.load_default(20)
    for name in (*map(words.plain, BUILDING_NAMES), "Player 0", "1234567890", "tobacco on ship of 6"):
        assert font.getlength(name.capitalize()) <= text_width(name.capitalize(), 20)


# -- results and missing libraries ------------------------------------------------------------------------------------


def test_the_result_names_the_winner_of_a_tie_by_doubloons_and_barrels() -> None:
    position, _, _ = one_of_every_phase()["game_over"]
    boards = [{**board, "doubloons": 0, "goods": {"corn": 0}} for board in position["boards"]]
    boards[2]["goods"] = {"corn": 3}
    tied = {**position, "boards": boards, "ending": ["city"]}
    assert words.result(tied, [9, 20, 20, 5]) == "Player 2 wins with 20 points (a city is full)"
    boards[1]["doubloons"] = 3
    assert words.result(tied, [9, 20, 20, 5]).startswith("Player 1 and Player 2 share the win")
    assert words.result({**tied, "ending": ["rounds"]}, [9, 8, 2, 5]).startswith("Player 0 leads")


@pytest.mark.parametrize("library", ["rich", "PIL"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)  # Python then says that there is no such module
    table = tables(2)[0]
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install 'pr-env[render]'")):
        text(*table) if library == "rich" else draw(*table).rgb()
    assert draw(*table).svg()
