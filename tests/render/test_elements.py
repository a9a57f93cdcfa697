"""Elements of drawings: labels and action numbers in the SVG, nothing in the pixels."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pr_env.puerto_rico import phrases
from pr_env.puerto_rico.pictures import draw
from pr_env.render.scene import Element, Picture, Rectangle
from tests.render.test_puerto_rico import GAMES, Table, one_of_every_phase, tables

pytest.importorskip("PIL")
SVG = "{http://www.w3.org/2000/svg}"


def picture(with_elements: bool) -> Picture:
    drawn = Picture(60, 40, "#ffffff")
    if with_elements:
        with drawn.element('a "house" & <garden>', [3, 17]):
            drawn.rectangle(5, 5, 20, 20, "#aa0000")
            with drawn.element("a door", [4], button=True):
                drawn.rectangle(10, 10, 5, 15, "#00aa00")
    else:
        drawn.rectangle(5, 5, 20, 20, "#aa0000")
        drawn.rectangle(10, 10, 5, 15, "#00aa00")
    drawn.circle(45, 20, 10, "#0000aa")
    return drawn


def test_elements_change_no_pixel() -> None:
    assert np.array_equal(picture(True).rgb(), picture(False).rgb())
    assert picture(True).shapes == picture(False).shapes


def test_elements_are_groups_with_labels_and_actions() -> None:
    drawn = picture(True)
    assert drawn.elements == [Element('a "house" & <garden>', (3, 17)), Element("a door", (4,), button=True)]
    outer, inner = ElementTree.fromstring(drawn.svg()).iter(f"{SVG}g")
    assert outer.attrib == {"role": "group", "aria-label": 'a "house" & <garden>', "data-action": "3 17"}
    assert outer.findtext(f"{SVG}title") == 'a "house" & <garden>'
    assert inner.attrib == {"class": "button", "role": "img", "aria-label": "a door", "data-action": "4"}
    assert [child.tag for child in inner] == [f"{SVG}title", f"{SVG}rect"]
    assert isinstance(drawn.shapes[0], Rectangle)


def test_a_picture_without_elements_has_no_groups() -> None:
    assert "<g" not in picture(False).svg()


# -- Puerto Rico ------------------------------------------------------------------------------------------------------


def check_elements(table: Table) -> None:
    """Every legal action is on an item of the table, or on a button if there is no item for it."""
    position, legal, _ = table
    elements = draw(*table).elements
    on_buttons = {number for element in elements if element.button for number in element.actions}
    on_things = {number for element in elements if not element.button for number in element.actions}
    assert on_buttons | on_things == {action.number for action in legal}
    for action in legal:
        only_button = action.name == ("pass",) or action.name == ("settle", "forest")
        assert (action.number in on_things) != only_button, action
        if only_button:
            assert action.number in on_buttons
    for element in elements:
        assert element.label
        for action in legal:
            if action.number in element.actions:
                assert phrases.sentence(action, position) in element.label


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_of_a_game_has_its_element(game: str) -> None:
    for table in tables(game):
        check_elements(table)


def test_every_legal_action_of_each_phase_has_its_element() -> None:
    for table in one_of_every_phase().values():
        check_elements(table)


def test_things_without_an_action_have_a_label() -> None:
    position, _, points = one_of_every_phase()["pick_role"]
    labels = [element.label for element in draw(position, [], points).elements]
    for wanted in ("Role card settler", "Quarr", "cargo ship", "Trading house", "colonists in the supply", "Player 0"):
        assert any(wanted.lower() in label.lower() for label in labels), wanted
