"""The command ``pr-env train``; `training.command` has what it does. Nothing heavy is loaded before it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pr_env.commands import completion
from pr_env.commands.choice import chosen
from pr_env.commands.errors import errors_in_one_line
from pr_env.commands.game_command import GameCommand
from training.waits import wait_passively


def add(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=GameCommand)(train)


def train(
    context: typer.Context,
    minutes: Annotated[float, typer.Option(metavar="X", help="How long to train.")] = 10.0,
    decisions: Annotated[
        int | None, typer.Option(metavar="N", help="How many decisions to learn from, in place of minutes.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of weights, games and choices.")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Learn to beat this agent alone, see 'pr-env agents': one seat learns, it plays the others and does "
            "not learn. May be repeated.",
            autocompletion=completion.agents,
        ),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An agent.npz to start from, of any number of players.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For everything that is written. Default: one in runs/.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Default: what a short measurement finds fastest.")
    ] = None,
    bfloat16: Annotated[
        bool | None,
        typer.Option(
            "--bfloat16/--no-bfloat16",
            help="Hidden layers with 16 bits. Default: if a short measurement finds it faster; never with --decisions.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="Where PyTorch computes, for example cuda. Only cpu is tested.")
    ] = "cpu",
    algorithm: Annotated[
        Literal["selfplay", "league", "sb3"],
        typer.Option(help="The fast learner, the same with exploiters, or the sample with Stable-Baselines3."),
    ] = "selfplay",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a hyperparameter, see docs/training.md."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Train on a Ray cluster, where every worker plays and learns: HOST:PORT, auto (this machine's) or "
            "local (a new one).",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="With --ray, at most so many. Default: one for every --threads processors."),
    ] = None,
    log_to: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVICE", help="Figures go there as well: wandb, mlflow (extras). May be repeated."),
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Forget what is in that folder.")] = False,
) -> None:
    """Train an agent, rate it against the others, and write it down.

    Ctrl-C stops; the same command goes on.

    Example: pr-env train --players 4 --minutes 30 --out runs/four
    """
    wait_passively()
    with errors_in_one_line("use"):
        from training.command import Request, run

        run(
            Request(
                game=chosen(context).game(),
                minutes=minutes,
                decisions=decisions,
                seed=seed,
                against=tuple(against or ()),
                start=start,
                out=out,
                threads=threads,
                bfloat16=bfloat16,
                device=device,
                algorithm=algorithm,
                changes=tuple(change or ()),
                restart=restart,
                log_to=tuple(log_to or ()),
                ray=ray,
                workers=workers,
            )
        )
