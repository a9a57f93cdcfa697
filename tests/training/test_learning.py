"""What the self-play learner learns from a rollout: each part of the loss separately."""

from typing import Any

import numpy as np
import pytest
import torch

from pr_env import PuertoRico
from training.selfplay import LEARNER, SelfPlay, Settings, pay
from training.selfplay import _deal as deal

SMALL = {
    "num_envs": 32,
    "num_steps": 16,
    "hidden_sizes": (16,),
    "update_epochs": 1,
    "minibatch_size": 4096,
    "learning_rate": (1e-2, 1e-2),
    "ent_coef": (0.0, 0.0),
    "opponent_games": 0.5,
    "pool_games": 0.0,
    "agents": ("random",),
    "lessons": 0,
}


def learner_with(**changes: Any) -> SelfPlay:
    return SelfPlay(Settings(**{**SMALL, **changes}))


def fixed_rollout(learner: SelfPlay) -> None:
    """A rollout in which all decisions are the learner's in seat 0, between actions 0 and 1, and end unpaid games."""
    rollout = learner._rollout
    rollout.observations[:] = np.random.default_rng(0).random(rollout.observations.shape)
    rollout.masks[:] = False
    rollout.masks[..., :2] = True
    rollout.actions[:] = np.arange(rollout.actions.size).reshape(rollout.actions.shape) % 2
    rollout.log_chances[:] = np.log(0.5)
    rollout.actors[:] = LEARNER
    rollout.players[:] = 0
    rollout.passed[:] = 1
    rollout.ended[:] = True
    rollout.values[:] = 1 / 3
    rollout.rewards[:] = 1 / 3
    rollout.handicaps[:] = 0


def chance_of_the_second_action(learner: SelfPlay) -> float:
    with torch.no_grad():
        scores, _ = learner.network(torch.from_numpy(learner._rollout.observations))
    return float(scores[..., :2].softmax(-1)[..., 1].mean())


def test_only_the_learners_own_decisions_are_learned_from() -> None:
    learner = learner_with()
    figures = learner.iterate(0)
    own = learner._rollout.actors[:-1] == LEARNER
    assert 0 < own.sum() < own.size
    assert figures["learned"] == own.sum() == learner.decisions
    assert figures["played"] == own.size


def test_a_rollout_without_own_decisions_teaches_nothing() -> None:
    learner = learner_with(num_envs=1, num_steps=1, opponent_games=0.99)
    before = learner.network.arrays()
    learned = [learner.iterate(0)["learned"] for _ in range(4)]
    assert 0 in learned
    if not any(learned):
        assert all(np.array_equal(before[name], value) for name, value in learner.network.arrays().items())


def test_points_in_the_log_are_the_learners() -> None:
    learner = learner_with(agents=("builder",), opponent_games=0.99, num_envs=64, num_steps=128)
    figures = learner.collect(0)
    assert figures["ended"] > 0
    assert figures["points"] < figures["best_points"] - 5  # the learner plays at random, the builder does not


def test_entropy_in_the_log_is_that_of_all_own_decisions() -> None:
    learner = learner_with(agents=())
    fixed_rollout(learner)
    learner._rollout.log_chances[:, :16] = -1e-4  # sure of half of them
    assert learner.learn(0, lesson=False)["entropy"] == pytest.approx((np.log(2) + 1e-4) / 2)


def test_what_is_handed_out_is_an_average_of_the_weights() -> None:
    learner = learner_with(ema_decay=0.75)
    before = learner.network.arrays()
    learner.iterate(0)  # one minibatch, one gradient step
    after, average = learner.network.arrays(), learner.weights()
    assert any(np.abs(after[name] - before[name]).max() > 1e-3 for name in before)
    for name, value in average.items():
        assert value == pytest.approx(0.75 * before[name] + 0.25 * after[name], abs=1e-6)


