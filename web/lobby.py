"""All tables of a server: creating and finding them, running their agents, and notifying their pages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from pr_env.game import Game
from web import views
from web.limits import Limits
from web.messages import SeatChoice
from web.players import Players
from web.store import Store
from web.table import PERSON, Access, NotAllowedError, Table, new_key
from web.thinking import Thinkers
from web.work import BusyError, Compiling, StoppedError, Work

SAVE_AFTER = 0.2  # seconds: moves in quick succession are written together
AGENT_PACE = 0.0  # seconds between moves of agents in games with people: the page itself slows them down


class Looker(Protocol):
    """A page that views a table."""

    def changed(self, table: Table) -> None:
        """Called after the table has changed."""


@dataclass
class Seat:
    """A table with its viewers and running tasks."""

    table: Table
    kept: bool
    lookers: dict[Looker, Access] = field(default_factory=dict)
    pace: float | None = None
    playing: asyncio.Task[None] | None = None
    work: Work | None = None
    compiling: Compiling | None = None
    saving: asyncio.Task[None] | None = None
    problem: str = ""


class Lobby:
    """The tables of a server.

    Args:
        limits: The limits of the server.
        players: The agents.
        thinkers: The threads that run agents.
        store: The saved tables.
    """

    def __init__(self, limits: Limits, players: Players, thinkers: Thinkers, store: Store) -> None:
        self.limits = limits
        self.players = players
        self.thinkers = thinkers
        self._store = store
        self._seats: dict[str, Seat] = {}

    # -- tables -------------------------------------------------------------------------------------------------------

    async def make(
        self,
        game: Game,
        choices: Sequence[SeatChoice],
        *,
        seed: int,
        position: dict[str, Any] | None,
        hints: bool,
        work: Work | None = None,
    ) -> tuple[Table, dict[str, Any]]:
        """Create a table, with the keys for the page that requested it.

        Raises:
            ValueError: If the seats do not match the game, or an agent cannot play it.
        """
        who = await self._who(game, choices, work)
        keys, told = _keys(choices)
        table = await self.thinkers.quickly(
            partial(Table, game, who, keys, seed if position is None else None, position, hints), work
        )
        self.add(table)
        return table, {"table": table.id, **told}

    async def branch(
        self, table: Table, move: int, choices: Sequence[SeatChoice], work: Work | None = None
    ) -> tuple[Table, dict[str, Any]]:
        """Create a table that continues from a move of another one."""
        table.check_move(move)
        who = await self._who(table.game, choices, work)
        keys, told = _keys(choices)
        actions = list(table.actions[:move])
        made = await self.thinkers.quickly(
            partial(Table, table.game, who, keys, table.seed, table.position, table.hints, actions=actions), work
        )
        self.add(made)
        return made, {"table": made.id, **told}

    async def _who(self, game: Game, choices: Sequence[SeatChoice], work: Work | None) -> tuple[str, ...]:
        """Who plays each seat. The agents are created here, so that errors appear at once."""
        if len(choices) != game.players:
            raise ValueError(f"seats must have one entry for each of the {game.players} players, got {len(choices)}")
        who = []
        for choice in choices:
            if choice.kind != "agent":
                who.append(PERSON)
                continue
            if choice.agent is None:
                raise ValueError("a seat of kind 'agent' must name the agent")
            spec = self.players.spec(type(game), choice.agent)
            await self.thinkers.quickly(partial(self.players.mind, game, spec), work)
            who.append(spec)
        return tuple(who)

    def add(self, table: Table, *, kept: bool = True) -> None:
        """Add a table. If there are too many, one without viewers is removed.

        Raises:
            BusyError: If all tables have viewers.
        """
        while len(self._seats) >= self.limits.tables:
            idle = next((number for number, seat in self._seats.items() if not seat.lookers), None)
            if idle is None:
                raise BusyError("the server cannot hold more games at the moment")
            self._forget(idle)
        self._seats[table.id] = Seat(table, kept)
        self._keep(self._seats[table.id])
        if kept:
            self._store.prune()

    def _forget(self, number: str) -> None:
        seat = self._seats.pop(number)
        if seat.kept:
            self._store.save(number, seat.table.to_dict())
        if seat.playing is not None:
            seat.playing.cancel()

    def has(self, number: str) -> bool:
        """Whether a table is in memory."""
        return number in self._seats

    async def find(self, number: str, work: Work | None = None) -> Table:
        """The table with this id, loaded from disk if necessary.

        Raises:
            NotAllowedError: If there is none.
        """
        if number not in self._seats:
            table = await self.thinkers.quickly(partial(self._store.load, number), work)
            if table is None:
                raise NotAllowedError("this game does not exist (any more)")
            if number not in self._seats:  # not loaded by another task in the meantime
                self.add(table)
        return self._seats[number].table

    # -- pages --------------------------------------------------------------------------------------------------------

    def look(self, table: Table, looker: Looker, access: Access) -> None:
        """Add a viewer, which is notified of changes. Agents start to play if it is their turn."""
        self._seats[table.id].lookers[looker] = access
        self.go_on(table)

    def look_away(self, number: str, looker: Looker) -> None:
        """Remove a viewer. Games between agents pause while nobody watches."""
        seat = self._seats.get(number)
        if seat is None:
            return
        seat.lookers.pop(looker, None)
        if not seat.lookers and not seat.table.persons:
            seat.pace = None

    def state(self, table: Table, access: Access) -> dict[str, Any]:
        """The state of a table as sent to a page."""
        seat = self._seats[table.id]
        return views.state(table, access, seat.work is not None, seat.pace, seat.problem, seat.compiling)

    def changed(self, table: Table) -> None:
        """Notify all viewers, and save the table soon."""
        seat = self._seats[table.id]
        self._tell(seat)
        self._keep(seat)

    def _tell(self, seat: Seat) -> None:
        for looker in seat.lookers:
            looker.changed(seat.table)

    def _keep(self, seat: Seat) -> None:
        if seat.kept and (seat.saving is None or seat.saving.done()):
            seat.saving = asyncio.create_task(self._save_soon(seat))

    async def _save_soon(self, seat: Seat) -> None:
        await asyncio.sleep(SAVE_AFTER)
        self._store.save(seat.table.id, seat.table.to_dict())

    def close(self) -> None:
        """Save all unsaved tables, and stop all agents."""
        for seat in self._seats.values():
            if seat.work is not None:
                seat.work.stop()
            if seat.kept and seat.saving is not None and not seat.saving.done():
                self._store.save(seat.table.id, seat.table.to_dict())

    # -- agents -------------------------------------------------------------------------------------------------------

    def set_pace(self, table: Table, seconds: float | None) -> None:
        """Set the seconds between moves in a game between agents; None to pause."""
        seat = self._seats[table.id]
        seat.pace = seconds
        if seconds is None and seat.work is not None:
            seat.work.stop()
        self.changed(table)
        self.go_on(table)

    def undo(self, table: Table, access: Access) -> None:
        """Undo the last move of a person, and stop an agent that is choosing."""
        seat = self._seats[table.id]
        table.undo(access)
        if seat.work is not None:
            seat.work.stop()
        seat.problem = ""
        self.changed(table)
        self.go_on(table)

    def go_on(self, table: Table) -> None:
        """Let agents play if it is their turn."""
        seat = self._seats[table.id]
        if table.agent_to_move is not None and (seat.playing is None or seat.playing.done()):
            seat.playing = asyncio.create_task(self._play(seat))

    def _compiling(self, seat: Seat, now: Compiling | None) -> None:
        """Tell all viewers that code is being compiled for an agent."""
        seat.compiling = now
        self._tell(seat)

    def _pause(self, seat: Seat) -> float | None:
        return AGENT_PACE if seat.table.persons else seat.pace

    async def _play(self, seat: Seat) -> None:
        table, seat.problem = seat.table, ""
        while (spec := table.agent_to_move) is not None and self._pause(seat) is not None:
            if table.moves >= self.limits.moves:
                seat.problem = f"the game was stopped after {table.moves} moves"
                break
            begun, record = table.moves, table.records[-1]
            work = seat.work = Work(compiling=partial(self._compiling, seat))
            self.changed(table)
            try:
                mind = await self.thinkers.quickly(partial(self.players.mind, table.game, spec), work)
                choose = partial(mind.choose, record, work.watch)
                action = await self.thinkers.think(choose, work, searching=mind.searches)
                if work.stopped or table.moves != begun or table.records[-1] is not record:
                    continue
                table.play(action)
            except BusyError:
                await asyncio.sleep(0.5)
                continue
            except StoppedError:
                continue
            except Exception as error:  # the server survives any failure of an agent
                seat.problem = f"{spec} cannot move: {error}"
                break
            finally:
                seat.work = seat.compiling = None
            self.changed(table)
            pause = self._pause(seat)
            if pause:
                await asyncio.sleep(pause)
        self.changed(table)


def _keys(choices: Sequence[SeatChoice]) -> tuple[dict[str, Access], dict[str, Any]]:
    """The keys of a table, and the part of the answer that lists them for the page that creates it."""
    mine = tuple(seat for seat, choice in enumerate(choices) if choice.kind == "here")
    owner, watch = new_key(), new_key()
    keys = {owner: Access(mine, owner=True), watch: Access(())}
    links = []
    for seat, choice in enumerate(choices):
        if choice.kind == "link":
            key = new_key()
            keys[key] = Access((seat,))
            links.append({"seat": seat, "key": key})
    return keys, {"key": owner, "links": links, "watch": watch}
