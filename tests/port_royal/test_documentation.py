"""The pages about Port Royal match the existing decisions, rulings and cards."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from pr_env.port_royal import PortRoyal, card_page, state
from pr_env.port_royal.cards import CARD_FILES, CONTRACT_FILE, FOLDER

ROOT = Path(__file__).parent.parent.parent
RULES = (ROOT / "docs" / "port_royal_rules.md").read_text()
ADVENTURE = (ROOT / "docs" / "port_royal_adventure.md").read_text()


def file_rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def section(title: str) -> str:
    """The part of the page of cards below a heading."""
    return card_page.card_page().split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_ruling_that_the_code_refers_to_is_explained() -> None:
    code = "".join(path.read_text() for path in (ROOT / "pr_env" / "port_royal").rglob("*.py"))
    named = set(re.findall(r"\bR\d+\b", code))
    assert named
    assert named <= set(re.findall(r"\bR\d+\b", RULES + ADVENTURE))


def test_the_table_of_questions_has_all_questions_and_their_answers() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", RULES, re.MULTILINE))
    known = state.QUESTIONS[: state.SET_ASIDE + 1]
    assert set(known) - {"game_over"} <= set(table)
    everything = PortRoyal(add=["gambler", "set_sail_20", "contract_cards", "contracts"], mode="cooperative")
    answers = {answer for question in known for answer in re.findall(r"`(\w+)`", table.get(question, ""))}
    assert answers == {action.name[0] for action in everything.actions}


def test_the_page_of_the_adventure_has_its_questions_and_answers() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", ADVENTURE, re.MULTILINE))
    assert set(state.QUESTIONS[state.SET_ASIDE + 1 :]) <= set(table)
    actions = {action.name[0] for action in PortRoyal(deck="adventure", character_choice="draft").actions}
    base = {action.name[0] for action in PortRoyal().actions}
    assert all(f"`{action}`" in ADVENTURE for action in actions - base if not str(action).startswith("character"))


@pytest.mark.parametrize("name", CARD_FILES)
def test_every_card_is_listed_and_what_is_guessed_is_marked(name: str) -> None:
    text = section(card_page.SETS[name][0])
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    cards = file_rows(CARD_FILES[name])
    assert len(lines) == len(cards)
    assert sum("reconstructed" in line for line in lines) == sum(row["source"] == "reconstructed" for row in cards)
    guessed = sum(len(row["guessed"].split(";")) for row in cards if row["guessed"])
    assert text.count("\\*") == guessed


def test_contracts_are_listed_and_what_is_guessed_is_marked() -> None:
    lines = [line for line in section("Contracts").splitlines() if line.startswith("| `")]
    contracts = file_rows(CONTRACT_FILE)
    assert len(lines) == len(contracts)
    for line, row in zip(lines, contracts, strict=True):
        assert f"`{row['name']}`" in line
        assert line.count("\\*") == (3 if row["source"] == "reconstructed" else 0)  # coin track, number, letter
