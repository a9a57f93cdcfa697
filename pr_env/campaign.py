"""Campaigns: several games in a row, where the results so far decide what is played next.

A campaign is a value: `Campaign.after` and the other methods return a new one and change nothing. A program plays one
like this:

>>> while not campaign.is_over:
...     game = campaign.next_game()
...     ...  # play it, for example in a Batch
...     campaign = campaign.after(game, seed, batch.final[0])

`save` and `load` keep one in a JSON file, with the game that is being played.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from pr_env.checks import shown
from pr_env.game import Game
from pr_env.moment import Moment
from pr_env.registry import known_game
from pr_env.replay import Replay, ReplayError, write_all_or_nothing

VERSION = 1
MOST_BYTES = 10_000_000  # of a file; a campaign of many games has some thousand
MOST_GAMES = 1000


class CampaignError(ValueError):
    """A campaign that cannot be read, or a game that is not the next one."""


@dataclass(frozen=True)
class Result:
    """One game of a campaign that has been played.

    Attributes:
        seed: What it was set up with.
        shares: How what the players had to share out was shared out, for each seat; empty if there was nothing.
        win_share: Of each seat, as in a final record.
        points: Of each seat.
    """

    seed: int
    shares: tuple[int, ...]
    win_share: tuple[float, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Campaign(ABC):
    """Games in a row.

    Attributes:
        results: Of the games played so far, in order.
        seats: Who plays each seat, for example ``("you", "crew")``; empty if nobody wrote it down.
        playing: The game that is being played, or None.
    """

    results: tuple[Result, ...] = ()
    seats: tuple[str, ...] = ()
    playing: Replay | None = None

    game_name: ClassVar[str]

    # -- what a campaign of a game says -------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def for_options(cls, options: Mapping[str, Any], *, recorded: bool = False, **local: Any) -> Self:
        """A new campaign.

        Args:
            options: Of all its games.
            recorded: Whether they come from a file, as `Game.recorded_options` writes them.
            **local: Options that files do not hold (``Game.local_options``).

        Raises:
            ValueError: If there is no such campaign.
        """

    @property
    @abstractmethod
    def first_game(self) -> Game:
        """The first game: the configuration of all, as far as they have the same."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether there is no next game."""

    @property
    def to_share(self) -> int:
        """How much the players share out before the next game, as they like; 0 as a rule."""
        return 0

    @abstractmethod
    def next_game(self, shares: Sequence[int] = ()) -> Game:
        """What is played next.

        Args:
            shares: How `to_share` is shared out, a number for each seat. Empty: evenly, the first seats get more.

        Raises:
            ValueError: If the shares do not add up, or the campaign is over.
        """

    @abstractmethod
    def before(self) -> list[str]:
        """What people read before the next game: paragraphs."""

    @abstractmethod
    def afterwards(self) -> list[str]:
        """What people read after the last game that was played: paragraphs."""

    @abstractmethod
    def standing(self) -> dict[str, Any]:
        """How the campaign stands, JSON-safe: what an environment tells in ``info`` and a server shows."""

    # -- playing -------------------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.first_game.players

    def shares_of(self, game: Game) -> tuple[int, ...]:
        """How a next game was shared out; empty if there was nothing to share.

        Raises:
            CampaignError: If it is not the next game.
        """
        raise NotImplementedError

    def after(self, game: Game, seed: int, final: Any) -> Self:
        """The campaign with the result of its next game.

        Args:
            game: What was played: what `next_game` returned.
            seed: What it was set up with.
            final: Its final record.

        Raises:
            CampaignError: If it is not the next game.
        """
        shares = self.shares_of(game)
        players = self.players
        result = Result(
            int(seed),
            shares,
            tuple(float(share) for share in final["win_share"][:players]),
            tuple(int(points) for points in final["total"][:players]),
        )
        return replace(self, results=(*self.results, result), playing=None)

    def after_replay(self, played: Replay) -> Self:
        """The campaign with the result of a replay of its next game.

        Raises:
            CampaignError: If it is not the next game, or not over.
        """
        moment = Moment(played.game, played.batch_at(len(played.actions)).games[0])
        if not moment.is_over:
            raise CampaignError("the game is not over yet")
        return self.after(played.game, played.seed, moment.final)

    def with_playing(self, playing: Replay | None) -> Self:
        """The campaign while a game is being played.

        Raises:
            CampaignError: If it is not the next game.
        """
        if playing is not None:
            self.shares_of(playing.game)
        return replace(self, playing=playing)

    def with_seats(self, seats: Sequence[str]) -> Self:
        """The campaign with who plays each seat."""
        return replace(self, seats=tuple(seats))

    # -- reading and writing -------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The campaign, JSON-safe."""
        game = self.first_game
        return {
            "pr_env": "campaign",
            "version": VERSION,
            "game": self.game_name,
            "layout": game.layout,
            "options": game.recorded_options(),
            "seats": list(self.seats),
            "results": [
                {
                    "seed": result.seed,
                    "shares": list(result.shares),
                    "win_share": list(result.win_share),
                    "points": list(result.points),
                }
                for result in self.results
            ],
            "playing": None if self.playing is None else json.loads(self.playing.to_json()),
        }

    @classmethod
    def from_dict(cls, data: Any, **local: Any) -> Self:
        """The campaign that `to_dict` told. Everything is checked: each result must follow from those before it.

        Args:
            data: What `to_dict` returned.
            **local: Options that files do not hold (``Game.local_options``).

        Raises:
            CampaignError: With what is wrong.
        """
        if not isinstance(data, dict) or data.get("pr_env") != "campaign":
            raise CampaignError('is not a campaign: it has no "pr_env": "campaign"')
        if data.get("version") != VERSION:
            raise CampaignError(f"is of version {shown(data.get('version'))}; only version {VERSION} is known")
        if data.get("game") != cls.game_name:
            raise CampaignError(f"is a campaign of {shown(data.get('game'))}, not of {cls.game_name}")
        options = data.get("options")
        if not isinstance(options, dict) or not all(isinstance(name, str) for name in options):
            raise CampaignError(f"options must be a dictionary, got {shown(options)}")
        try:
            campaign = cls.for_options(options, recorded=True, **local)
        except (TypeError, ValueError) as error:
            raise CampaignError(f"has options that {cls.game_name} refuses: {error}") from None
        layout = campaign.first_game.layout
        if data.get("layout") != layout:
            raise CampaignError(
                f"is of layout {shown(data.get('layout'))} of {cls.game_name}; here it has layout {layout}"
            )
        campaign = campaign.with_seats(_read_seats(data.get("seats"), campaign.players))
        results = data.get("results")
        if not isinstance(results, list) or len(results) > MOST_GAMES:
            raise CampaignError(f"results must be a list of at most {MOST_GAMES}, got {shown(results)}")
        for number, told in enumerate(results, start=1):
            campaign = campaign._with_told(told, f"results[{number}]")
        return campaign._with_told_game(data.get("playing"), local)

    def _with_told(self, told: Any, where: str) -> Self:
        if self.is_over:
            raise CampaignError(f"{where}: the campaign is over before this game")
        if not isinstance(told, dict):
            raise CampaignError(f"{where} must be a dictionary, got {shown(told)}")
        seed = told.get("seed")
        if type(seed) is not int or not 0 <= seed < 2**64:
            raise CampaignError(f"{where}: seed must be a whole number from 0 to 2**64 - 1, got {shown(seed)}")
        shares = _whole_numbers(told.get("shares"), f"{where}: shares")
        points = _whole_numbers(told.get("points"), f"{where}: points")
        wins = told.get("win_share")
        if (
            not isinstance(wins, list)
            or len(wins) != self.players
            or not all(type(share) in (int, float) and 0 <= share <= 1 for share in wins)
        ):
            raise CampaignError(f"{where}: win_share must be {self.players} numbers from 0 to 1, got {shown(wins)}")
        if len(points) != self.players:
            raise CampaignError(f"{where}: points must be {self.players} whole numbers, got {shown(points)}")
        if sum(wins) > self.players or not _is_possible(wins, self.first_game.constant_sum):
            raise CampaignError(f"{where}: win_share must be that of a finished game, got {shown(wins)}")
        try:
            self.next_game(shares)
        except ValueError as error:
            raise CampaignError(f"{where}: {error}") from None
        if bool(shares) != bool(self.to_share):
            raise CampaignError(f"{where}: shares must add up to {self.to_share}, got {shown(shares)}")
        result = Result(seed, tuple(shares), tuple(map(float, wins)), tuple(points))
        return replace(self, results=(*self.results, result))

    def _with_told_game(self, told: Any, local: Mapping[str, Any]) -> Self:
        if told is None:
            return self
        if self.is_over:
            raise CampaignError("playing must be null: the campaign is over")
        if not isinstance(told, dict):
            raise CampaignError(f"playing must be a replay or null, got {shown(told)}")
        try:
            return self.with_playing(Replay.from_json(json.dumps(told), **local))
        except (ReplayError, CampaignError) as error:
            raise CampaignError(f"playing: {error}") from None


