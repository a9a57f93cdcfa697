"""Put a trained agent into the package: ``python -m training.ship runs/selfplay-3p-seed0``.

Plays it in the arena and writes ``agents/weights/ppo_Np.npz`` with a card beside it, ``ppo_Np.md``: how it was trained,
for how long, by which commit, and how strong it is. Called again for the same agent with other opponents, it adds them.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from typing import Any

from rich.console import Console

from agents.arena import play_match
from agents.arena.report import progress_bar
from agents.neural import SHIPPED, Brain, NeuralAgent, WrongWeightsError, save_agent
from pr_env import PuertoRico
from training.evaluation import OPPONENTS


def main() -> None:
    """Read the options, measure, write."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ship",
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="of a training: its agent.npz is taken")
    parser.add_argument(
        "--against", nargs="*", default=list(OPPONENTS), metavar="AGENT", help="who it is measured with"
    )
    parser.add_argument("--games", type=int, default=600, help="against each")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first seed of these games")
    parser.add_argument("--note", default="", help="what there is to say of the training besides its settings")
    parser.add_argument("--into", type=Path, default=SHIPPED, help="folder of the package's agents")
    options = parser.parse_args()
    try:
        brain = Brain(options.folder / "agent.npz")
    except WrongWeightsError as error:
        parser.error(str(error))
    path = options.into / f"ppo_{brain.players}p.npz"
    card = dict(brain.about["card"])
    card["commit"] = _commit()
    card["note"] = options.note
    card["strength"] = _already_measured(path, brain) | {
        name: _measure(options.folder / "agent.npz", brain.players, name, options.games, options.seed)
        for name in options.against
    }
    save_agent(path, brain.weights, PuertoRico(players=brain.players), card)
    path.with_suffix(".md").write_text(describe(brain.players, card))
    Console().print(f"written: {path} and {path.with_suffix('.md').name}", highlight=False, soft_wrap=True)


def describe(players: int, card: dict[str, Any]) -> str:
    """The card as a page."""
    settings = ", ".join(f"{name} {value}" for name, value in card["settings"].items())
    rows = [
        f"| {players - 1} x `{name}` | {found['wins']:.1%} | {found['low']:.1%} to {found['high']:.1%} "
        f"| {found['points']:.1f} : {found['theirs']:.1f} | {found['games']:,} |"
        for name, found in card["strength"].items()
    ]
    lines = [
        f"# ppo, {players} players",
        "",
        f"Plays the base game of Puerto Rico with {players} players: `make_agent('ppo')`. It sees what a player sees "
        "and chooses the likeliest action of its network; no search.",
        "",
        f"- Learner: {card['algorithm']}, pr-env {card['pr_env']}, commit {card['commit']}",
        f"- Training: {card['decisions']:,} decisions in {card['hours']:.2f} hours ({card['machine']}).",
        *([f"- {card['note']}"] if card["note"] else []),
        f"- Settings at the end: {settings}.",
        "",
        f"One of it against {players - 1} of each other agent, seats balanced; between equals it would win "
        f"{1 / players:.0%}. `pr-env arena ppo NAME --mode first --players {players}` plays such games.",
        "",
        "| against | wins | 95 % interval | points, own : theirs | games |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _measure(weights: Path, players: int, opponent: str, games: int, seed: int) -> dict[str, Any]:
    game = PuertoRico(players=players)
    with progress_bar(Console(stderr=True)) as progress:
        result = play_match(game, [NeuralAgent(str(weights)), opponent], games=games, seed=seed, progress=progress)
    own, other = result.summary()
    return {
        "wins": own["win_share"],
        "low": own["win_share_low"],
        "high": own["win_share_high"],
        "points": own["points"],
        "theirs": other["points"],
        "games": len(result),
    }


def _already_measured(path: Path, brain: Brain) -> dict[str, Any]:
    """What the card of the same agent says; that of another one says nothing about it."""
    if not path.exists():
        return {}
    card = Brain(path).about["card"]
    same = all(card.get(key) == brain.about["card"].get(key) for key in ("decisions", "hours", "settings"))
    return dict(card["strength"]) if same else {}


def _commit() -> str:
    answer = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
