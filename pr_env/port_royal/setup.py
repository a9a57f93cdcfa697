"""The table before the first turn."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure import choosing
from pr_env.port_royal.expeditions import first_kind
from pr_env.port_royal.extension import (
    with_adventure,
    with_contracts,
    with_gamblers,
    with_gifts,
    with_merchants,
    with_time_deck,
)
from pr_env.port_royal.piles import gain_coins
from pr_env.port_royal.state import AWAY, DISCOVER, NO_CUBE, NOTHING, ON_TABLE
from pr_env.port_royal.tables import (
    CONTRACTS_COMPETITIVE,
    CONTRACTS_COOPERATIVE,
    NUM_COLOURS,
    START_COINS,
    TIME_CARDS,
)
from pr_env.port_royal.turns import begin_turn
from pr_env.randomness import next_state, random_below, start_generator
from pr_env.rules import Record


@compiled
def set_up(game: Record, tables: Record, seed: np.uint64) -> None:
    """Set up a new game; the first seat begins (R71)."""
    game.seed = seed
    game.rng = start_generator(seed)
    _lay_out_table(game, tables)
    for seat in range(game.purse.shape[0]):
        _lay_out_display(game, seat)
    _lay_out_gambler(game)
    _lay_out_merchants(game)
    _lay_out_gifts(game)
    _lay_out_contracts(game)
    _turn_up_contracts(game, _num_face_up(game))
    _lay_out_time_deck(game, tables)
    _begin(game, tables)


@with_adventure(lambda game, tables: _deal_coins(game))
def _begin(game: Record, tables: Record) -> None:
    """Begin the game; characters are chosen before the coins are drawn."""
    choosing.lay_out(game, tables)


@compiled
def _deal_coins(game: Record) -> None:
    for seat in range(game.players):
        gain_coins(game, seat, START_COINS)
    game.turn = 1
    game.active = 0
    begin_turn(game)


@compiled
def _lay_out_table(game: Record, tables: Record) -> None:
    """All cards are shuffled, except the expedition that is on the table from the start with five players (R14)."""
    game.ending = 0
    game.decisions = 0
    game.question = DISCOVER
    game.end_flag = 0
    game.dry = 0
    game.deck = 0
    game.epoch = 0
    game.merged = 0
    game.discards = 0
    for kind in range(game.unseen.shape[0]):
        game.unseen[kind] = tables.copies[kind] if tables.min_players[kind] == 0 else 0
        game.deck += game.unseen[kind]
        game.discard[kind] = 0
    for place in range(game.closed.shape[0]):
        game.closed[place] = 0
    for kind in range(game.harbour.shape[0]):
        game.harbour[kind] = 0
    game.harbour_persons = 0
    for colour in range(game.harbour_ship.shape[0]):
        game.harbour_ship[colour] = NOTHING
    for expedition in range(game.expedition.shape[0]):
        least = tables.min_players[first_kind(game, tables) + expedition]
        game.expedition[expedition] = ON_TABLE if 0 < least <= game.players else AWAY
    game.pending = NOTHING
    for symbol in range(game.owed.shape[0]):
        game.owed[symbol] = 0
    game.only_jacks = 0
    game.claimed_at = 0


@compiled
def _lay_out_display(game: Record, seat: int) -> None:
    for epoch in range(game.coins.shape[1]):
        game.coins[seat, epoch] = 0
    for kind in range(game.display.shape[1]):
        game.display[seat, kind] = 0
    for ability in range(game.staff.shape[1]):
        game.staff[seat, ability] = 0
    game.purse[seat] = 0
    game.sabres[seat] = 0
    game.influence[seat] = 0


@with_gamblers()
def _lay_out_gambler(game: Record) -> None:
    for place in range(game.double_ship.shape[0]):
        game.double_ship[place] = NOTHING


@with_merchants()
def _lay_out_merchants(game: Record) -> None:
    for seat in range(game.under.shape[0]):
        for ship in range(game.under.shape[1]):
            game.under[seat, ship] = 0


@with_gifts()
def _lay_out_gifts(game: Record) -> None:
    game.gift = 0


@with_contracts()
def _lay_out_contracts(game: Record) -> None:
    for seat in range(game.cube.shape[0]):
        for contract in range(game.cube.shape[1]):
            game.cube[seat, contract] = NO_CUBE
        for colour in range(NUM_COLOURS):
            game.kept[seat, colour] = NOTHING
    game.asked_about = NOTHING


@with_time_deck(CONTRACTS_COMPETITIVE)
def _num_face_up(game: Record) -> int:
    return CONTRACTS_COOPERATIVE[game.players]


@with_contracts()
def _turn_up_contracts(game: Record, wanted: int) -> None:
    """Turn up contracts; each set is equally likely."""
    left = game.face_up.shape[0]
    for contract in range(game.face_up.shape[0]):
        game.rng = next_state(game.rng)
        chosen = random_below(game.rng, left) < wanted
        game.face_up[contract] = chosen
        wanted -= int(chosen)
        left -= 1


@with_time_deck()
def _lay_out_time_deck(game: Record, tables: Record) -> None:
    """Its size depends on the seals of the face-up contracts; some of its cards may begin in the score deck."""
    size = TIME_CARDS
    letters = 0
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1:
            size += tables.seal_number[contract]
            letter = 1 << tables.seal_letter[contract]
            if letters & letter == 0:
                size += 1
            letters |= letter
    game.score = tables.score_start
    game.time = size - tables.score_start
    game.deck -= size
