"""The pictures of Port Royal: they fit, they show the table, and there is one for every kind of decision."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal, phrases
from pr_env.port_royal.pictures import Picture, draw, text
from pr_env.port_royal.pictures.cards import title
from pr_env.port_royal.view import View
from pr_env.render.scene import text_width
from pr_env.words import plain
from tests.port_royal.plain_games import CONFIGURATIONS, positions

pytest.importorskip("PIL")
pytest.importorskip("rich")

ESCAPE_CODE = re.compile("\x1b\\[[0-9;]*m")
FRAME = re.compile("[│╭╮╰╯├┤┼┬┴─]")


def told(view: View, width: int, *, answers: bool = True) -> str:
    return text(view.game, view.record, width=width, answers=answers, colour=False)


def in_a_row(view: View, width: int) -> str:
    """The text without its layout."""
    return " ".join(FRAME.sub(" ", told(view, width)).split())


def written(picture: Picture) -> list[str]:
    root = ElementTree.fromstring(picture.svg())
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


# -- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_text_fits_its_width(configuration: str) -> None:
    for view in positions(configuration):
        for width in (80, 100, 120):
            assert max(map(len, told(view, width).splitlines())) <= width


@pytest.mark.parametrize(
    "configuration", ["base, 2 players", "base, 3 players", "alternative end", "contracts", "solo"]
)
def test_text_fits_a_small_terminal(configuration: str) -> None:
    for view in positions(configuration):
        assert len(told(view, 80).splitlines()) <= 23  # and a line for the prompt


def test_text_of_five_players_is_not_much_longer() -> None:
    assert max(len(told(view, 80).splitlines()) for view in positions("everything")) <= 32


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("width", [80, 120])
def test_text_tells_players_cards_and_decks(configuration: str, width: int) -> None:
    for view in positions(configuration)[::3]:
        said = in_a_row(view, width)
        for display in view.displays:
            assert f"Player {display.seat}" in said
            assert f"{display.influence} influence, {phrases.coins(display.coins)}" in said
            for stack in display.persons:
                assert f"{phrases.person(stack.card)} {stack.card.cost}/{stack.card.influence}" in said
        for ship in view.ships:
            assert re.search(rf"{phrases.ship(ship)} {ship.coins}\S*c ({ship.sabres}s|skull)", said)
        for card in view.expeditions:
            assert phrases.symbols(card) in said
        for offer in view.offers:
            assert phrases.contract(offer.contract) in said
        assert f"deck {view.deck}, discard pile {view.discards}" in said
        assert ("time deck" in said) == view.is_cooperative


def test_text_without_colour_has_the_same_words_and_no_escape_codes() -> None:
    for view in positions("everything")[::4]:
        for width in (80, 120):
            plain_text = told(view, width)
            coloured = text(view.game, view.record, width=width)
            assert "\x1b" not in plain_text
            assert "\x1b" in coloured
            assert ESCAPE_CODE.sub("", coloured).split() == plain_text.split()


def test_names_are_shown_and_answers_can_be_left_out() -> None:
    view = positions("base, 3 players")[0]
    names = ("anna", "berta", "carla")
    for width in (80, 120):
        said = text(view.game, view.record, names=names, answers=False, width=width, colour=False)
        assert all(f"Player {seat} ({name})" in said for seat, name in enumerate(names))
        assert " may" not in said
    assert "a person: cost and influence" in said  # the free quarter explains the symbols


def test_answers_are_told_with_their_numbers() -> None:
    for view in positions("contracts"):
        wide, small = in_a_row(view, 120), in_a_row(view, 80)
        for action in view.legal:
            assert f"{action.number} {phrases.answer(action, view)}" in small
            if len(view.legal) <= 8:
                assert f"{action.number} {phrases.sentence(action, view)}" in wide


# -- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_picture_shows_players_cards_contracts_and_decks(configuration: str) -> None:
    for view in positions(configuration)[::3]:
        texts = written(draw(view.game, view.record))
        for display in view.displays:
            assert f"Player {display.seat}" in texts
        for card in (*view.ships, *(stack.card for stack in view.persons)):
            assert title(card) in texts
        for offer in view.offers:
            assert plain(offer.contract.name).capitalize() in texts
            assert phrases.needs(offer.contract) in texts
        assert str(view.deck) in texts
        assert ("Time" in texts) == view.is_cooperative
        now = phrases.result(view) if view.is_over else phrases.question(view)
        assert any(now in line for line in texts)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_everything_stays_inside_the_picture(configuration: str) -> None:
    for view in positions(configuration)[::2]:
        picture = draw(view.game, view.record)
        root = ElementTree.fromstring(picture.svg())
        for element in root.iter("{http://www.w3.org/2000/svg}text"):
            width = text_width(element.text or "", float(element.attrib["font-size"]), "font-weight" in element.attrib)
            share = {"start": 0, "middle": 0.5, "end": 1}[element.attrib["text-anchor"]]
            left = float(element.attrib["x"]) - share * width
            assert left >= 0
            assert left + width <= picture.width
            assert 0 < float(element.attrib["y"]) < picture.height


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_all_pictures_of_a_configuration_have_one_size(configuration: str) -> None:
    sizes = {
        (draw(view.game, view.record).width, draw(view.game, view.record).height) for view in positions(configuration)
    }
    assert len(sizes) == 1


def test_a_full_table_fits() -> None:
    """More cards than in any real game."""
    view = positions("everything")[0]
    record = view.record
    record.display[:, :] = 1
    record.harbour[:] = 1
    full = View(view.game, record)
    picture = draw(full.game, full.record)
    assert written(picture).count("Admiral") == 3 * (1 + full.players)
    assert max(map(len, told(full, 80).splitlines())) <= 80


def test_the_picture_shows_what_everybody_knows() -> None:
    """The seed and the state of the generator determine the next cards: neither is shown."""
    for view in positions("cooperative")[::5]:
        record = view.record.copy()
        record.seed, record.rng = 12345, 67890
        assert draw(view.game, record).svg() == draw(view.game, view.record).svg()
        assert told(View(view.game, record), 80) == told(view, 80)


def test_the_svg_stands_alone_and_is_the_same_every_time() -> None:
    view = positions("contracts")[5]
    svg = draw(view.game, view.record).svg()
    assert svg == draw(view.game, view.record).svg()
    assert "href" not in svg
    assert "<script" not in svg


@pytest.mark.parametrize("configuration", ["base, 2 players", "solo", "everything"])
def test_pixels(configuration: str) -> None:
    view = positions(configuration)[-1]
    picture = draw(view.game, view.record)
    pixels = view.game.render(view.record, "rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert pixels.shape == (picture.height, picture.width, 3)
    assert pixels.dtype == np.uint8
    assert len({tuple(colour) for colour in pixels[::7, ::7].reshape(-1, 3).tolist()}) > 50


def test_render_modes() -> None:
    view = positions("base, 2 players")[0]
    assert PortRoyal.render_modes == ("ansi", "rgb_array", "svg")
    assert str(view.game.render(view.record, "ansi")) == text(view.game, view.record)
    assert str(view.game.render(view.record, "svg")) == draw(view.game, view.record).svg()
    assert view.game.text(view.record, width=80, colour=False) == told(view, 80)


# -- elements ---------------------------------------------------------------------------------------------------------

BUTTONS_ONLY = {"stop", "done"}  # there is no item on the table for these


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_legal_action_has_its_element(configuration: str) -> None:
    for view in positions(configuration):
        elements = draw(view.game, view.record).elements
        legal = {action.number: action for action in view.legal}
        on_buttons = {number for element in elements if element.button for number in element.actions}
        on_things = {number for element in elements if not element.button for number in element.actions}
        assert on_buttons | on_things == set(legal)
        missing = {legal[number].name[0] for number in set(legal) - on_things}
        assert missing <= BUTTONS_ONLY
        assert all(legal[number].name[0] not in BUTTONS_ONLY for number in on_things)
        for element in elements:
            assert element.label
            assert all(phrases.sentence(legal[number], view) in element.label for number in element.actions)


def test_cards_have_labels_whether_they_can_be_taken_or_not() -> None:
    for view in positions("everything"):
        labels = [element.label.lower() for element in draw(view.game, view.record).elements]
        for card in (*view.ships, *(stack.card for stack in view.persons), *view.expeditions):
            assert any(phrases.described(card) in label for label in labels)
