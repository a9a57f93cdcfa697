"""The command ``pr-env train``; `training.command` implements it. Heavy imports wait until the command is used."""

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
    """Register the command."""
    app.command(cls=GameCommand)(train)


def train(
    context: typer.Context,
    minutes: Annotated[float, typer.Option(metavar="X", help="How long to train.")] = 10.0,
    decisions: Annotated[
        int | None, typer.Option(metavar="N", help="Number of decisions to learn from, instead of minutes.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of weights, games and actions.")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Train a best response to this agent, see 'pr-env agents': one seat learns, the fixed agent plays all "
            "others. May be repeated.",
            autocompletion=completion.agents,
        ),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An agent.npz to start from, for any number of players.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Output folder. Default: one in runs/.")] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads. Default: the fastest in a short measurement.")
    ] = None,
    bfloat16: Annotated[
        bool | None,
        typer.Option(
            "--bfloat16/--no-bfloat16",
            help="Compute hidden layers in bfloat16. Default: if it measures faster; never with --decisions.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="PyTorch device, for example cuda. Only cpu is tested.")
    ] = "cpu",
    algorithm: Annotated[
        Literal["selfplay", "league", "sb3"],
        typer.Option(help="The fast learner, the same with exploiters, or the example with Stable-Baselines3."),
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
        typer.Option(
            metavar="N", help="With --ray, the maximum number of workers. Default: one per --threads processors."
        ),
    ] = None,
    log_to: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVICE", help="Also log to wandb or mlflow (extras). May be repeated."),
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Discard the contents of the output folder.")] = False,
) -> None:
    """Train an agent, evaluate it against the other agents, and save it.

    Ctrl-C stops the training run; the same command resumes it.

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
