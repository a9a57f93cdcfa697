"""Texts shared by the terminal and the picture: names, the question, short answers, the result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pr_env.game import Action
from pr_env.puerto_rico.tables import (
    BUILDINGS,
    CITY_SPACES,
    COST,
    FIRST_VIOLET,
    ISLAND_SPACES,
    LARGE_CHURCH,
    LARGE_COLUMN,
    TILES,
    VIOLET_SPACES,
    Building,
)
from pr_env.words import plain

Position = Mapping[str, Any]  # of a game, from Batch.to_dict
Board = Mapping[str, Any]  # of one player, from the position's "boards"

BUILDING = {building.name: building for building in BUILDINGS}
DRAFTED = BUILDINGS[FIRST_VIOLET:LARGE_CHURCH]  # the kinds that compete for the board's violet spaces
FOREST = "forest"
SECOND_SIDES = {"politician": "prospector", "pirate": "prospector"}  # cards that can be played as another one

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
    # the extended game
    "draft": "which building comes on the board?",
    "guest": "where does a guest of the guesthouse go?",
    "forest": "a forest in place of the {drawn} tile just drawn?",
    "pay_colonist": "pay for the {buying} with a colonist? ({missing} missing)",
    "pay_barrel": "pay for the {buying} with a barrel? ({missing} missing)",
    "small_wharf": "how many barrels of {wharf_good} by the small wharf?",
    "politician": "which role again, without its privilege?",
    "pirate_barrel": "a barrel from whom?",
    "pirate_colonist": "a colonist from whom?",
}
_SECOND_TURN = "which tile in the library's second turn?"
_LAST_GUESTS = "where does a guest of the guesthouse go before the final scoring?"

# Placeholders in the action table, and where the position has their values
_LEFT_OPEN = (("this kind of circle", "circle_kind"), ("this good", "store_good"), ("this good", "wharf_good"))
_PASSES = {
    "hacienda": "Draw no tile.",
    "settler": "Take no tile.",
    "hospice": "Take no colonist.",
    "mayor_privilege": "Take no colonist.",
    "builder": "Build nothing.",
    "university": "Take no colonist.",
    "craftsman_privilege": "Take no barrel.",
    "trader": "Sell nothing.",
    "captain": "Load nothing.",
    "guest": "Leave the guests in the guesthouse.",
    "forest": "Keep the {drawn} plantation.",
    "pay_colonist": "Pay with no colonist.",
    "pay_barrel": "Pay with no barrel.",
    "pirate_barrel": "Take no barrel.",
    "pirate_colonist": "Take no colonist.",
}

_END_REASONS = {
    "colonists": "too few colonists for the ship",
    "chips": "the last victory point chip is taken",
    "rounds": "the last round allowed is over",
}


def player_name(seat: int) -> str:
    """The name of a seat."""
    return f"Player {seat}"


def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(position["phase"] == "game_over")


def was_cut(position: Position) -> bool:
    """Whether the game was truncated after its last allowed round, so that nobody wins it."""
    return bool(position["ending"] == ["rounds"])


def card_name(role: str) -> str:
    """The name of a role card; the card that makes its taker governor is not the governor."""
    return "governor's card" if role == "governor" else plain(role)


def cards_in_play(position: Position) -> list[str]:
    """The role card being played, and, with a politician, the role played again."""
    role, cards = position["role"], position["roles"]
    if position["phase"] == "politician":
        return ["politician"]
    if position["decision"].get("without_privilege"):
        return ["politician", role]
    if role == "prospector":  # or the other side of another card
        return [card for card in (role, *SECOND_SIDES) if card in roles_of(position, position["picker"])]
    return [role] if role in cards else []


def stage(position: Position) -> str:
    """The stage of the round."""
    if is_over(position):
        return "game over"
    if position["phase"] == "draft":
        return "draft"
    picker = player_name(position["picker"]).lower()
    if position["phase"] == "politician":
        return f"politician of {picker}"
    if position["role"] is None:
        return "picking roles"
    again = ", again" if position["decision"].get("without_privilege") else ""
    return f"{plain(position['role'])} of {picker}{again}"


def question(position: Position) -> str:
    """The question for the acting player."""
    decision = position["decision"]
    if position["phase"] == "settler" and decision.get("second_turn"):
        return _SECOND_TURN
    if position["phase"] == "guest" and decision.get("after_guests") == "game_over":
        return _LAST_GUESTS
    details = {key: plain(value) for key, value in decision.items() if isinstance(value, str)}
    if details.get("circle_kind") in TILES:
        details["circle_kind"] += " tiles"
    missing = decision.get("missing", 0)
    details["missing"] = f"{missing} doubloon{'' if missing == 1 else 's'}"
    return _QUESTIONS[position["phase"]].format(**details)


def answer(action: Action, position: Position) -> str:
    """An action in as few words as the question needs."""
    kind, *rest = action.name
    if kind == "load":
        good, ship = rest
        return f"{good} on ship of {position['ships'][ship]['capacity']}"
    if kind == "wharf":
        return f"{rest[0]} by wharf"
    if kind == "sell_to_post":
        return f"{rest[0]} to trading post"
    if kind in ("plunder", "kidnap"):
        seats, what = rest
        place = "San Juan" if what == "san_juan" else what
        return f"{place} of P{_seat_to_the_left(position, seats)}"
    if rest == ["san_juan"]:
        return "San Juan"
    return plain(str(rest[0] if rest else kind))


def sentence(action: Action, position: Position) -> str:
    """An action's sentence in a position."""
    if action.name == ("pass",):
        return _PASSES[position["phase"]].format(**position["decision"])
    if action.name == ("take_colonist",):
        return "Take the colonist."
    return spelled_out(action, position)


