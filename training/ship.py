"""Add a trained agent to the package: ``python -m training.ship runs/selfplay-puerto_rico-3p-seed0``.

Evaluates it, and writes ``agents/weights/ppo_Np.npz`` (with the game's name unless it is the default game) and a card
``ppo_Np.md``: how it was trained, for how long, at which commit, and how strong it is. Called again for the same agent
with other opponents, it adds their results.

Several training runs with a common ancestor are combined by the mean of their weights, which plays better than each of
them (docs/experiments.md, "The mean of two agents").
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console

from agents import make_agent
from agents.neural import SHIPPED, Brain, NeuralAgent, WrongWeightsError, save_agent
from agents.weights import Weights
from pr_env.checks import check_whole
from pr_env.game import Game
from pr_env.registry import DEFAULT
from training.evaluation import ITSELF, fair_share, measure_all, opponents_of
from training.run import read_clock

_NEEDED = ("algorithm", "settings", "decisions", "hours", "pr_env", "commit", "machine")  # of a card


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these options, or with those of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ship",
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "folder",
        type=Path,
        nargs="+",
        help="folder of a training run with agent.npz; several are averaged, and one given twice counts twice",
    )
    parser.add_argument(
        "--against",
        nargs="*",
        metavar="AGENT",
        help="opponents of the evaluation; default: all agents for its game only",
    )
    parser.add_argument("--games", type=int, default=600, help="games against each opponent")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first seed of these games")
    parser.add_argument("--note", default="", help="a note on the training run for the card")
    parser.add_argument("--into", type=Path, default=SHIPPED, help="folder of the shipped agents")
    options = parser.parse_args(arguments)
    try:
        brains = [Brain(folder / "agent.npz") for folder in options.folder]
        weights = mean_weights(brains)
        check_whole("--games", options.games)
        game = brains[-1].game
        against = opponents_of(game) if options.against is None else options.against
        for name in against:
            make_agent(name, game)
        path = options.into / file_name(game)
        card = _card(brains[-1], options.folder[-1])
    except ValueError as error:
        parser.error(str(error))
    known = _card_of_the_same(path, weights)
    card["note"] = options.note or known.get("note", "")
    card["strength"] = known.get("strength", {})
    if card["commit"] == "unknown" or card["commit"].endswith("-dirty"):
        Console(stderr=True).print(f"its card will name the commit {card['commit']}, which is not available to others")
    with TemporaryDirectory() as folder:  # write the agent only after its evaluation
        file = Path(folder) / "agent.npz"
        save_agent(file, weights, game, card)
        card["strength"] |= _strength(NeuralAgent(game, str(file)), against, options.games, options.seed)
    save_agent(path, weights, game, card)
    path.with_suffix(".md").write_text(describe(game, card))
    Console().print(f"written: {path} and {path.with_suffix('.md').name}", highlight=False, soft_wrap=True)


def file_name(game: Game) -> str:
    """The file name of the weights for a game."""
    others = {name: value for name, value in _given(game).items() if name != "players"}
    parts = ["ppo", *([] if game.name == DEFAULT else [game.name]), f"{game.players}p"]
    return "_".join([*parts, *(f"{name}-{value}" for name, value in others.items())]) + ".npz"


def _given(game: Game) -> dict[str, Any]:
    """The options that are relevant to an agent and differ from the defaults."""
    usual = {field.name: field.default for field in fields(game)}  # type: ignore[arg-type] # games are dataclasses
    return {name: value for name, value in game.options_for_agents().items() if value != usual.get(name)}


def _card(brain: Brain, folder: Path) -> dict[str, Any]:
    """The data that the training run saved with an agent.

    Raises:
        WrongWeightsError: If a field is missing.
    """
    card = dict(brain.about.get("card", {}))
    seconds = read_clock(folder)
    if seconds:
        card["hours"] = round(seconds / 3600, 3)
    if missing := [name for name in _NEEDED if name not in card]:
        raise WrongWeightsError(f"{folder / 'agent.npz'} does not say its {', '.join(missing)}: no card can be written")
    return card


def mean_weights(brains: Sequence[Brain]) -> Weights:
    """The mean of the weights of agents with a common ancestor, rounded to the 16 bits that are stored.

    Raises:
        WrongWeightsError: If their sizes differ.
    """
    first = brains[0].weights
    for brain in brains:
        sizes = {name: value.shape for name, value in brain.weights.items()}
        if sizes != {name: value.shape for name, value in first.items()}:
            raise WrongWeightsError("agents of different sizes have no mean")
    return {
        name: np.stack([brain.weights[name] for brain in brains]).mean(axis=0, dtype=np.float32).astype(np.float16)
        for name in first
    }


def describe(game: Game, card: dict[str, Any]) -> str:
    """The card as a Markdown page."""
    players = game.players
    settings = ", ".join(f"{name} {value}" for name, value in card["settings"].items())
    rows = [
        f"| {name if name in ITSELF else f'{players - 1} x `{name}`'} | {found['wins']:.1%} "
        f"| {found['low']:.1%} to {found['high']:.1%} | {_points(found)} | {found['games']:,} | {found['seed']} |"
        for name, found in card["strength"].items()
    ]
    options = ", ".join(f"{name}={value!r}" for name, value in {"players": players, **_given(game)}.items())
    flags = "".join(
        f" --{name.replace('_', '-')} {value}" for name, value in {"players": players, **_given(game)}.items()
    )
    fair = fair_share(game)
    lines = [
        *_front_matter(game, card),
        f"# ppo, {players} players",
        "",
        f"Plays {game.name} with {options}: `make_agent('ppo', {type(game).__name__}({options}))`. It sees what a "
        "player sees and plays the most likely action of its network, without search.",
        "",
        f"- Learner: {card['algorithm']}, pr-env {card['pr_env']}, commit {card['commit']}",
        f"- Training: {card['decisions']:,} decisions in {card['hours']:.2f} hours ({card['machine']}).",
        *([f"- {card['note']}"] if card["note"] else []),
        f"- Settings at the end: {settings}.",
        "",
    ]
    if fair is not None:
        lines += [
            f"One copy of this agent plays against {players - 1} of each other agent, with balanced seats; the fair "
            f"share is {fair:.0%}. `pr-env arena ppo NAME --mode first{flags} --games GAMES --seed SEED` plays "
            "these games.",
            "",
        ]
    lines += [
        "| opponents | win rate | 95 % interval | points, own : opponents' | games | seed |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _front_matter(game: Game, card: dict[str, Any]) -> list[str]:
    """The metadata for Hugging Face's hub: kind, tags and results."""
    lines = [
        "---",
        "library_name: pr-env",
        "license: mit",
        "pipeline_tag: reinforcement-learning",
        f"tags: [reinforcement-learning, self-play, board-games, {game.name}]",
        "model-index:",
        f"- name: {Path(file_name(game)).stem}",
        "  results:",
        f"  - task: {{type: reinforcement-learning, name: {game.name}}}",
        f"    dataset: {{type: {game.name}, name: {game.name} with {game.players} players}}",
        "    metrics:",
    ]
    lines += [
        f'    - {{type: win_rate, name: "against {name}", value: {found["wins"]:.4f}}}'
        for name, found in card["strength"].items()
    ]
    return [*lines, "---", ""]


def _points(found: dict[str, Any]) -> str:
    own = f"{found['points']:.1f}"
    return own if found["theirs"] is None else f"{own} : {found['theirs']:.1f}"


def _strength(agent: NeuralAgent, against: Sequence[str], games: int, seed: int) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "wins": found.wins.mean,
            "low": found.wins.low,
            "high": found.wins.high,
            "points": found.points,
            "theirs": found.theirs,
            "games": found.games,
            "seed": found.seed,
        }
        for name, found in measure_all(agent, against, agent.game, games, seed).items()
    }


def _card_of_the_same(path: Path, weights: Weights) -> dict[str, Any]:
    """The existing card of the same agent in the package, if any; the card of another agent is ignored."""
    if not path.exists():
        return {}
    try:
        shipped = Brain(path)
    except WrongWeightsError:  # of another version, or damaged: it is replaced
        return {}
    same = shipped.weights.keys() == weights.keys() and all(
        np.array_equal(shipped.weights[name], value) for name, value in weights.items()
    )
    return dict(shipped.about["card"]) if same else {}


if __name__ == "__main__":
    main()
