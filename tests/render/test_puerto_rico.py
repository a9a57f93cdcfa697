"""The pictures of Puerto Rico: they fit, they show the table, and there is one for every phase."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import pytest

from pr_env import Action, Batch, PuertoRico
from pr_env.puerto_rico import phrases as words
from pr_env.puerto_rico.pictures import Picture, draw, text
from pr_env.puerto_rico.state import GAME_OVER, PHASES
from pr_env.puerto_rico.tables import (
    BUILDING_NAMES,
    BUILDINGS,
    MAX_PLAYERS,
    NUM_VIOLET_SPACES,
    PLAYER_COUNTS,
    ROLES,
    Building,
)
from pr_env.render.paper import SEAT_COLOURS
from pr_env.render.scene import Circle, text_width
from pr_env.words import plain

pytest.importorskip("PIL")
pytest.importorskip("rich")

ESCAPE_CODE = re.compile("\x1b\\[[0-9;]*m")

Table = tuple[dict[str, Any], list[Action], list[int]]  # the input of a picture

GAMES: dict[str, dict[str, Any]] = {
    **{f"{players} players": {"players": players} for players in PLAYER_COUNTS},
    "2 players, draft": {"players": 2, "buildings": "draft"},
    "4 players, random, balanced": {"players": 4, "buildings": "random", "balanced": True},
    "5 players, double cards": {"players": 5, "buildings": "draft", "double_cards": True},
    "6 players, draft": {"players": 6, "buildings": "draft"},
    "6 players, governor": {"players": 6, "buildings": "random", "six_players": "governor"},
}
ACTIONS = PuertoRico(players=MAX_PLAYERS).actions
PHASE_OF_ACTION = {
    "pass": "builder",
    "pick": "pick_role",
    "draw_tile": "hacienda",
    "settle": "settler",
    "take_colonist": "university",
    "place": "mayor",
    "take_good": "craftsman_privilege",
    "sell": "trader",
    "load": "captain",
    "wharf": "captain",
    "store": "store",
    "build": "builder",
    "draft": "draft",
    "replay": "politician",
    "plunder": "pirate_barrel",
    "kidnap": "pirate_colonist",
    "guest": "guest",
    "pay_colonist": "pay_colonist",
    "pay_barrel": "pay_barrel",
    "sell_to_post": "trader",
    "small_wharf": "captain",
    "ship": "small_wharf",
    "keep": "store",
}


def table_of(batch: Batch, index: int = 0) -> Table:
    points = batch.score()["total"][index, : batch.game.players].tolist()
    return batch.to_dict(index), batch.legal_actions(index), points


@cache
def tables(game: str) -> list[Table]:
    """Positions from the start to the end of a random game."""
    batch = Batch(PuertoRico(**GAMES[game]), 1, seed=2, autoreset=False)
    seen = [table_of(batch)]
    while not batch.terminated[0]:
        batch.step(batch.sample_actions())
        seen.append(table_of(batch))
    return [*seen[: -1 : len(seen) // 6], seen[-1]]


@cache
def one_of_every_phase() -> dict[str, Table]:
    """The first position of each phase in random games."""
    found: dict[str, Table] = {}
    for game, phases in (("4 players", PHASES[: GAME_OVER + 1]), ("6 players, draft", PHASES)):
        batch = Batch(PuertoRico(**GAMES[game]), 16, seed=0, autoreset=False)
        for _ in range(1000):
            for index, phase in enumerate(batch.games["phase"]):
                if PHASES[phase] not in found:
                    found[PHASES[phase]] = table_of(batch, index)
            if found.keys() >= set(phases):
                break
            batch.step(batch.sample_actions(), where=batch.games["phase"] != GAME_OVER)
    return found


def changed(table: Table, seat: int = 0, **board: Any) -> Table:
    """The same table with a changed board of one seat."""
    position, legal, points = table
    boards = list(position["boards"])
    boards[seat] = {**boards[seat], **board}
    return {**position, "boards": boards}, legal, points


def written(picture: Picture) -> list[str]:
    """All texts of a picture."""
    root = ElementTree.fromstring(picture.svg())
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


# -- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_text_fits_its_width(game: str) -> None:
    for table in tables(game):
        for width in (80, 100):
            lines = ESCAPE_CODE.sub("", text(*table, width=width)).splitlines()
            assert max(map(len, lines)) <= width


@pytest.mark.parametrize("game", GAMES)
def test_text_tells_every_player_role_and_ship(game: str) -> None:
    for table in tables(game):
        position, _, points = table
        told = text(*table, colour=False)
        for seat in range(position["players"]):
            assert f"Player {seat}, {points[seat]} VP" in told
        for role in position["roles"]:
            assert role.replace("_", " ") in told
        for ship in position["ships"]:
            assert f"{ship['good'] or 'empty'} {ship['barrels']}/{ship['capacity']}" in told
        for building in (name for board in position["boards"] for name in board["city"]):
            assert building.replace("_", " ") in told


def test_text_without_colour_has_the_same_words_and_no_escape_codes() -> None:
    for table in tables("3 players"):
        plain, coloured = text(*table, colour=False), text(*table)
        assert "\x1b" not in plain
        assert "\x1b" in coloured
        assert ESCAPE_CODE.sub("", coloured).split() == plain.split()


def test_text_does_not_listen_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables("2 players")[3]
    before = text(*table), text(*table, colour=False)
    for name, value in {"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "dumb", "COLUMNS": "40"}.items():
        monkeypatch.setenv(name, value)
    assert (text(*table), text(*table, colour=False)) == before


def test_few_answers_are_told_in_sentences_and_many_in_short() -> None:
    position, legal, points = one_of_every_phase()["pick_role"]
    told = text(position, legal, points, colour=False)
    assert all(f"{action.number} {action.sentence}" in told for action in legal)
    position, _, points = one_of_every_phase()["builder"]
    every_building = [action for action in ACTIONS if action.name[0] == "build"]
    told = text(position, every_building, points, colour=False)
    assert all(f"{action.number} {str(action.name[1]).replace('_', ' ')}" in told for action in every_building)


# -- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_text_with_names_and_without_answers(players: int) -> None:
    position, _, points = table_of(Batch(PuertoRico(players=players), 1))
    names = [f"agent{seat}" for seat in range(players)]
    told = text(position, None, points, names=names, colour=False)
    assert all(f"Player {seat} (agent{seat}), 0 VP" in told for seat in range(players))
    assert "Player 0 may" not in told
    assert ("points if the game ended now" in told) == (players % 2 == 1)  # the free quarter explains the symbols


@pytest.mark.parametrize("game", GAMES)
def test_the_svg_names_players_and_buildings(game: str) -> None:
    drafted = {kind.name for kind in words.DRAFTED}
    for position, legal, points in tables(game):
        texts = written(draw(position, legal, points))
        for seat in range(position["players"]):
            assert f"Player {seat}" in texts
        for name in position["buildings_left"]:
            built = sum(name in board["city"] for board in position["boards"])
            shown = name in position.get("kinds", BUILDING_NAMES) or (position["phase"] == "draft" and name in drafted)
            assert texts.count(name.replace("_", " ").capitalize()) == built + shown  # once on the common board
        assert texts.count("forest") == sum(board.get("forests", 0) for board in position["boards"])


@pytest.mark.parametrize("building", BUILDINGS, ids=BUILDING_NAMES)
def test_every_building_is_shown_with_its_circles(building: Building) -> None:
    table = one_of_every_phase()["draft"]
    every_kind = {"kinds": list(BUILDING_NAMES), "buildings_left": dict.fromkeys(BUILDING_NAMES, 1)}
    empty = changed(({**table[0], **every_kind, "phase": "pick_role"}, [], table[2]), city={})
    built = changed(empty, city={building.name: building.circles})
    told = text(*built, colour=False)
    name = building.name.replace("_", " ")
    assert f"{name} {building.circles}/{building.circles}," in told if building.circles else f"{name}," in told
    before, after = draw(*empty), draw(*built)
    assert written(after).count(name.capitalize()) == 2  # on the board of all buildings and in the city
    circles = [sum(isinstance(shape, Circle) for shape in picture.shapes) for picture in (before, after)]
    assert circles[1] - circles[0] == building.circles
    assert f"city · {12 - (2 if building.column == 4 else 1)} free" in written(after)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_card_is_shown_with_its_doubloons_and_its_taker(role: str) -> None:
    position, _, points = one_of_every_phase()["pick_role"]
    cards = {name: {"doubloons": 0, "taken_by": None} for name in ROLES}
    lying = {**position, "roles": {**cards, role: {"doubloons": 37, "taken_by": None}}}
    texts, told = written(draw(lying, [], points)), text(lying, [], points, colour=False)
    name = "governor's card" if role == "governor" else role.replace("_", " ")
    assert name.capitalize() in texts
    assert "37" in texts
    assert re.search(rf"{name}(/prospector)? \+37", told)
    taken = {**position, "role": role, "roles": {**cards, role: {"doubloons": 0, "taken_by": 2}}, "picker": 2}
    assert words.cards_in_play(taken) == [role]
    assert name in written(draw(taken, [], points))  # on the player's board
    assert re.search(rf"{name}(/prospector)? →P2", text(taken, [], points, colour=False))


@pytest.mark.parametrize("kind", sorted({str(action.name[0]) for action in ACTIONS}))
def test_every_action_is_told_in_words(kind: str) -> None:
    position, _, points = one_of_every_phase()[PHASE_OF_ACTION[kind]]
    actions = [action for action in ACTIONS if action.name[0] == kind]
    answers = {words.answer(action, position) for action in actions}
    assert len(answers) == len(actions)
    for start in range(0, len(actions), 6):
        some = actions[start : start + 6]
        told = " ".join(re.sub("[│╭╮╰╯├┤┼─]", " ", text(position, some, points, colour=False)).split())
        texts = written(draw(position, some, points))
        for action in some:
            sentence = words.sentence(action, position)
            assert not re.search(r"this good|this kind|to the left|[{}_]", sentence)
            assert f"{action.number} {sentence}" in told
            assert words.answer(action, position) in texts


def test_whom_the_pirate_robs() -> None:
    position, _, _ = one_of_every_phase()["pirate_barrel"]
    position = {**position, "player": 4}
    action = next(action for action in ACTIONS if action.name == ("plunder", 3, "sugar"))
    assert words.answer(action, position) == "sugar of P1"
    assert words.sentence(action, position) == "Pirate: take a barrel of sugar from player 1."


def test_the_draft_shows_free_spaces_and_the_kinds_that_may_come() -> None:
    position, legal, points = tables("6 players, draft")[0]
    assert sum(words.free_draft_spaces(position).values()) == NUM_VIOLET_SPACES
    assert written(draw(position, legal, points)).count("?") == len(legal) == len(words.DRAFTED)
    batch = Batch(PuertoRico(**GAMES["6 players, draft"]), 1, seed=0)
    for name in ("small_market", "residence"):
        batch.step([batch.game.action_number("draft", name)])
    position, legal, points = table_of(batch)
    free = words.free_draft_spaces(position)
    assert (free[1], free[2], free[10]) == (0, 2, 4)
    texts = written(draw(position, legal, points))
    assert texts.count("?") == len(legal) == len(words.DRAFTED) - 3
    assert texts.count("out") == 1  # the aqueduct, whose space is taken
    told = text(position, legal, points, colour=False)
    assert "2 of cost 2" in told
    assert "of cost 1," not in told
    assert "small market $1 x3" in told


def test_forests_take_island_spaces_and_have_no_circle() -> None:
    before = changed(one_of_every_phase()["draft"], island={"corn": {"tiles": 2, "colonists": 1}}, forests=0)
    after = changed(before, forests=4)
    assert words.free_island_spaces(after[0]["boards"][0]) == 6
    assert "corn 1/2 forest 4 6 free" in " ".join(text(*after, colour=False).split())
    pictures = draw(*before), draw(*after)
    assert [written(picture).count("forest") for picture in pictures] == [0, 4]
    assert len({sum(isinstance(shape, Circle) for shape in picture.shapes) for picture in pictures}) == 1


def test_balanced_prices_are_shown() -> None:
    university = words.BUILDING["university"]
    assert [
        words.cost(table[0], university) for table in (tables("4 players")[0], tables("4 players, random, balanced")[0])
    ] == [8, 7]


def test_cards_with_two_sides_and_a_role_played_again_are_marked() -> None:
    position, _, _ = one_of_every_phase()["politician"]
    seat = position["picker"]
    assert words.cards_in_play(position) == ["politician"]
    assert words.stage(position) == f"politician of player {seat}"
    again = {**position, "phase": "builder", "role": "builder", "decision": {"without_privilege": True}}
    assert words.cards_in_play(again) == ["politician", "builder"]
    assert words.stage(again) == f"builder of player {seat}, again"
    cards = {role: {**card, "taken_by": None} for role, card in position["roles"].items()}
    cards["pirate"]["taken_by"] = seat
    assert words.cards_in_play({**position, "phase": "guest", "role": "prospector", "roles": cards}) == ["pirate"]


def test_every_seat_has_a_colour_of_its_own() -> None:
    assert len(set(SEAT_COLOURS)) == MAX_PLAYERS


def test_the_svg_stands_alone_and_is_the_same_every_time() -> None:
    table = tables("4 players")[3]
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


@pytest.mark.parametrize("game", ["2 players", "3 players", "6 players, draft"])
def test_pixels(game: str) -> None:
    picture = draw(*tables(game)[-1])
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
    every_building = [action for action in ACTIONS if action.name[0] == "build"]
    texts = written(draw(position, every_building, points))
    shown = sum(words.answer(action, position) in texts for action in every_building)
    assert f"+ {len(every_building) - shown} more" in texts


@pytest.mark.parametrize("game", GAMES)
def test_everything_stays_inside_the_picture(game: str) -> None:
    for table in tables(game):
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
    for name in (*map(plain, BUILDING_NAMES), "Player 0", "1234567890", "tobacco on ship of 6"):
        assert font.getlength(name.capitalize()) <= text_width(name.capitalize(), 20)


# -- results and missing libraries ------------------------------------------------------------------------------------


def test_the_result_names_the_winner_of_a_tie_by_doubloons_and_barrels() -> None:
    position, _, _ = tables("4 players")[-1]
    boards = [{**board, "doubloons": 0, "goods": {"corn": 0}} for board in position["boards"]]
    boards[2] |= {"goods": {"corn": 3}, "city": dict.fromkeys(BUILDING_NAMES[:12], 0)}
    tied = {**position, "boards": boards, "ending": ["city"]}
    assert words.result(tied, [9, 20, 20, 5]) == "Player 2 wins with 20 points (a city is full)"
    boards[1]["doubloons"] = 3
    assert words.result(tied, [9, 20, 20, 5]).startswith("Player 1 and Player 2 share the win")
    assert words.result({**tied, "ending": ["rounds"]}, [9, 8, 2, 5]).startswith("Player 0 leads")


def test_the_result_says_that_ten_buildings_were_enough() -> None:
    position, _, points = tables("6 players, governor")[-1]
    cities = [{**board, "city": {}} for board in position["boards"]]
    cities[3]["city"] = dict.fromkeys(BUILDING_NAMES[:10], 0)
    ended = {**position, "boards": cities, "ending": ["city"]}
    assert words.result(ended, points).endswith("(a city has 10 buildings)")


@pytest.mark.parametrize("library", ["rich", "PIL"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)  # Python then raises ModuleNotFoundError
    table = tables("2 players")[0]
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install -e '.[render]' in the checkout of pr-env")):
        text(*table) if library == "rich" else draw(*table).rgb()
    assert draw(*table).svg()