def spelled_out(action: Action, position: Position) -> str:
    """An action's sentence, with names for what the position asks about and for the other player."""
    said, asked = action.sentence, position.get("decision") or {}
    if action.name[0] in ("plunder", "kidnap"):
        whose = player_name(_seat_to_the_left(position, action.name[1])).lower()
        said = re.sub(r"the (next player|player \d seats) to the left", whose, said)
    for vague, key in _LEFT_OPEN:
        if key in asked:
            said = said.replace(vague, plain(asked[key]))
    return said


def _seat_to_the_left(position: Position, seats: int | str) -> int:
    return int((position["player"] + int(seats)) % position["players"])


def standings(position: Position, points: Sequence[int]) -> list[tuple[int, int]]:
    """What decides the winner, for each seat: points, then doubloons and barrels."""
    return [
        (total, board["doubloons"] + sum(board["goods"].values()))
        for total, board in zip(points, position["boards"], strict=True)
    ]


def winners(position: Position, points: Sequence[int]) -> list[int]:
    """The seats with the best standing."""
    results = standings(position, points)
    return [seat for seat, standing in enumerate(results) if standing == max(results)]


def ranking(position: Position, points: Sequence[int]) -> list[int]:
    """The seats from best to worst standing."""
    return sorted(range(len(points)), key=standings(position, points).__getitem__, reverse=True)


def end_reason(reason: str, position: Position) -> str:
    """The reason why a game ends."""
    return end_by_city(position) if reason == "city" else _END_REASONS[reason]


def end_by_city(position: Position) -> str:
    """A full city, or as many buildings as six players with a governor's card need."""
    cities = [board["city"] for board in position["boards"]]
    if all(map(free_city_spaces, position["boards"])):
        return f"a city has {max(map(len, cities))} buildings"
    return "a city is full"


def result(position: Position, points: Sequence[int]) -> str:
    """The winner of a finished game, and how it ended."""
    first = winners(position, points)
    names = " and ".join(player_name(seat) for seat in first)
    if was_cut(position):
        verb = "leads" if len(first) == 1 else "lead"
    else:
        verb = "wins" if len(first) == 1 else "share the win"
    reasons = " and ".join(end_reason(reason, position) for reason in position["ending"])
    return f"{names} {verb} with {points[first[0]]} points ({reasons})"


def marked_seats(position: Position, points: Sequence[int]) -> list[int]:
    """The seats to highlight: the acting player, or the winners."""
    return winners(position, points) if is_over(position) else [position["player"]]


def roles_of(position: Position, seat: int) -> list[str]:
    """The role cards that a player holds."""
    return [role for role, card in position["roles"].items() if card["taken_by"] == seat]


def spaces(building: str) -> int:
    """The number of city spaces that a building takes."""
    return 2 if BUILDING[building].column == LARGE_COLUMN else 1


def free_city_spaces(board: Board) -> int:
    """City spaces without a building."""
    return CITY_SPACES - sum(map(spaces, board["city"]))


def free_island_spaces(board: Board) -> int:
    """Island spaces without a tile."""
    tiles: int = sum(kind["tiles"] for kind in board["island"].values())
    return ISLAND_SPACES - tiles - forests(board)


def forests(board: Board) -> int:
    """Forests on an island; only the extended game has them."""
    return int(board.get("forests", 0))


def buildings(position: Position, column: int) -> list[Building]:
    """The kinds of buildings in the game of one column, violet ones last and by cost."""
    kinds = position.get("kinds", position["buildings_left"])  # the base game has all of its buildings
    return _in_order([BUILDING[name] for name in kinds if BUILDING[name].column == column])


def with_drafted(position: Position, column: int) -> list[Building]:
    """The same with all kinds that compete for a space on the board."""
    return _in_order({*buildings(position, column), *(kind for kind in DRAFTED if kind.column == column)})


def cost(position: Position, building: Building) -> int:
    """What a building costs before any reduction."""
    return int(COST[int(position.get("balanced", False)), BUILDINGS.index(building)])


def _in_order(kinds: Iterable[Building]) -> list[Building]:
    return sorted(kinds, key=lambda kind: (kind.makes is None, kind.cost, BUILDINGS.index(kind)))


def free_draft_spaces(position: Position) -> dict[int, int]:
    """Free violet spaces on the board, by cost."""
    taken = [kind.cost for kind in DRAFTED if kind.name in position["kinds"]]
    return {cost: int(spaces) - taken.count(cost) for cost, spaces in enumerate(VIOLET_SPACES) if spaces}