def test_handicaps_say_what_is_won_against_an_opponent() -> None:
    learner = learner_with()
    learner.agent_shares = [0.8]
    itself, opponent = np.exp(learner._strengths())
    assert itself == pytest.approx(1)
    assert itself / (itself + 2 * opponent) == pytest.approx(0.8)


def test_values_in_a_rollout_are_with_the_handicaps() -> None:
    learner = learner_with()
    learner.agent_shares = [0.8]
    learner.collect(0)
    rollout = learner._rollout
    with torch.no_grad():
        _, seats = learner.network(torch.from_numpy(rollout.observations))
    assert np.abs(rollout.handicaps).max() > 1
    expected = (seats + torch.from_numpy(rollout.handicaps[:-1])).softmax(-1).numpy()
    assert rollout.values[:-1] == pytest.approx(expected, abs=1e-5)


def test_values_learn_what_was_paid_against_these_opponents() -> None:
    learner = learner_with(agents=(), learning_rate=(3e-3, 3e-3))
    fixed_rollout(learner)
    rollout, paid = learner._rollout, np.array([0.7, 0.2, 0.1], np.float32)
    rollout.rewards[:] = paid
    rollout.handicaps[:] = [0, -1, 1]
    for _ in range(150):
        learner.learn(0, lesson=False)
    with torch.no_grad():
        _, seats = learner.network(torch.from_numpy(rollout.observations))
    shares = (seats + torch.from_numpy(rollout.handicaps[:-1])).softmax(-1)
    assert shares.mean(dim=(0, 1)).numpy() == pytest.approx(paid, abs=0.03)


@pytest.mark.parametrize(("weight", "more"), [(1.0, True), (-1.0, False)])
def test_the_bonus_for_entropy_makes_less_sure(weight: float, more: bool) -> None:
    learner = learner_with(agents=(), ent_coef=(weight, weight))
    fixed_rollout(learner)
    with torch.no_grad():
        learner.network.policy.bias[1] = 1.0
    before = chance_of_the_second_action(learner)
    for _ in range(20):
        learner.learn(0, lesson=False)
    assert (chance_of_the_second_action(learner) < before) == more


@pytest.mark.parametrize(("clip", "moves"), [(0.2, False), (0.9, True)])
def test_a_chance_that_has_moved_far_enough_is_left_alone(clip: float, moves: bool) -> None:
    learner = learner_with(agents=(), clip_coef=clip, vf_coef=0.0)
    fixed_rollout(learner)
    rollout = learner._rollout
    rollout.rewards[:] = rollout.actions[..., None]
    # When they were chosen, the good action was less likely than now, and the bad one more likely.
    rollout.log_chances[:] = np.where(rollout.actions == 1, np.log(0.3), np.log(0.8))
    before = learner.network.arrays()
    learner.learn(0, lesson=False)
    after = learner.network.arrays()
    assert any((after[name] != before[name]).any() for name in before) == moves


def test_sure_decisions_count_for_those_that_were_left_out() -> None:
    learner = learner_with(num_envs=512, num_steps=64, agents=(), sure_kept=0.25)
    rollout = learner._rollout
    sure = np.zeros(rollout.actions.shape, np.bool_)
    sure[:, ::2] = True
    rollout.log_chances[:] = np.where(sure, np.log(0.995), np.log(0.005))
    rows = np.arange(0, sure.size, 3)
    chosen, weights = learner._instructive(rows)
    of_sure = sure.ravel()[chosen]
    assert np.isin(rows[~sure.ravel()[rows]], chosen).all()
    assert of_sure.sum() == pytest.approx(0.25 * sure.ravel()[rows].sum(), rel=0.1)
    for kind in (of_sure, ~of_sure):
        assert weights.ravel()[chosen[kind]].sum() == pytest.approx(len(rows) / 2, rel=0.1)


