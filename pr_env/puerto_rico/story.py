"""The story of a game: the names of moves, and what they change on the boards and on the table.

Positions are read with care: a description may lack boards, rounds or roles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, takewhile
from typing import TYPE_CHECKING, Any

from pr_env.game import Action
from pr_env.moment import Moment
from pr_env.puerto_rico import phrases
from pr_env.puerto_rico.phrases import Board, Position
from pr_env.words import clockwise, counted_change, plain

if TYPE_CHECKING:
    from pr_env.replay import Move

DRAFT = "Draft of the violet buildings"
_ENDINGS = {
    "colonists": "the colonist ship could not be filled",
    "chips": "the victory point chips are used up",
    "rounds": "the most rounds allowed were played",
}
_PLACING = re.compile(r"Place (\d+) colonists? on ")

# -- parts of the game ------------------------------------------------------------------------------------------------


def part(position: Position) -> str:
    """The draft, or the round."""
    if position.get("phase") == "draft":
        return DRAFT
    return f"Round {position['round']}" if "round" in position else ""


def header(moment: Moment) -> str:
    """The header of a round, or of the draft."""
    position = moment.position
    parts = [part(position)]
    if parts == [DRAFT]:
        return DRAFT
    if "governor" in position:
        parts.append(f"governor: player {position['governor']}")
    parts.append(f"points: {' / '.join(str(points) for points in moment.points)}")
    cards = [(role, card["doubloons"]) for role, card in position.get("roles", {}).items() if card["doubloons"]]
    if cards:
        parts.append(f"doubloons on {', '.join(f'{plain(role)} ({count})' for role, count in cards)}")
    return " | ".join(parts)


def ending(reason: str, position: Position) -> str:
    """Why the game ends."""
    if reason == "city":
        return phrases.end_by_city(position)
    return _ENDINGS.get(reason, reason)


def standing(seat: int, moment: Moment) -> str:
    """A player's points by source, and what breaks ties."""
    board, points = _boards(moment)[seat], moment.points[seat]
    if "chips" not in board:
        return f"{points} points"
    left = board["doubloons"] + sum(board["goods"].values())
    sources = f"{board['chips']} in chips, {points - board['chips']} from buildings"
    return f"{points} points ({sources}; doubloons and barrels: {left})"


# -- moves ------------------------------------------------------------------------------------------------------------


def decision(action: Action, position: Position) -> str:
    """The action's sentence, with names for what the position asks about."""
    phase = plain(position.get("phase", "").replace("_privilege", "'s privilege"))
    if phase and action.name == ("pass",):
        return f"Pass ({phase})"
    if phase and action.name == ("take_colonist",):
        return f"Take the colonist ({phase})"
    return phrases.spelled_out(action, position).rstrip(".")


def told_together(moves: Sequence[Move]) -> list[Move]:
    """The moves, with the placements of colonists of one player merged into one."""
    told: list[Move] = []
    for (_, placing), group in groupby(moves, key=lambda move: (move.player, _PLACING.match(move.words) is not None)):
        run = list(group)
        told += [_one_sentence(run)] if placing else run
    return told


def _one_sentence(moves: Sequence[Move]) -> Move:
    places = [_PLACING.sub(r"\1 on ", move.words) for move in moves[1:]]
    effects = tuple(effect for move in moves for effect in move.effects)
    return replace(moves[0], words=", ".join([moves[0].words, *places]), effects=effects)


# -- what they change -------------------------------------------------------------------------------------------------


def effects_on_players(action: Action, before: Moment, after: Moment, gains: Sequence[int]) -> Iterator[str]:
    """What each player won and lost; the one who decided comes first, without a name."""
    arranged = _who_arranged(action, before, after)
    boards = list(zip(_boards(before), _boards(after), strict=True))
    for seat in clockwise(before.player, len(boards)):
        decided = seat == before.player
        said = action.name if decided else ()
        changes = [*counted_change(gains[seat], "point"), *_board_changes(*boards[seat], said)]
        if decided and "drawn" in (after.position.get("decision") or {}):
            changes.append(f"draws {after.position['decision']['drawn']}")
        if seat in arranged:
            asked = (before.position.get("decision") or {}).get("circle_kind") if decided else None
            changes += _arrangement(*boards[seat], asked)
        if changes:
            yield ("" if decided else f"player {seat}: ") + ", ".join(changes)