def _is_possible(wins: Sequence[float], constant_sum: bool) -> bool:
    """Whether win shares are those of a game: they add up to 1, or are all 1 or all 0 in a team."""
    if constant_sum:
        return abs(sum(wins) - 1) < 1e-5
    return all(share == wins[0] for share in wins) and wins[0] in (0, 1)


def _read_seats(seats: Any, players: int) -> list[str]:
    if not isinstance(seats, list) or not all(isinstance(who, str) and who.isprintable() for who in seats):
        raise CampaignError(f"seats must be a list of names, got {shown(seats)}")
    if seats and len(seats) != players:
        raise CampaignError(f"seats must be {players} names, got {len(seats)}")
    return seats


def _whole_numbers(given: Any, what: str) -> list[int]:
    if not isinstance(given, list) or not all(type(one) is int and abs(one) < 10_000 for one in given):
        raise CampaignError(f"{what} must be a list of whole numbers, got {shown(given)}")
    return given


# -- files -------------------------------------------------------------------------------------------------------------


def save(path: str | Path, campaign: Campaign) -> None:
    """Write a campaign to a file, or leave the file as it was.

    Raises:
        OSError: If the file cannot be written.
    """
    path = Path(path)
    data = (json.dumps(campaign.to_dict(), indent=1) + "\n").encode()
    try:
        write_all_or_nothing(path, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def load(path: str | Path, kind: type[Campaign] | None = None, **local: Any) -> Campaign:
    """The campaign of a file.

    Args:
        path: The file.
        kind: Of which class it must be; None: that of the game that the file names.
        **local: Options that files do not hold (``Game.local_options``).

    Raises:
        CampaignError: If it is no such file, with its name and what is wrong.
        OSError: If it cannot be read.
    """
    path = Path(path)
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    try:
        if len(content) > MOST_BYTES:
            raise CampaignError(f"is larger than {MOST_BYTES} bytes")
        try:
            data = json.loads(content.decode("utf-8"))
        except (UnicodeDecodeError, ValueError, RecursionError):
            raise CampaignError("is not JSON") from None
        return (kind or _kind_of(data)).from_dict(data, **local)
    except CampaignError as error:
        raise CampaignError(f"{path} {error}") from None


def campaign_of(game: type[Game]) -> type[Campaign]:
    """The class of a game's campaign.

    Raises:
        CampaignError: If it has none.
    """
    kind = game.campaign()
    if kind is None:
        raise CampaignError(f"{game.name} has no campaign")
    return kind


def _kind_of(data: Any) -> type[Campaign]:
    name = data.get("game") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise CampaignError("is not a campaign: it names no game")
    try:
        return campaign_of(known_game(name))
    except ValueError as error:
        raise CampaignError(f"is of an {error}" if "unknown" in str(error) else str(error)) from None
