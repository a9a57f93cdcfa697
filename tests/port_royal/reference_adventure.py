"""The adventure of Port Royal, played slowly with concrete cards, as an oracle for tests.

Written from the rules only, on top of the reference for the other sets (``reference.py``), independently of the fast
implementation. Missions, characters, events, crowns and card 9 come from the files ``adventure_*.csv``.

Chance includes more than the faces of the play cards here. A *shuffled* game (``seed``) determines all of it; a
*scripted* one (``faces``) also gets ``characters`` (the card dealt to each seat), ``events`` (ids in the order in which
events are revealed for the first time) and ``missions`` (those laid out after the adventure). A shuffled game records
these in attributes of the same names, so that a scripted one can follow it.

A lookout is the only private knowledge. The faces that it shows count as turned up: they are in ``revealed``, and not
again when the card that was put back is drawn. If that card becomes a coin instead, it is an unseen card once more.
``position`` has everything; ``view`` has what one player may see.
"""

import copy
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .reference import (
    COLOURS,
    DATA,
    DEFAULTS,
    ITEMS,
    SYMBOLS,
    Action,
    Card,
    Kind,
    ReferenceGame,
    Seat,
    names,
    read_kind,
    read_rows,
    special,
)

ADVENTURE_COLOURS = (*COLOURS, "ares")
CATEGORIES = ("person", "ship", "expedition", "tax")  # the order of kinds at LOOK, inside a category as in the files
CUBES_ON_CHARACTER = 4
SLOTS = 4
LOOK_AT = 3
TROPHY = 2  # the field with the trophy
FIELD_CROWNS = {3: 1, 4: 3}
END_INFLUENCE = 12
RICH = 8  # coins from which the event eight_or_more_coins_lose takes some
STARRED_MISSIONS = 4
HAVE = (*SYMBOLS, "sabres", "expedition", "persons_cost_3", "tybuk", "innkeeper")
DISCARD = ("coins", "ares", *ITEMS, "crowns")

ADVENTURE_DEFAULTS: dict[str, Any] = {
    "players": 2,
    "game": "adventure",
    "mode": "competitive",
    "chapter": 1,
    "bonus_coins": (),
    "character_choice": "deal",
    "must_repel_duplicate": False,
    "month_end_ends_turn": False,
    "jean_counts_for_missions": False,
    "max_turns": 500,
    "max_decisions": 20_000,
}


# The cards


class Character(NamedTuple):
    """One side of a character card."""

    card: int
    side: str
    name: str
    start_coins: int
    ability: str
    colour: str


class Event(NamedTuple):
    """An event card."""

    id: str
    number: int
    when: str
    effect: str
    amount: int


class Mission(NamedTuple):
    """The mission side of a story card."""

    id: str
    chapter: int
    level: int
    star: bool
    have: dict[str, int]
    discard: dict[str, int]
    trigger: str
    trigger_n: int
    times: int
    timing: str
    active_only: bool
    take_less: int
    first_coins: int
    first_crowns: int
    crowns: int
    adds_group: tuple[int, ...]
    check: str
    next_yes: str
    next_no: str
    competitive: str
    cooperative: str
    chapter_end: str


def read_characters(folder: Path) -> list[Character]:
    """The sides of the character cards in the order of their file."""
    return [
        Character(int(row["card"]), row["side"], row["name"], int(row["start_coins"]), row["ability"], row["colour"])
        for row in read_rows(folder / "adventure_characters.csv")
    ]


def read_events(folder: Path) -> dict[str, Event]:
    """The events by id."""
    return {
        row["id"]: Event(row["id"], int(row["number"]), row["when"], row["effect"], int(row["amount"] or 0))
        for row in read_rows(folder / "adventure_events.csv")
    }


def read_missions(folder: Path) -> dict[str, Mission]:
    """The missions by the number of their story card."""

    def read(row: dict[str, str]) -> Mission:
        def number(column: str) -> int:
            return int(row[column] or 0)

        return Mission(
            id=row["id"],
            chapter=number("chapter"),
            level=number("level"),
            star=row["star"] == "1",
            have={what: number(f"have_{what}") for what in HAVE if number(f"have_{what}")},
            discard={what: number(f"discard_{what}") for what in DISCARD if number(f"discard_{what}")},
            trigger=row["trigger"],
            trigger_n=number("trigger_n"),
            times=max(number("times"), 1),
            timing=row["timing"],
            active_only=row["active_only"] == "1",
            take_less=number("take_less"),
            first_coins=number("first_coins"),
            first_crowns=number("first_crowns"),
            crowns=number("crowns"),
            adds_group=tuple(int(group) for group in row["adds_group"].split(";") if group),
            check=row["check"],
            next_yes=row["next_yes"],
            next_no=row["next_no"],
            competitive=row["competitive"],
            cooperative=row["cooperative"],
            chapter_end=row["chapter_end"],
        )

    return {row["id"]: read(row) for row in read_rows(folder / "adventure_missions.csv")}


