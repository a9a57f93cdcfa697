"""Tune hyperparameters of the self-play learner with Optuna.

    python examples/learn/tune_optuna.py --trials 20 --decisions 300000

Every trial trains for the same number of decisions; the objective is the agent's win rate against ``--opponent``. With
``--storage sqlite:///tuning.db``, an interrupted search can be resumed, and several processes can search together.
Requires the extra ``train`` and Optuna.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import optuna

from agents.arena import play_match
from agents.neural import NeuralAgent
from pr_env.game import Game
from pr_env.registry import find_game
from training.run import Budget, train
from training.selfplay import SelfPlay, Settings


def wins_of(settings: Settings, game: Game, decisions: int, opponent: str, games: int) -> float:
    """The win rate of an agent that was trained with these settings."""
    with tempfile.TemporaryDirectory() as folder:
        train(lambda: SelfPlay(settings), SelfPlay.load, Budget(decisions=decisions), Path(folder), evaluation_games=0)
        agent = NeuralAgent(game, str(Path(folder) / "agent.npz"))
        match = play_match(game, [agent, opponent], games=games)
    return float(match.wins_of(match.agents[0]).mean)


def main() -> None:
    """Search, and print the best settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--decisions", type=int, default=300_000, help="decisions in each trial")
    parser.add_argument("--games", type=int, default=300, help="evaluation games of each trial")
    parser.add_argument("--num-envs", type=int, default=128, help="number of parallel games")
    parser.add_argument("--storage", help="where Optuna stores its trials; default: in memory")
    args = parser.parse_args()
    game = find_game(args.game)()

    def trial(trial: optuna.Trial) -> float:
        rate = trial.suggest_float("learning_rate", 1e-4, 3e-3, log=True)
        settings = Settings(
            game=args.game,
            options=game.recorded_options(),
            num_envs=args.num_envs,
            num_steps=32,
            hidden_sizes=(trial.suggest_categorical("width", [64, 128, 256]),) * 2,
            learning_rate=(rate, rate / 10),
            clip_coef=trial.suggest_float("clip_coef", 0.1, 0.3),
            agents=(),
            lessons=0,
        )
        return wins_of(settings, game, args.decisions, args.opponent, args.games)

    study = optuna.create_study(
        study_name=f"{game.name} against {args.opponent}",
        storage=args.storage,
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
    )
    study.optimize(trial, n_trials=args.trials)
    print(f"best return {study.best_value:.3f} with {study.best_params}")


if __name__ == "__main__":
    main()
