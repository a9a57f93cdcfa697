"""Port Royal (every set but the adventure), played slowly with concrete cards, as an oracle for tests.

The adventure is a subclass: ``reference_adventure.py``.

Written from the rules only, independently of the fast implementation. Every card of the deck, the coin piles, the time
deck and the score deck is a separate object. There are two ways to fix chance:

- *shuffled*: ``ReferenceGame(config, seed=7)`` shuffles the cards with ``random.Random(7)``.
- *scripted*: ``ReferenceGame(config, faces=[...], contracts=[...])`` leaves face-down cards blank. When a card is
  turned up, its face is the next entry of ``faces``. An impossible face raises ``AssertionError``: cards that were
  shuffled together (an *epoch*) keep the multiset of their faces.

``question``, ``player``, ``legal`` and ``asleep`` describe the decision to take, ``step`` takes it and answers every
later question that has only one answer. ``position`` lists everything that can be seen.

The remaining tasks of a turn are a stack, so a game can be copied in the middle of a turn.
"""

import copy
import csv
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Action = tuple[str | int, ...]
Task = tuple[Any, ...]

DATA = Path(__file__).parents[2] / "pr_env" / "port_royal" / "data"
COLOURS = ("yellow", "blue", "green", "red", "black")
SYMBOLS = ("captain", "priest", "settler")
ITEMS = ("book", "herbs", "bread", "rum")
JACK = "jack_of_all_trades"
PAYMENTS = ("pay_match", "pay_special", "pay_jack")  # for an equal symbol in this order
COLOUR_PERSONS = ("trader", "merchant", "clerk")
REFUSALS = {"red": "refuse_frigate_coins_3", "black": "refuse_galleon_coins_2"}
RANKS = {  # of the sleep set
    "complete": 0,
    "claim": 1,
    "sell_bread": 2,
    "sell_rum": 2,
    "trade": 3,
    "refuse": 3,
    "keep_item": 3,
    "hire": 4,
    "stop": 5,
}
NEW_INFORMATION = ("draw", "use_gambler", "use_lookout", "done")  # after these nothing sleeps
TITLES = ("landlubber", "sailor", "pirate", "captain", "lord_of_the_seas")
CUBES = 3
START_COINS = 3
RANSOM = 15
COOPERATIVE_CONTRACTS = {1: 3, 2: 5, 3: 7, 4: 9, 5: 11}
COMPETITIVE_CONTRACTS = 4

DEFAULTS: dict[str, Any] = {
    "players": 2,
    "game": "base",
    "add": [],
    "mode": "competitive",
    "alternative_end": False,
    "score_start": 0,
    "must_repel_duplicate": False,
    "vice_admiral_passive": 1,
    "max_turns": 500,
    "max_decisions": 20_000,
}


# The cards


class Kind(NamedTuple):
    """The face of a card."""

    category: str  # person, ship, expedition or tax
    type: str
    colour: str
    cost: int
    influence: int
    coins: int
    coins_other: int
    sabres: int
    repellable: bool
    requires: tuple[int, int, int]  # captains, priests, settlers
    tax_from: int
    tax_rule: str
    tax_bonus: str
    bonus_coins: int
    min_players: int
    crowns: int  # the rest: adventure only
    item: str
    sell_price: int
    requires_items: tuple[int, int, int, int]  # books, herbs, bread, rum

    @property
    def name(self) -> str:
        """The name of the face, as in the recorded games."""
        if self.category == "person":
            return ":".join(str(part) for part in (self.type, self.colour, self.cost, self.influence) if part != "")
        if self.category == "ship":
            parts = [self.colour, str(self.coins), str(self.sabres) if self.repellable else "skull"]
            if self.coins_other:
                parts.append(f"+{self.coins_other}")
            if self.crowns:
                parts.append(f"crowns{self.crowns}")
            return ":".join(parts + [self.item] * bool(self.item))
        return self.type

    @property
    def hire(self) -> Action:
        """The action that hires this person."""
        return ("hire", *(part for part in (self.type, self.colour, self.cost, self.influence) if part != ""))


class Card(NamedTuple):
    """A face-down card: the shuffle it comes from, and its face unless the faces are scripted."""

    epoch: int
    face: Kind | None
    seen: bool = False  # somebody has looked at it (adventure)


class Contract(NamedTuple):
    """What is printed on a contract."""

    name: str
    requirement: str
    persons: tuple[str, str]
    progress_spaces: int
    coins: tuple[int, ...]
    seal_number: int
    seal_letter: str
    cooperative_only: bool
    timing: str


def read_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def read_kind(row: dict[str, str]) -> Kind:
    """A row of a card file; an empty number is 0."""

    def number(column: str) -> int:
        return int(row[column] or 0)

    return Kind(
        category=row["kind"],
        type=row["type"],
        colour=row["colour"],
        cost=number("cost"),
        influence=number("influence"),
        coins=number("coins"),
        coins_other=number("coins_other"),
        sabres=number("sabres"),
        repellable=row["repellable"] == "1",
        requires=(number("req_captain"), number("req_priest"), number("req_settler")),
        tax_from=number("tax_from"),
        tax_rule=row["tax_rule"],
        tax_bonus=row["tax_bonus"],
        bonus_coins=number("bonus_coins"),
        min_players=number("min_players"),
        crowns=number("crowns"),
        item=row["item"],
        sell_price=number("sell_price"),
        requires_items=(number("req_book"), number("req_herbs"), number("req_bread"), number("req_rum")),
    )


def read_cards(folder: Path, config: dict[str, Any]) -> Counter[Kind]:
    """The cards of a configuration by kind, kinds in the order of the files."""
    if config["game"] == "set_sail":
        rows = read_rows(folder / "set_sail_cards.csv")
    else:
        rows = read_rows(folder / "base_cards.csv")
        if "set_sail_20" in config["add"]:
            rows += [row for row in read_rows(folder / "set_sail_cards.csv") if row["joins_base"] == "1"]
        if "gambler" in config["add"]:
            rows += read_rows(folder / "gambler_cards.csv")
        if "contract_cards" in config["add"]:
            rows += read_rows(folder / "contract_cards.csv")
    cards: Counter[Kind] = Counter()
    for row in rows:
        cards[read_kind(row)] += int(row["copies"])
    return cards