def check_adventure_config(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration with its defaults; an invalid one raises ``ValueError``."""
    unknown = set(config) - set(ADVENTURE_DEFAULTS)
    if unknown:
        raise ValueError(f"config has unknown keys {sorted(unknown)}.")
    full = {**DEFAULTS, **ADVENTURE_DEFAULTS, **config}
    if full["game"] != "adventure":
        raise ValueError(f"game must be adventure, got {full['game']!r}.")
    if full["mode"] not in ("competitive", "cooperative", "post_adventure"):
        raise ValueError(f"mode must be competitive, cooperative or post_adventure, got {full['mode']!r}.")
    fewest = 1 if full["mode"] == "cooperative" else 2
    if not fewest <= full["players"] <= 4:
        raise ValueError(f"players must be {fewest} to 4, got {full['players']!r}.")
    if full["chapter"] not in (1, 2, 3, 4, 5):
        raise ValueError(f"chapter must be 1 to 5, got {full['chapter']!r}.")
    if full["character_choice"] not in ("deal", "draft"):
        raise ValueError(f"character_choice must be deal or draft, got {full['character_choice']!r}.")
    bonus = tuple(full["bonus_coins"]) or (0,) * full["players"]
    if len(bonus) != full["players"] or not all(isinstance(coins, int) and coins >= 0 for coins in bonus):
        raise ValueError(f"bonus_coins must have a number for each of {full['players']} seats, got {bonus}.")
    full["bonus_coins"] = bonus
    return full


class AdventureSeat(Seat):
    """The cards in front of a player; ``completed`` and ``progress`` refer to missions here."""

    def __init__(self, crown_track: tuple[int, ...]) -> None:
        """An empty place at the table; the track has the influence at each number of crowns."""
        super().__init__()
        self.crown_track = crown_track
        self.card = 0  # of the character
        self.character: Character | None = None
        self.crowns = 0
        self.items: list[Kind] = []  # kept ships
        self.returned = 0  # cubes paid back to the box

    @property
    def fields(self) -> int:
        """The number of uncovered fields of the character; a cube on a progress space does not uncover one yet."""
        return len(self.completed) + self.returned

    @property
    def free_cubes(self) -> int:
        """Cubes left on the character."""
        return CUBES_ON_CHARACTER - self.fields - len(self.progress)

    def can(self, ability: str, colour: str = "") -> bool:
        """Whether the character has this ability (for this colour), and it is uncovered."""
        one = self.character
        return one is not None and self.fields > 0 and one.ability == ability and one.colour == colour

    @property
    def sabres_of_persons(self) -> int:
        """Sabres without those of the character."""
        return super().sabres

    @property
    def sabres(self) -> int:
        """All sabres, as for repelling."""
        return self.sabres_of_persons + self.can("as_sailor")

    @property
    def influence(self) -> dict[str, int]:
        """The influence by source, and its total."""
        parts = {
            "persons": sum(card.influence for card in self.display),
            "expeditions": sum(card.influence for card in self.expeditions),
            "contracts": 0,
            "merchants": 0,
            "crowns": self.crown_track[self.crowns],
        }
        return {**parts, "total": sum(parts.values())}

    def gain_crowns(self, crowns: int) -> None:
        """Move the cube on the crown track; it stays on the last space."""
        self.crowns = min(self.crowns + crowns, len(self.crown_track) - 1)

    def with_item(self, item: str) -> list[Kind]:
        """The kept ships with an item."""
        return [ship for ship in self.items if ship.item == item]

    def ares(self) -> list[Kind]:
        """The kept ares_pirates."""
        return [ship for ship in self.items if ship.colour == "ares"]


class AdventureGame(ReferenceGame):
    """One chapter, or one game after the adventure.

    Attributes:
        slots: The missions laid out, oldest first.
        mission: The mission that IMMEDIATE or ITEM is about.
        event: The event of this turn.
        look: The faces that the active player looks at, in the order of ``top_1`` to ``top_3``.
        looker: The seat that knows the top card of the deck, or None.
        characters: The card of each seat; with a draft, once it has chosen.
        events: Events revealed so far, each once, without the month end.
        revealed_events: Those of them revealed since the last decision.
    """

    seats: list[AdventureSeat]  # type: ignore[assignment]

    def __init__(
        self,
        config: dict[str, Any] | None = None,
        *,
        seed: int | None = None,
        faces: Sequence[str] | Callable[[], str] | None = None,
        characters: Sequence[int] | None = None,
        events: Sequence[str] | Callable[[], str] | None = None,
        missions: Sequence[str] | None = None,
        data: Path | str = DATA,
        use_sleep: bool = True,
    ) -> None:
        """Set a game up and play to its first decision.

        Args:
            config: Keys of section 9.3 of the rules; missing ones have their defaults.
            seed: Decides chance, unless ``faces`` is given.
            faces: The faces in the order in which somebody first sees them, or a function that gives the next one.
            characters: The character card of each seat. Needed with ``faces`` unless there is a draft.
            events: Ids of events in the order of their first appearance, without the month end. Needed with ``faces``.
            missions: The missions laid out after the adventure. Needed with ``faces`` in that mode.
            data: The folder of the card files.
            use_sleep: Whether different orders of actions that lead to the same position are offered only once.
        """
        self._given_characters = characters
        self._given_events = events
        self._given_missions = missions
        super().__init__(config, seed=seed, faces=faces, data=data, use_sleep=use_sleep)

    # Set-up

    def _check_config(self, config: dict[str, Any]) -> dict[str, Any]:
        return check_adventure_config(config)

    def _read_cards(self, folder: Path) -> Counter[Kind]:
        """All kinds of base and adventure; which cards are in the deck depends on the chapter."""
        self.character_sides = read_characters(folder)
        self.event_kinds = read_events(folder)
        self.mission_kinds = read_missions(folder)
        self.crown_track = tuple(int(row["influence"]) for row in read_rows(folder / "adventure_crowns.csv"))
        self.victory = {int(row["players"]): row for row in read_rows(folder / "adventure_victory.csv")}
        self.event_plan = next(
            row
            for row in read_rows(folder / "adventure_event_deck.csv")
            if row["mode"] == self.config["mode"] and int(row["players"]) == self.players
        )
        self.base_cards: Counter[Kind] = Counter()
        for row in read_rows(folder / "base_cards.csv"):
            self.base_cards[read_kind(row)] += int(row["copies"])
        cards = Counter(self.base_cards)
        self.groups: dict[int, Counter[Kind]] = {}
        for row in read_rows(folder / "adventure_cards.csv"):
            kind, copies = read_kind(row), int(row["copies"])
            self.groups.setdefault(int(row["group"]), Counter())[kind] += copies
            cards[kind] += copies
        return cards

    def _number_actions(self) -> list[Action]:
        """The action table of section 10.3."""
        kinds = self.kinds.values()
        actions: list[Action] = [("draw",), ("stop",), ("repel",), ("let_in",), ("done",)]
        actions += [("complete", slot) for slot in range(1, SLOTS + 1)]
        actions += [("claim", kind.type) for kind in kinds if kind.category == "expedition"]
        actions += [("trade", colour) for colour in ADVENTURE_COLOURS]
        actions += [("keep_item", colour) for colour in ADVENTURE_COLOURS]
        actions += [kind.hire for kind in kinds if kind.category == "person"]
        actions += [("pay_match",), ("pay_jack",), ("pay_special",), ("accept",), ("decline",), ("use_lookout",)]
        actions += [(f"top_{place}",) for place in range(1, LOOK_AT + 1)]
        actions += [("sell_bread",), ("sell_rum",), ("give_book",), ("give_herbs",), ("side_a",), ("side_b",)]
        if self.config["character_choice"] == "draft":
            actions += [(f"character_{place}",) for place in range(1, len(self.character_sides) + 1)]
        return actions

    def _empty_seats(self) -> list[Seat]:
        return [AdventureSeat(self.crown_track) for _ in range(self.players)]

    def _deal(self, cards: Counter[Kind]) -> None:
        """Lay out the first missions and shuffle the deck with the play cards that belong to it."""
        self.groups_in_deck: set[int] = set()
        self.slots: list[Mission] = []
        self.discard += [kind for kind in self.base_cards.elements() if kind.min_players <= self.players]
        if self.config["mode"] == "post_adventure":
            groups = set(self.groups)
            first = self._starred_missions()
        else:
            chapter = self.config["chapter"]
            earlier = [mission for mission in self.mission_kinds.values() if mission.chapter < chapter]
            first = [next(one for one in self.mission_kinds.values() if (one.chapter, one.level) == (chapter, 1))]
            groups = {group for mission in (*earlier, *first) for group in mission.adds_group}
        for group in sorted(groups):
            self.discard += self.groups[group].elements()
        self.groups_in_deck = groups
        self._shuffle()
        self.looker: int | None = None
        self.look: list[Kind] = []
        for mission in first:
            self._lay_out(mission)

    def _starred_missions(self) -> list[Mission]:
        """Four of the missions with a star, for a game after the adventure."""
        starred = [one.id for one in self.mission_kinds.values() if one.star]
        chosen = self._given_missions
        if chosen is None:
            if self.random is None:
                raise ValueError("missions must be given together with faces.")
            chosen = self.random.sample(starred, STARRED_MISSIONS)
        if len(chosen) != STARRED_MISSIONS or len(set(chosen)) != len(chosen) or not set(chosen) <= set(starred):
            raise ValueError(f"missions must be {STARRED_MISSIONS} different ones of {starred}, got {list(chosen)}.")
        return [self.mission_kinds[one] for one in chosen]

    def _lay_out(self, mission: Mission) -> None:
        """Place a mission to the right of the others, and shuffle in its play cards unless they are already there."""
        if len(self.slots) == SLOTS:
            raise ValueError(f"adventure_missions.csv must lay out at most {SLOTS} missions, {mission.id} is one more.")
        self.slots.append(mission)
        self.finishers[mission.id] = []
        groups = [group for group in mission.adds_group if group not in self.groups_in_deck]
        if groups:
            self.groups_in_deck.update(groups)
            self._shuffle_in([kind for group in groups for kind in self.groups[group].elements()])

    def _shuffle_in(self, cards: list[Kind]) -> None:
        """Shuffle new cards into the deck: its cards form a new epoch, without the coins."""
        old, staying = self.epoch, Counter[Kind]()
        if self.looker is not None:
            self.deck.append(self._forget(self.deck.pop()))
            self.looker = None
        for seat in self.seats:
            for coin in seat.coins:
                if coin.epoch == old:
                    staying[self._turn_up(coin)] += 1
        moving = self.unseen[old]
        self.unseen[old] = staying
        discard, self.discard = self.discard, [*moving.elements(), *cards]
        self._shuffle()
        self.discard = discard
        self.total = self.count_cards()

    def _open(self) -> None:
        """Build the event deck; characters are chosen before the first coins."""
        self.event: Event | None = None
        self.events: list[str] = []
        self.revealed_events: list[str] = []
        self.event_discard: list[str] = []
        self.mission: Mission | None = None
        self.lookouts_used = 0
        self.inns_used: list[Kind] = []
        self.take_less = 0
        self.stopping = False  # an accepted mission ends phase 1
        self.ares_left = 0  # ares_pirates that ITEM still asks for
        self.cube_price = 0
        self._build_event_deck()
        if self.config["character_choice"] == "draft":
            self._then(*(("_choose_character", seat) for seat in reversed(range(self.players))))
        else:
            cards = self._given_characters
            known = sorted({side.card for side in self.character_sides})
            if cards is None:
                if self.random is None:
                    raise ValueError("characters must be given together with faces.")
                cards = self.random.sample(known, self.players)
            if len(cards) != self.players or len(set(cards)) != len(cards) or not set(cards) <= set(known):
                raise ValueError(f"characters must be {self.players} different ones of {known}, got {list(cards)}.")
            for seat, card in zip(self.seats, cards, strict=True):
                seat.card = card
            self._then(*(("_choose_side", seat) for seat in range(self.players)))
        self.agenda = [("_begin_turn",), ("_first_coins",), *self.agenda]

    @property
    def characters(self) -> list[int]:
        """The character card of each seat; 0 before it is chosen."""
        return [seat.card for seat in self.seats]

    def _choose_side(self, player: int) -> None:
        self._ask("SIDE", player, [("side_a",), ("side_b",)])

    def _answer_side(self, player: int, action: Action) -> None:
        seat, side = self.seats[player], str(action[0]).removeprefix("side_")
        seat.character = next(one for one in self.character_sides if (one.card, one.side) == (seat.card, side))

    def _choose_character(self, player: int) -> None:
        places = enumerate(self.character_sides, start=1)
        free = [(f"character_{place}",) for place, side in places if side.card not in self.characters]
        self._ask("CHARACTER", player, free)

    def _answer_character(self, player: int, action: Action) -> None:
        side = self.character_sides[int(str(action[0]).removeprefix("character_")) - 1]
        self.seats[player].character, self.seats[player].card = side, side.card

    def _first_coins(self) -> None:
        """The coins that the character has at the start, and those for failures before."""
        for player, seat in enumerate(self.seats):
            assert seat.character is not None
            self._gain(player, seat.character.start_coins + self.config["bonus_coins"][player])

    # The deck, if somebody knows its top card

    def _top_card(self) -> Card:
        card = super()._top_card()
        if card.seen:
            self.looker = None
        return card

    def _turn_up(self, card: Card) -> Kind:
        if card.seen:
            assert card.face is not None
            return card.face
        return super()._turn_up(card)

    def _forget(self, card: Card) -> Card:
        """A card that was looked at is unseen again."""
        assert card.face is not None
        self.unseen[card.epoch][card.face] += 1
        return Card(card.epoch, None if self.random is None else card.face)

    def _gain(self, seat: int, coins: int) -> None:
        for _ in range(min(coins, self.cards_to_draw)):
            card = self._top_card()
            self.seats[seat].coins.append(self._forget(card) if card.seen else card)

    # Phase 0, events

    def _build_event_deck(self) -> None:
        """Some of the cards 0, shuffled with card 1 for few players, on the card that ends the month."""
        plan = self.event_plan
        zeros: list[str | None] = [event.id for event in self.event_kinds.values() if event.number == 0]
        ones: list[str | None] = [event.id for event in self.event_kinds.values() if event.number == 1]
        size = int(plan["number_0_cards"])
        if plan["adds_card_1"] != "1":
            ones = []
        self.event_bottom = next(
            event.id for event in self.event_kinds.values() if event.number == int(plan["bottom_card"])
        )
        if self.random is None:
            if self._given_events is None:
                raise ValueError("events must be given together with faces.")
            zeros, ones = [None] * len(zeros), [None] * len(ones)
        else:
            self.random.shuffle(zeros)
        self.waiting = zeros[size:]
        months: list[str | None] = zeros[:size] + ones
        if self.random is not None:
            self.random.shuffle(months)
        self.event_deck: list[str | None] = [*months, self.event_bottom]  # the top first

    def _next_event(self) -> str:
        """The next event of the script; an impossible one raises an error."""
        script = self._given_events
        assert script is not None
        if callable(script):
            event = script()
        else:
            assert len(self.events) < len(script), f"An event is revealed, but the script has only {len(script)}."
            event = script[len(self.events)]
        unknown = 1 + self.event_deck.count(None)
        possible = {one.id for one in self.event_kinds.values() if one.number == 0}
        ones = {one.id for one in self.event_kinds.values() if one.number == 1} - set(self.events)
        if self.event_plan["adds_card_1"] == "1":
            possible = ones if ones and unknown == 1 else possible | ones
        assert event in possible - set(self.events), f"{event} cannot be the next event after {self.events}."
        return event

    def _reveal_event(self) -> None:
        """Reveal the top event; immediate effects happen, others hold for this turn."""
        name = self.event_deck.pop(0) or self._next_event()
        self.event = event = self.event_kinds[name]
        self.event_discard.append(name)
        if name != self.event_bottom and name not in self.events:
            self.events.append(name)
            self.revealed_events.append(name)
        if event.when == "immediate":
            self._resolve_at_once(event)

    def _resolve_at_once(self, event: Event) -> None:
        order = self._clockwise(self.active)
        match event.effect:
            case "all_gain_coins":
                for player in order:
                    self._gain(player, event.amount)
            case "active_gains_coins":
                self._gain(self.active, event.amount)
            case "active_gains_crowns":
                self.seats[self.active].gain_crowns(event.amount)
            case "fewest_influence_gain_crowns":
                influence = [seat.influence["total"] for seat in self.seats]
                for player in order:
                    if influence[player] == min(influence):
                        self.seats[player].gain_crowns(event.amount)
            case "eight_or_more_coins_lose":
                for player in order:
                    coins = len(self.seats[player].coins)
                    if coins >= RICH:
                        self._spend(player, min(event.amount, coins))
            case "month_end":
                self._then(("_read_hourglass",), ("_finish_month",))
            case "month_end_pay_to_remove_cube":
                self._then(*self._cube_tasks(event.amount), ("_finish_month",))
            case unknown:
                raise ValueError(f"adventure_events.csv has an unknown immediate effect {unknown!r}.")

    def _effect(self, effect: str) -> int:
        """The amount of an effect that holds in this turn, or 0."""
        return self.event.amount if self.event is not None and self.event.effect == effect else 0

    def _cube_tasks(self, coins: int) -> list[tuple[Any, ...]]:
        return [("_offer_cube", player, coins) for player in self._clockwise(self.active)]

    def _read_hourglass(self) -> None:
        """Follow the instruction of the newest mission for the end of the month."""
        newest = self.slots[-1]
        sign = newest.cooperative if self.cooperative else newest.competitive
        if sign == "card_9":
            self._judge_chapter()
        elif sign:
            price = re.fullmatch(r"pay_(\d+)_remove_cube", sign)
            if not price:
                raise ValueError(f"adventure_missions.csv has an unknown instruction {sign!r}.")
            self._then(*self._cube_tasks(int(price[1])))
        else:
            completed = not newest.check or bool(self.finishers.get(newest.check))
            following = newest.next_yes if completed else newest.next_no
            if following:
                self._lay_out(self.mission_kinds[following])

    def _finish_month(self) -> None:
        """Turn the event discard pile over without shuffling it, and put a new event on top."""
        self.event_deck = [*self.event_discard]
        self.event_discard = []
        if self.waiting:
            self.event_deck.insert(0, self.waiting.pop())
        if self.config["month_end_ends_turn"]:
            self.agenda = []
            self._then(("_finish_turn", False))

    def _offer_cube(self, player: int, coins: int) -> None:
        """Ask whether a player pays for returning a cube to the box."""
        seat = self.seats[player]
        if seat.free_cubes and len(seat.coins) >= coins:
            self.cube_price = coins
            self._ask("CUBE", player, [("accept",), ("decline",)])

    def _answer_cube(self, player: int, action: Action) -> None:
        if action == ("accept",):
            self._spend(player, self.cube_price)
            self.seats[player].returned += 1
            self._uncover(player)

    # Turns and the end

    def step(self, action: Sequence[str | int]) -> None:
        """Make a decision, and all later ones with only one answer."""
        if tuple(action) in self.legal:
            self.revealed_events = []
        super().step(action)

    def _begin_turn(self) -> None:
        super()._begin_turn()
        self.lookouts_used = self.take_less = 0
        self.stopping = False
        self._then(("_reveal_event",))

    def _look_for_the_end(self) -> None:
        """Competitive: somebody has 12 influence and its trophy."""
        if self.cooperative:
            return
        for seat in self.seats:
            if seat.fields >= TROPHY and seat.influence["total"] >= END_INFLUENCE:
                self.end_flag = True

    def _conditions(self) -> dict[str, int | bool]:
        """The requirements of card 9, and the progress of the team."""
        row = self.victory[self.players]
        return {
            "all_missions": all(self.finishers[mission.id] for mission in self.slots),
            "cubes": sum(len(seat.completed) for seat in self.seats),
            "cubes_needed": int(row["cubes_on_missions"]),
            "influence": sum(seat.influence["total"] for seat in self.seats),
            "influence_needed": int(row["influence"]),
        }

    def _judge_chapter(self) -> None:
        """Card 9: the game ends at once."""
        state = self._conditions()
        enough = state["cubes"] >= state["cubes_needed"] and state["influence"] >= state["influence_needed"]
        self.won = bool(state["all_missions"] and enough)
        self._end()

    # Phase 1, discover

    def _may_stop(self) -> bool:
        return self.drawn >= max(1, self._effect("minimum_draws")) or not self._can_draw()

    def _discover_answers(self) -> list[Action]:
        answers = super()._discover_answers()
        seat = self.seats[self.active]
        if self.cards_to_draw and seat.count("lookout") + seat.can("as_lookout") > self.lookouts_used:
            answers.append(("use_lookout",))
        return answers

    def _discover(self) -> None:
        if self.stopping:
            self._begin_phase_2()
        else:
            super()._discover()

    def _answer_discover(self, player: int, action: Action) -> None:
        if action == ("use_lookout",):
            self.lookouts_used += 1
            size = min(LOOK_AT, self.cards_to_draw)
            order = list(self.kinds.values())
            self.look = [self._turn_up(self._top_card()) for _ in range(size)]
            self.look.sort(key=lambda face: (CATEGORIES.index(face.category), order.index(face)))
            self._then(("_choose_top",), ("_discover",))
        else:
            super()._answer_discover(player, action)

    def _choose_top(self) -> None:
        """Ask which of the faces goes back on top; among equal ones only the first is offered."""
        places = {face: place for place, face in reversed(list(enumerate(self.look, start=1)))}
        self._ask("LOOK", self.active, [(f"top_{place}",) for place in places.values()])

    def _answer_look(self, player: int, action: Action) -> None:
        face = self.look.pop(int(str(action[0]).removeprefix("top_")) - 1)
        self.discard += self.look
        self.look = []
        self.deck.append(Card(self.epoch, face, seen=True))
        self.looker = player

    def _sabres_needed(self, ship: Kind) -> int:
        less, more = self._effect("repel_needs_sabres_less"), self._effect("repel_needs_sabres_more")
        return max(ship.sabres - less + more, 1)

    def _bust_coins(self, player: int, cards: int) -> int:
        grace = player == self.active and cards <= 4 and self.seats[player].can("bust_with_at_most_4_cards_2_coins")
        return super()._bust_coins(player, cards) + 2 * grace

    def _look_at_harbour(self) -> None:
        """Missions about ship colours in the harbour, then those about stopping, each once a turn."""
        colours, cards = self._colours(), len(self.harbour)
        due = [one for one in self.slots if one.trigger == "harbour_colours" and colours >= one.trigger_n]
        if self._may_stop():
            due += [one for one in self.slots if one.trigger == "stop_after_cards" and cards == one.trigger_n]
        due = [mission for mission in due if mission.id not in self.marked]
        self.marked.update(mission.id for mission in due)
        self._then(*(("_offer_mission", mission, self.active) for mission in due))

    def _offer(self, requirement: str, player: int) -> None:
        """Ask a player about missions that an event has just triggered."""
        self._then(*(("_offer_mission", one, player) for one in self.slots if one.trigger == requirement))

    def _offer_mission(self, mission: Mission, player: int) -> None:
        """Ask a player about a mission that must be decided at once."""
        if self._can_advance_mission(player, mission):
            self.mission = mission
            self._ask("IMMEDIATE", player, [("accept",), ("decline",)])

    def _answer_immediate(self, player: int, action: Action) -> None:
        mission, self.mission = self.mission, None
        assert mission is not None
        if action == ("decline",):
            return
        if mission.trigger == "stop_after_cards":
            self.stopping = True
            self.take_less += mission.take_less
        self._advance_mission(player, mission)

    # Phase 2, trade and hire

    def _begin_part(self, player: int) -> None:
        seat = self.seats[player]
        cards, ships = len(self.harbour), len(self._ships())
        super()._begin_part(player)
        self._gain(player, cards >= 5 and seat.can("as_admiral_1_coin"))
        self._gain(player, ships >= 3 and seat.can("part_begins_with_3_ships_1_coin"))
        if cards >= 4:
            seat.gain_crowns(seat.count("innkeeper"))
        self.inns_used = []
        if player == self.active:
            self.takes = max(self.takes + self._effect("active_takes_more") - self.take_less, 0)

    def _fee(self, seat: int) -> int:
        free = self.event is not None and self.event.effect == "no_fee"
        return 0 if free else super()._fee(seat)

    def _price(self, player: int, person: Kind) -> int:
        seat = self.seats[player]
        less = seat.count("mademoiselle") + seat.can("as_mademoiselle") + self._effect("hire_costs_less")
        return max(person.cost - less + self._effect("hire_costs_more"), 0)

    def _extra_coins(self, player: int, ship: Kind) -> int:
        """The coins that persons and the character add to a ship, traded or kept."""
        seat = self.seats[player]
        extra = seat.count("trader", ship.colour) + seat.can("as_trader", ship.colour)
        if ship.colour == "ares":
            extra += sum(seat.count(special(symbol)) for symbol in SYMBOLS)
        return extra

    def _trade_coins(self, player: int, ship: Kind) -> int:
        return ship.coins + self._effect("ship_pays_more") + self._extra_coins(player, ship)

    def _ship_answers(self, player: int, ship: Kind) -> list[Action]:
        answers = super()._ship_answers(player, ship)
        coins = len(self.seats[player].coins) + min(self._extra_coins(player, ship), self.cards_to_draw)
        if ship.item and coins >= self._fee(player):
            answers.append(("keep_item", ship.colour))
        return answers

    def _free_inns(self, player: int) -> list[Kind]:
        """The innkeepers that have not sold in this part, the highest price first."""
        inns = Counter(card for card in self.seats[player].display if card.type == "innkeeper")
        return sorted((inns - Counter(self.inns_used)).elements(), key=lambda card: -card.sell_price)

    def _other_answers(self, player: int) -> list[Action]:
        if not self._free_inns(player):
            return []
        return [(f"sell_{item}",) for item in ("bread", "rum") if self.seats[player].with_item(item)]

    def _answer_take(self, player: int, action: Action) -> None:
        if action[0] in ("trade", "keep_item"):
            self._take_item_ship(player, str(action[1]), keep=action[0] == "keep_item")
        elif action[0] in ("sell_bread", "sell_rum"):
            inn = self._free_inns(player)[0]
            self.inns_used.append(inn)
            self._discard_item(player, self.seats[player].with_item(str(action[0]).removeprefix("sell_")))
            self._gain(player, inn.sell_price)
            self._then(("_take", player))
        else:
            super()._answer_take(player, action)

    def _take_item_ship(self, player: int, colour: str, keep: bool) -> None:
        """Take a ship for its coins and crowns, or keep it for its item."""
        seat = self.seats[player]
        ship = next(card for card in self._ships() if card.colour == colour)
        self.takes -= 1
        self.harbour.remove(ship)
        (seat.items if keep else self.discard).append(ship)
        self._gain(player, self._extra_coins(player, ship) if keep else self._trade_coins(player, ship))
        seat.gain_crowns(seat.can("as_trader_1_crown", colour) + (0 if keep else ship.crowns))
        self._pay_fee(player)
        self._then(("_take", player))

    def _discard_item(self, player: int, ships: list[Kind]) -> None:
        """Discard the suitable ship with the fewest sabres, skulls last."""
        order = list(self.kinds.values())
        ship = min(ships, key=lambda one: (not one.repellable, one.sabres, order.index(one)))
        self.seats[player].items.remove(ship)
        self.discard.append(ship)

    # Expeditions and missions

    def _can_claim(self, player: int, expedition: Kind) -> bool:
        needed = zip(ITEMS, expedition.requires_items, strict=True)
        items = all(len(self.seats[player].with_item(item)) >= number for item, number in needed)
        return items and super()._can_claim(player, expedition)

    def _finish_claim(self, player: int) -> None:
        expedition = self.claiming
        assert expedition is not None
        for item, needed in zip(ITEMS, expedition.requires_items, strict=True):
            for _ in range(needed):
                self._discard_item(player, self.seats[player].with_item(item))
        super()._finish_claim(player)
        self.seats[player].gain_crowns(2 * self.seats[player].can("expedition_2_crowns"))

    def _meets(self, player: int, mission: Mission) -> bool:
        """Whether a player meets the requirements of a mission."""
        seat = self.seats[player]
        jean = self.config["jean_counts_for_missions"]
        owned = {symbol: seat.count_symbol(symbol) for symbol in SYMBOLS} | {
            "sabres": seat.sabres if jean else seat.sabres_of_persons,
            "expedition": len(seat.expeditions),
            "persons_cost_3": sum(card.cost == 3 for card in seat.display),
            "tybuk": seat.count("tybuk_brother"),
            "innkeeper": seat.count("innkeeper"),
        }
        cost = mission.discard
        held = {item: len(seat.with_item(item)) for item in ITEMS} | {
            "coins": len(seat.coins),
            "crowns": seat.crowns,
            "ares": len(seat.ares()) - cost.get("book", 0) - cost.get("herbs", 0),
        }
        has = all(owned[what] >= needed for what, needed in mission.have.items())
        return has and all(held[what] >= needed for what, needed in cost.items())

    def _can_advance_mission(self, player: int, mission: Mission) -> bool:
        """Whether a player may put a cube on a mission, or move it there."""
        seat = self.seats[player]
        if mission.id in seat.completed or (mission.active_only and player != self.active):
            return False
        if mission.id not in seat.progress and not seat.free_cubes:
            return False
        last = seat.progress.get(mission.id, 0) + 1 == mission.times
        return not last or self._meets(player, mission)

    def _completions(self, player: int) -> list[Action]:
        return [
            ("complete", slot)
            for slot, mission in enumerate(self.slots, start=1)
            if mission.timing == "free" and self._can_advance_mission(player, mission)
        ]

    def _act_freely(self, player: int, action: Action, again: tuple[Any, ...]) -> None:
        if action[0] == "complete":
            self._then(again)
            self._advance_mission(player, self._slot(action))
        else:
            super()._act_freely(player, action, again)

    def _advance_mission(self, player: int, mission: Mission) -> None:
        """Move a cube to the next progress space, or complete the mission."""
        seat = self.seats[player]
        done = seat.progress.get(mission.id, 0) + 1
        if done < mission.times:
            seat.progress[mission.id] = done
            return
        for item in ITEMS:
            for _ in range(mission.discard.get(item, 0)):
                self._discard_item(player, seat.with_item(item))
        ares = mission.discard.get("ares", 0)
        self._then(("_give_ares", player, mission, ares, ""), ("_finish_mission", player, mission))

    def _give_ares(self, player: int, mission: Mission, left: int, last: str) -> None:
        """Ask for the item of the next ares_pirates to discard: books first, then herbs."""
        if not left:
            return
        items = Counter(ship.item for ship in self.seats[player].ares())
        answers: list[Action] = []
        if items["book"] and last != "herbs" and items["book"] + items["herbs"] >= left:
            answers.append(("give_book",))
        if items["herbs"] >= left:
            answers.append(("give_herbs",))
        self.mission, self.ares_left = mission, left
        self._ask("ITEM", player, answers)

    def _answer_item(self, player: int, action: Action) -> None:
        mission, self.mission = self.mission, None
        item = str(action[0]).removeprefix("give_")
        self._discard_item(player, [ship for ship in self.seats[player].ares() if ship.item == item])
        self._then(("_give_ares", player, mission, self.ares_left - 1, item))

    def _finish_mission(self, player: int, mission: Mission) -> None:
        """Pay the rest, put the cube on the mission, and take the rewards."""
        seat = self.seats[player]
        self._spend(player, mission.discard.get("coins", 0))
        seat.crowns -= mission.discard.get("crowns", 0)
        seat.progress.pop(mission.id, None)
        seat.completed.append(mission.id)
        self.finishers[mission.id].append(player)
        if len(self.finishers[mission.id]) == 1:
            self._gain(player, mission.first_coins)
            seat.gain_crowns(mission.first_crowns)
        seat.gain_crowns(mission.crowns)
        self._uncover(player)

    def _uncover(self, player: int) -> None:
        """The reward of the next field of the character."""
        seat = self.seats[player]
        if seat.fields == 1 and seat.can("2_coins_once"):
            self._gain(player, 2)
        seat.gain_crowns(FIELD_CROWNS.get(seat.fields, 0))

    # The sleep set (10.2)

    def _independent(self, sleeper: Action, chosen: Action) -> bool:
        """Whether the sleeper could have come before the chosen action with the same outcome."""
        pair = (sleeper, chosen)
        if self._order_matters(sleeper, chosen):
            return False
        for one, other in (pair, pair[::-1]):
            if one[0] == "complete":
                return self._completion_independent(sleeper, chosen)
            if one[0] in ("sell_bread", "sell_rum"):
                return not (other[0] == "hire" and self.hires[other].type == "innkeeper")
        for one, other in (pair, pair[::-1]):
            if one[0] == "claim":
                return self._claim_independent(self.kinds[str(one[1])], other)
        if chosen[0] == "stop" or self.takes < 2:
            return False
        hired = [self.hires[action] for action in pair if action[0] == "hire"]
        if len(hired) != 1:
            return all(person.type != "mademoiselle" for person in hired)
        colour = str((sleeper if chosen[0] == "hire" else chosen)[1])
        works_for = "ares" if hired[0].type in map(special, SYMBOLS) else hired[0].colour
        return works_for != colour

    def _order_matters(self, sleeper: Action, chosen: Action) -> bool:
        """Three cases not mentioned in section 10.2 of the rules in which the order changes the outcome."""
        for one, other in ((sleeper, chosen), (chosen, sleeper)):
            # The ship kept may be the one that is discarded.
            if one[0] == "keep_item":
                ship = next(card for card in self._ships() if card.colour == one[1])
                if ship.item in self._discarded_items(other):
                    return True
            # Crowns are lost beyond the end of the track, and influence that is reached sets the end flag for good.
            if one[0] == "complete" and "crowns" in self._slot(one).discard:
                return True
        # A completion may pay its coins before, but not after something else that costs coins: it brings some back.
        if chosen[0] == "complete" and "coins" in self._slot(chosen).discard:
            seat, mission = self.seats[self.player], self._slot(chosen)
            first = mission.first_coins > 0 and not self.finishers[mission.id]
            character = seat.character
            uncovers = seat.fields == 0 and character is not None and character.ability == "2_coins_once"
            return (first or uncovers) and sleeper[0] not in ("claim", "sell_bread", "sell_rum")
        return False

    def _slot(self, action: Action) -> Mission:
        """The mission that an action completes."""
        return self.slots[int(action[1]) - 1]

    def _discarded_items(self, action: Action) -> set[str]:
        """The items of which an action may discard some."""
        if action[0] in ("sell_bread", "sell_rum"):
            return {str(action[0]).removeprefix("sell_")}
        if action[0] == "claim":
            needed = self.kinds[str(action[1])].requires_items
            return {item for item, number in zip(ITEMS, needed, strict=True) if number}
        if action[0] == "complete":
            cost = self._slot(action).discard
            return set(cost) | ({"book", "herbs"} if "ares" in cost else set())
        return set()

    def _completion_independent(self, sleeper: Action, chosen: Action) -> bool:
        """The clauses about completing missions."""
        if sleeper[0] == "claim":
            if any(symbol in self._slot(chosen).have for symbol in self._symbols(self.kinds[str(sleeper[1])])):
                return False
        other = chosen if sleeper[0] == "complete" else sleeper
        return self.seats[self.player].fields > 0 or not self._ability_changes(other)

    def _ability_changes(self, action: Action) -> bool:
        """Whether the player's character, once its ability is uncovered, changes the effect of an action."""
        character = self.seats[self.player].character
        assert character is not None
        match character.ability:
            case "expedition_2_crowns":
                return action[0] == "claim"
            case "as_mademoiselle":
                return action[0] == "hire"
            case "as_trader" | "as_trader_1_crown":
                return action[0] in ("trade", "keep_item") and action[1] == character.colour
            case "as_admiral_1_coin" | "part_begins_with_3_ships_1_coin":
                return action[0] == "stop"
        return False

    def _claim_independent(self, expedition: Kind, other: Action) -> bool:
        """The clauses about claims, as long as nothing is completed or sold."""
        symbols = self._symbols(expedition)
        if other[0] == "hire":
            person = self.hires[other]
            return person.type != "jack_of_all_trades" and person.type.removeprefix("ares_") not in symbols
        if other[0] in ("trade", "keep_item") and other[1] == "ares":
            return not any(self.seats[self.player].count(special(symbol)) for symbol in symbols)
        return True

    # Visible information

    def clone(self) -> "AdventureGame":
        """An independent copy (functions that return faces or events are shared)."""
        twin = super().clone()
        assert isinstance(twin, AdventureGame)
        changing = ("slots", "groups_in_deck", "events", "revealed_events", "event_deck", "event_discard", "waiting")
        for name in (*changing, "look", "inns_used"):
            setattr(twin, name, copy.copy(getattr(self, name)))
        return twin

    @property
    def top(self) -> Kind | None:
        """The top card of the deck, if somebody has looked at it."""
        return self.deck[-1].face if self.looker is not None else None

    def position(self) -> dict[str, Any]:
        """The complete position, including private information."""
        known = {*self.events, self.event_bottom}
        position = super().position() | {
            "missions": [
                {
                    "id": mission.id,
                    "finishers": list(self.finishers[mission.id]),
                    "progress": [seat.progress.get(mission.id, 0) for seat in self.seats],
                }
                for mission in self.slots
            ],
            "asked_mission": self.mission and self.mission.id,
            "cards": self.characters,
            "characters": [seat.character and seat.character.name for seat in self.seats],
            "fields": [seat.fields for seat in self.seats],
            "cubes": [seat.free_cubes for seat in self.seats],
            "crowns": [seat.crowns for seat in self.seats],
            "items": [names(seat.items) for seat in self.seats],
            "event": self.event and self.event.id,
            "event_deck": [event if event in known else None for event in self.event_deck],
            "events_waiting": len(self.waiting),
            "lookouts_used": self.lookouts_used,
            "inns_used": names(self.inns_used),
            "looker": self.looker,
            "top": self.top and self.top.name,
            "look": [face.name for face in self.look],
        }
        for name in ("contracts", "asked_contract", "time", "score", "under", "kept", "gamblers_used"):
            del position[name]
        return position

    def view(self, player: int) -> dict[str, Any]:
        """The view of a player: only the looker sees the cards of a lookout, only the player to move the actions."""
        view = self.position()
        unseen = Counter(self.unseen[self.epoch])
        if self.question == "LOOK" and player != self.player:
            view["look"] = [None] * len(self.look)
            unseen.update(self.look)
        if self.looker is not None and player != self.looker:
            view["top"] = None
            unseen.update([self.deck[-1].face])  # type: ignore[list-item]
        if player != self.player:
            view["legal"] = view["asleep"] = []
        return view | {"unseen": names((+unseen).elements())}

    def result(self) -> dict[str, Any]:
        """The current standing, or the result."""
        everybody = list(range(self.players))
        influence = [seat.influence for seat in self.seats]
        eligible = [player for player in everybody if self.seats[player].fields >= TROPHY] or everybody
        standing = [
            (player in eligible, influence[player]["total"], -seat.free_cubes, len(seat.coins))
            for player, seat in enumerate(self.seats)
        ]
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        shares = [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]
        team = None
        if self.cooperative:
            ranks, shares = [1] * self.players, [float(self.won)] * self.players
            story = self.slots[-1].chapter_end if self.won else None
            team = {"won": self.won, "chapter_end": story, **self._conditions()}
        return {
            "influence": influence,
            "coins": [len(seat.coins) for seat in self.seats],
            "eligible": eligible,
            "ranks": ranks,
            "win_shares": shares,
            "turns": self.turn,
            "decisions": self.decisions,
            "truncated": self.truncated,
            "team": team,
        }

    def count_cards(self) -> Counter[Kind]:
        """All cards of the game by kind, wherever they are."""
        cards = super().count_cards()
        cards.update(self.look)
        if self.top is not None:
            cards[self.top] += 1
        for seat in self.seats:
            cards.update(seat.items)
        return cards

    def check(self) -> None:
        """Assert that no card, cube or event was lost or created."""
        assert self.count_cards() == self.total
        face_down = [*self.deck, *(coin for seat in self.seats for coin in seat.coins)]
        unseen = [card for card in face_down if not card.seen]
        for epoch, pool in enumerate(self.unseen):
            assert pool.total() == sum(card.epoch == epoch for card in unseen)
            if self.random is not None:
                assert +pool == Counter(card.face for card in unseen if card.epoch == epoch)
        assert all(card.epoch == self.epoch for card in self.deck)
        assert [place for place, card in enumerate(self.deck) if card.seen] == (
            [] if self.looker is None else [len(self.deck) - 1]
        )
        for seat in self.seats:
            cubes = len(seat.completed) + len(seat.progress) + seat.returned + seat.free_cubes
            assert cubes == CUBES_ON_CHARACTER
            assert seat.free_cubes >= 0
            assert len(seat.completed) == len(set(seat.completed))
            assert 0 <= seat.crowns < len(self.crown_track)
            assert not set(seat.progress) & set(seat.completed)
        for mission in self.slots:
            done = [player for player, seat in enumerate(self.seats) if mission.id in seat.completed]
            assert sorted(self.finishers[mission.id]) == done
        events = [*self.event_deck, *self.event_discard, *self.waiting]
        ones = self.event_plan["adds_card_1"] == "1"
        assert len(events) == sum(event.number == 0 for event in self.event_kinds.values()) + ones + 1
        known = Counter(event for event in events if event is not None)
        assert known[self.event_bottom] == 1
        assert max(known.values()) == 1