def _boards(moment: Moment) -> Sequence[Board]:
    return moment.position.get("boards") or [{} for _ in range(moment.game.players)]


def _board_changes(old: Board, new: Board, said: tuple[str | int, ...]) -> list[str]:
    """Doubloons, barrels, tiles, buildings and colonists, except for the tile or building that the action names."""
    changes = counted_change(new.get("doubloons", 0) - old.get("doubloons", 0), "doubloon")
    changes += counted_change(min(0, new.get("chips", 0) - old.get("chips", 0)), "chip")  # black market
    for good, barrels in new.get("goods", {}).items():
        changes += counted_change(barrels - old.get("goods", {}).get(good, 0), good, plural="")
    for tile, entry in new.get("island", {}).items():
        more = entry["tiles"] - old.get("island", {}).get(tile, {}).get("tiles", 0) - (said == ("settle", tile))
        changes += counted_change(more, tile if tile == "quarry" else f"{tile} plantation")
    forests = new.get("forests", 0) - old.get("forests", 0) - (said == ("settle", "forest"))
    changes += counted_change(forests, "forest")
    for building in new.get("city", {}):
        if building not in old.get("city", {}) and said != ("build", building):
            changes.append(f"+1 {plain(building)}")
    more = sum(_colonists(new).values()) - sum(_colonists(old).values())
    return changes + counted_change(more, "colonist")


def _colonists(board: Board) -> dict[str, int]:
    """Where a player's colonists are; those without a circle are in San Juan."""
    places = {tile: entry["colonists"] for tile, entry in board.get("island", {}).items()}
    return {**places, **board.get("city", {}), "San Juan": board.get("san_juan", 0)}


def _who_arranged(action: Action, before: Moment, after: Moment) -> list[int]:
    """Mayor: the players who finished placing colonists in this move, whether asked or not."""
    old, new = before.position, after.position
    begun = old.get("phase") in ("mayor", "mayor_privilege") or action.name[1:] == ("mayor",)
    if not begun or "picker" not in old or new["phase"] == "mayor_privilege":
        return []
    players = before.game.players
    turns_left = (old["picker"] - before.player) % players or players
    asked_now = new["player"] if new["phase"] == "mayor" else None
    return list(takewhile(lambda seat: seat != asked_now, islice(clockwise(before.player, players), turns_left)))


def _arrangement(old: Board, new: Board, asked: str | None) -> Iterator[str]:
    """Mayor: where a player's colonists went without a question, and how many found no circle."""
    was, now = _colonists(old), _colonists(new)
    waiting = now.pop("San Juan")
    for place, count in now.items():
        if place != asked and count != was[place]:
            yield f"{count - was[place]:+} on {plain(place)}"
    if waiting:
        yield f"{waiting} in San Juan"


def effects_on_table(old: Position, new: Position) -> Iterator[str]:
    """What happens on the table at the end of a phase, and why the game will end."""
    over = new.get("phase") == "game_over"
    for ship, sailed in zip(old.get("ships", []), new.get("ships", []), strict=True):
        if ship["good"] and not sailed["good"]:
            yield f"the {ship['good']} ship sails"
    if old.get("trading_house") and not new.get("trading_house"):
        yield "the trading house is emptied"
    if old.get("face_up") != new.get("face_up") and new.get("role") is None and not over:
        yield f"new tiles: {_listed(new['face_up'])}"
    if old.get("role") == "mayor" and new.get("role") is None and not over:
        yield f"colonists on the next ship: {new['colonist_ship']}"
    if not over:
        for reason in new.get("ending", []):
            if reason not in old.get("ending", []):
                yield f"THE LAST ROUND: {ending(reason, new)}"


def _listed(counts: Mapping[str, Any]) -> str:
    """For example "2 corn, 1 quarry"."""
    return ", ".join(f"{count} {plain(name)}" for name, count in counts.items() if count) or "nothing"