def read_contracts(folder: Path) -> list[Contract]:
    """The contracts in the order of their file."""
    return [
        Contract(
            name=row["name"],
            requirement=row["requirement"],
            persons=(row["person_1"], row["person_2"]),
            progress_spaces=int(row["progress_spaces"]),
            coins=tuple(int(row[f"coins_{place}"] or 0) for place in range(1, 6)),
            seal_number=int(row["seal_number"]),
            seal_letter=row["seal_letter"],
            cooperative_only=row["coop_only"] == "1",
            timing=row["timing"],
        )
        for row in read_rows(folder / "contracts.csv")
    ]


def check_config(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration with its defaults; an invalid one raises ``ValueError``."""
    unknown = set(config) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"config has unknown keys {sorted(unknown)}.")
    full = {**DEFAULTS, **config}
    full["add"] = sorted(full["add"])
    if full["game"] not in ("base", "set_sail"):
        raise ValueError(f"game must be base or set_sail, got {full['game']!r}.")
    if not set(full["add"]) <= {"gambler", "set_sail_20", "contract_cards", "contracts"}:
        raise ValueError(f"add must name sets that join the base game, got {full['add']!r}.")
    if full["add"] and full["game"] != "base":
        raise ValueError("add must be empty unless game is base.")
    if "contracts" in full["add"] and "contract_cards" not in full["add"]:
        raise ValueError("contracts need contract_cards.")
    if full["mode"] not in ("competitive", "cooperative"):
        raise ValueError(f"mode must be competitive or cooperative, got {full['mode']!r}.")
    cooperative = full["mode"] == "cooperative"
    if cooperative and "contracts" not in full["add"]:
        raise ValueError("mode cooperative needs contracts.")
    fewest, most = (1 if cooperative else 2), (4 if full["game"] == "set_sail" else 5)
    if not fewest <= full["players"] <= most:
        raise ValueError(f"players must be {fewest} to {most}, got {full['players']!r}.")
    if full["alternative_end"] and (cooperative or full["game"] != "base"):
        raise ValueError("alternative_end needs the competitive base game.")
    if full["score_start"] and not cooperative:
        raise ValueError("score_start needs mode cooperative.")
    if full["vice_admiral_passive"] not in (1, 2):
        raise ValueError(f"vice_admiral_passive must be 1 or 2, got {full['vice_admiral_passive']!r}.")
    return full


class Seat:
    """The cards in front of a player."""

    def __init__(self) -> None:
        """An empty place at the table."""
        self.coins: list[Card] = []
        self.display: list[Kind] = []
        self.expeditions: list[Kind] = []
        self.under: list[Kind] = []  # ships under merchants
        self.kept: list[Kind] = []  # ships repelled for pack_of_pirates
        self.progress: dict[str, int] = {}  # contracts with a cube on a progress space
        self.completed: list[str] = []

    def clone(self) -> "Seat":
        """A copy that changes independently."""
        twin = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(twin, name, copy.copy(value))
        return twin

    def count(self, type_: str, colour: str | None = None) -> int:
        """The number of persons of a type (and colour)."""
        return sum(card.type == type_ and colour in (None, card.colour) for card in self.display)

    def count_symbol(self, symbol: str) -> int:
        """The number of persons with a symbol, including those of the adventure."""
        return self.count(symbol) + self.count(special(symbol))

    @property
    def sabres(self) -> int:
        """The sabres of all persons."""
        return sum(card.sabres for card in self.display)

    @property
    def influence(self) -> dict[str, int]:
        """The influence by source, and its total."""
        parts = {
            "persons": sum(card.influence for card in self.display),
            "expeditions": sum(card.influence for card in self.expeditions),
            "contracts": (0, 0, 1, 3)[len(self.completed)],
            "merchants": len(self.under),
            "crowns": 0,
        }
        return {**parts, "total": sum(parts.values())}

    @property
    def free_cubes(self) -> int:
        """The cubes that are not on a contract yet."""
        return CUBES - len(self.completed) - len(self.progress)


def special(symbol: str) -> str:
    """The person of the adventure that carries a symbol."""
    return f"ares_{symbol}"


def names(cards: Iterable[Kind]) -> dict[str, int]:
    """Face-up cards by name."""
    return dict(Counter(card.name for card in cards))


class ReferenceGame:
    """One game.

    Attributes:
        question: DISCOVER, REPEL, PAY, IMMEDIATE, TAKE, GIVE, END_OF_TURN or SET_ASIDE; empty when the game is over.
        player: The seat that decides.
        legal: The actions offered, in the order of their numbers.
        asleep: Actions that the rules allow and that the sleep set hides. At PAY and GIVE: those that may sleep on at
            the next question, if they are legal there.
        contract: The contract that IMMEDIATE asks about.
        claiming: The expedition that PAY is about.
        revealed: Faces turned up since the last decision, in order.
        use_sleep: Set it to False to get all actions that the rules allow.
        actions: Every action of the configuration, in the order of their numbers.
    """

    def __init__(
        self,
        config: dict[str, Any] | None = None,
        *,
        seed: int | None = None,
        faces: Sequence[str] | Callable[[], str] | None = None,
        contracts: Sequence[str] | None = None,
        data: Path | str = DATA,
        use_sleep: bool = True,
    ) -> None:
        """Set a game up and play to its first decision.

        Args:
            config: Keys of section 9.3 of the rules; missing ones have their defaults.
            seed: Shuffles the cards, unless ``faces`` is given.
            faces: The faces in the order in which cards are turned up, or a function that gives the next one.
            contracts: Names of the face-up contracts. Needed with ``faces`` and contracts; else drawn at random.
            data: The folder of the card files.
            use_sleep: Whether different orders of actions that lead to the same position are offered only once.
        """
        self.config = self._check_config(config or {})
        self.players: int = self.config["players"]
        self.cooperative = self.config["mode"] == "cooperative"
        self.timed = self.cooperative and "contracts" in self.config["add"]  # the first card of a turn is a time card
        self.use_sleep = use_sleep
        self.random = random.Random(seed) if faces is None else None
        self.faces = faces
        self.faces_used = 0
        folder = Path(data)
        cards = self._read_cards(folder)
        self.kinds = {kind.name: kind for kind in cards}
        if len(self.kinds) != len(cards):
            raise ValueError("Two kinds of cards have the same name.")
        self._set_up_contracts(folder, contracts)
        self.actions = self._number_actions()
        self.number = {action: number for number, action in enumerate(self.actions)}
        self.hires = {kind.hire: kind for kind in cards if kind.category == "person"}

        self.seats = self._empty_seats()
        self.harbour: list[Kind] = []
        self.table: list[Kind] = []
        self.discard: list[Kind] = []
        self.epoch = -1
        self.unseen: list[Counter[Kind]] = []  # the unseen faces of each epoch
        self.deck: list[Card] = []  # the top is the end
        self.time: list[Card] = []
        self.score: list[Card] = []
        self.pending: Kind | None = None  # a ship to repel or let in, or a tax that is not settled yet
        self._deal(cards)
        self.total = self.count_cards()

        self.turn = 0
        self.active = self.players - 1
        self.end_flag = False
        self.over = False
        self.won = False
        self.truncated = False
        self.decisions = 0
        self.dry = 0  # turns in a row without a card turned up
        self.drawn = 0
        self.gamblers_used = 0
        self.takes = 0
        self.acted = False
        self.marked: set[str] = set()  # contracts about harbour colours that came up this turn
        self.claiming: Kind | None = None
        self.owed: tuple[str, ...] = ()  # symbols of the expedition still to pay
        self.contract: Contract | None = None
        self.gift = 0  # coins that GIVE is about
        self.sleep: set[Action] = set()
        self.agenda: list[Task] = []

        self.question = ""
        self.player = 0
        self.allowed: list[Action] = []
        self.legal: list[Action] = []
        self.asleep: list[Action] = []
        self.revealed: list[str] = []
        self._open()
        self._run()

    # Set-up

    def _check_config(self, config: dict[str, Any]) -> dict[str, Any]:
        """The configuration with its defaults."""
        return check_config(config)

    def _read_cards(self, folder: Path) -> Counter[Kind]:
        """The cards of the configuration; all their kinds have actions."""
        return read_cards(folder, self.config)

    def _empty_seats(self) -> list[Seat]:
        """A place at the table for every player."""
        return [Seat() for _ in range(self.players)]

    def _open(self) -> None:
        """Schedule the first tasks."""
        self._then(("_begin_turn",))

    def _set_up_contracts(self, folder: Path, chosen: Sequence[str] | None) -> None:
        """Lay out the face-up contracts."""
        self.contract_kinds: list[Contract] = []
        self.contracts: dict[str, Contract] = {}
        self.finishers: dict[str, list[int]] = {}
        if "contracts" not in self.config["add"]:
            if chosen:
                raise ValueError("contracts must be empty in a game without contracts.")
            return
        self.contract_kinds = [one for one in read_contracts(folder) if self.cooperative or not one.cooperative_only]
        size = COOPERATIVE_CONTRACTS[self.players] if self.cooperative else COMPETITIVE_CONTRACTS
        known = [one.name for one in self.contract_kinds]
        if chosen is None:
            if self.random is None:
                raise ValueError("contracts must be given together with faces.")
            chosen = self.random.sample(known, size)
        if len(set(chosen)) != size or len(chosen) != size or not set(chosen) <= set(known):
            raise ValueError(f"contracts must be {size} different names of {known}, got {list(chosen)}.")
        self.contracts = {one.name: one for one in self.contract_kinds if one.name in chosen}
        self.finishers = {name: [] for name in self.contracts}

    def _number_actions(self) -> list[Action]:
        """The action table of section 10.3."""
        add = self.config["add"]
        kinds = self.kinds.values()
        actions: list[Action] = [("draw",), ("stop",), ("repel",), ("let_in",), ("done",)]
        actions += [("complete", one.name) for one in self.contract_kinds]
        actions += [("claim", kind.type) for kind in kinds if kind.category == "expedition"]
        actions += [("trade", colour) for colour in COLOURS]
        if "contracts" in add:
            actions += [("refuse", colour) for colour in REFUSALS]
        actions += [kind.hire for kind in kinds if kind.category == "person"]
        if self.config["game"] == "base":
            actions += [("pay_match",), ("pay_jack",)]
        if "contract_cards" in add:
            actions += [(f"give_{steps}",) for steps in range(1, 5)]
        if "contracts" in add:
            actions += [("accept",), ("decline",)]
        if "gambler" in add:
            actions += [("use_gambler",)]
        return actions

    def _deal(self, cards: Counter[Kind]) -> None:
        """Shuffle the deck; deal the time deck and the first coins of all players."""
        for kind in cards.elements():
            if not kind.min_players:
                self.discard.append(kind)
            elif self.players >= kind.min_players:
                self.table.append(kind)
        self._shuffle()
        if self.timed:
            size = 13 + sum(one.seal_number for one in self.contracts.values())
            size += len({one.seal_letter for one in self.contracts.values()})
            if not 0 <= self.config["score_start"] < size:
                raise ValueError(f"score_start must be 0 to {size - 1}, got {self.config['score_start']!r}.")
            self.time = [self.deck.pop() for _ in range(size)]
            self.score = [self.time.pop() for _ in range(self.config["score_start"])]
        for seat in range(self.players):
            self._gain(seat, START_COINS)

    # Cards and coins

    def _shuffle(self) -> None:
        """Make the discard pile the new deck; its cards form a new epoch."""
        self.epoch += 1
        self.unseen.append(Counter(self.discard))
        if self.random is None:
            self.deck = [Card(self.epoch, None) for _ in self.discard]
        else:
            self.deck = [Card(self.epoch, face) for face in self.discard]
            self.random.shuffle(self.deck)
        self.discard = []

    @property
    def cards_to_draw(self) -> int:
        """The number of cards that can still be drawn, including a shuffle."""
        return len(self.deck) + len(self.discard)

    def _top_card(self) -> Card:
        """Take the top card of the deck, after a shuffle if there is none."""
        if not self.deck:
            self._shuffle()
        return self.deck.pop()

    def _turn_up(self, card: Card) -> Kind:
        """Turn a card face up."""
        if self.faces is None:
            face = card.face
            assert face is not None
        else:
            name = self.faces() if callable(self.faces) else self._next_face(self.faces)
            assert name in self.kinds, f"{name} is not a card of this game."
            face = self.kinds[name]
        self.faces_used += 1
        pool = self.unseen[card.epoch]
        assert pool[face] > 0, f"{face.name} is not among the unseen cards of epoch {card.epoch}: {names(pool)}."
        pool[face] -= 1
        self.revealed.append(face.name)
        return face

    def _next_face(self, faces: Sequence[str]) -> str:
        """The next entry of a list of faces."""
        assert self.faces_used < len(faces), f"A card is turned up, but the script has only {len(faces)} faces."
        return faces[self.faces_used]

    def _gain(self, seat: int, coins: int) -> None:
        """Draw coins; those that cannot be drawn are lost."""
        for _ in range(min(coins, self.cards_to_draw)):
            self.seats[seat].coins.append(self._top_card())

    def _oldest_coin(self, seat: int) -> Card:
        """Take the coin of the oldest shuffle from a player."""
        coins = self.seats[seat].coins
        return coins.pop(coins.index(min(coins, key=lambda card: card.epoch)))

    def _spend(self, seat: int, coins: int) -> None:
        """Turn coins face up on the discard pile."""
        for _ in range(coins):
            self.discard.append(self._turn_up(self._oldest_coin(seat)))

    def _fee(self, seat: int) -> int:
        """The fee that a player pays to the active player for a card."""
        return int(seat != self.active)

    def _pay_fee(self, seat: int) -> None:
        """Hand the fee for a card to the active player."""
        for _ in range(self._fee(seat)):
            self.seats[self.active].coins.append(self._oldest_coin(seat))

    def _clockwise(self, first: int) -> list[int]:
        """All seats from the first one on."""
        return [(first + steps) % self.players for steps in range(self.players)]

    # The machinery of tasks and questions

    def _then(self, *tasks: Task) -> None:
        """Do these tasks next, in this order."""
        self.agenda.extend(reversed(tasks))

    def _run(self) -> None:
        """Process the tasks until somebody has a choice or the game is over."""
        while True:
            self.question, self.allowed, self.legal, self.asleep = "", [], [], []
            while not self.over and not self.question:
                name, *arguments = self.agenda.pop()
                getattr(self, name)(*arguments)
                self._look_for_the_end()
            if self.over:
                self.question, self.allowed, self.legal, self.asleep = "", [], [], []
                self.agenda = []
                return
            if len(self.legal) > 1:
                if self.decisions < self.config["max_decisions"]:
                    return
                self._end(truncated=True)
            else:
                self._answer(self.legal[0])

    def _ask(self, question: str, player: int, answers: Iterable[Action]) -> None:
        """Ask a question without free actions."""
        self.question, self.player = question, player
        self.allowed = sorted(answers, key=self.number.__getitem__)
        self.legal = list(self.allowed)
        self.asleep = sorted(self.sleep, key=self.number.__getitem__)

    def _ask_freely(self, question: str, player: int, answers: Iterable[Action]) -> None:
        """Ask a question with free actions: the player may also complete contracts and claim expeditions."""
        free = self._completions(player)
        if player == self.active:
            free += [("claim", one.type) for one in self.table if self._can_claim(player, one)]
        self._ask(question, player, [*answers, *free])
        self.sleep &= set(self.allowed)
        self.legal = [action for action in self.allowed if action not in self.sleep]
        self.asleep = [action for action in self.allowed if action in self.sleep]

    def step(self, action: Sequence[str | int]) -> None:
        """Make a decision, and all later ones with only one answer.

        Raises:
            ValueError: If the action is not offered. The game is unchanged.
        """
        action = tuple(action)
        if action not in self.legal:
            raise ValueError(f"action must be one of {self.legal}, got {action}.")
        self.revealed = []
        self.decisions += 1
        self._answer(action)
        self._run()

    def _answer(self, action: Action) -> None:
        """Schedule the tasks that follow from an answer."""
        question, player = self.question, self.player
        if question in ("DISCOVER", "TAKE", "END_OF_TURN"):
            self._fall_asleep(action, self.legal)
        if question in ("TAKE", "GIVE") and player != self.active and action != ("done",):
            self.acted = True
        getattr(self, f"_answer_{question.lower()}")(player, action)
        self._look_for_the_end()

    def _completions(self, player: int) -> list[Action]:
        """The contracts that a player may complete now by its own choice."""
        return [("complete", one.name) for one in self.contracts.values() if self._can_complete(player, one)]

    def rule_legal(self) -> list[Action]:
        """Everything that the rules allow now, including sleeping actions."""
        return list(self.allowed)

    def clone(self) -> "ReferenceGame":
        """An independent copy (a function that returns faces is shared)."""
        twin = copy.copy(self)
        twin.seats = [seat.clone() for seat in self.seats]
        twin.unseen = [Counter(pool) for pool in self.unseen]
        twin.finishers = {name: list(seats) for name, seats in self.finishers.items()}
        for name in ("harbour", "table", "discard", "deck", "time", "score", "agenda", "revealed", "marked", "sleep"):
            setattr(twin, name, copy.copy(getattr(self, name)))
        if self.random is not None:
            twin.random = random.Random()
            twin.random.setstate(self.random.getstate())
        return twin

    # The sleep set (10.2)

    def _rank(self, action: Action) -> tuple[int, int]:
        """The order in which independent actions are offered."""
        return RANKS.get(str(action[0]), 6), self.number[action]

    def _fall_asleep(self, chosen: Action, offered: list[Action]) -> None:
        """Actions that could have been played before the chosen one with the same outcome sleep after it."""
        if not self.use_sleep or chosen[0] in NEW_INFORMATION:
            self.sleep = set()
            return
        earlier = {action for action in offered if self._rank(action) < self._rank(chosen)}
        self.sleep = {action for action in self.sleep | earlier if self._independent(action, chosen)}

    def _independent(self, sleeper: Action, chosen: Action) -> bool:
        """Whether the sleeper could have come before the chosen action with the same outcome."""
        kinds = {sleeper[0], chosen[0]}
        if "complete" in kinds:
            for action in (sleeper, chosen):
                if action == ("complete", "ransom") and kinds != {"complete"}:
                    return False
            if chosen[0] == "complete" and sleeper[0] == "claim":
                persons = self.contracts[str(chosen[1])].persons
                return not set(persons) & set(self._symbols(self.kinds[str(sleeper[1])]))
            return True
        if "claim" in kinds:
            claim, other = (sleeper, chosen) if sleeper[0] == "claim" else (chosen, sleeper)
            if other[0] != "hire":
                return other[0] in ("claim", "trade", "refuse", "stop")
            person = self.hires[other].type
            return person != JACK and person not in self._symbols(self.kinds[str(claim[1])])
        if "stop" in kinds or self.takes < 2:
            return False
        hired = [self.hires[action] for action in (sleeper, chosen) if action[0] == "hire"]
        if len(hired) == 1:
            ship = sleeper if chosen[0] == "hire" else chosen
            return not (hired[0].type in COLOUR_PERSONS and hired[0].colour == ship[1])
        return all(person.type != "mademoiselle" for person in hired)

    # Turns

    def _begin_turn(self) -> None:
        """The next player becomes the active one."""
        if self.timed and not self.time:
            self._end()  # the team has lost: this turn does not take place
            return
        self.turn += 1
        self.active = (self.active + 1) % self.players
        self.drawn = self.gamblers_used = self.takes = 0
        self.acted = False
        self.marked = set()
        self.sleep = set()
        self._then(("_discover",))

    def _finish_turn(self, discovered: bool = True) -> None:
        """The turn passes on, unless the game is over; ``discovered``: it had a phase 1."""
        self.dry = self.dry + 1 if discovered and not self.drawn else 0
        if self.end_flag and self.active == self.players - 1:
            self._end()
        elif self.dry == self.players or self.turn == self.config["max_turns"]:
            self._end(truncated=True)
        else:
            self._then(("_begin_turn",))

    def _look_for_the_end(self) -> None:
        """Set the end flag as soon as somebody has enough influence; end a cooperative game as soon as it is won."""
        if self.cooperative:
            if all(self.finishers.values()) and not self.over:
                self.won = True
                self._end()
            return
        needed = 8 if self.config["game"] == "set_sail" else 12
        for seat in self.seats:
            if seat.influence["total"] >= needed and (seat.expeditions or not self.config["alternative_end"]):
                self.end_flag = True

    def _end(self, truncated: bool = False) -> None:
        """Stop the game."""
        self.over, self.truncated = True, truncated

    # Phase 1, discover

    def _can_draw(self) -> bool:
        """Whether there is a card to turn up."""
        return bool(self.time) if self.timed and not self.drawn else self.cards_to_draw > 0

    def _may_stop(self) -> bool:
        """Whether the active player has drawn enough."""
        return self.drawn > 0 or not self._can_draw()

    def _discover_answers(self) -> list[Action]:
        """The actions of the active player in phase 1 that are not free actions."""
        answers: list[Action] = []
        if self._can_draw() and not self.gamblers_used:
            answers.append(("draw",))
        if self._may_stop():
            answers.append(("stop",))
        if self._can_draw() and self.seats[self.active].count("gambler") > self.gamblers_used:
            answers.append(("use_gambler",))
        return answers

    def _discover(self) -> None:
        """Ask the active player how to continue phase 1."""
        self._ask_freely("DISCOVER", self.active, self._discover_answers())

    def _answer_discover(self, player: int, action: Action) -> None:
        if action == ("draw",):
            self._then(("_draw", True), ("_look_at_harbour",), ("_discover",))
        elif action == ("stop",):
            self._begin_phase_2()
        elif action == ("use_gambler",):
            self.gamblers_used += 1
            self._then(*[("_draw", False)] * 4, ("_judge_gambler",), ("_look_at_harbour",), ("_discover",))
        else:
            self._act_freely(player, action, ("_discover",))

    def _begin_phase_2(self) -> None:
        """The active player first, then the others clockwise."""
        self._then(*(("_begin_part", seat) for seat in self._clockwise(self.active)), ("_clear_harbour",))

    def _draw(self, may_repel: bool) -> None:
        """Turn up a card and put it in its place; a gambler draws the cards that are available."""
        if not self._can_draw():
            return
        card = self.time.pop() if self.timed and not self.drawn else self._top_card()
        face = self._turn_up(card)
        self.drawn += 1
        if face.category == "person":
            self.harbour.append(face)
        elif face.category == "expedition":
            self.table.append(face)
        elif face.category == "tax":
            self.pending = face
            self._then(("_tax",))
        elif may_repel:
            self.pending = face
            self._then(("_meet_ship",))
        else:
            self.harbour.append(face)

    def _meet_ship(self) -> None:
        """Ask whether the ship just drawn is repelled, if it can be."""
        assert self.pending is not None
        doubles = any(card.colour == self.pending.colour for card in self._ships())
        answers: list[Action] = [("let_in",)]
        if self.pending.repellable and self.seats[self.active].sabres >= self._sabres_needed(self.pending):
            answers = [("repel",)] if doubles and self.config["must_repel_duplicate"] else [("repel",), ("let_in",)]
        self._ask("REPEL", self.active, answers)

    def _sabres_needed(self, ship: Kind) -> int:
        """How many sabres repel a ship."""
        return ship.sabres

    def _answer_repel(self, player: int, action: Action) -> None:
        ship, self.pending = self.pending, None
        assert ship is not None
        if action == ("let_in",):
            doubles = any(card.colour == ship.colour for card in self._ships())
            self.harbour.append(ship)
            if doubles:
                self._bust()
            return
        pack = self._contract_for("repel_5_colours")
        seat = self.seats[player]
        if pack and self._can_advance(player, pack) and ship.colour not in [one.colour for one in seat.kept]:
            seat.kept.append(ship)
            if len(seat.kept) == len(COLOURS):
                self.discard += seat.kept
                seat.kept = []
                self._advance(player, pack)
        else:
            self.discard.append(ship)

    def _ships(self) -> list[Kind]:
        """The ships in the harbour."""
        return [card for card in self.harbour if card.category == "ship"]

    def _colours(self) -> int:
        """How many ship colours lie in the harbour."""
        return len({ship.colour for ship in self._ships()})

    def _judge_gambler(self) -> None:
        """After a gambler's four cards: two ships of one colour end the turn."""
        if len(self._ships()) > self._colours():
            self._bust()

    def _bust(self) -> None:
        """End the turn without a phase 2: the remaining tasks are dropped."""
        self.agenda = []
        cards = len(self.harbour)
        self.discard += self.harbour
        self.harbour = []
        for seat in self._clockwise(self.active):
            self._gain(seat, self._bust_coins(seat, cards))
        self._then(("_offer", "bust_as_active", self.active), ("_begin_end_of_turn",))

    def _bust_coins(self, player: int, cards: int) -> int:
        """The coins of a player after a bust that lost a number of harbour cards."""
        return self.seats[player].count("jester")

    def _tax(self) -> None:
        """Players with many coins lose some; those who lost may become tax officers."""
        tax = self.pending
        assert tax is not None
        payers = []
        for player in self._clockwise(self.active):
            coins = len(self.seats[player].coins)
            if coins >= tax.tax_from:
                loss = coins // 2 if tax.tax_rule == "half_rounded_down" else coins - 8
                self._spend(player, loss)
                if loss:
                    payers.append(player)
        self._then(*(("_offer", "pay_tax", player) for player in payers), ("_tax_bonus",), ("_offer_score_card",))

    def _tax_bonus(self) -> None:
        """All players who tie for most sabres or least influence get the bonus; then the tax is discarded."""
        tax, self.pending = self.pending, None
        assert tax is not None
        if tax.tax_bonus == "max_sabres":
            values = [seat.sabres for seat in self.seats]
            best = max(values)
        else:
            values = [seat.influence["total"] for seat in self.seats]
            best = min(values)
        for player in self._clockwise(self.active):
            if values[player] == best:
                self._gain(player, tax.bonus_coins)
        self.discard.append(tax)

    def _offer_score_card(self) -> None:
        """After a tax the active player may move a card from the time deck to the score deck."""
        if self.timed and self.time:
            self._ask("SET_ASIDE", self.active, [("accept",), ("decline",)])

    def _answer_set_aside(self, player: int, action: Action) -> None:
        if action == ("accept",):
            self.score.append(self.time.pop())

    # Phase 2, trade and hire

    def _begin_part(self, player: int) -> None:
        """The income of a player before taking cards, and its number of takes."""
        seat = self.seats[player]
        cards, ships = len(self.harbour), len(self._ships())
        if player != self.active:
            self.sleep = set()
        if cards >= 5:
            self._gain(player, 2 * seat.count("admiral"))
        if cards == 0:
            self._gain(player, seat.count("jester"))
        self._gain(player, max(ships - 1, 0) * seat.count("gunner"))
        if cards in (3, 4):
            each = 1 if player == self.active else self.config["vice_admiral_passive"]
            self._gain(player, each * seat.count("vice_admiral"))
        self.takes = 1 + seat.count("governor")
        if player == self.active:
            self.takes += max(self._colours() - 3, 0) + self.gamblers_used
        self._then(("_take", player))

    def _take(self, player: int) -> None:
        """Ask a player for its next take."""
        answers: list[Action] = [("done",), *self._other_answers(player)]
        if self.takes:
            for card in self.harbour:
                if card.category == "ship":
                    answers += self._ship_answers(player, card)
                elif len(self.seats[player].coins) >= self._price(player, card) + self._fee(player):
                    answers.append(card.hire)
        self._ask_freely("TAKE", player, dict.fromkeys(answers))

    def _other_answers(self, player: int) -> list[Action]:
        """The other actions of a player in its part."""
        return []

    def _ship_answers(self, player: int, ship: Kind) -> list[Action]:
        """The ways in which a player may take a ship."""
        answers: list[Action] = []
        if self._coins_after(player, ship) >= self._fee(player):
            answers.append(("trade", ship.colour))
        contract = self._contract_for(REFUSALS.get(ship.colour, ""))
        if contract and self._can_advance(player, contract):
            if len(self.seats[player].coins) >= self._fee(player):
                answers.append(("refuse", ship.colour))
        return answers

    def _price(self, player: int, person: Kind) -> int:
        """The price of a person for a player, without the fee."""
        return max(person.cost - self.seats[player].count("mademoiselle"), 0)

    def _trade_coins(self, player: int, ship: Kind) -> int:
        """The coins that a ship pays a player."""
        return ship.coins + self.seats[player].count("trader", ship.colour)

    def _coins_after(self, player: int, ship: Kind) -> int:
        """The number of coins after the ship has paid, limited by the cards that can be drawn."""
        seat = self.seats[player]
        there = self.cards_to_draw + (seat.count("merchant", ship.colour) == 0)
        return len(seat.coins) + min(self._trade_coins(player, ship), there)

    def _answer_take(self, player: int, action: Action) -> None:
        again = ("_take", player)
        if action == ("done",):
            return
        if action[0] == "hire":
            self.takes -= 1
            person = self.hires[action]
            self.harbour.remove(person)
            self._spend(player, self._price(player, person))
            self._pay_fee(player)
            self.seats[player].display.append(person)
            self._then(again)
        elif action[0] in ("trade", "refuse"):
            self._take_ship(player, str(action[1]), refused=action[0] == "refuse")
        else:
            self._act_freely(player, action, again)

    def _take_ship(self, player: int, colour: str, refused: bool) -> None:
        """Trade a ship, or take it without its coins for a contract."""
        seat = self.seats[player]
        ship = next(card for card in self._ships() if card.colour == colour)
        self.takes += seat.count("clerk", colour) - 1
        self.harbour.remove(ship)
        if seat.count("merchant", colour) and not refused:
            seat.under.append(ship)
        else:
            self.discard.append(ship)
        if not refused:
            self._gain(player, self._trade_coins(player, ship))
        self._pay_fee(player)
        if refused:
            contract = self._contract_for(REFUSALS[colour])
            assert contract is not None
            self._advance(player, contract)
        self._then(("_take", player))
        self.gift = ship.coins_other
        if self.gift and self.players > 1:
            self._then(("_give", player))

    def _give(self, player: int) -> None:
        """Ask who else gets a coin from the deck."""
        self._ask("GIVE", player, [(f"give_{steps}",) for steps in range(1, self.players)])

    def _answer_give(self, player: int, action: Action) -> None:
        steps = int(str(action[0]).removeprefix("give_"))
        self._gain((player + steps) % self.players, self.gift)

    def _clear_harbour(self) -> None:
        """Discard the rest of the harbour after all players had their part."""
        self.discard += self.harbour
        self.harbour = []
        self._then(("_begin_end_of_turn",) if self.acted else ("_finish_turn",))

    # The end of a turn

    def _begin_end_of_turn(self) -> None:
        """After a bust, or when the others have played, the active player gets a last chance."""
        self.sleep = set()
        self._then(("_end_of_turn",))

    def _end_of_turn(self) -> None:
        self._ask_freely("END_OF_TURN", self.active, [("done",)])

    def _answer_end_of_turn(self, player: int, action: Action) -> None:
        if action == ("done",):
            self._then(("_finish_turn",))
        else:
            self._act_freely(player, action, ("_end_of_turn",))

    # Expeditions and contracts

    def _act_freely(self, player: int, action: Action, again: Task) -> None:
        """Claim an expedition or complete a contract, then ask again."""
        self._then(again)
        if action[0] == "claim":
            self.claiming = self.kinds[str(action[1])]
            self._then(("_pay", player, self._symbols(self.claiming), ""), ("_finish_claim", player))
            return
        contract = self.contracts[str(action[1])]
        if contract.requirement == "pay_15_coins":
            self._spend(player, RANSOM)
        self._advance(player, contract)

    def _can_claim(self, player: int, expedition: Kind) -> bool:
        """Whether a player meets the requirements of an expedition."""
        return self._can_pay(player, self._symbols(expedition))

    @staticmethod
    def _symbols(expedition: Kind) -> tuple[str, ...]:
        """The symbols that an expedition requires, in the order of payment."""
        return tuple(symbol for symbol, needed in zip(SYMBOLS, expedition.requires, strict=True) for _ in range(needed))

    def _can_pay(self, player: int, symbols: tuple[str, ...]) -> bool:
        """Whether a player has the symbols, with jacks in place of missing ones."""
        seat = self.seats[player]
        missing = sum(max(needed - seat.count_symbol(symbol), 0) for symbol, needed in Counter(symbols).items())
        return missing <= seat.count(JACK)

    def _ways_to_pay(self, persons: Counter[str], symbols: tuple[str, ...], last: str) -> list[Action]:
        """The ways to pay the first symbol so that the others can still be paid; ``last`` paid an equal symbol."""
        ways: list[Action] = []
        for answer in PAYMENTS[PAYMENTS.index(last) if last else 0 :]:
            person = self._payer(answer, symbols[0])
            if not persons[person]:
                continue
            rest = symbols[1:]
            left = persons - Counter([person])
            if not rest or self._ways_to_pay(left, rest, answer if rest[0] == symbols[0] else ""):
                ways.append((answer,))
        return ways

    @staticmethod
    def _payer(answer: str, symbol: str) -> str:
        """The person that leaves for a symbol."""
        return {"pay_match": symbol, "pay_special": special(symbol), "pay_jack": JACK}[answer]

    def _pay(self, player: int, symbols: tuple[str, ...], last: str) -> None:
        """Ask whether a matching person or a jack pays the next symbol."""
        if symbols:
            self.owed = symbols
            persons = Counter(card.type for card in self.seats[player].display)
            self._ask("PAY", player, self._ways_to_pay(persons, symbols, last))

    def _answer_pay(self, player: int, action: Action) -> None:
        symbol, *rest = self.owed
        person = self._payer(str(action[0]), symbol)
        display = self.seats[player].display
        card = next(card for card in display if card.type == person)
        display.remove(card)
        self.discard.append(card)
        self._then(("_pay", player, tuple(rest), action[0] if rest and rest[0] == symbol else ""))

    def _finish_claim(self, player: int) -> None:
        """The expedition is paid: take it and its coins."""
        expedition, self.claiming = self.claiming, None
        assert expedition is not None
        self.table.remove(expedition)
        self.seats[player].expeditions.append(expedition)
        self._gain(player, expedition.coins)

    def _contract_for(self, requirement: str) -> Contract | None:
        """The face-up contract with a requirement, if there is one."""
        return next((one for one in self.contracts.values() if one.requirement == requirement), None)

    def _can_advance(self, player: int, contract: Contract) -> bool:
        """Whether a player has a cube for a contract that it has not completed."""
        seat = self.seats[player]
        return contract.name not in seat.completed and (contract.name in seat.progress or seat.free_cubes > 0)

    def _can_complete(self, player: int, contract: Contract) -> bool:
        """Whether a player may complete a contract by its own choice."""
        if contract.timing != "free" or not self._can_advance(player, contract):
            return False
        seat = self.seats[player]
        match contract.requirement:
            case "two_persons":
                return all(seat.count(type_) >= needed for type_, needed in Counter(contract.persons).items())
            case "expedition_1":
                return len(seat.expeditions) >= 1
            case "sabres_3":
                return seat.sabres >= 3
            case "persons_cost_3_4":
                return sum(card.cost <= 3 for card in seat.display) >= 4
            case "influence_12":
                return seat.influence["total"] >= 12
            case "pay_15_coins":
                return len(seat.coins) >= RANSOM
        raise ValueError(f"contracts.csv has an unknown free requirement {contract.requirement!r}.")

    def _advance(self, player: int, contract: Contract) -> None:
        """Move a cube one step: to the next progress space, or to the first free coin space."""
        seat = self.seats[player]
        done = seat.progress.get(contract.name, 0)
        if done < contract.progress_spaces:
            seat.progress[contract.name] = done + 1
            return
        seat.progress.pop(contract.name, None)
        seat.completed.append(contract.name)
        finishers = self.finishers[contract.name]
        finishers.append(player)
        self._gain(player, contract.coins[len(finishers) - 1])

    def _look_at_harbour(self) -> None:
        """Three or four ship colours in the harbour trigger two contracts, each once a turn."""
        tasks: list[Task] = []
        for requirement, colours in (("harbour_3_colours_2", 3), ("harbour_4_colours", 4)):
            if self._colours() >= colours and requirement not in self.marked:
                self.marked.add(requirement)
                tasks.append(("_offer", requirement, self.active))
        self._then(*tasks)

    def _offer(self, requirement: str, player: int) -> None:
        """Ask a player about a contract that must be decided at once."""
        contract = self._contract_for(requirement)
        if contract is None or not self._can_advance(player, contract):
            return
        if contract.name in self.seats[player].progress:
            self._advance(player, contract)  # the cube is already there: no decision
            return
        self.contract = contract
        self._ask("IMMEDIATE", player, [("accept",), ("decline",)])

    def _answer_immediate(self, player: int, action: Action) -> None:
        contract, self.contract = self.contract, None
        assert contract is not None
        if action == ("accept",):
            self._advance(player, contract)

    # Visible information

    def position(self) -> dict[str, Any]:
        """Everything in the recorded games, and other visible information."""
        return {
            "question": self.question,
            "player": self.player,
            "legal": [list(action) for action in self.legal],
            "asleep": [list(action) for action in self.asleep],
            "turn": self.turn,
            "active": self.active,
            "end_flag": self.end_flag,
            "drawn": self.drawn,
            "takes": self.takes,
            "deck": len(self.deck),
            "time": len(self.time),
            "score": len(self.score),
            "harbour": names(self.harbour),
            "table": names(self.table),
            "pending": self.pending and self.pending.name,
            "coins": [len(seat.coins) for seat in self.seats],
            "influence": [seat.influence["total"] for seat in self.seats],
            "sabres": [seat.sabres for seat in self.seats],
            "contracts": {
                name: {
                    "finishers": list(self.finishers[name]),
                    "progress": [seat.progress.get(name, 0) for seat in self.seats],
                }
                for name in self.contracts
            },
            "display": [names(seat.display) for seat in self.seats],
            "discard": names(self.discard),
            "expeditions": [names(seat.expeditions) for seat in self.seats],
            "under": [names(seat.under) for seat in self.seats],
            "kept": [names(seat.kept) for seat in self.seats],
            "asked_contract": self.contract and self.contract.name,
            "claiming": self.claiming and self.claiming.name,
            "gamblers_used": self.gamblers_used,
        }

    def result(self) -> dict[str, Any]:
        """The current standing, or the result."""
        influence = [seat.influence for seat in self.seats]
        everybody = list(range(self.players))
        eligible = everybody
        if self.config["alternative_end"]:
            eligible = [player for player in everybody if self.seats[player].expeditions] or everybody
        standing = [
            (player in eligible, influence[player]["total"], len(self.seats[player].coins)) for player in everybody
        ]
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        winners = [player for player in everybody if ranks[player] == 1]
        shares = [1 / len(winners) if player in winners else 0.0 for player in everybody]
        team = None
        if self.cooperative:
            points = len(self.score) if self.won else 0
            team = {"won": self.won, "points": points, "title": TITLES[min(points // 2, 4)] if self.won else None}
            ranks = [1] * self.players
            shares = [float(self.won)] * self.players
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
        cards = Counter(self.harbour + self.table + self.discard)
        for pool in self.unseen:
            cards.update(pool)
        for seat in self.seats:
            cards.update(seat.display + seat.expeditions + seat.under + seat.kept)
        if self.pending is not None:
            cards[self.pending] += 1
        return +cards

    def check(self) -> None:
        """Assert that no card was lost or created, and that every epoch has a face for each of its face-down cards."""
        assert self.count_cards() == self.total
        face_down = self.deck + self.time + self.score
        for seat in self.seats:
            face_down = face_down + seat.coins
        sizes = Counter(card.epoch for card in face_down)
        for epoch, pool in enumerate(self.unseen):
            assert pool.total() == sizes[epoch]
            if self.faces is None:
                assert +pool == Counter(card.face for card in face_down if card.epoch == epoch)
        assert all(card.epoch == self.epoch for card in self.deck)
