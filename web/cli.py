"""The command ``pr-env web``; found by the entry-point group ``pr_env.commands``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pr_env import registry
from pr_env.commands import completion
from pr_env.commands.errors import errors_in_one_line


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(web)


def web(
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 for any free one.")
    ] = 8080,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; other than this machine, pages need a token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Access token. Default: a random one where one is needed.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where games are stored. Default: a folder in your home folder."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="An additional agent to offer, such as ppo:weights=FILE."),
    ] = None,
    arena: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Arena results (--out) to browse. May be repeated.")
    ] = None,
    replays: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="The replays (--replays) of each --arena, in the same order."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="MODULE:CLASS", help="A game from outside the package.", autocompletion=completion.games),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Play, watch and analyse games in the browser.

    Serves the page to this machine only, unless --host says otherwise. Ctrl-C stops the server; games are kept.

    Example: pr-env web --arena results.json --replays games.jsonl
    """
    with errors_in_one_line("use"):
        from web import serving

        for spec in game or []:
            registry.find_game(spec)
        serving.serve(
            host=host,
            port=port,
            token=serving.checked_token(host, token),
            folder=serving.default_folder() if folder is None else folder,
            agents=agent or [],
            arenas=serving.read_arenas(arena or [], replays or []),
            browser=browser,
        )
