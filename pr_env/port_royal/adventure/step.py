"""The adventure's own answers and stages."""

from __future__ import annotations

from pr_env.port_royal.actions import accept_at
from pr_env.port_royal.adventure import choosing, events, lookout, missions
from pr_env.port_royal.adventure.places import character_at, give_item_at, side_at, top_at
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.stages import ASK, COMPLETING, CUBES, REVEAL
from pr_env.port_royal.state import CUBE, ITEM, LOOK, SIDE
from pr_env.rules import Record


@with_adventure(ASK)
def go_on(game: Record, tables: Record, stage: int) -> int:
    """Run what happens without an answer in a stage of the adventure."""
    if stage == REVEAL:
        return events.reveal(game, tables)
    if stage == CUBES:
        return events.ask_next_cube(game, tables)
    if stage == COMPLETING:
        return missions.go_on_completing(game, tables)
    return events.begin_phase_1(game)


@with_adventure(ASK)
def answer(game: Record, tables: Record, action: int) -> int:
    """Play a legal answer to one of the adventure's questions."""
    question = game.question
    if question == LOOK:
        return lookout.put_back(game, action - top_at(game))
    if question == ITEM:
        return missions.give(game, tables, action - give_item_at(game))
    if question == CUBE:
        return events.return_cube(game, tables, action == accept_at(game))
    if question == SIDE:
        return choosing.choose_side(game, tables, action - side_at(game))
    return choosing.choose_character(game, tables, action - character_at(game))
