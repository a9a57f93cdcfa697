"""The card files: their sums, the kinds of every configuration, and invalid files."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import CardFileError, PortRoyal
from pr_env.port_royal.cards import CARD_FILES, EXPEDITION, FOLDER, PERSON, SHIP, TAX, Cards, read_cards
from pr_env.port_royal.tables import COLOURS, SET_SIZES
from tests.port_royal import plain
from tests.port_royal.configurations import EVERYTHING

SETS = {
    "base": (120, 314, 83, 22, (26, 28, 6, 2)),
    "set_sail": (60, 154, 59, 11, (13, 23, 0, 1)),
    "gambler": (4, 22, 7, 0, (3, 0, 0, 0)),
    "contract": (24, 86, 26, 4, (11, 10, 0, 0)),
}
FILES = [*CARD_FILES.values(), "contracts.csv"]


def total(cards: Cards, kind: int, value: str) -> int:
    """The sum of a value over all copies of all cards of a kind."""
    return sum(card.copies * getattr(card, value) for card in cards.of(kind))


@pytest.mark.parametrize("name", SETS)
def test_sums_of_a_set(name: str) -> None:
    size, cost, influence, coins, kinds = SETS[name]
    cards = read_cards(None, (name,))
    assert sum(card.copies for card in cards.kinds) == size == sum(SET_SIZES[name])
    assert (total(cards, PERSON, "cost"), total(cards, PERSON, "influence")) == (cost, influence)
    for colour in COLOURS:
        assert sum(card.copies * card.coins for card in cards.of(SHIP) if card.colour == colour) == coins
    assert tuple(len(cards.of(kind)) for kind in (PERSON, SHIP, EXPEDITION, TAX)) == kinds


def test_sums_of_the_expeditions() -> None:
    cards = PortRoyal().cards
    assert (total(cards, EXPEDITION, "influence"), total(cards, EXPEDITION, "coins")) == (29, 15)


def test_sabres_of_the_base_ships() -> None:
    sabres: dict[str, dict[int | str, int]] = {colour: {} for colour in COLOURS}
    for card in PortRoyal().cards.of(SHIP):
        shown = card.sabres if card.repellable else "skull"
        sabres[card.colour][shown] = sabres[card.colour].get(shown, 0) + card.copies
    assert sabres == {
        "yellow": {1: 4, 2: 3, 4: 3},
        "blue": {1: 4, 2: 3, 5: 3},
        "green": {1: 4, 3: 3, 5: 3},
        "red": {1: 3, 3: 3, 6: 2, "skull": 2},
        "black": {2: 3, 4: 3, 7: 2, "skull": 2},
    }


def test_costs_and_influence_of_persons() -> None:
    pairs: dict[str, set[tuple[int, int]]] = {}
    for card in PortRoyal(add=EVERYTHING).cards.of(PERSON):
        pairs.setdefault(card.type, set()).add((card.cost, card.influence))
    assert pairs == {
        "trader": {(3, 1), (5, 2)},
        "sailor": {(3, 1), (5, 2), (7, 3)},
        **{name: {(5, 1), (7, 2), (9, 3)} for name in ("pirate", "jester", "admiral", "vice_admiral")},
        **{name: {(4, 1), (6, 2), (8, 3)} for name in ("gunner", "gambler")},
        "clerk": {(4, 1), (6, 2), (9, 3)},
        "mademoiselle": {(7, 2), (9, 3)},
        **{name: {(4, 1)} for name in ("captain", "priest", "settler")},
        "jack_of_all_trades": {(6, 1)},
        "governor": {(8, 0)},
        "merchant": {(6, 2), (8, 3)},
        "passenger": {(4, 2)},
    }


def test_persons_of_the_base_game_by_type() -> None:
    counts: dict[str, int] = {}
    for card in PortRoyal().cards.of(PERSON):
        counts[card.type] = counts.get(card.type, 0) + card.copies
    assert counts == {
        "trader": 10,
        "settler": 5,
        "captain": 5,
        "priest": 5,
        "jack_of_all_trades": 3,
        "sailor": 10,
        "pirate": 3,
        "mademoiselle": 4,
        "jester": 5,
        "admiral": 6,
        "governor": 4,
    }


def test_requirements_of_the_expeditions() -> None:
    found = {card.name: (card.requires, card.influence, card.coins) for card in PortRoyal().cards.of(EXPEDITION)}
    assert found == {
        "two_captains": ((2, 0, 0), 4, 2),
        "two_priests": ((0, 2, 0), 4, 2),
        "two_settlers": ((0, 0, 2), 4, 2),
        "two_captains_settler": ((2, 0, 1), 6, 3),
        "two_priests_settler": ((0, 2, 1), 6, 3),
        "one_of_each": ((1, 1, 1), 5, 3),
    }


@pytest.mark.parametrize(
    ("options", "shuffled"),
    [
        ({}, 119),
        ({"add": ("gambler",)}, 123),
        ({"add": ("set_sail_20",)}, 139),
        ({"add": ("contract_cards",)}, 143),
        ({"add": EVERYTHING}, 167),
        ({"deck": "set_sail"}, 60),
    ],
    ids=str,
)
def test_sizes_of_the_decks(options: dict[str, Any], shuffled: int) -> None:
    assert sum(card.copies for card in PortRoyal(**options).cards.kinds if card.min_players == 0) == shuffled


# -- invalid files -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the card files."""
    return Path(shutil.copytree(FOLDER, tmp_path / "cards"))


