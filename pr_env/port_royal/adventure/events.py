"""Phase 0: the event of the turn, and the end of the month."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.characters import cubes_left, uncover
from pr_env.port_royal.adventure.crowns import gain_crowns
from pr_env.port_royal.adventure.names import (
    ACTIVE_GAINS_COINS,
    ACTIVE_GAINS_CROWNS,
    ACTIVE_TAKES_MORE,
    ALL_GAIN_COINS,
    FEWEST_GAIN_CROWNS,
    HIRE_COSTS_LESS,
    HIRE_COSTS_MORE,
    MINIMUM_DRAWS,
    MONTH_END,
    NO_FEE,
    REPEL_LESS,
    REPEL_MORE,
    RICH,
    RICH_LOSE,
    SHIP_PAYS_MORE,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.piles import gain_coins, spend_coins
from pr_env.port_royal.stages import ASK, CUBES, PHASE_1, REVEAL, TURN_ENDS
from pr_env.port_royal.state import CHAPTER_OVER, CUBE, DISCOVER, GAME_OVER, NOTHING
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record


@with_adventure(ASK)
def begin_turn(game: Record) -> int:
    """A turn begins with an event."""
    game.lookouts_used = 0
    game.take_less = 0
    game.asked_turn = 0
    game.ask = 0
    game.event = NOTHING
    return REVEAL


@compiled
def begin_phase_1(game: Record) -> int:
    """The active player discovers."""
    game.player = game.active
    game.question = DISCOVER
    return ASK


# -- the event deck ----------------------------------------------------------------------------------------------------


@compiled
def reveal(game: Record, tables: Record) -> int:
    """Turn up the next event; immediate effects take place now."""
    place = int(game.event_place)
    if place == game.event_count:
        game.event = tables.month_end
        return _end_month(game, tables)
    if game.event_deck[place] == NOTHING:
        game.event_deck[place] = _draw_event(game, tables)
    game.event = game.event_deck[place]
    game.event_place += 1
    _take_effect(game, tables)
    return PHASE_1


@compiled
def _draw_event(game: Record, tables: Record) -> int:
    """Draw one of the common events that have not been revealed, or in the first month perhaps card 1."""
    hidden = 0
    for place in range(game.event_count):
        hidden += game.event_deck[place] == NOTHING
    if tables.adds_card_1 == 1 and not _was_revealed(game, _card_1(tables)):
        game.rng = next_state(game.rng)
        if random_below(game.rng, hidden) == 0:
            return _card_1(tables)
    left = waiting(game, tables)
    game.rng = next_state(game.rng)
    nth = random_below(game.rng, left)
    event = 0
    while True:
        if tables.event_number[event] == 0 and not _was_revealed(game, event):
            if nth == 0:
                return event
            nth -= 1
        event += 1


@compiled
def _card_1(tables: Record) -> int:
    event = 0
    while tables.event_number[event] != 1:
        event += 1
    return event


@compiled
def _was_revealed(game: Record, event: int) -> bool:
    for place in range(game.event_count):
        if game.event_deck[place] == event:
            return True
    return False


@compiled
def waiting(game: Record, tables: Record) -> int:
    """Common events that have not been seen yet."""
    left = 0
    for event in range(tables.event_number.shape[0]):
        left += tables.event_number[event] == 0 and not _was_revealed(game, event)
    return left


@compiled
def _renew_deck(game: Record, tables: Record) -> None:
    """The same events again, not shuffled, after a new one if there is one left (R54)."""
    game.event_place = 0
    if waiting(game, tables) == 0:
        return
    for place in range(game.event_count, 0, -1):
        game.event_deck[place] = game.event_deck[place - 1]
    game.event_deck[0] = NOTHING
    game.event_count += 1


# -- the end of the month ----------------------------------------------------------------------------------------------


@compiled
def _end_month(game: Record, tables: Record) -> int:
    """Follow the newest mission: lay out the next one, end the chapter, or let players pay for cubes."""
    game.cube_price = 0
    if tables.effect[game.event] == MONTH_END:
        mission = _newest(game)
        if tables.ends_chapter[mission] == 1:
            game.ending = CHAPTER_OVER
            game.question = GAME_OVER
            return ASK
        if tables.cube_price[mission] > 0:
            game.cube_price = tables.cube_price[mission]
        else:
            lay_out(game, _next_mission(game, tables, mission))
    else:
        game.cube_price = tables.amount[game.event]
    if game.cube_price > 0:
        for seat in range(game.players):
            game.ask |= 1 << seat
    return CUBES


@compiled
def _newest(game: Record) -> int:
    slot = game.mission.shape[0] - 1
    while game.mission[slot] == NOTHING:
        slot -= 1
    return int(game.mission[slot])


@compiled
def _next_mission(game: Record, tables: Record, mission: int) -> int:
    asked = int(tables.check[mission])
    if asked == NOTHING or _is_completed(game, asked):
        return int(tables.next_yes[mission])
    return int(tables.next_no[mission])


@compiled
def _is_completed(game: Record, mission: int) -> bool:
    for slot in range(game.mission.shape[0]):
        if game.mission[slot] == mission:
            return completed_by_somebody(game, slot)
    return False


@compiled
def completed_by_somebody(game: Record, slot: int) -> bool:
    """Whether at least one player has completed a mission that is laid out."""
    for seat in range(game.players):
        if game.mission_place[seat, slot] >= FIRST_FINISHER:
            return True
    return False


@compiled
def lay_out(game: Record, mission: int) -> None:
    """Lay out a new mission to the right of the others."""
    slot = 0
    while game.mission[slot] != NOTHING:
        slot += 1
    game.mission[slot] = mission


@compiled
def ask_next_cube(game: Record, tables: Record) -> int:
    """Ask each player whether to pay for returning a cube, the active one first (R63); then the turn goes on."""
    for place in range(game.players):
        seat = (game.active + place) % game.players
        if game.ask & (1 << seat):
            game.ask &= ~(1 << seat) & 0xFF
            if game.purse[seat] >= game.cube_price and cubes_left(game, seat) > 0:
                game.player = seat
                game.question = CUBE
                return ASK
    game.cube_price = 0
    _renew_deck(game, tables)
    if tables.month_end_ends_turn == 1:
        game.dry = -1  # a turn without phase 1 does not count as one without a card (R75)
        return TURN_ENDS
    return PHASE_1


@compiled
def return_cube(game: Record, tables: Record, accepted: bool) -> int:
    """The leftmost cube of the character goes back to the box."""
    if accepted:
        spend_coins(game, int(game.player), int(game.cube_price))
        uncover(game, tables, int(game.player))
    return CUBES


# -- effects -----------------------------------------------------------------------------------------------------------


@compiled
def _take_effect(game: Record, tables: Record) -> None:
    """Apply immediate effects, the active player first, then clockwise."""
    effect, amount = tables.effect[game.event], int(tables.amount[game.event])
    active = int(game.active)
    if effect == ACTIVE_GAINS_COINS:
        gain_coins(game, active, amount)
    elif effect == ACTIVE_GAINS_CROWNS:
        gain_crowns(game, tables, active, amount)
    elif effect == ALL_GAIN_COINS:
        for place in range(game.players):
            gain_coins(game, (active + place) % game.players, amount)
    elif effect == RICH_LOSE:
        for place in range(game.players):
            seat = (active + place) % game.players
            if game.purse[seat] >= RICH:
                spend_coins(game, seat, min(amount, int(game.purse[seat])))
    elif effect == FEWEST_GAIN_CROWNS:
        least = game.influence[active]
        for seat in range(game.players):
            least = min(least, game.influence[seat])
        poor = 0
        for seat in range(game.players):
            poor |= int(game.influence[seat] == least) << seat
        for seat in range(game.players):
            if poor & (1 << seat):
                gain_crowns(game, tables, seat, amount)


@compiled
def _amount_of(game: Record, tables: Record, effect: int) -> int:
    """The amount of an effect that the event of the turn has."""
    if game.event != NOTHING and tables.effect[game.event] == effect:
        return int(tables.amount[game.event])
    return 0


@with_adventure(lambda game, tables, kind: tables.sabres[kind])
def sabres_needed(game: Record, tables: Record, kind: int) -> int:
    """Sabres that repel a ship in this turn."""
    more = _amount_of(game, tables, REPEL_MORE) - _amount_of(game, tables, REPEL_LESS)
    sabres = int(tables.sabres[kind])
    return sabres if more == 0 else max(1, sabres + more)


@with_adventure(1)
def minimum_draws(game: Record, tables: Record) -> int:
    """Cards that must be drawn before stopping."""
    return max(1, _amount_of(game, tables, MINIMUM_DRAWS))


@compiled
def more_for_ship(game: Record, tables: Record) -> int:
    """Additional coins for a traded ship in this turn."""
    return _amount_of(game, tables, SHIP_PAYS_MORE)


@with_adventure(0)
def discount(game: Record, tables: Record) -> int:
    """The discount on persons in this turn; negative if they cost more."""
    return _amount_of(game, tables, HIRE_COSTS_LESS) - _amount_of(game, tables, HIRE_COSTS_MORE)


@with_adventure(False)
def is_without_fee(game: Record, tables: Record) -> bool:
    """Whether other players pay no fee in this turn."""
    return game.event != NOTHING and tables.effect[game.event] == NO_FEE


@with_adventure(0)
def extra_takes(game: Record, tables: Record) -> int:
    """Additional takes of the active player, or fewer for a mission."""
    return _amount_of(game, tables, ACTIVE_TAKES_MORE) - int(game.take_less)
