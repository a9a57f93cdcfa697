"""Put a trained agent into the package: ``python -m training.ship runs/selfplay-3p-seed0``.

Plays it in the arena and writes ``agents/weights/ppo_Np.npz`` with a card beside it, ``ppo_Np.md``: how it was trained,
for how long, by which commit, and how strong it is. Called again for the same agent with other opponents, it adds them.

Of several trainings, which have to go back to the same one, the mean of their weights is taken: it plays better than
each of them (docs/training.md, "What was tried").
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console

from agents import make_agent
from agents.arena.report import progress_bar
from agents.neural import SHIPPED, Brain, NeuralAgent, WrongWeightsError, save_agent
from agents.weights import Weights
from pr_env import PuertoRico
from pr_env.checks import check_whole
from training.evaluation import OPPONENTS, play_against

_NEEDED = ("algorithm", "settings", "decisions", "hours", "pr_env", "commit", "machine")  # of a card


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options (those of the command line if none are given), measure, write."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ship",
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "folder",
        type=Path,
        nargs="+",
        help="of a training: its agent.npz is taken; of several the mean, of one named twice two parts",
    )
    parser.add_argument(
        "--against", nargs="*", default=list(OPPONENTS), metavar="AGENT", help="who it is measured with"
    )
    parser.add_argument("--games", type=int, default=600, help="against each")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first seed of these games")
    parser.add_argument("--note", default="", help="what there is to say of the training besides its settings")
    parser.add_argument("--into", type=Path, default=SHIPPED, help="folder of the package's agents")
    options = parser.parse_args(arguments)
    try:
        brains = [Brain(folder / "agent.npz") for folder in options.folder]
        weights = mean_weights(brains)
        check_whole("--games", options.games)
        for name in options.against:
            make_agent(name, brains[-1].game)
        players = brains[-1].game.players
        path = options.into / f"ppo_{players}p.npz"
        card = _card(brains[-1], options.folder[-1])
    except ValueError as error:
        parser.error(str(error))
    known = _card_of_the_same(path, weights)
    card["note"] = options.note or known.get("note", "")
    card["strength"] = known.get("strength", {})
    if card["commit"] == "unknown" or card["commit"].endswith("-dirty"):
        Console(stderr=True).print(f"its card will name the commit {card['commit']}, which nobody can look up")
    game = PuertoRico(players=players)
    with TemporaryDirectory() as folder:  # an agent goes into the package with its strength, or not at all
        agent = Path(folder) / "agent.npz"
        save_agent(agent, weights, game, card)
        for name in options.against:
            card["strength"][name] = _measure(agent, game, name, options.games, options.seed)
    save_agent(path, weights, game, card)
    path.with_suffix(".md").write_text(describe(players, card))
    Console().print(f"written: {path} and {path.with_suffix('.md').name}", highlight=False, soft_wrap=True)


def _card(brain: Brain, folder: Path) -> dict[str, Any]:
    """What the training wrote about an agent.

    Raises:
        WrongWeightsError: If something is missing.
    """
    card = dict(brain.about.get("card", {}))
    if missing := [name for name in _NEEDED if name not in card]:
        raise WrongWeightsError(f"{folder / 'agent.npz'} does not say its {', '.join(missing)}: no card can be written")
    return card


def mean_weights(brains: Sequence[Brain]) -> Weights:
    """The mean of the weights of agents that go back to the same training, with the 16 bits that are stored.

    Raises:
        WrongWeightsError: If they are not of the same sizes.
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


def describe(players: int, card: dict[str, Any]) -> str:
    """The card as a page."""
    settings = ", ".join(f"{name} {value}" for name, value in card["settings"].items())
    rows = [
        f"| {players - 1} x `{name}` | {found['wins']:.1%} | {found['low']:.1%} to {found['high']:.1%} "
        f"| {found['points']:.1f} : {found['theirs']:.1f} | {found['games']:,} | {found['seed']} |"
        for name, found in card["strength"].items()
    ]
    lines = [
        f"# ppo, {players} players",
        "",
        f"Plays the base game of Puerto Rico with {players} players: "
        f"`make_agent('ppo', PuertoRico(players={players}))`. It sees what a player sees "
        "and chooses the likeliest action of its network; no search.",
        "",
        f"- Learner: {card['algorithm']}, pr-env {card['pr_env']}, commit {card['commit']}",
        f"- Training: {card['decisions']:,} decisions in {card['hours']:.2f} hours ({card['machine']}).",
        *([f"- {card['note']}"] if card["note"] else []),
        f"- Settings at the end: {settings}.",
        "",
        f"One of it against {players - 1} of each other agent, seats balanced; between equals it would win "
        f"{1 / players:.0%}. `pr-env arena ppo NAME --mode first --players {players} --games GAMES --seed SEED` plays "
        "these games.",
        "",
        "| against | wins | 95 % interval | points, own : theirs | games | seed |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _measure(weights: Path, game: PuertoRico, opponent: str, games: int, seed: int) -> dict[str, Any]:
    with progress_bar(Console(stderr=True)) as progress:
        result = play_against(NeuralAgent(game, str(weights)), opponent, game, games, seed, progress)
    own, other = result.summary()
    return {
        "wins": own["win_share"],
        "low": own["win_share_low"],
        "high": own["win_share_high"],
        "points": own["points"],
        "theirs": other["points"],
        "games": len(result),
        "seed": seed,
    }


def _card_of_the_same(path: Path, weights: Weights) -> dict[str, Any]:
    """The card that the same agent has in the package; that of another one says nothing about it."""
    if not path.exists():
        return {}
    try:
        shipped = Brain(path)
    except WrongWeightsError:  # of another version, or damaged: time to replace it
        return {}
    same = shipped.weights.keys() == weights.keys() and all(
        np.array_equal(shipped.weights[name], value) for name, value in weights.items()
    )
    return dict(shipped.about["card"]) if same else {}


if __name__ == "__main__":
    main()
