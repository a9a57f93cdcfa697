"""Games and their seats from command-line options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from pr_env.commands.choice import Choice, chosen
from pr_env.commands.options import options_of
from pr_env.commands.table import YOU
from pr_env.game import Game
from pr_env.opponents import Player
from pr_env.registry import usual_opponent

WITH_RESUME = ("resume", "save", "tips")
WITH_CAMPAIGN = ("campaign", "tips")
MOST_PLAYERS = 10  # more are not looked for


def seats(game: Game, seat: int, opponents: Sequence[str] | None) -> tuple[str, ...]:
    """The name in each seat: the person, and clockwise from there the opponents.

    Args:
        game: The game to play.
        seat: The person's seat.
        opponents: One for all other seats, or one each; None: the game's usual opponent.

    Raises:
        ValueError: If the opponents do not fit the seats.
    """
    players = game.players
    given = list(opponents or [usual_opponent(game.name)])
    if players == 1 and opponents:
        raise ValueError(f"a game for 1 player has no opponents, got {', '.join(opponents)}")
    others = given * (players - 1) if len(given) == 1 else given
    if len(others) != players - 1:
        raise ValueError(
            f"opponents must be one for all other seats, or one per seat ({players - 1}), got {len(others)}"
        )
    around = [YOU, *others]
    return tuple(around[(place - seat) % players] for place in range(players))


def seated(choice: Choice, agents: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """The game that these agents play, and the agent in each seat. Several agents set the number of players.

    Raises:
        ValueError: If there is not one agent for all seats or one for each.
    """
    several = len(agents) > 1
    game = choice.game(**({"players": len(agents)} if several and choice.has("players") else {}))
    if several and len(agents) != game.players:
        raise ValueError(f"agents must be one for all seats, or one per seat ({game.players}), got {len(agents)}")
    return game, tuple(agents if several else [*agents] * game.players)


def refuse_with_resume(context: typer.Context) -> None:
    """Refuse options that a saved game already fixes: its configuration and players.

    Raises:
        ValueError: If such an option was given.
    """
    choice = chosen(context)
    said = _options_said(choice) + _parameters_said(context, WITH_RESUME)
    if said:
        raise ValueError(f"{said[0]} cannot be combined with --resume: the saved game has its own")


def refuse_with_campaign(context: typer.Context) -> None:
    """A saved campaign has its configuration and players.

    Raises:
        ValueError: If an option says something else about them.
    """
    said = _options_said(chosen(context)) + _parameters_said(context, WITH_CAMPAIGN)
    if said:
        raise ValueError(f"{said[0]} does not go with a campaign that is saved: it has its own")


def refuse_without_campaign(context: typer.Context) -> None:
    """A new campaign is saved in its own file, and goes on by itself.

    Raises:
        ValueError: If an option says where a single game is.
    """
    said = [flag for flag in _parameters_said(context, ()) if flag in ("--resume", "--save")]
    if said:
        raise ValueError(f"{said[0]} does not go with --campaign, which names the file of the campaign")


def _options_said(choice: Choice) -> list[str]:
    """The game's options that were given, but for those that no file says: where something lies here."""
    local = choice.kind.local_options
    return [option.flag for option in choice.options if option.name in choice.given and option.name not in local]


def _parameters_said(context: typer.Context, beside: Sequence[str]) -> list[str]:
    """The command's own options that were given, but for some."""
    said = []
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in beside:
            said.append(parameter.opts[0])
    return said


def refuse_programs(file: Path, names: Mapping[int, str], players: Mapping[int, Player]) -> None:
    """Refuse players that start a program: a saved game may come from anywhere and must not run commands.

    Raises:
        ValueError: If the file names such a player.
    """
    for seat, player in players.items():
        if getattr(player, "starts_program", False):
            raise ValueError(f"{file} names a player that starts a program, {names[seat]!r}: a saved game must not")


def one_of_each_record(kind: type[Game]) -> list[Game]:
    """One game per record type that a single option can give, the default first; each is compiled separately."""
    found: dict[Any, Game] = {}
    for options in _single_changes(kind):
        try:
            game = kind(**options)
        except ValueError:  # needs another option as well
            continue
        found.setdefault((game.record, game.final), game)
    return list(found.values())


def player_counts(game: Game) -> list[Game]:
    """The game with every number of players that has the same record type."""
    if not any(option.name == "players" for option in options_of(type(game))):
        return [game]
    found = []
    for players in range(1, MOST_PLAYERS + 1):
        try:
            other: Game = replace(game, players=players)  # type: ignore[type-var] # games are dataclasses
        except ValueError:
            continue
        if other.record == game.record:
            found.append(other)
    return found


def _single_changes(kind: type[Game]) -> Iterator[dict[str, Any]]:
    yield {}
    options = options_of(kind)
    for option in options:
        for value in option.values:
            yield {option.name: value}
    if any(option.name == "players" for option in options):
        for players in range(1, MOST_PLAYERS + 1):
            yield {"players": players}