def edit(folder: Path, file: str, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("base_cards.csv", "req_settler", "x", "base_cards.csv: the column 'req_settler' is missing"),
        (
            "base_cards.csv",
            "base,person,settler,,4,1",
            "base,person,setler,,4,1",
            "row 9: type must be one of 'trader'",
        ),
        ("base_cards.csv", "base,person,settler", "base,animal,settler", "row 9: kind must be one of 'person', 'ship'"),
        ("base_cards.csv", "settler,,4,1", "settler,,four,1", "row 9: cost must be a whole number, got 'four'"),
        ("base_cards.csv", "settler,,4,1", "settler,,-4,1", "row 9: cost must be from 0 to 99, got -4"),
        ("base_cards.csv", "settler,,4,1", f"settler,,{10**30},1", "row 9: cost must be from 0 to 99, got 1000"),
        ("base_cards.csv", "settler,,4,1", f"settler,,{'9' * 5000},1", "row 9: cost must be"),
        ("base_cards.csv", "settler,,4,1", "settler,red,4,1", "row 9: colour must be one of '', got 'red'"),
        ("base_cards.csv", "trader,yellow", "trader,pink", "row 2: colour must be one of 'yellow'"),
        ("base_cards.csv", ",,3,printed,", ",,2,printed,", "copies of person cards must add up to 60, got 59"),
        ("base_cards.csv", ",,3,printed,", ",,0,printed,", "copies must be from 1 to 99, got 0"),
        ("base_cards.csv", "printed,", "guessed,", "row 2: source must be one of 'printed', 'reconstructed'"),
        ("base_cards.csv", "printed,", "printed,,,", "row 2: must have as many values as the header has columns"),
        (
            "set_sail_cards.csv",
            ",down_to_8,",
            ",down_to_7,",
            "tax_rule must be one of 'half_rounded_down', 'down_to_8'",
        ),
        ("set_sail_cards.csv", ",9,down_to_8,", ",7,down_to_8,", "tax_from must be from 8 to 99, got 7"),
        ("base_cards.csv", ",,,,5,printed", ",5,,,5,printed", "min_players must be from 0 to 0, got 5"),
        ("base_cards.csv", "two_priests,", "two_captains,", "must have different names, got 'two_captains' twice"),
        ("contracts.csv", "c00,lady_killer", "c00,lady killer", "row 2: name must be a name like tax_officer"),
        ("contracts.csv", "c01,explorer", "c01,lady_killer", "names must differ, got 'lady_killer' twice"),
        ("contracts.csv", "expedition_1", "expedition_2", "row 3: requirement must be one of"),
        ("contracts.csv", "captain,mademoiselle", "captain,dancer", "row 2: person_2 must be one of"),
        ("contracts.csv", ",,2,8,6", ",,3,8,6", "progress_spaces must be from 0 to 2, got 3"),
        ("contracts.csv", ",,2,8,6", ",,1,8,6", "progress_spaces of refuse_frigate_coins_3 must be 2, got 1"),
        ("contracts.csv", ",1,G,0,", ",1,é,0,", "row 2: seal_letter must be a letter from A to Z"),
        ("contracts.csv", ",2,J,1,", ",2,J,0,", "16 rows must have coop_only 0, got 17"),
        ("contracts.csv", "expedition_1", "pay_tax", "at most one contract may have the requirement pay_tax, got 2"),
    ],
)
def test_a_mistake_in_a_file_is_named(folder: Path, file: str, old: str, new: str, sentence: str) -> None:
    edit(folder, file, old, new)
    with pytest.raises(CardFileError) as error:
        read_everything(folder)
    assert sentence in str(error.value)
    assert file in str(error.value) or str(folder) in str(error.value)


