"""Setting up a position from a description; see position.py for the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pr_env.checks import listed, shown
from pr_env.port_royal.adventure.position import AdventureReader
from pr_env.port_royal.cards import PERSON, SHIP
from pr_env.port_royal.position import ASKED, Names
from pr_env.port_royal.state import (
    CHAPTER_OVER,
    CONTRACTS_DONE,
    DECISIONS_OVER,
    DISCOVER,
    END_OF_TURN,
    ENOUGH_INFLUENCE,
    FIRST_COIN_SPACE,
    GAME_OVER,
    GIVE,
    IMMEDIATE,
    ITEM,
    NAME,
    NO_CUBE,
    NOTHING,
    NUM_EPOCHS,
    ON_TABLE,
    OWNED,
    PAY,
    QUESTIONS,
    REPEL,
    SET_ASIDE,
    STALEMATE,
    TAKE,
    TIME_OVER,
    TURNS_OVER,
)
from pr_env.port_royal.tables import (
    ABILITIES,
    CONTRACT_INFLUENCE,
    CONTRACTS_COMPETITIVE,
    CONTRACTS_COOPERATIVE,
    GAMBLER_DRAWS,
    GOVERNOR,
    NUM_CUBES,
    TAKES_BY_COLOURS,
    THREE_COLOURS_TWICE,
    TIME_CARDS,
)
from pr_env.positions import PositionError
from pr_env.randomness import start_generator
from pr_env.reading import Reader, name_in, whole

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal

_CLAIMED_AT = (QUESTIONS[DISCOVER], QUESTIONS[TAKE], QUESTIONS[END_OF_TURN])


def read_position(position: Mapping[str, Any], game: PortRoyal) -> np.ndarray:
    """One record, shape (1,), for a position.

    Raises:
        PositionError: If the position is impossible, or the description cannot be read.
    """
    games = game.blank.copy()
    description = _Description(Reader(position, "the position"), games[0], game)
    description.read()
    problems = game.problems(games)
    if problems:
        raise _impossible(listed([problem.removesuffix(" (game 0)") for problem in problems]))
    return games


def _impossible(sentence: str) -> PositionError:
    return PositionError(f"impossible position: {sentence}")


class _Description:
    """A description that is read into a record, part by part."""

    def __init__(self, reader: Reader, record: Any, game: PortRoyal) -> None:
        self.reader, self.record, self.game = reader, record, game
        self.names = Names(game)
        self.shape, self.players = game.shape, game.players
        self.tables: Any = game.tables[0]
        self.adventure = AdventureReader(record, game, self.names) if self.shape.adventure else None

    def read(self) -> None:
        self._read_identity()
        self._read_turn()
        self._read_seats()
        self._read_table()
        self._read_contracts()
        if self.adventure:
            self.adventure.read_table(self.reader)
        decision = self.reader.mapping("decision")
        self._read_gambler(decision)
        self._read_decision(decision)
        if self.adventure:
            self.adventure.read_decision(decision)
        decision.finish()
        self._read_drawn()
        self._read_takes()
        self._add_up()
        self._read_piles()
        self._read_end()
        self._read_asleep()
        self.reader.finish()

    # -- whose turn it is ----------------------------------------------------------------------------------------------

    def _read_identity(self) -> None:
        reader, record = self.reader, self.record
        reader.same("game", NAME)
        reader.same("players", self.players)
        record.seed = reader.whole("seed", 0, high=2**64 - 1)
        record.rng = reader.whole("generator", int(start_generator(np.uint64(record.seed))), high=2**64 - 1)
        record.decisions = reader.whole("decisions", 0, high=self.game.max_decisions)

    def _read_turn(self) -> None:
        """Read the turn; seat 0 begins, so its number determines the active player."""
        reader, record, last = self.reader, self.record, self.players - 1
        if "turn" in reader.data:
            turn = reader.whole("turn", 1, high=self.game.max_turns)
            if turn == 0:
                raise PositionError("turn in the position must be at least 1, got 0")
            record.active = reader.whole("active", (turn - 1) % self.players, high=last)
        else:
            record.active = reader.whole("active", 0, high=last)
            turn = reader.whole("turn", int(record.active) + 1)
        record.turn = turn
        if (turn - 1) % self.players != record.active:
            raise _impossible(f"active must be {(turn - 1) % self.players} in turn {turn}, got {record.active}")
        record.player = reader.whole("player", int(record.active), high=last)
        questions = self._questions()
        record.question = QUESTIONS.index(questions[reader.name("question", questions, QUESTIONS[DISCOVER]) or 0])

    def _questions(self) -> list[str]:
        shape = self.shape
        left_out = {
            PAY: not shape.expeditions,
            GIVE: not shape.gifts,
            IMMEDIATE: not shape.contracts and not shape.adventure,
            SET_ASIDE: not shape.cooperative,
        }
        left_out |= dict.fromkeys(range(SET_ASIDE + 1, len(QUESTIONS)), not shape.adventure)
        return [name for number, name in enumerate(QUESTIONS) if not left_out.get(number, False)]

    # -- face-up cards ---------------------------------------------------------------------------------------------

    def _read_seats(self) -> None:
        record, names = self.record, self.names
        seats = self.reader.sequence("seats", [{}] * self.players)
        if len(seats) != self.players:
            raise PositionError(f"seats must have {self.players} entries, one for each player, got {len(seats)}")
        for seat, description in enumerate(seats):
            reader = Reader(description, f"seat {seat}")
            record.purse[seat] = reader.whole("coins", 0, high=self.shape.cards)
            record.display[seat] = self._counts(reader, "display", names.persons)
            for expedition in self._distinct(reader, "expeditions", names.expeditions):
                if record.expedition[expedition] >= OWNED:
                    owner = int(record.expedition[expedition]) - OWNED
                    raise _impossible(
                        f"{names.expeditions[expedition]} must not belong to both seat {owner} and seat {seat}"
                    )
                record.expedition[expedition] = OWNED + seat
            if self.shape.merchants:
                record.under[seat] = self._counts(reader, "under_merchants", names.ships, names.first_ship)
                self._check_merchants(seat)
            if self.shape.contracts:
                record.kept[seat] = self._ships(reader, "kept_ships")
                if (record.kept[seat] != NOTHING).all():
                    raise _impossible(
                        f"seat {seat} must not keep ships of all colours, which would complete the contract"
                    )
            if self.adventure:
                self.adventure.read_seat(reader, seat)
            reader.finish()

    def _check_merchants(self, seat: int) -> None:
        merchants = {
            card.colour
            for card, count in zip(self.game.cards.of(PERSON), self.record.display[seat], strict=True)
            if count and card.type == "merchant"
        }
        for card, count in zip(self.game.cards.of(SHIP), self.record.under[seat], strict=True):
            if count and card.colour not in merchants:
                raise _impossible(f"seat {seat} must have a merchant of the colour of {card.name}, which is under one")

    def _counts(self, reader: Reader, key: str, names: Sequence[str], first: int = 0) -> np.ndarray:
        """Counts of cards by name, at most as many as the game has; ``first`` is the kind of the first name."""
        counts = reader.counts(key, names)
        for place, count in enumerate(counts):
            copies = int(self.tables.copies[first + place])
            if count > copies:
                raise PositionError(f"{names[place]} in {key} in {reader.path} must be at most {copies}, got {count}")
        return counts

    def _distinct(self, reader: Reader, key: str, names: Sequence[str], default: Sequence[str] = ()) -> list[int]:
        """The indices of the names in a list, each at most once."""
        places = []
        for value in reader.sequence(key, default):
            place = name_in(value, names, f"each of {key} in {reader.path}")
            if place in places:
                raise PositionError(f"{key} in {reader.path} must not have {value} twice")
            places.append(place)
        return places

    def _ships(self, reader: Reader, key: str) -> np.ndarray:
        """Kinds of ships by colour, at most one each."""
        ships = np.full(len(self.names.colours), NOTHING)
        for value in reader.sequence(key, []):
            kind = self.names.first_ship + name_in(value, self.names.ships, f"each of {key} in {reader.path}")
            colour = int(self.tables.colour[kind])
            if ships[colour] != NOTHING:
                raise PositionError(
                    f"{key} in {reader.path} must have at most one {self.names.colours[colour]} ship, got {value}"
                )
            ships[colour] = kind
        return ships

    def _read_table(self) -> None:
        reader, record, names = self.reader, self.record, self.names
        harbour = reader.mapping("harbour")
        record.harbour = self._counts(harbour, "persons", names.persons)
        record.harbour_ship = self._ships(harbour, "ships")
        harbour.finish()
        for expedition in self._distinct(reader, "table", names.expeditions):
            if record.expedition[expedition] >= OWNED:
                owner = int(record.expedition[expedition]) - OWNED
                raise _impossible(f"{names.expeditions[expedition]} must not be on the table, as seat {owner} has it")
            record.expedition[expedition] = ON_TABLE
        for expedition, name in enumerate(names.expeditions):
            least = int(self.tables.min_players[names.first_expedition + expedition])
            if least > self.players and record.expedition[expedition]:
                raise _impossible(f"{name} needs at least {least} players")
            if 0 < least <= self.players and not record.expedition[expedition]:
                record.expedition[expedition] = ON_TABLE  # it is never shuffled, so it is nowhere else

    # -- contracts -------------------------------------------------------------------------------------------------

    def _read_contracts(self) -> None:
        if not self.shape.contracts:
            return
        reader, record, names = self.reader, self.record, self.names
        wanted = CONTRACTS_COOPERATIVE[self.players] if self.shape.cooperative else CONTRACTS_COMPETITIVE
        if "contracts" not in reader.data:
            record.face_up[:wanted] = 1
        contracts = reader.mapping("contracts")
        if contracts.data and len(contracts.data) != wanted:
            raise PositionError(f"contracts must be the {wanted} face-up ones, got {len(contracts.data)}")
        for number, name in enumerate(names.contracts):
            if name in contracts.data:
                record.face_up[number] = 1
                self._read_contract(contracts.mapping(name), number)
            else:
                contracts.known.append(name)
        contracts.finish()
        for seat in range(self.players):
            cubes = int((record.cube[seat] != NO_CUBE).sum())
            if cubes > NUM_CUBES:
                raise _impossible(f"seat {seat} must have at most {NUM_CUBES} cubes on contracts, got {cubes}")
        record.ask, record.asked_turn = 0, 0

    def _read_contract(self, reader: Reader, number: int) -> None:
        record, spaces = self.record, self.game.cards.contracts[number].progress_spaces
        for space, seat in enumerate(reader.sequence("completed", [])):
            seat = whole(seat, f"each of completed in {reader.path}", self.players - 1)
            if record.cube[seat, number] != NO_CUBE:
                raise PositionError(f"completed in {reader.path} must not have seat {seat} twice")
            record.cube[seat, number] = FIRST_COIN_SPACE + space
        if spaces:
            for seat, space in enumerate(self._by_seat(reader, "progress", spaces)):
                if space and record.cube[seat, number] != NO_CUBE:
                    raise _impossible(
                        f"seat {seat} must not have progress on {self.names.contracts[number]}, which it has completed"
                    )
                if space:
                    record.cube[seat, number] = space
        reader.finish()

    def _by_seat(self, reader: Reader, key: str, high: int) -> list[int]:
        """A list of numbers, one for each seat."""
        values = reader.sequence(key, [0] * self.players)
        if len(values) != self.players:
            raise PositionError(f"{key} in {reader.path} must have {self.players} numbers, one for each player")
        return [whole(value, f"each of {key} in {reader.path}", high) for value in values]

    # -- the decision ----------------------------------------------------------------------------------------------

    def _read_gambler(self, decision: Reader) -> None:
        if not self.shape.gamblers:
            return
        record, names = self.record, self.names
        record.gamblers_used = self.reader.whole("gamblers_used", 0, high=100)
        if record.question not in (IMMEDIATE, SET_ASIDE, GAME_OVER):
            return
        record.draws_left = decision.whole("draws_left", 0, high=GAMBLER_DRAWS)
        doubles = decision.sequence("double_ships", [])
        if doubles and len(doubles) > GAMBLER_DRAWS - record.draws_left + 1:
            raise _impossible(
                f"double_ships must be at most the {GAMBLER_DRAWS - record.draws_left + 1} cards that were drawn"
            )
        for place, value in enumerate(doubles):
            kind = names.first_ship + name_in(value, names.ships, f"each of double_ships in {decision.path}")
            if record.harbour_ship[self.tables.colour[kind]] == NOTHING:
                raise _impossible(f"each of double_ships must double a ship in the harbour, got {value}")
            record.double_ship[place] = kind
        if record.draws_left and not record.gamblers_used:
            raise _impossible("gamblers_used must be at least 1 with draws_left, got 0")

    def _read_decision(self, decision: Reader) -> None:
        record, names, question = self.record, self.names, self.record.question
        over = question == GAME_OVER  # a game may be truncated in the middle of a decision
        if question == REPEL or (over and "ship" in decision.data):
            record.pending = names.first_ship + self._named(decision, "ship", names.ships)
        if question == PAY or (over and "expedition" in decision.data):
            self._read_claim(decision)
        if question == GIVE or (over and "coins" in decision.data):
            record.gift = decision.whole("coins", 1, high=99)
            if record.gift == 0:
                raise PositionError("coins in decision must be at least 1, got 0")
        if self.shape.contracts and (question == IMMEDIATE or (over and "contract" in decision.data)):
            record.asked_about = self._named(decision, "contract", names.contracts)
        if (question in (IMMEDIATE, ITEM) or over) and "tax" in decision.data:
            record.pending = names.first_tax + self._named(decision, "tax", names.taxes)
            for seat in [] if self.adventure else decision.sequence("to_ask", []):
                record.ask |= 1 << whole(seat, f"each of to_ask in {decision.path}", self.players - 1)
        if self.shape.contracts:
            asked = [ASKED[bit] for bit in range(len(ASKED)) if self._has_asked(bit)]
            for bit in self._distinct(self.reader, "asked", ASKED, asked):
                record.asked_turn |= 1 << bit

    def _named(self, reader: Reader, key: str, names: Sequence[str]) -> int:
        """The index of a name that must be given."""
        place = reader.name(key, names, None)
        if place is None:
            question = QUESTIONS[self.record.question]
            raise PositionError(f"{reader.path} needs {key!r} at the question {question!r}: one of {', '.join(names)}")
        return place

    def _read_claim(self, decision: Reader) -> None:
        """Symbols are paid in their order, so the owed ones are the last ones of the expedition."""
        record, names = self.record, self.names
        expedition = self._named(decision, "expedition", names.expeditions)
        record.pending = names.first_expedition + expedition
        required = self.tables.requires[expedition]
        owed = required
        if "owed" in decision.data:
            owed = decision.counts("owed", names.symbols)
            first = int(np.argmax(owed > 0))
            if not 0 < owed[first] <= required[first] or owed[:first].any() or (owed != required)[first + 1 :].any():
                symbols = ", ".join(
                    f"{count} {name}" for name, count in zip(names.symbols, required, strict=True) if count
                )
                raise PositionError(
                    f"owed in decision must be the last of what {names.expeditions[expedition]} asks for ({symbols})"
                )
        else:
            decision.known.append("owed")
        record.owed = owed
        record.only_jacks = self._flag(decision, "only_jacks", default=False)
        record.claimed_at = QUESTIONS.index(_CLAIMED_AT[decision.name("claimed_at", _CLAIMED_AT, _CLAIMED_AT[0]) or 0])

    def _has_asked(self, bit: int) -> bool:
        """Whether a contract for this many colours was asked about, by default: when the last ship came in."""
        colours = int((self.record.harbour_ship != NOTHING).sum())
        about = int(self.record.asked_about)
        before = about != NOTHING and self.tables.requirement[about] == THREE_COLOURS_TWICE and bit == 1
        return colours >= 3 + bit and not before

    def _flag(self, reader: Reader, key: str, default: bool) -> bool:
        value = reader.take(key, default)
        if not isinstance(value, (bool, np.bool_)):
            raise PositionError(f"{key} in {reader.path} must be true or false, got {shown(value)}")
        return bool(value)

    def _read_drawn(self) -> None:
        record = self.record
        lying = int(record.harbour.sum()) + int((record.harbour_ship != NOTHING).sum())
        lying += record.pending >= self.names.first_ship and not self._claims()
        if self.shape.gamblers:
            lying += int((record.double_ship != NOTHING).sum())
        least = lying if record.question == DISCOVER or self._claims() else max(1, lying)
        record.drawn = self.reader.whole("drawn", least, high=30000)
        if record.drawn < lying:
            raise _impossible(
                f"drawn must be at least {lying}, the cards on the table from this turn, got {record.drawn}"
            )
        record.dry = self.reader.whole("dry_turns", 0, high=self.players)
        record.acted = self._flag(self.reader, "others_acted", default=False)

    def _claims(self) -> bool:
        return bool(self.names.first_expedition <= self.record.pending < self.names.first_tax)

    def _read_takes(self) -> None:
        record = self.record
        takes = 0
        if record.question == TAKE:
            persons = self.game.cards.of(PERSON)
            display = record.display[record.player]
            takes = 1 + sum(
                int(count) for card, count in zip(persons, display, strict=True) if card.type == ABILITIES[GOVERNOR]
            )
            if record.player == record.active:
                takes += TAKES_BY_COLOURS[int((record.harbour_ship != NOTHING).sum())] - 1
                takes += int(record.gamblers_used) if self.shape.gamblers else 0
        record.takes = self.reader.whole("takes", takes, high=100)

    # -- what follows ----------------------------------------------------------------------------------------------

    def _add_up(self) -> None:
        """Compute the sums that the record stores."""
        record, tables, persons = self.record, self.tables, self.shape.persons
        display = record.display.astype(np.int64)
        record.staff = 0
        for kind in range(persons):
            record.staff[:, tables.ability[kind]] += record.display[:, kind]
        record.sabres = display @ tables.sabres[:persons]
        record.influence = display @ tables.influence[:persons]
        for expedition, place in enumerate(record.expedition):
            if place >= OWNED:
                record.influence[place - OWNED] += tables.influence[self.names.first_expedition + expedition]
        if self.shape.merchants:
            record.influence += record.under.sum(axis=1, dtype=np.int16)
        if self.shape.contracts:
            completed = (record.cube >= FIRST_COIN_SPACE).sum(axis=1)
            record.influence += np.array(CONTRACT_INFLUENCE, np.int16)[completed]
        if self.adventure:
            self.adventure.add_up()
        record.harbour_persons = record.harbour.sum(dtype=np.int64)

    # -- face-down cards ---------------------------------------------------------------------------------------------

    def _read_piles(self) -> None:
        reader, record, names = self.reader, self.record, self.names
        record.discard = self._counts(reader, "discard", names.kinds)
        record.discards = record.discard.sum(dtype=np.int64)
        self._read_time_deck()
        elsewhere = self._cards_face_up() + self._read_older()
        wanted = np.where(self.tables.min_players == 0, self.tables.copies, 0)
        for name, count, copies in zip(names.kinds, elsewhere, wanted, strict=True):
            if count > copies:
                raise _impossible(f"{name} must be there at most {copies} times, got {count}")
        if "face_down" in reader.data:
            record.unseen = self._counts(reader, "face_down", names.kinds)
            for name, count, copies in zip(names.kinds, elsewhere + record.unseen, wanted, strict=True):
                if count != copies:
                    raise _impossible(f"{name} must be there {copies} times, got {count} with those face_down")
        else:
            reader.known.append("face_down")
            record.unseen = wanted - elsewhere
        current = int(record.epoch)
        coins = record.coins[:, current].sum(dtype=np.int64)
        if self.shape.cooperative and current == 0:
            coins += int(record.time) + int(record.score)
        left = int(record.unseen.sum(dtype=np.int64)) - int(coins)
        left += int(self.adventure is not None and record.top != NOTHING)
        if left < 0:
            raise _impossible(
                f"coins and set-aside cards must be at most the {coins + left} face-down cards, got {coins}"
            )
        record.deck = reader.whole("deck", left, high=self.shape.cards)
        if record.deck != left:
            raise _impossible(f"deck must be {left}, the cards that are not elsewhere, got {record.deck}")

    def _cards_face_up(self) -> np.ndarray:
        """All cards except those face down and expeditions that are never shuffled, by kind."""
        record, names = self.record, self.names
        counts = record.discard.astype(np.int64)
        counts[: names.first_ship] += record.harbour + record.display.sum(axis=0, dtype=np.int64)
        lying = [*record.harbour_ship, *([] if self._claims() else [record.pending])]
        if self.shape.gamblers:
            lying += [*record.double_ship]
        if self.shape.contracts:
            lying += [*record.kept.ravel()]
        if self.shape.merchants:
            counts[names.first_ship : names.first_expedition] += record.under.sum(axis=0, dtype=np.int64)
        if self.adventure:
            self.adventure.cards_face_up(counts)
        for kind in lying:
            if kind != NOTHING:
                counts[kind] += 1
        shuffled = self.tables.min_players[names.first_expedition : names.first_tax] == 0
        counts[names.first_expedition : names.first_tax] += (record.expedition != 0) & shuffled
        return counts

    def _read_time_deck(self) -> None:
        if not self.shape.cooperative:
            return
        reader, record = self.reader, self.record
        contracts = [c for c, face_up in zip(self.game.cards.contracts, record.face_up, strict=True) if face_up]
        size = TIME_CARDS + sum(c.seal_number for c in contracts) + len({c.seal_letter for c in contracts})
        record.score = reader.whole("score_deck", self.game.score_start, high=size)
        if record.score < self.game.score_start:
            raise _impossible(
                f"score_deck must have at least {self.game.score_start} cards as at the start, got {record.score}"
            )
        most = size - int(record.score)
        record.time = reader.whole("time_deck", most, high=size)
        if record.time > most:
            raise _impossible(
                f"time_deck and score_deck must have at most {size} cards, got {record.time + record.score}"
            )

    def _read_older(self) -> np.ndarray:
        """Read coins by shuffle; returns the cards of earlier shuffles by kind."""
        reader, record, names = self.reader, self.record, self.names
        older = reader.sequence("older", [])
        if len(older) >= NUM_EPOCHS:
            raise PositionError(f"older in the position must have at most {NUM_EPOCHS - 1} entries, got {len(older)}")
        record.epoch = len(older)
        record.merged = reader.whole("merged", 0, high=255)
        counts = np.zeros(self.shape.kinds, np.int64)
        closed: list[int] = []
        for epoch, description in enumerate(older):
            entry = Reader(description, f"entry {epoch} of older")
            coins = self._by_seat(entry, "coins", self.shape.cards)
            faces = self._counts(entry, "faces", names.kinds)
            entry.finish()
            size = sum(coins)
            if epoch == 0 and self.shape.cooperative:
                size += int(record.time) + int(record.score)
            if faces.sum() != size or size == 0:
                raise _impossible(
                    f"entry {epoch} of older must have a face for each card, got {faces.sum()} faces for {size} cards"
                )
            record.coins[: self.players, epoch] = coins
            counts += faces
            closed += [kind for kind, count in enumerate(faces) for _ in range(count)]
        if len(closed) > self.shape.cards:
            raise _impossible(f"older must have at most {self.shape.cards} cards, got {len(closed)}")
        record.closed[: len(closed)] = closed
        for seat in range(self.players):
            rest = int(record.purse[seat]) - int(record.coins[seat].sum(dtype=np.int64))
            if rest < 0:
                raise _impossible(f"seat {seat} must have at most its {record.purse[seat]} coins in older")
            record.coins[seat, record.epoch] = rest
        return counts

    # -- the end -----------------------------------------------------------------------------------------------------

    def _read_end(self) -> None:
        reader, record = self.reader, self.record
        due = self._last_round_is_due()
        record.end_flag = self._flag(reader, "last_round", due is not None)
        if record.end_flag and self.game.plays_together:
            raise _impossible("last_round must be false, as influence does not end a cooperative game")
        if due is not None and not record.end_flag:
            raise _impossible(f"last_round must be true, as seat {due} has {record.influence[due]} influence")
        reasons = self._distinct(reader, "ending", self.game.end_reasons)
        if len(reasons) > 1 or bool(reasons) != (record.question == GAME_OVER):
            raise _impossible("ending must be one reason at the question 'game_over', and none at others")
        won = self._all_completed()
        if won and record.question != GAME_OVER:
            raise _impossible("question must be 'game_over', as all contracts are completed and the game is won")
        if reasons:
            record.ending = 1 << reasons[0]
            self._check_ending(self.game.end_reasons[reasons[0]], won)

    def _last_round_is_due(self) -> int | None:
        """A seat with enough influence to end the game."""
        if self.shape.cooperative:
            return None
        for seat in range(self.players):
            if self.adventure and not self.adventure.may_end(seat):
                continue
            if self.record.influence[seat] >= self.tables.goal and (
                not self.game.alternative_end or (self.record.expedition == OWNED + seat).any()
            ):
                return seat
        return None

    def _all_completed(self) -> bool:
        if not self.shape.cooperative:
            return False
        completed = (self.record.cube >= FIRST_COIN_SPACE).any(axis=0)
        return bool(completed[self.record.face_up == 1].all())

    def _check_ending(self, name: str, won: bool) -> None:
        record, tables = self.record, self.tables
        holds = {
            ENOUGH_INFLUENCE: record.end_flag == 1 and record.active == self.players - 1,
            CONTRACTS_DONE: won,
            TIME_OVER: self.shape.cooperative and record.time == 0,
            STALEMATE: record.dry == self.players,
            CHAPTER_OVER: self.game.plays_together,
            TURNS_OVER: record.turn == tables.max_turns,
            DECISIONS_OVER: record.decisions == tables.max_decisions,
        }
        if not holds[int(record.ending)]:
            raise _impossible(f"ending must not be {name!r}, which does not follow from the rest")

    def _read_asleep(self) -> None:
        for place in self._distinct(self.reader, "asleep", self.names.sleepers):
            self.record.asleep[place] = 1
