"""The values on the cards of the adventure, as numbers for the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pr_env.port_royal.adventure.cards import AdventureCard, AdventureCards, first_mission
from pr_env.port_royal.adventure.names import (
    ALL_COLOURS,
    ALL_SYMBOLS,
    CHARACTER_ABILITIES,
    EFFECTS,
    ITEMS,
    NO_ITEM,
    TRIGGERS,
)
from pr_env.port_royal.cards import PERSON, SHIP
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import NO_COLOUR

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal


def shape_of(cards: AdventureCards, draft: bool) -> dict[str, Any]:
    """The sizes that the record's type depends on, besides the play cards."""
    return {
        "colours": len(ALL_COLOURS),
        "symbols": len(ALL_SYMBOLS),
        "item_ships": sum(isinstance(card, AdventureCard) for card in cards.of(SHIP)),
        "missions": len(cards.missions),
        "characters": len(cards.characters),
        "events": len(cards.events),
        "draft": draft,
    }


def fill_tables(row: Any, cards: AdventureCards, game: PortRoyal) -> None:
    """Write the adventure's part of a configuration's tables."""
    row.ship_item[:] = NO_ITEM
    for number, card in enumerate(cards.kinds):
        if isinstance(card, AdventureCard) and card.kind == SHIP:
            row.ship_item[number] = ITEMS.index(card.item)
            row.ship_crowns[number] = card.crowns
        if isinstance(card, AdventureCard) and card.kind == PERSON:
            row.sell_price[number] = card.sell_price
    for number, character in enumerate(cards.characters):
        row.character_card[number] = character.card
        row.start_coins[number] = character.start_coins
        row.character_ability[number] = CHARACTER_ABILITIES.index(character.ability)
        row.character_colour[number] = ALL_COLOURS.index(character.colour) if character.colour else NO_COLOUR
    row.crown_influence[: len(cards.crowns)] = cards.crowns
    row.last_crown = len(cards.crowns) - 1
    for number, event in enumerate(cards.events):
        row.event_number[number] = event.number
        row.effect[number] = EFFECTS.index(event.effect)
        row.amount[number] = event.amount
    deck = next(deck for mode, players, deck in cards.event_deck if (mode, players) == (game.mode, game.players))
    row.month_events = deck.common + deck.adds_card_1
    row.adds_card_1 = deck.adds_card_1
    row.month_end = next(place for place, event in enumerate(cards.events) if event.number == deck.bottom)
    _fill_missions(row, cards, game)
    victory = cards.victory[game.players - 1]
    row.victory_cubes, row.victory_influence = victory.cubes, victory.influence
    row.together = game.plays_together
    row.draft = game.character_choice == "draft"
    row.month_end_ends_turn = game.month_end_ends_turn
    row.jean_counts_for_missions = game.jean_counts_for_missions
    row.bonus[: len(game.bonus_coins)] = game.bonus_coins


def _fill_missions(row: Any, cards: AdventureCards, game: PortRoyal) -> None:
    names = [mission.name for mission in cards.missions]
    place: Callable[[str], int] = lambda name: names.index(name) if name else NOTHING  # noqa: E731
    row.first_mission = NOTHING if game.mode == "post_adventure" else place(first_mission(game.chapter))
    for number, mission in enumerate(cards.missions):
        row.star[number] = mission.star
        row.have[number] = mission.have
        row.spend[number] = mission.discard
        row.trigger[number] = TRIGGERS.index(mission.trigger)
        for name in ("trigger_n", "times", "active_only", "take_less", "first_coins", "first_crowns"):
            row[name][number] = getattr(mission, name)
        row.mission_crowns[number] = mission.crowns
        for name in ("check", "next_yes", "next_no"):
            row[name][number] = place(getattr(mission, name))
        row.cube_price[number] = mission.price[1 if game.plays_together else 0]
        row.ends_chapter[number] = mission.ends and game.plays_together
