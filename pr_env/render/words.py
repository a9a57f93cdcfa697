"""What both the text and the picture say: names, the question asked, the short form of an answer, the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pr_env.game import Action
from pr_env.puerto_rico.tables import BUILDINGS, CITY_SPACES, ISLAND_SPACES, LARGE_COLUMN, TILES

Position = Mapping[str, Any]  # of a game, as Batch.to_dict tells it
Board = Mapping[str, Any]  # of one player, from the position's "boards"

BUILDING = {building.name: building for building in BUILDINGS}

_QUESTIONS = {
    "pick_role": "which role?",
    "hacienda": "draw a face-down tile first?",
    "settler": "which tile?",
    "hospice": "a colonist on the {placed} tile just taken?",
    "mayor_privilege": "one more colonist from the supply?",
    "mayor": "how many colonists on {circle_kind}?",
    "builder": "which building?",
    "university": "a colonist in the {placed} just built?",
    "craftsman_privilege": "one more barrel of which good?",
    "trader": "sell which barrel?",
    "captain": "load what, where?",
    "store": "how many barrels of {store_good} to keep?",
}

_END_REASONS = {
    "colonists": "too few colonists for the ship",
    "city": "a city is full",
    "chips": "the last victory point chip is taken",
    "rounds": "the last round allowed is over",
}


def plain(name: str) -> str:
    """A name of the tables as people write it."""
    return name.replace("_", " ")


def player_name(seat: int) -> str:
    """What a seat is called."""
    return f"Player {seat}"


def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(position["phase"] == "game_over")


def was_cut(position: Position) -> bool:
    """Whether the game was cut after its last round allowed: then nobody wins it."""
    return bool(position["ending"] == ["rounds"])


def stage(position: Position) -> str:
    """Where in the round the game is."""
    if is_over(position):
        return "game over"
    if position["role"] is None:
        return "picking roles"
    return f"{plain(position['role'])} of {player_name(position['picker']).lower()}"


def question(position: Position) -> str:
    """What the acting player is asked."""
    details = {key: plain(value) for key, value in position["decision"].items() if isinstance(value, str)}
    if details.get("circle_kind") in TILES:
        details["circle_kind"] += " tiles"
    return _QUESTIONS[position["phase"]].format(**details)


def answer(action: Action, position: Position) -> str:
    """An action in as few words as the question needs."""
    kind, *rest = action.name
    if kind == "load":
        good, ship = rest
        return f"{good} on ship of {position['ships'][ship]['capacity']}"
    if kind == "wharf":
        return f"{rest[0]} by wharf"
    return plain(str(rest[0] if rest else kind))


def standings(position: Position, points: Sequence[int]) -> list[tuple[int, int]]:
    """What decides who wins, for each seat: points, then doubloons and barrels."""
    return [
        (total, board["doubloons"] + sum(board["goods"].values()))
        for total, board in zip(points, position["boards"], strict=True)
    ]


def winners(position: Position, points: Sequence[int]) -> list[int]:
    """The seat with the best standing, or those that share it."""
    results = standings(position, points)
    return [seat for seat, standing in enumerate(results) if standing == max(results)]


def ranking(position: Position, points: Sequence[int]) -> list[int]:
    """The seats from the best standing to the worst."""
    return sorted(range(len(points)), key=standings(position, points).__getitem__, reverse=True)


def result(position: Position, points: Sequence[int]) -> str:
    """Who won a finished game, and how it ended."""
    first = winners(position, points)
    names = " and ".join(player_name(seat) for seat in first)
    if was_cut(position):
        verb = "leads" if len(first) == 1 else "lead"
    else:
        verb = "wins" if len(first) == 1 else "share the win"
    reasons = " and ".join(_END_REASONS[reason] for reason in position["ending"])
    return f"{names} {verb} with {points[first[0]]} points ({reasons})"


def marked_seats(position: Position, points: Sequence[int]) -> list[int]:
    """The seats to look at: the acting player, or the winners."""
    return winners(position, points) if is_over(position) else [position["player"]]


def roles_of(position: Position, seat: int) -> list[str]:
    """The role cards that a player holds."""
    return [role for role, card in position["roles"].items() if card["taken_by"] == seat]


def spaces(building: str) -> int:
    """How many city spaces a building takes."""
    return 2 if BUILDING[building].column == LARGE_COLUMN else 1


def free_city_spaces(board: Board) -> int:
    """City spaces without a building."""
    return CITY_SPACES - sum(map(spaces, board["city"]))


def free_island_spaces(board: Board) -> int:
    """Island spaces without a tile."""
    tiles: int = sum(kind["tiles"] for kind in board["island"].values())
    return ISLAND_SPACES - tiles
