"""Texts about an adventure. The wording of its story is this project's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pr_env.port_royal.adventure.cards import AdventureCard, Character, Event, Mission
from pr_env.port_royal.adventure.names import ITEMS
from pr_env.port_royal.adventure.view import AdventureView, Task
from pr_env.words import counted

if TYPE_CHECKING:
    from pr_env.port_royal.view import View

ARES_PIRATES = "pirates of the Ares"
_HAVE = ("captain", "priest", "settler", "sabre", "expedition", "person of cost 3", "Tybuk brother", "innkeeper")
_PLURALS = {"person of cost 3": "persons of cost 3"}
_DISCARD = ("coin", ARES_PIRATES, "book", "herbs", "bread", "rum", "crown")
_TRIGGERS = {
    "harbour_colours": "{} ship colours in the harbour on your turn",
    "pay_tax": "coins lost to a tax",
    "stop_after_cards": "stopping when {} in the harbour",
}
_ABILITIES = {
    "bust_with_at_most_4_cards_2_coins": "2 coins for a bust with at most 4 cards in the harbour",
    "expedition_2_crowns": "2 crowns for each expedition",
    "as_sailor": "1 sabre",
    "as_mademoiselle": "persons cost 1 coin less",
    "as_trader_1_crown": "1 crown for each {} ship",
    "as_admiral_1_coin": "1 coin for 5 or more cards in the harbour",
    "as_trader": "1 coin more for each {} ship",
    "part_begins_with_3_ships_1_coin": "1 coin for 3 or more ships in the harbour",
    "2_coins_once": "2 coins once",
    "as_lookout": "looks at cards like a lookout",
}
_EFFECTS = {
    "all_gain_coins": "everybody gets {coins}",
    "active_gains_coins": "the active player gets {coins}",
    "active_gains_crowns": "the active player gets {crowns}",
    "fewest_influence_gain_crowns": "the player with least influence gets {crowns}",
    "eight_or_more_coins_lose": "players with 8 coins or more lose {coins}",
    "repel_needs_sabres_less": "repelling takes {sabres} less in this turn",
    "repel_needs_sabres_more": "repelling takes {sabres} more in this turn",
    "minimum_draws": "at least {count} cards must be drawn in this turn",
    "ship_pays_more": "traded ships pay {coins} more in this turn",
    "hire_costs_more": "persons cost {coins} more in this turn",
    "hire_costs_less": "persons cost {coins} less in this turn",
    "no_fee": "the active player gets nothing for cards that others take in this turn",
    "active_takes_more": "the active player has {takes} more",
    "month_end": "the month ends",
    "month_end_pay_to_remove_cube": "the month ends: everybody may pay {coins} to return a cube",
}
STORY = {
    1: "Smoke lies over the bay: the pirates of the Ares have come, and nobody in Port Royal knows why.",
    2: "The Ares was looking for something. A torn page leads to old rites, and to people who would rather be silent.",
    3: "The trail goes inland. Whoever follows it needs strong arms, provisions and friends with a map.",
    4: "In the taverns they talk about a second ship. Those who listen and pay a round learn where it lies.",
    5: "The governor's patience is at an end. Whoever solves the riddle now will be remembered.",
}
STORY_ENDS = {
    1: "The Ares sails on, but it leaves a trail.",
    2: "The rites are deciphered: they name a place.",
    3: "The expedition returns with more than it set out for.",
    4: "The second ship is found, empty and still warm.",
    5: "The riddle of the Ares is solved, and Port Royal drinks to its friends.",
}


# -- names ------------------------------------------------------------------------------------------------------------


def _several(count: int, name: str) -> str:
    if count == 1:
        if name in ("herbs", "bread", "rum", ARES_PIRATES):
            return f"one {name}" if name == ARES_PIRATES else name
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    unchanging = name in ("herbs", "bread", "rum", ARES_PIRATES)
    return f"{count} {name}" if unchanging else f"{count} {_PLURALS.get(name, f'{name}s')}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else "nothing"


def mission(one: Mission) -> str:
    """The name of a mission."""
    return f"mission {one.name}"


def costs(one: Mission) -> str:
    """What is discarded for a mission; empty if nothing is."""
    parts = [_several(count, name) for count, name in zip(one.discard, _DISCARD, strict=True) if count]
    return _listed(parts) if parts else ""


def needs(one: Mission) -> str:
    """What completes a mission."""
    parts = [_several(count, name) for count, name in zip(one.have, _HAVE, strict=True) if count]
    if one.trigger:
        cards = "a card lies" if one.trigger_n == 1 else f"{one.trigger_n} cards lie"
        moment = _TRIGGERS[one.trigger].format(cards if one.trigger == "stop_after_cards" else one.trigger_n)
        parts.append(f"{moment}, {one.times} times" if one.times > 1 else moment)
    if costs(one):
        parts.append(f"{costs(one)} to discard")
    return _listed(parts)


def reward(task: Task) -> str:
    """What the next player gets for a mission, apart from the cube; empty if nothing."""
    one, parts = task.mission, []
    crowns = one.crowns
    if not task.finished:
        crowns += one.first_crowns
        if one.first_coins:
            parts.append(counted(one.first_coins, "coin"))
    if crowns:
        parts.append(counted(crowns, "crown"))
    return _listed(parts) if parts else ""


def ability(one: Character) -> str:
    """The ability of a character."""
    return _ABILITIES[one.ability].format(one.colour)


def character(one: Character) -> str:
    """The name of a character."""
    return " ".join(part if part == "the" else part.capitalize() for part in one.name.split("_"))


def event(one: Event) -> str:
    """The effect of an event."""
    count = one.amount
    return _EFFECTS[one.effect].format(
        coins=counted(count, "coin"),
        crowns=counted(count, "crown"),
        sabres=counted(count, "sabre"),
        takes=counted(count, "take"),
        count=count,
    )


def item(name: str) -> str:
    """An item with its article."""
    return "a book" if name == "book" else name


def items_of(card: object) -> list[str]:
    """The items that an expedition asks for."""
    if not isinstance(card, AdventureCard):
        return []
    return [_several(count, name) for count, name in zip(card.items, ITEMS, strict=True) if count]


# -- questions --------------------------------------------------------------------------------------------------------


def _own(view: View) -> AdventureView:
    assert view.adventure is not None
    return view.adventure


def _asked(view: View) -> Task:
    task = _own(view).asked_about
    assert task is not None
    return task


def only_begins(view: View, task: Task) -> bool:
    """Whether a cube only goes to a progress space."""
    return task.progress.get(view.player, 0) + 1 < task.mission.times


def ask_immediate(view: View) -> str:
    """Whether to complete a mission now."""
    task = _asked(view)
    verb = "take a step of" if only_begins(view, task) else "complete"
    stops = ", which stops drawing" if task.mission.trigger == "stop_after_cards" else ""
    return f"{verb} {mission(task.mission)}{stops}?"


QUESTIONS: dict[str, Callable[[View], str]] = {
    "look": lambda view: "which card goes back on the deck?",
    "item": lambda view: f"which {ARES_PIRATES} to give for {mission(_asked(view).mission)}?",
    "cube": lambda view: f"pay {counted(_own(view).price, 'coin')} to return a cube?",
    "side": lambda view: "which side of the character card?",
    "character": lambda view: "which character?",
}


# -- decisions --------------------------------------------------------------------------------------------------------


def decision(view: View, kind: str, rest: list[str | int]) -> str:
    """The decision, without a full stop; empty if it is not specific to the adventure."""
    own = _own(view)
    if kind == "complete":
        task = own.tasks[int(rest[0]) - 1]
        paid = f"Discard {costs(task.mission)} to complete" if costs(task.mission) else "Complete"
        return f"{paid} {mission(task.mission)}{_for(reward(task))}"
    if kind == "keep_item":
        ship = view.ship(str(rest[0]))
        assert isinstance(ship, AdventureCard)
        fee = f" and give {counted(view.fee, 'coin')} to player {view.active}" if view.fee else ""
        return f"Keep the {ship_name(ship)} as {item(ship.item)}{fee}"
    if kind.startswith("sell_"):
        return f"Sell {item(kind.removeprefix('sell_'))} for {counted(own.sale(view.player), 'coin')}"
    if kind == "use_lookout":
        return "Use a lookout and look at three cards"
    if kind.startswith("top_"):
        return f"Put the {_seen(view, kind)} back on the deck"
    if kind.startswith("give_"):
        return f"Discard {ARES_PIRATES} with {item(kind.removeprefix('give_'))}"
    if kind == "pay_special":
        return f"Discard the ares {view.owed}"
    chosen = chosen_character(view, kind)
    if chosen is not None:
        return f"Play {character(chosen)} ({counted(chosen.start_coins, 'coin')}; {ability(chosen)})"
    if kind == "accept":
        if view.question == "cube":
            return f"Pay {counted(own.price, 'coin')} and return a cube"
        task = _asked(view)
        verb = "Take a step of" if only_begins(view, task) else "Complete"
        paid = f", discard {costs(task.mission)}" if costs(task.mission) and verb == "Complete" else ""
        return f"{verb} {mission(task.mission)}{paid}"
    if kind == "decline":
        return "Keep the cube" if view.question == "cube" else f"Do not complete {mission(_asked(view).mission)}"
    return ""


def answer(view: View, kind: str, rest: list[str | int]) -> str:
    """An answer in as few words as the question needs; empty if it is not specific to the adventure."""
    own = _own(view)
    if kind == "complete":
        return f"complete {mission(own.tasks[int(rest[0]) - 1].mission)}"
    if kind == "keep_item":
        ship = view.ship(str(rest[0]))
        assert isinstance(ship, AdventureCard)
        return f"keep {ship_name(ship)} as {item(ship.item)}"
    if kind.startswith(("sell_", "give_")):
        return kind.replace("_", " ")
    if kind == "use_lookout":
        return "use a lookout"
    if kind.startswith("top_"):
        return _seen(view, kind)
    if kind == "pay_special":
        return f"ares {view.owed}"
    chosen = chosen_character(view, kind)
    return character(chosen) if chosen is not None else ""


def chosen_character(view: View, kind: str) -> Character | None:
    """The character that an answer chooses."""
    own = _own(view)
    if kind.startswith("side_"):
        sides = own.sides(view.player)
        return sides[0 if kind == "side_a" else 1] if len(sides) == 2 else None
    if kind.startswith("character_"):
        return own.cards.characters[int(kind.removeprefix("character_")) - 1]
    return None


def _seen(view: View, kind: str) -> str:
    from pr_env.port_royal.phrases import described

    look = _own(view).look
    place = int(kind.removeprefix("top_")) - 1
    return described(look[place]) if place < len(look) else "card"


def ship_name(ship: AdventureCard) -> str:
    """A ship without its values."""
    return ARES_PIRATES if ship.colour == "ares" else f"{ship.colour} {ship.type}"


def _for(text: str) -> str:
    return f" for {text}" if text else ""


# -- the end ----------------------------------------------------------------------------------------------------------


def outcome(view: View) -> str:
    """How a cooperative chapter ended."""
    own = _own(view)
    who = "The team" if view.players > 1 else "Player 0"
    done = sum(bool(task.finished) for task in own.tasks)
    told = (
        f"{done} of {counted(len(own.tasks), 'mission')} completed, {own.team_cubes} of "
        f"{counted(int(own.tables.victory_cubes), 'cube')} on missions, {own.team_influence} of "
        f"{int(own.tables.victory_influence)} influence"
    )
    if view.final.win_share[0] > 0:
        return f"{who} wins the chapter: {told}"
    return f"{who} loses the chapter: {told}"


def has(view: View, seat: int) -> str:
    """What a player has in addition, for example "Lady Anne (trophy), 3 crowns, 2 cubes left"."""
    own = _own(view)
    one = own.character(seat)
    named = "no character yet" if one is None else character(one)
    uncovered = " (trophy)" if own.has_trophy(seat) else " (ability)" if own.ability_works(seat) else ""
    return f"{named}{uncovered}, {counted(own.crowns(seat), 'crown')}, {counted(own.cubes_left(seat), 'cube')} left"


def task_line(task: Task) -> str:
    """A mission with its needs, its reward and the players who have completed it."""
    told = f"{mission(task.mission)}: {needs(task.mission)}"
    if reward(task):
        told += f"; brings {reward(task)}"
    if task.finished:
        told += f"; completed by {_listed([f'player {seat}' for seat in task.finished])}"
    begun = [f"player {seat} on step {step}" for seat, step in task.progress.items()]
    return "; ".join([told, *begun])


def heading(view: View) -> list[str]:
    """The adventure's part of the header of a turn."""
    own = _own(view)
    parts = [f"crowns {' / '.join(str(own.crowns(seat)) for seat in range(view.players))}"]
    if own.event is not None:
        parts.append(f"event: {event(own.event)}")
    parts.append(f"missions: {', '.join(task.mission.name for task in own.tasks)}")
    return parts


def story(view: View) -> str:
    """The story before the chapter; empty after the adventure."""
    return "" if view.game.mode == "post_adventure" else STORY[view.game.chapter]