def test_a_sure_policy_does_not_drift_where_no_action_is_better() -> None:
    # The values are wrong by the same amount in both halves of the positions: no reason to change the policy.
    learner = learner_with(num_envs=512, num_steps=128, agents=(), learning_rate=(3e-3, 3e-3), vf_coef=0.0)
    fixed_rollout(learner)
    rollout, random, chance = learner._rollout, np.random.default_rng(0), 0.995
    half = random.random(rollout.actions.shape) < 0.5
    rollout.observations[:] = 0
    rollout.observations[..., 0], rollout.observations[..., 1] = half, ~half
    rollout.rewards[:] = half[..., None]
    rollout.values[:] = 0.5
    with torch.no_grad():
        learner.network.policy.weight.zero_()
        learner.network.policy.bias[0] = np.log(chance / (1 - chance))
    for _ in range(40):
        with torch.no_grad():
            scores, _ = learner.network(torch.from_numpy(rollout.observations[:1]))
        sure = scores[0, :, :2].softmax(-1)[:, 0].numpy()
        chances = np.where(half, sure[half[0]].mean(), sure[~half[0]].mean())
        rollout.actions[:] = random.random(half.shape) > chances
        rollout.log_chances[:] = np.log(np.where(rollout.actions == 0, chances, 1 - chances))
        learner.learn(0, lesson=False)
        learner.rollouts += 1
    assert sure == pytest.approx(chance, abs=0.0035)


def test_a_game_that_was_cut_pays_nobody() -> None:
    finals = np.zeros(1, PuertoRico(players=3).final)
    finals["win_share"][:, 0] = 1
    rewards = np.full((1, 3), 9, np.float32)
    over = np.array([True])
    pay(finals, over, over, np.zeros((1, 3), np.float32), 0.4, 5.0, rewards)
    assert rewards.tolist() == [[0, 0, 0]]


def test_settings_change_from_their_first_to_their_last() -> None:
    learner = learner_with(agents=(), learning_rate=(1e-3, 1e-4), soft_share=(1.0, 0.0), num_envs=64, num_steps=200)
    learner.collect(0)
    soft = learner._rollout.rewards[learner._rollout.ended]
    learner.collect(1)
    hard = learner._rollout.rewards[learner._rollout.ended]
    assert soft.max() < 1
    assert set(np.unique(hard)) <= {0.0, np.float32(1 / 3), 0.5, 1.0}
    for progress, rate in {0.0: 1e-3, 0.5: 5.5e-4, 1.0: 1e-4}.items():
        learner.learn(progress, lesson=False)
        assert learner.optimizer.param_groups[0]["lr"] == pytest.approx(rate)


def test_shares_follow_what_the_learner_wins() -> None:
    learner = learner_with()
    learner._seated[:2] = [[1, LEARNER, 1], [LEARNER, 1, 1]]
    learner._finals["win_share"][:2, :3] = [[0, 1, 0], [0, 1, 0]]
    won, lost = np.zeros(32, np.bool_), np.zeros(32, np.bool_)
    won[0] = lost[1] = True
    learner.agent_shares = [0.5]
    learner._note_results(won)
    assert learner.agent_shares == pytest.approx([0.505])
    learner._note_results(lost)
    assert learner.agent_shares == pytest.approx([0.505 * 0.99])


def test_who_is_lost_to_plays_more() -> None:
    assert deal(0.5, [0.9, 0.1]) == pytest.approx([0.05, 0.45])
    learner = learner_with()
    learner.pool, learner.pool_shares = [learner.weights()] * 2, [0.95, 0.05]
    chosen = []
    for learner.rollouts in range(100):
        learner._choose_pool_opponents()
        chosen += learner.chosen
    assert 85 <= chosen.count(1) <= 100


def test_slips_are_played_and_not_learned() -> None:
    games, taught = [], []
    for slips in (0.0, 1.0):
        learner = learner_with(agents=("builder",), lessons=10**6, lesson_slips=slips)
        learner.collect(0)
        games.append(learner.games.tobytes())
        taught.append(learner._rollout.actions[0].tolist())
    assert games[0] != games[1]
    assert taught[0] == taught[1]  # the teacher's choice in the first positions
