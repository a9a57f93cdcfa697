"""``pr-env play``: a person against agents."""

from __future__ import annotations

import pydoc
import re
import signal
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

from pr_env import replay
from pr_env.commands import screen
from pr_env.commands.table import Table, check_new
from pr_env.game import Action
from pr_env.opponents import Player
from pr_env.words import capitalised

LEAST_NEWS = 3  # lines, however small the screen is
_LONGEST_NUMBER = 20  # characters: Python refuses to read very long ones
PROMPT = "number, t tip, i info, b board, u undo, l log, s save, h help, q quit > "
PROMPT_AT_THE_END = "The game is over: u undo, l log, s save, q quit > "
KEYS = """\
  a number  choose                     t         what another player would choose
  u         undo your last choice      l         the whole game so far in words
  s [FILE]  save                       i [NAME]  what a role, building or card does
  b         the whole board            Enter     draw the board again
  h         this help                  q         save and quit"""


class _EndedError(BaseException):
    """The terminal was closed, or the process was asked to end."""


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Closing the terminal and a kill end the session like Ctrl-C. No effect where these signals do not exist."""

    def end(*_: object) -> None:
        raise _EndedError

    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        names = []
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


class Session:
    """Draws the board, tells what happened, asks for input and acts on it.

    Args:
        table: The game and the other players.
        seat: The person's seat.
        file: Where the game is saved.
        tips: The name of the player who gives tips, and a function that returns it.
    """

    def __init__(self, table: Table, seat: int, file: Path, tips: tuple[str, Callable[[], Player]]) -> None:
        self.table = table
        self.words = table.batch.game.words
        self.seat = seat
        self.file = file
        self._saved = table.replay if file.exists() else None  # a resumed game is already in its file
        self._tips, self._call_tips = tips

    def run(self) -> None:
        """Play until the person quits, the input ends, the terminal is closed, or on Ctrl-C or a kill.

        The game is saved in all these cases.
        """
        try:
            with _ended_by_signals():
                self._play()
        except (EOFError, KeyboardInterrupt, _EndedError):
            self._save_what_is_new()
        except BaseException:
            self._save_what_is_new()
            raise

    def _play(self) -> None:
        shown: replay.Replay | None = None
        while True:
            while not self.table.is_over and self.table.seat != self.seat:
                who = capitalised(self.words.seat(self.table.seat))
                screen.meanwhile(f"{who} ({self.table.names[self.table.seat]}) is choosing")
                self.table.play_seat()
            if shown is not self.table.replay:
                self._show()
                shown = self.table.replay
            key, _, rest = (
                input(screen.bold(PROMPT_AT_THE_END if self.table.is_over else PROMPT)).strip().partition(" ")
            )
            if key.lower() == "q" and self._is_saved():
                return
            if not key:
                shown = None
                continue
            self._obey(key.lower(), rest.strip())

    def _obey(self, key: str, rest: str) -> None:
        if re.fullmatch(r"[+-]?\d+", key):
            self._choose(key)
        elif key == "u":
            self._undo()
        elif key == "l":
            self._log()
        elif key == "t":
            self._tip()
        elif key == "s":
            self._save_as(Path(rest) if rest else self.file)
        elif key == "b":
            typer.echo(screen.board(self.table.batch, answers=False, names=self.table.names, whole=True))
        elif key == "i":
            self._info(rest)
        elif key in ("h", "?"):
            self._help()
        else:
            typer.echo(f"Unknown key {key!r}; h lists the keys.")

    # -- display ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        screen.clear()
        news, choices = self._news(), [] if self.table.is_over else self._told_choices()
        short = self._told_choices(short=True)[1:] if choices else []  # without the empty line
        short = [*short[:1], *screen.in_columns(short[1:], 2)]
        board = screen.board(
            self.table.batch,
            answers=False,
            names=self.table.names,
            below=len(news) + len(choices) + 1,
            least=min(len(news), LEAST_NEWS) + min(len(short), len(choices)) + 1,
        )
        if (room := screen.height()) is not None and choices:  # on a small screen the choices take precedence
            room -= 1 + board.count("\n") + 1
            if len(news) + len(choices) > room:
                choices, news = short, news[1:]
            most = max(LEAST_NEWS, room - len(choices))
            if len(news) > most:
                news = [news[0], "       ...", *news[len(news) - most + 2 :]]
        typer.echo("\n".join([board, *news, *choices]))
        if self.table.is_over:
            typer.echo()
            screen.final_table(self.table.batch, self.table.names)

    def _news(self) -> list[str]:
        """What was played since the person's last choice, including that choice, with a title."""
        last = self.table.last_move_of(self.seat)
        news = self.table.replay.moves(max(last - 1, 0))
        if not news:
            return []
        title = screen.bold("Since your last choice" if last else "Before your first choice")
        return ["", title, *map(self._personal, screen.told(news, self.words))]

    def _told_choices(self, *, short: bool = False) -> list[str]:
        """The question and the person's choices, in sentences or in as few words as needed."""
        moment = self.table.moment
        lines = ["", screen.bold(f"Your choice: {self.words.question(moment)}")]
        for number, action in enumerate(self._choices(), start=1):
            remark = self.words.remark(action, moment)
            told = self.words.answer(action, moment) if short else self.words.sentence(action, moment)
            line = f"{number:5}  {told}{remark and f'  ({remark})'}"
            if short:  # for a column
                lines.append(line)
            else:
                lines += textwrap.wrap(
                    line, screen.width(), subsequent_indent=" " * 7, break_long_words=False, break_on_hyphens=False
                )
        return lines

    def _personal(self, line: str) -> str:
        return re.sub(rf"\b{re.escape(self.words.seat(self.seat))}\b", "you", line)

    def _choices(self) -> list[Action]:
        return [] if self.table.is_over else self.table.batch.legal_actions(0)

    # -- keys -------------------------------------------------------------------------------------------------------

    def _choose(self, key: str) -> None:
        choices = self._choices()
        if not choices:
            typer.echo("The game is over, there is nothing to choose.")
        elif len(key) > _LONGEST_NUMBER or not 1 <= int(key) <= len(choices):
            typer.echo(f"There is no choice {key[:_LONGEST_NUMBER]}: choose 1 to {len(choices)}.")
        else:
            self.table.play(choices[int(key) - 1].number)

    def _undo(self) -> None:
        last = self.table.last_move_of(self.seat)
        if last:
            self.table.go_back(last - 1)
        else:
            typer.echo("There is nothing to undo: you have not chosen yet.")

    def _log(self) -> None:
        text = "\n".join(self.table.replay.log())
        if screen.on_terminal():
            pydoc.pager(text)
        else:
            typer.echo(text)

    def _tip(self) -> None:
        choices = [action.number for action in self._choices()]
        if not choices:
            typer.echo("The game is over.")
            return
        try:
            tip = self.table.ask(self._call_tips())
        except (ValueError, ModuleNotFoundError) as error:
            typer.echo(f"No tip: {error}")
            return
        sentence = self.words.sentence(self.table.batch.game.actions[tip], self.table.moment)
        typer.echo(f"{self._tips} would choose {choices.index(tip) + 1}: {sentence}")

    def _help(self) -> None:
        typer.echo(KEYS)
        if not self.table.is_over:
            if explanation := self.words.explanation(self.table.moment):
                typer.echo("\n" + textwrap.fill(explanation, screen.width()))
            typer.echo("\n".join(self._told_choices()))

    def _info(self, name: str) -> None:
        """Explain a topic; without a name, list the topics."""
        topics = self.words.topics()
        found = [topic for topic in topics if name and topic.startswith(name.lower().replace("_", " "))]
        if not topics:
            typer.echo("There is nothing to look up in this game; h explains the question.")
        elif not found:
            typer.echo(textwrap.fill(f"i NAME says what it does; names are {', '.join(topics)}.", screen.width()))
        for topic in found:
            typer.echo(textwrap.fill(f"{topic}: {topics[topic]}", screen.width(), subsequent_indent="  "))

    # -- saving -----------------------------------------------------------------------------------------------------

    def _save_as(self, file: Path) -> None:
        try:
            if file != self.file:
                check_new(file)
            self._save(file)
        except (OSError, ValueError) as error:
            typer.echo(f"Not saved: {error}")

    def _is_saved(self) -> bool:
        """Save before the person quits. If that fails, for example because the disk is full, the game continues."""
        try:
            self._save_what_is_new()
        except OSError as error:
            typer.echo(
                f"Not saved, so the game continues: {error} (s FILE saves elsewhere, Ctrl-C quits without saving)"
            )
            return False
        return True

    def _save_what_is_new(self) -> None:
        if self.table.moves and self.table.replay != self._saved:
            self._save(self.file)

    def _save(self, file: Path) -> None:
        replay.save(file, [self.table.replay])
        self.file, self._saved = file, self.table.replay
        with suppress(OSError):  # the terminal may be gone
            self._say_saved(file)

    def _say_saved(self, file: Path) -> None:
        command = "replay" if self.table.is_over else "play --resume"
        typer.echo(f"Saved. To {'look at it' if self.table.is_over else 'resume'}: pr-env {command} {file}")
