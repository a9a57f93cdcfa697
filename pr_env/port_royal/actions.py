"""The action table: its blocks, their places by configuration, and the names of the actions.

A block that a configuration does not need has no numbers, so the start of a block depends on the record's shape.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.game import Action
from pr_env.port_royal.adventure.names import ALL_COLOURS, ITEMS, LOOK_AT, SIDES, SLOTS, SOLD
from pr_env.port_royal.cards import EXPEDITION, PERSON, Cards
from pr_env.port_royal.extension import with_adventure, with_contracts, with_gifts
from pr_env.port_royal.state import Shape
from pr_env.port_royal.tables import COLOURS, MAX_PLAYERS, REFUSED_COLOURS
from pr_env.rules import Record

DRAW, STOP, REPEL_SHIP, LET_IN, DONE = range(5)
COMPLETE = 5  # + contract; the other blocks follow
NUM_REFUSALS = len(REFUSED_COLOURS)
MOST_GIVES = MAX_PLAYERS - 1


@with_contracts(0)
def num_contracts(game: Record) -> int:
    """Contracts to draw from."""
    return game.cube.shape[1]


@compiled
def num_completions(game: Record) -> int:
    """Contracts to draw from, or missions that can be laid out."""
    return num_contracts(game) + _num_missions(game)


@with_adventure(0)
def _num_missions(game: Record) -> int:
    return SLOTS


@with_contracts(0)
def _num_refusals(game: Record) -> int:
    return NUM_REFUSALS


@with_gifts(0)
def _num_gives(game: Record) -> int:
    return MOST_GIVES


@with_contracts(0)
def _num_answers(game: Record) -> int:
    return 2


@with_adventure(0)
def _num_keeps(game: Record) -> int:
    return game.harbour_ship.shape[0]


@compiled
def _num_pays(game: Record) -> int:
    return 0 if game.expedition.shape[0] == 0 else 2 + _num_special_pays(game)


@with_adventure(0)
def _num_special_pays(game: Record) -> int:
    return 1


@compiled
def claim_at(game: Record) -> int:
    """First ``claim``, one for each expedition."""
    return COMPLETE + num_completions(game)


@compiled
def trade_at(game: Record) -> int:
    """First ``trade``, one for each colour."""
    return claim_at(game) + game.expedition.shape[0]


@compiled
def refuse_at(game: Record) -> int:
    """First ``refuse``, one for each of REFUSED_COLOURS."""
    return trade_at(game) + game.harbour_ship.shape[0]


@compiled
def keep_at(game: Record) -> int:
    """First ``keep_item``, one for each colour."""
    return refuse_at(game) + _num_refusals(game)


@compiled
def hire_at(game: Record) -> int:
    """First ``hire``, one for each kind of person."""
    return keep_at(game) + _num_keeps(game)


@compiled
def pay_match_at(game: Record) -> int:
    """``pay_match``."""
    return hire_at(game) + game.harbour.shape[0]


@compiled
def pay_jack_at(game: Record) -> int:
    """``pay_jack``."""
    return pay_match_at(game) + 1


@compiled
def give_at(game: Record) -> int:
    """First ``give``, one for each seat clockwise from the taker."""
    return pay_match_at(game) + _num_pays(game)


@compiled
def accept_at(game: Record) -> int:
    """``accept``."""
    return give_at(game) + _num_gives(game)


@compiled
def decline_at(game: Record) -> int:
    """``decline``."""
    return accept_at(game) + 1


@compiled
def use_gambler_at(game: Record) -> int:
    """``use_gambler``."""
    return accept_at(game) + _num_answers(game)


def actions_for(cards: Cards, shape: Shape) -> tuple[Action, ...]:
    """The action table of a configuration."""
    rows: list[tuple[tuple[str | int, ...], str]] = [
        (("draw",), "Draw a card."),
        (("stop",), "Stop drawing: phase 2 begins."),
        (("repel",), "Repel the ship."),
        (("let_in",), "Let the ship into the harbour."),
        (("done",), "Do nothing more."),
    ]
    rows += [
        (("complete", contract.name), f"Complete the contract {_words(contract.name)}.") for contract in cards.contracts
    ]
    if shape.adventure:
        rows += [(("complete", slot), f"Complete mission {slot} of those laid out.") for slot in range(1, SLOTS + 1)]
    rows += [(("claim", card.name), f"Claim the expedition {_words(card.name)}.") for card in cards.of(EXPEDITION)]
    colours = ALL_COLOURS[: shape.colours]
    rows += [(("trade", colour), f"Trade the {colour} ship.") for colour in colours]
    if shape.contracts:
        rows += [
            (("refuse", COLOURS[colour]), f"Trade the {COLOURS[colour]} ship and refuse its coins.")
            for colour in REFUSED_COLOURS
        ]
    if shape.adventure:
        rows += [(("keep_item", colour), f"Keep the {colour} ship as an item.") for colour in colours]
    for card in cards.of(PERSON):
        who = " ".join(part for part in (card.colour, _words(card.type)) if part)
        rows.append((("hire", card.name), f"Hire the {who} (cost {card.cost}, influence {card.influence})."))
    if shape.expeditions:
        rows += [
            (("pay_match",), "Discard the person with the symbol."),
            (("pay_jack",), "Discard a jack of all trades."),
        ]
    if shape.adventure:
        rows += [(("pay_special",), "Discard the person of the adventure with the symbol.")]
    if shape.gifts:
        rows += [
            (("give", place), f"Give the coin to the player {place} to the left.") for place in range(1, MAX_PLAYERS)
        ]
    if shape.contracts or shape.adventure:
        rows += [(("accept",), "Yes."), (("decline",), "No.")]
    if shape.gamblers:
        rows += [(("use_gambler",), "Use a gambler: draw four cards.")]
    if shape.adventure:
        rows += _adventure_rows(shape)
    return tuple(Action(number, name, sentence) for number, (name, sentence) in enumerate(rows))


def _adventure_rows(shape: Shape) -> list[tuple[tuple[str | int, ...], str]]:
    rows: list[tuple[tuple[str | int, ...], str]] = [(("use_lookout",), "Use a lookout: look at three cards.")]
    rows += [((f"top_{place}",), f"Put card {place} of them back on the deck.") for place in range(1, LOOK_AT + 1)]
    rows += [((f"sell_{ITEMS[item]}",), f"Sell the {ITEMS[item]} to an innkeeper.") for item in SOLD]
    rows += [((f"give_{item}",), f"Discard a ship of the Ares with {_with_item(item)}.") for item in ITEMS[:2]]
    rows += [((f"side_{side}",), f"Play side {side} of the character card.") for side in SIDES]
    if shape.draft:
        numbers = range(1, shape.characters + 1)
        rows += [((f"character_{number}",), f"Choose side {number} of all characters.") for number in numbers]
    return rows


def _with_item(item: str) -> str:
    return "the book" if item == "book" else item


def _words(name: str) -> str:
    return name.replace("_", " ")
