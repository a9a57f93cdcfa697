"""Before the first turn: the table of the adventure, and the choice of characters."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.names import NUM_CHARACTERS, SLOTS
from pr_env.port_royal.adventure.state import NO_CUBE
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.piles import gain_coins
from pr_env.port_royal.stages import ASK, TURN_BEGINS
from pr_env.port_royal.state import CHARACTER, NOTHING, SIDE
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record


@with_adventure()
def lay_out(game: Record, tables: Record) -> None:
    """Set up everything of the adventure on the table; then characters are chosen."""
    for seat in range(game.crowns.shape[0]):
        game.dealt[seat] = 0
        game.character[seat] = NOTHING
        game.uncovered[seat] = 0
        game.crowns[seat] = 0
        for ship in range(game.items.shape[1]):
            game.items[seat, ship] = 0
        for slot in range(SLOTS):
            game.mission_place[seat, slot] = NO_CUBE
    for slot in range(SLOTS):
        game.mission[slot] = NOTHING
    for kind in range(game.inn_used.shape[0]):
        game.inn_used[kind] = 0
    game.ask = 0
    game.asked_turn = 0
    game.asked_about = NOTHING
    game.completing = NOTHING
    game.completed_at = 0
    game.owed_ares = 0
    game.only_herbs = 0
    game.only_special = 0
    game.take_less = 0
    game.cube_price = 0
    for place in range(game.event_deck.shape[0]):
        game.event_deck[place] = NOTHING
    game.event = NOTHING
    game.event_count = tables.month_events
    game.event_place = 0
    for place in range(game.look.shape[0]):
        game.look[place] = NOTHING
    game.look_old = 0
    game.top = NOTHING
    game.top_owner = 0
    game.lookouts_used = 0
    game.drawn = 0
    game.takes = 0
    game.acted = 0
    lay_out_missions(game, tables)
    game.turn = 1
    game.active = 0
    if tables.draft == 1:
        game.player = game.players - 1
        game.question = CHARACTER
    else:
        deal_cards(game)
        game.player = 0
        game.question = SIDE


@compiled
def lay_out_missions(game: Record, tables: Record) -> None:
    """Lay out the first mission of the chapter, or four of those with a star, all sets being equally likely."""
    if tables.first_mission != NOTHING:
        game.mission[0] = tables.first_mission
        return
    left = 0
    for mission in range(tables.star.shape[0]):
        left += tables.star[mission]
    slot = 0
    for mission in range(tables.star.shape[0]):
        if tables.star[mission] == 1:
            game.rng = next_state(game.rng)
            if random_below(game.rng, left) < SLOTS - slot:
                game.mission[slot] = mission
                slot += 1
            left -= 1


@compiled
def deal_cards(game: Record) -> None:
    """Deal a character card to each player."""
    for seat in range(game.players):
        game.rng = next_state(game.rng)
        nth = random_below(game.rng, NUM_CHARACTERS - seat)
        card = 1
        while _is_dealt(game, card) or nth > 0:
            nth -= not _is_dealt(game, card)
            card += 1
        game.dealt[seat] = card


@compiled
def _is_dealt(game: Record, card: int) -> bool:
    for seat in range(game.players):
        if game.dealt[seat] == card:
            return True
    return False


@compiled
def may_choose(game: Record, tables: Record, character: int) -> bool:
    """In a draft: whether the card of a side is still available."""
    return not _is_dealt(game, tables.character_card[character])


@compiled
def choose_side(game: Record, tables: Record, which: int) -> int:
    """Choose the first or the second side of the card that was dealt."""
    character = 0
    while tables.character_card[character] != game.dealt[game.player] or which > 0:
        which -= tables.character_card[character] == game.dealt[game.player]
        character += 1
    game.character[game.player] = character
    game.player += 1
    return ASK if game.player < game.players else begin(game, tables)


@compiled
def choose_character(game: Record, tables: Record, character: int) -> int:
    """Choose a side of a card; the start player chooses last (R74)."""
    game.dealt[game.player] = tables.character_card[character]
    game.character[game.player] = character
    game.player -= 1
    return ASK if game.player >= 0 else begin(game, tables)


@compiled
def begin(game: Record, tables: Record) -> int:
    """Pay start coins, including those for failures (R68, R88); then the first turn begins."""
    for seat in range(game.players):
        gain_coins(game, seat, tables.start_coins[game.character[seat]] + tables.bonus[seat])
    game.player = 0
    return TURN_BEGINS
