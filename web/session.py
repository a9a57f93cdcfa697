"""One page: its requests are checked, executed and answered. Failures do not affect other pages."""

from __future__ import annotations

import asyncio
import secrets
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pr_env import __version__, registry
from pr_env.replay import Replay
from web import configurations, insight, messages, views
from web.arenas import MOST_ARENAS, Arena
from web.lobby import Lobby
from web.messages import AnyMessage, BadMessageError
from web.table import Access, NotAllowedError, Table, new_key
from web.work import Compiling, StoppedError, Work

MOST_TASKS = 8  # concurrent computations for one page
MOST_JOINED = 32  # tables that one page can view

Answer = dict[str, Any] | list[Any]


class Session:
    """A connection to a page.

    Args:
        lobby: The tables.
        arenas: The open tournaments, shared by all pages.
        send: Sends text to the page.
    """

    def __init__(self, lobby: Lobby, arenas: list[Arena], send: Callable[[str], Awaitable[None]]) -> None:
        self._lobby = lobby
        self._arenas = arenas
        self._send = send
        self._joined: dict[str, tuple[Table, Access]] = {}
        self._dirty: dict[str, Table] = {}
        self._progress: dict[int, dict[str, Any]] = {}
        self._news = asyncio.Event()
        self._tasks: dict[int, tuple[asyncio.Task[None], Work]] = {}
        self._sending = asyncio.Lock()
        self._questions = asyncio.Lock()
        self._curves = asyncio.Lock()

    # -- the connection -----------------------------------------------------------------------------------------------

    async def receive(self, data: str | bytes) -> None:
        """Process a message and answer it."""
        try:
            message = messages.read(data)
        except BadMessageError as error:
            await self._tell({"re": messages.number_of(data), "error": str(error)})
            return
        long = self._long(message)
        if long is None:
            await self._answer(message.id, self._short(message))
        elif len(self._tasks) >= MOST_TASKS or message.id in self._tasks:
            refusal = f"this page already has {MOST_TASKS} running computations: wait, or stop one"
            await self._tell({"re": message.id, "error": refusal})
        else:
            work = Work(partial(self._report, message.id), partial(self._compiling, message.id))
            task = asyncio.create_task(self._answer(message.id, long(work)))
            self._tasks[message.id] = task, work
            task.add_done_callback(lambda _: self._tasks.pop(message.id, None))

    async def tell_news(self) -> None:
        """Send updates until the connection ends. Changes in quick succession are combined."""
        while True:
            await self._news.wait()
            self._news.clear()
            progress, self._progress = self._progress, {}
            for number, told in progress.items():
                if number in self._tasks:
                    await self._tell({"re": number, **told})
            dirty, self._dirty = self._dirty, {}
            for table in dirty.values():
                if table.id in self._joined:
                    await self._tell({"table": self._lobby.state(table, self._joined[table.id][1])})

    def close(self) -> None:
        """Clean up after the page has gone."""
        for task, work in list(self._tasks.values()):
            work.stop()
            task.cancel()
        for number in list(self._joined):
            self._lobby.look_away(number, self)
        self._joined.clear()

    def changed(self, table: Table) -> None:
        """Called after a table that this page views has changed."""
        self._dirty[table.id] = table
        self._news.set()

    def _report(self, number: int, share: float) -> None:
        self._progress[number] = {"progress": round(share, 3)}
        self._news.set()

    def _compiling(self, number: int, now: Compiling | None) -> None:
        self._progress[number] = {"compiling": None if now is None else now.to_dict()}
        self._news.set()

    async def _tell(self, what: dict[str, Any]) -> None:
        async with self._sending:
            await self._send(messages.write(what))

    async def _answer(self, number: int, answer: Awaitable[Answer]) -> None:
        try:
            told: dict[str, Any] = {"re": number, "ok": await answer}
        except StoppedError:
            told = {"re": number, "error": "stopped", "stopped": True}
        except (ValueError, LookupError) as error:
            told = {"re": number, "error": str(error)[:500] or type(error).__name__}
        except Exception as error:  # a bug of the server: report it to this page, and keep serving the others
            traceback.print_exc()
            told = {"re": number, "error": f"internal error of the server: {type(error).__name__}"}
        await self._tell(told)

    # -- messages -----------------------------------------------------------------------------------------------------

    def _long(self, message: AnyMessage) -> Callable[[Work], Awaitable[Answer]] | None:
        """The computation that a message requests, if it has to run in the background; None for quick messages."""
        match message:
            case messages.Hint():
                return partial(self._hint, message)
            case messages.Values():
                return partial(self._values, message)
            case messages.Curve():
                return partial(self._curve, message)
            case messages.Agents():
                return partial(self._agents, message)
            case messages.New():
                return partial(self._new, message)
            case messages.Open():
                return partial(self._open, message)
            case messages.Join() if not self._lobby.has(message.table):
                return partial(self._join, message)
            case messages.ArenaGame():
                return partial(self._arena_game, message)
            case messages.Branch():
                return partial(self._branch, message)
        return None

    async def _short(self, message: AnyMessage) -> Answer:
        lobby = self._lobby
        match message:
            case messages.Hello():
                return await lobby.thinkers.quickly(self._hello)
            case messages.Join():  # at once: the next message may already be about this table
                return await self._join(message, Work())
            case messages.Stop():
                return self._stop(message)
            case messages.Arenas():
                return [arena.summary(number) for number, arena in enumerate(self._arenas)]
            case messages.OpenArena():
                return await self._open_arena(message)
            case messages.ArenaGames():
                return self._arena(message.arena).games(message.match, message.start)
        return await self._at_table(message)

    async def _at_table(self, message: AnyMessage) -> Answer:
        assert isinstance(message, messages.AtTable)
        lobby = self._lobby
        table, access = self._table(message)
        match message:
            case messages.Leave():
                lobby.look_away(table.id, self)
                del self._joined[table.id]
                return {}
            case messages.Look():
                return await lobby.thinkers.quickly(partial(views.look, table, access, message.move))
            case messages.Log():
                told = await lobby.thinkers.quickly(partial(table.told, access, message.start))
                return [views.line(table, access, move, part) for move, part in told]
            case messages.Act():
                table.act(access, message.move, message.action)
                lobby.changed(table)
                lobby.go_on(table)
                return lobby.state(table, access)
            case messages.Undo():
                lobby.undo(table, access)
                return lobby.state(table, access)
            case messages.Pace():
                if table.persons or table.finished or not access.owner:
                    raise NotAllowedError("only the owner of a game between agents can set its pace")
                lobby.set_pace(table, message.seconds)
                return lobby.state(table, access)
            case messages.Save():
                _check_analysis(table, access)
                return {"line": await lobby.thinkers.quickly(table.replay().to_json)}
            case messages.Position():
                _check_analysis(table, access)
                table.check_move(message.move)
                return {"position": table.game.to_dict(table.records[message.move][0])}
        raise ValueError("unknown message")

    # -- games --------------------------------------------------------------------------------------------------------

    def _hello(self) -> Answer:
        limits = self._lobby.limits
        kinds = configurations.offered().values()
        return {
            "version": __version__,
            "games": [configurations.form(kind, self._lobby.players) for kind in kinds],
            "default": registry.DEFAULT,
            "limits": {"playouts": limits.playouts, "seconds": limits.seconds, "message": limits.message},
            "arenas": len(self._arenas),
        }

    async def _agents(self, message: messages.Agents, work: Work) -> Answer:
        return await self._lobby.thinkers.quickly(partial(self._who_plays, message), work)

    def _who_plays(self, message: messages.Agents) -> Answer:
        """Whether a configuration is valid, its numbers of players, and the agents that can play it."""
        players = self._lobby.players
        counts = configurations.player_counts(message.game, message.options)
        try:
            game = configurations.configuration(message.game, message.options)
        except ValueError as error:
            return {"problem": str(error), "counts": counts}
        missing = {}
        for name in players.names(type(game)):
            try:
                players.mind(game, name)
            except ValueError as error:
                missing[name] = str(error)
        return {
            "problem": "",
            "counts": counts,
            "players": game.players,
            "missing": missing,
            "together": not game.constant_sum,
            "notes": [list(note) for note in game.data_notes()][:2],
        }

    async def _new(self, message: messages.New, work: Work) -> Answer:
        make = partial(configurations.configuration, message.game, message.options)
        game = await self._lobby.thinkers.quickly(make, work)
        seed = secrets.randbits(48) if message.seed is None else message.seed
        _, told = await self._lobby.make(
            game, message.seats, seed=seed, position=message.position, hints=message.hints, work=work
        )
        return told

    async def _branch(self, message: messages.Branch, work: Work) -> Answer:
        table, access = self._table(message)
        _check_analysis(table, access)
        _, told = await self._lobby.branch(table, message.move, message.seats, work)
        return told

    async def _arena_game(self, message: messages.ArenaGame, work: Work) -> Answer:
        arena = self._arena(message.arena)
        replay = await self._lobby.thinkers.quickly(partial(arena.replay, message.match, message.game), work)
        return await self._show(replay, work, kept=False)

    async def _open(self, message: messages.Open, work: Work) -> Answer:
        lines = [line for line in message.text.splitlines() if line.strip()]
        if not 1 <= message.number <= len(lines):
            raise ValueError(f"the file has {len(lines)} games, there is no game {message.number}")
        line = lines[message.number - 1]
        replay = await self._lobby.thinkers.quickly(partial(Replay.from_json, line), work)
        return {**await self._show(replay, work, kept=True), "games": len(lines)}

    async def _show(self, replay: Replay, work: Work, *, kept: bool) -> dict[str, Any]:
        """Create a table that shows a finished game."""
        key = new_key()
        who = replay.seats or ("unknown",) * replay.game.players
        table = await self._lobby.thinkers.quickly(
            partial(
                Table,
                replay.game,
                who,
                {key: Access((), owner=True)},
                replay.seed,
                finished=True,
                names=who,
                actions=list(replay.actions),
            ),
            work,
        )
        self._lobby.add(table, kept=kept)
        return {"table": table.id, "key": key, "links": [], "watch": key}

    async def _join(self, message: messages.Join, work: Work) -> Answer:
        table = await self._lobby.find(message.table, work)
        work.check()  # the page may have turned away meanwhile
        access = table.access(message.key)
        if len(self._joined) >= MOST_JOINED and table.id not in self._joined:
            raise NotAllowedError(f"a page can view at most {MOST_JOINED} games")
        self._joined[table.id] = table, access
        self._lobby.look(table, self, access)
        return self._lobby.state(table, access)

    def _table(self, message: messages.AtTable) -> tuple[Table, Access]:
        if message.table not in self._joined:
            raise NotAllowedError("join the game first")
        return self._joined[message.table]

    # -- analysis -----------------------------------------------------------------------------------------------------

    async def _hint(self, message: messages.Hint, work: Work) -> Answer:
        table, access = self._table(message)
        table.check_move(message.move)
        if not table.may_ask(access, message.move):
            raise NotAllowedError("only the player to move can get hints, and only if the game allows them")
        record = table.records[message.move]
        if not record["legal"].any():
            raise ValueError("the game is over")
        players, game = self._lobby.players, table.game
        spec = players.spec(type(game), message.agent)

        def think() -> dict[str, Any]:
            work.check()
            return insight.hint(game, record, players.mind(game, spec), spec, players, work)

        return await self._think(think, work)

    async def _values(self, message: messages.Values, work: Work) -> Answer:
        table, access = self._table(message)
        table.check_move(message.move)
        acting = int(table.records[message.move]["player"][0])
        open_to_all = table.sees_everything(access) or not table.game.imperfect_information
        if not open_to_all and acting not in access.seats:
            raise NotAllowedError("this would reveal hidden information")
        record = table.records[message.move]

        def think() -> dict[str, Any]:
            work.check()
            by, values = insight.values_of(table.game, record, self._lobby.players, work)
            work.check()
            return {"by": by, "move": message.move, "values": [round(float(value), 4) for value in values]}

        return await self._think(think, work)

    async def _curve(self, message: messages.Curve, work: Work) -> Answer:
        table, access = self._table(message)
        _check_analysis(table, access)
        players = self._lobby.players
        spec = "" if message.agent is None else players.spec(type(table.game), message.agent)

        def think() -> dict[str, Any]:
            mind = players.mind(table.game, spec) if spec else None
            return insight.curve(table, spec, mind, players, work)

        async with self._curves:
            return await self._lobby.thinkers.analyse(think, work)

    async def _think(self, think: Callable[[], Answer], work: Work) -> Answer:
        """One computation at a time, so that all pages get an equal share of the threads."""
        async with self._questions:
            work.check()
            return await self._lobby.thinkers.analyse(think, work)

    def _stop(self, message: messages.Stop) -> Answer:
        if message.what in self._tasks:
            self._tasks[message.what][1].stop()
        return {}

    # -- arenas -------------------------------------------------------------------------------------------------------

    async def _open_arena(self, message: messages.OpenArena) -> Answer:
        if len(self._arenas) >= MOST_ARENAS:
            raise ValueError(f"there are already {MOST_ARENAS} open tournaments")
        name = f"tournament {len(self._arenas) + 1}"
        arena = await self._lobby.thinkers.quickly(partial(Arena, name, message.results, message.replays))
        self._arenas.append(arena)
        return arena.summary(len(self._arenas) - 1)

    def _arena(self, number: int) -> Arena:
        if number >= len(self._arenas):
            raise ValueError(f"there is no tournament {number}: {len(self._arenas)} are open")
        return self._arenas[number]


def _check_analysis(table: Table, access: Access) -> None:
    if not table.may_analyse(access):
        raise NotAllowedError("this could reveal hidden information: it is available after the end of the game")