def test_seals_must_leave_time_cards(folder: Path) -> None:
    text = (folder / "contracts.csv").read_text().splitlines()
    (folder / "contracts.csv").write_text(
        "\n".join([text[0], *(re.sub(r",-?\d,([A-K]),", r",-2,\1,", row) for row in text[1:])])
    )
    with pytest.raises(CardFileError, match=r"contracts\.csv: seal_number must leave a time card for any 7 contracts"):
        read_everything(folder)


def test_persons_that_differ_in_sabres_alone_would_have_one_name(folder: Path) -> None:
    lines = (folder / "base_cards.csv").read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("base,person,sailor,,3,1"))
    one, six = (re.sub(r",7,printed", f",{copies},printed", lines[place]) for copies in (1, 6))
    stronger = one.split(",")
    stronger[lines[0].split(",").index("sabres")] = "2"
    lines[place : place + 1] = [six, ",".join(stronger)]
    (folder / "base_cards.csv").write_text("\n".join(lines))
    with pytest.raises(CardFileError, match="kinds of cards must have different names, got 'sailor_3_1' twice"):
        read_everything(folder)


@pytest.mark.parametrize("file", FILES)
def test_a_missing_column_is_named(folder: Path, file: str) -> None:
    header, *rows = (folder / file).read_text().splitlines()
    columns = header.split(",")
    ignored = {"crowns", "req_book", "req_herbs", "req_bread", "req_rum", "item", "sell_price", "group", "guessed"}
    ignored |= {"name_es", "active_only"}
    for place, column in enumerate(columns):
        changed = ",".join(["x" if number == place else name for number, name in enumerate(columns)])
        (folder / file).write_text("\n".join([changed, *rows]))
        if column in ignored:
            read_everything(folder)
        else:
            with pytest.raises(CardFileError, match=f"{file}: the column '{column}' is missing"):
                read_everything(folder)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the column"),
        (b"\n\n\n", "the column"),
        (b"\xff\xfe\x00\x01", "cannot be read as text"),
        (b"a,b\n\x00\x00\n", "the column"),
        (b'"a\nb', ""),
        (b"x" * (2 << 20), "must be smaller than 1 MiB"),
        (None, "there is no such card file"),
    ],
    ids=["empty", "blank", "bytes", "zeros", "quote", "large", "missing"],
)
def test_what_is_no_card_file_is_refused(folder: Path, file: str, content: bytes | None, sentence: str) -> None:
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(content)
    with pytest.raises(CardFileError) as error:
        read_everything(folder)
    assert file in str(error.value)
    assert sentence in str(error.value)


def test_a_folder_in_place_of_a_file_is_refused(folder: Path) -> None:
    (folder / "base_cards.csv").unlink()
    (folder / "base_cards.csv").mkdir()
    with pytest.raises(CardFileError, match=r"base_cards\.csv: cannot be read"):
        read_everything(folder)


