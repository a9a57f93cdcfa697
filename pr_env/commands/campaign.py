"""``pr-env play --campaign``: the games of a campaign, one after the other, saved in one file."""

from __future__ import annotations

import secrets
import textwrap
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import typer

from pr_env import campaign as campaigns
from pr_env.campaign import Campaign, CampaignError
from pr_env.commands import screen
from pr_env.commands.play import Session
from pr_env.commands.table import YOU, Table
from pr_env.game import Game
from pr_env.opponents import Player
from pr_env.replay import Replay

NEXT = "Enter: the next game, q: quit > "
Players = Callable[[Game, dict[int, str], int], Mapping[int, Player]]


class CampaignSession(Session):
    """One game of a campaign; what is saved is the campaign with it.

    Args:
        campaign: Where it stands.
        table: The game and the other players.
        seat: The person's.
        file: Where the campaign is saved.
        tips: As for `Session`.
    """

    def __init__(
        self, campaign: Campaign, table: Table, seat: int, file: Path, tips: tuple[str, Callable[[], Player]]
    ) -> None:
        super().__init__(table, seat, file, tips)
        self.campaign = campaign
        self._saved = campaign.playing

    def _save_what_is_new(self) -> None:
        if self.table.replay != self._saved:
            self._save(self.file)

    def _save(self, file: Path) -> None:
        played = self.table.replay
        campaign = self.campaign.after_replay(played) if self.table.is_over else self.campaign.with_playing(played)
        campaigns.save(file, campaign)
        self.file, self._saved = file, played
        with suppress(OSError):  # the terminal may be closed
            self._say_saved(file)

    def _say_saved(self, file: Path) -> None:
        typer.echo(f"Saved. To go on: pr-env play --campaign {file}")


def load(file: Path, kind: type[Game], **local: object) -> tuple[Campaign, int]:
    """A saved campaign of a game, and the seat of the person.

    Raises:
        CampaignError: If it is no such file.
        OSError: If it cannot be read.
    """
    campaign = campaigns.load(file, campaigns.campaign_of(kind), **local)
    if YOU not in campaign.seats:
        raise CampaignError(f"{file} is no campaign that 'pr-env play' saved: nobody in it is {YOU!r}")
    return campaign, campaign.seats.index(YOU)


def play(
    campaign: Campaign,
    seat: int,
    file: Path,
    tips: str,
    players: Players,
    seed: int | None = None,
) -> None:
    """Play until the campaign is over or the person quits.

    Args:
        campaign: Where it stands.
        seat: The person's.
        file: Where it is saved.
        tips: Who gives tips.
        players: How to get hold of the players of a game: from the game, the names by seat, and a seed.
        seed: Of the first game; the others, and without it all, come by chance.
    """
    if campaign.is_over:
        _tell(campaign.afterwards())
        typer.echo("This campaign is over.")
        return
    while not campaign.is_over:
        start = campaign.playing
        if start is None:
            _tell(campaign.before())
            try:
                game = campaign.next_game(_ask_for_shares(campaign))
            except (EOFError, KeyboardInterrupt):
                campaigns.save(file, campaign)
                return
            start = Replay(game, secrets.randbits(32) if seed is None else seed, (), campaign.seats)
            seed = None
        others = {place: name for place, name in enumerate(campaign.seats) if place != seat}
        table = Table(start, players(start.game, others, start.seed))

        def call_tipster(start: Replay = start) -> Player:
            return players(start.game, {0: tips}, start.seed)[0]

        session = CampaignSession(campaign, table, seat, file, (tips, call_tipster))
        session.run()
        if not table.is_over:
            return
        campaign, file = campaign.after_replay(table.replay), session.file
        _tell(campaign.afterwards())
        if campaign.is_over or not _goes_on():
            return


def _tell(paragraphs: list[str]) -> None:
    for paragraph in paragraphs:
        typer.echo(textwrap.fill(paragraph, screen.width()))


def _goes_on() -> bool:
    try:
        return input(screen.bold(NEXT)).strip().lower() != "q"
    except (EOFError, KeyboardInterrupt):
        return False


def _ask_for_shares(campaign: Campaign) -> tuple[int, ...]:
    """How a team shares out what it has; asked until it adds up."""
    if not campaign.to_share or campaign.players == 1:
        return ()
    numbers = " ".join(f"player{seat}" for seat in range(campaign.players))
    prompt = f"{campaign.to_share} to share out. Enter: evenly; or a number for each seat ({numbers}) > "
    while True:
        given = input(screen.bold(prompt)).split()
        try:
            shares = tuple(map(int, given))
            campaign.next_game(shares)
        except ValueError as error:
            typer.echo(f"Not so: {error}")
        else:
            return shares
