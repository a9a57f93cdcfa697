"""An agent that runs a program in any language: ``make_agent("program:command=./my_bot", game)``.

The program reads questions from its standard input and writes answers to its standard output, one JSON object per
line; ``docs/programs.md`` has the protocol. It receives only what its player may know: no seed, no random generator,
no record.
"""

from __future__ import annotations

import math
import shlex
import shutil
from typing import Any, ClassVar

import numpy as np

from agents.agent import Agent
from agents.dialogue import Dialogue, ProgramError
from pr_env.game import Game
from pr_env.moment import Moment

PROTOCOL = 1
SECONDS = 10.0  # per answer
START_SECONDS = 60.0  # for the first answer: a language model or a virtual machine takes long to load
PARTS = ("observation", "position", "words")  # what a program can request in addition to the legal actions


class ProgramAgent(Agent):
    """Runs a program in its own process. It is started before the first question, and again after a failure.

    Args:
        game: The game to play.
        command: The program with its arguments, as typed in a shell.
        seconds: Time limit per answer, after which the program is killed.
        start_seconds: Time limit for starting up.
        seed: Passed to the program for its own random choices.
    """

    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True
    starts_program: ClassVar[bool] = True
    games_at_once: int = 12  # games are asked one after the other, and results should come in regularly

    def __init__(
        self,
        game: Game,
        command: str = "",
        seconds: float = SECONDS,
        start_seconds: float = START_SECONDS,
        *,
        seed: int = 0,
    ) -> None:
        super().__init__(game)
        self._command = _read_command(command)
        for name, value in (("seconds", seconds), ("start_seconds", start_seconds)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
                raise ValueError(f"{name} must be a number above 0, got {value!r}")
        self._seconds, self._start_seconds = seconds, start_seconds
        self._seed = seed
        self._questions = 0
        self._dialogue: Dialogue | None = None
        self._wanted: frozenset[str] = frozenset()

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Ask the program for one action for each game.

        Raises:
            TimeoutError: If an answer takes too long.
            ProgramError: If the program has exited, or violates the protocol.
        """
        return np.array([self._ask(record) for record in self._records(games)], np.int64)

    def _ask(self, record: Any) -> int:
        if self._dialogue is None:
            self._dialogue = Dialogue(self._command)
            self._wanted = self._start(self._dialogue)
        self._questions += 1
        message = self._question(Moment(self.game, record))
        answer = self._say(self._dialogue, message, self._seconds)
        action = answer.get("action")
        if answer.get("id") != message["id"] or isinstance(action, bool) or not isinstance(action, int):
            self._stop()
            raise ProgramError(
                f'an answer must have "id": {message["id"]} and a number as "action", got {answer!r:.80}'
            )
        return action

    def _start(self, dialogue: Dialogue) -> frozenset[str]:
        """Send the game to the program, which answers what it wants to receive of positions."""
        answer = self._say(dialogue, self._introduction(), self._start_seconds)
        wanted = answer.get("want", [])
        if answer.get("type") != "ready" or not isinstance(wanted, list) or not set(map(str, wanted)) <= set(PARTS):
            self._stop()
            raise ProgramError(
                f'the first answer must be {{"type": "ready", "want": [...]}} with any of {", ".join(PARTS)}, '
                f"got {answer!r:.80}"
            )
        return frozenset(wanted)

    def _say(self, dialogue: Dialogue, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            return dialogue.ask(message, seconds)
        except BaseException:
            self._dialogue = None
            raise

    def _stop(self) -> None:
        if self._dialogue is not None:
            self._dialogue.close()
            self._dialogue = None

    def _introduction(self) -> dict[str, Any]:
        game = self.game
        return {
            "type": "start",
            "protocol": PROTOCOL,
            "game": game.name,
            "title": game.words.title,
            "layout": game.layout,
            "options": game.recorded_options(),
            "players": game.players,
            "teams": list(game.teams),
            "seed": self._seed,
            "seconds": self._seconds,
            "actions": [
                {"action": action.number, "name": list(action.name), "sentence": action.sentence}
                for action in game.actions
            ],
        }

    def _question(self, moment: Moment) -> dict[str, Any]:
        """A decision: the player to move, the legal actions, and what the program requested of the position."""
        legal, words = moment.legal, self.game.words
        message: dict[str, Any] = {
            "type": "decide",
            "id": self._questions,
            "seat": moment.player,
            "seconds": self._seconds,
            "legal": [action.number for action in legal],
        }
        if "words" in self._wanted:
            message["question"] = words.question(moment)
            message["explanation"] = words.explanation(moment)
            message["answers"] = [
                {"action": action.number, "sentence": words.sentence(action, moment)} for action in legal
            ]
        if "position" in self._wanted:
            message["position"] = moment.seen()
        if "observation" in self._wanted:
            message["observation"] = moment.observation().tolist()
        return message


def _read_command(command: object) -> list[str]:
    """Parse a command into the program and its arguments.

    Raises:
        ValueError: If there is no such program.
    """
    try:
        parts = shlex.split(command) if isinstance(command, str) else []
    except ValueError as error:
        raise ValueError(f"command {command!r} cannot be parsed: {error}") from None
    if not parts:
        raise ValueError(f"command must be a program with its arguments, got {command!r}")
    if shutil.which(parts[0]) is None:
        raise ValueError(f"there is no executable program {parts[0]!r}")
    return parts