def test_a_row_that_stands_twice_makes_too_many_cards(folder: Path) -> None:
    for file in FILES:
        copy = Path(shutil.copytree(folder, folder.parent / f"copy_{file}"))
        lines = (copy / file).read_text().splitlines()
        (copy / file).write_text("\n".join([*lines, lines[1]]))
        with pytest.raises(CardFileError, match=file):
            read_everything(copy)


def read_everything(folder: Path) -> list[Cards]:
    """The cards of all sets of a folder."""
    return [
        read_cards(folder, ("base", "set_sail", "gambler", "contract"), "cooperative"),
        read_cards(folder, ("set_sail",)),
    ]


@pytest.mark.parametrize("file", FILES)
def test_random_damage_is_refused_or_harmless(folder: Path, file: str) -> None:
    """Any file content leads to an error that names the file, or to a playable game."""
    original = (folder / file).read_bytes()
    chance = random.Random(file)
    refused = 0
    for _ in range(150):
        damaged = bytearray(original)
        for _ in range(chance.choice((1, 1, 2, 5, 50))):
            place = chance.randrange(len(damaged))
            match chance.randrange(5):
                case 0:
                    damaged[place] = chance.randrange(256)
                case 1:
                    damaged[place : place + chance.randrange(1, 40)] = b""
                case 2:
                    damaged[place:place] = damaged[place - chance.randrange(40) : place]
                case 3:
                    damaged[place : place + 1] = chance.choice((b",", b"\n", b'"', b"-", b"99", b"0", b"\x00"))
                case 4:
                    del damaged[place:]
            if not damaged:
                damaged = bytearray(b"\n")
        (folder / file).write_bytes(bytes(damaged))
        try:
            read_everything(folder)
            for options in ({"add": EVERYTHING, "mode": "cooperative"}, {"deck": "set_sail"}, {"add": EVERYTHING}):
                game = PortRoyal(players=2, data=str(folder), **options)
                assert len({action.name for action in game.actions}) == len(game.actions)
                assert len(game.tables) == len(game.blank) == 1
        except CardFileError as error:
            refused += str(folder) in str(error)
    assert refused > 50


@pytest.mark.parametrize("file", FILES)
def test_games_with_other_numbers_on_the_cards_stay_possible(folder: Path, file: str) -> None:
    """Numbers in the files are replaced, also by extreme ones; accepted files can be played."""
    original = (folder / file).read_text().splitlines()
    columns = original[0].split(",")
    chance = random.Random(file)
    played = 0
    for _ in range(120):
        rows = [line.split(",") for line in original[1:]]
        for row in chance.sample(rows, k=min(len(rows), chance.choice((1, 3, 10)))):
            numbers = [place for place, value in enumerate(row) if re.fullmatch(r"-?\d+", value)]
            place = chance.choice([place for place in numbers if columns[place] != "copies"])
            row[place] = str(chance.choice((0, 1, 2, 5, 9, 50, 99, -1, -9)))
        (folder / file).write_text("\n".join([original[0], *(",".join(row) for row in rows)]))
        options: dict[str, Any] = {"players": 2, "data": str(folder)}
        options |= {"deck": "set_sail"} if file.startswith("set_sail") else {"add": EVERYTHING, "mode": "cooperative"}
        try:
            game = PortRoyal(**options)
        except CardFileError:
            continue
        played += 1
        play_randomly(game, seed=played, decisions=30)
        if played == 6:
            return
    pytest.fail("too many of these files were rejected")


def play_randomly(game: PortRoyal, seed: int, decisions: int) -> None:
    """Play a number of decisions with plain rules and check that the positions are possible."""
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(seed))
    chance = random.Random(seed)
    for _ in range(decisions):
        assert game.problems(record.flush()) == []
        if not record.legal.any():
            return
        plain.rules.step(record, tables, int(chance.choice(np.flatnonzero(record.legal))))
