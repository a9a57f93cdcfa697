from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents import make_agent
from agents.puerto_rico import STRATEGIES
from pr_env import Batch, PuertoRico
from pr_env.playing import ASKED
from pr_env.sampling import start_generators
from training import bfloat16, selfplay
from training.selfplay import (
    LEARNER,
    NO_ACTION,
    SelfPlay,
    Settings,
    choose_actions,
    estimate_advantages,
    pay,
    play_on_in_games,
    seat_players,
    who_acts,
)

TINY = Settings(
    num_envs=16,
    num_steps=24,
    hidden_sizes=(16,),
    update_epochs=1,
    minibatch_size=128,
    snapshot_every=2,
    pool=2,
    pool_opponents=1,
    agents=("random",),
    lessons=0,
)


def generators(count: int) -> np.ndarray:
    states = np.zeros(count, np.uint64)
    start_generators(np.arange(count, dtype=np.uint64), states)
    return states


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_choices_are_legal_and_as_likely_as_the_softmax_says() -> None:
    count = 40_000
    scores = np.tile(np.array([1.0, 5.0, 0.0, -1.0], np.float32), (count, 1))
    masks = np.tile(np.array([True, False, True, True]), (count, 1))
    actions, log_chances = np.zeros(count, np.int64), np.zeros(count, np.float32)
    choose_actions(scores, masks, generators(count), actions, log_chances)
    expected = np.exp([1.0, -np.inf, 0.0, -1.0])
    expected /= expected.sum()
    assert np.bincount(actions, minlength=4) / count == pytest.approx(expected, abs=0.01)
    assert np.exp(log_chances) == pytest.approx(expected[actions], abs=1e-6)


def test_scores_far_apart_do_not_overflow() -> None:
    scores = np.array([[1e4, -1e4, 0.0]], np.float32)
    actions, log_chances = np.zeros(1, np.int64), np.zeros(1, np.float32)
    choose_actions(scores, np.array([[False, True, True]]), generators(1), actions, log_chances)
    assert actions[0] == 2
    assert log_chances[0] == 0


def test_opponents_play_all_seats_but_one() -> None:
    seated = np.zeros((4000, 3), np.int8)
    seat_players(np.ones(4000, np.bool_), np.array([0.4, 0.2, 0.4]), np.arange(3), generators(4000), seated)
    learners = (seated == LEARNER).sum(axis=1)
    assert set(learners) == {1, 3}
    assert [(seated.max(axis=1) == opponent).mean() for opponent in range(3)] == pytest.approx(
        [0.4, 0.2, 0.4], abs=0.03
    )
    alone = seated[learners == 1]
    assert (alone == LEARNER).mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.04)


def test_a_team_sits_together() -> None:
    seated = np.zeros((500, 4), np.int8)
    seat_players(np.ones(500, np.bool_), np.array([0.0, 1.0]), np.array([0, 1, 0, 1]), generators(500), seated)
    assert {tuple(row) for row in seated.tolist()} == {(0, 1, 0, 1), (1, 0, 1, 0)}


def test_games_that_go_on_keep_their_players() -> None:
    seated = np.full((3, 3), 7, np.int8)
    seat_players(np.array([False, True, False]), np.array([1.0]), np.arange(3), generators(3), seated)
    assert seated.tolist() == [[7, 7, 7], [LEARNER] * 3, [7, 7, 7]]


def test_handicaps_are_seen_from_the_acting_seat() -> None:
    seated = np.array([[0, 1, 1], [2, 2, 0]], np.int8)
    strength = np.array([0.0, -1.0, -2.0], np.float32)
    actors, handicaps = np.zeros(2, np.int8), np.zeros((2, 3), np.float32)
    who_acts(np.array([2, 1], np.int8), seated, strength, actors, handicaps)
    assert actors.tolist() == [1, 2]
    assert handicaps.tolist() == [[-1, 0, -1], [-2, 0, -2]]


def test_scripted_opponents_play_until_somebody_else_is_to_move() -> None:
    game = PuertoRico(players=3)
    batch = Batch(game, 8, seed=5, autoreset=False, threads=1)  # the same games, with every decision made here
    builder, random = make_agent("builder", game), np.random.default_rng(0)
    games = np.array(batch.games)
    seated = np.tile(np.array([1, LEARNER, 1], np.int8), (8, 1))
    strategies = np.array([ASKED, STRATEGIES.index("builder")])
    actions, passed = np.full(8, NO_ACTION), np.zeros(8, np.int64)
    ended, cut, finals = np.zeros(8, np.bool_), np.zeros(8, np.bool_), np.zeros(8, game.final)
    ways = np.zeros((8, 3), np.float32)
    play_on = play_on_in_games.of(game.rules)
    while True:
        play_on(games, game.tables, actions, seated, strategies, passed, ended, cut, finals, ways)
        decisions = (actions != NO_ACTION).astype(np.int64)
        while (others := (batch.player != 1) & ~batch.is_over()).any():
            batch.step(builder.choose(batch.observation, batch.mask, batch.games), others)
            decisions += others
        assert games.tobytes() == batch.games.tobytes()
        assert passed.tolist() == decisions.tolist()
        assert ended.tolist() == game.is_over(games).tolist()
        if ended.any():
            break
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in batch.mask])
        batch.step(actions)
    assert finals[ended].tobytes() == batch.score()[ended].tobytes()
    assert not cut.any()


def test_games_that_were_cut_are_told_from_those_that_ended() -> None:
    short, long = PuertoRico(players=3, max_rounds=2), PuertoRico(players=3)
    seated, strategies = np.ones((8, 3), np.int8), np.array([ASKED, STRATEGIES.index("builder")])
    for game, is_cut in ((short, True), (long, False)):
        games = np.array(Batch(game, 8, seed=5, threads=1).games)
        passed, ended, cut = np.zeros(8, np.int64), np.zeros(8, np.bool_), np.zeros(8, np.bool_)
        finals, ways = np.zeros(8, game.final), np.zeros((8, 3), np.float32)
        play_on_in_games.of(game.rules)(
            games, game.tables, np.full(8, NO_ACTION), seated, strategies, passed, ended, cut, finals, ways
        )
        assert ended.all()
        assert cut.tolist() == [is_cut] * 8


def test_the_learner_is_asked_for_its_own_decisions_only() -> None:
    changes = {"agents": ("builder", "shipper"), "opponent_games": 0.99, "pool_games": 0.0, "snapshot_every": 100}
    learner = SelfPlay(Settings(**{**vars(TINY), **changes}))
    for _ in range(3):
        figures = learner.iterate(0)
    rollout = learner._rollout
    assert (rollout.actors == LEARNER).all()
    assert rollout.passed.mean() > 2  # two of three seats are the opponents'
    assert figures["played"] > 2 * figures["learned"]


def test_an_opponent_that_is_named_twice_plays_twice_as_often() -> None:
    changes = {"agents": ("builder", "trader", "trader"), "opponent_games": 0.9, "pool_games": 0.0, "num_envs": 3000}
    learner = SelfPlay(Settings(**{**vars(TINY), **changes, "num_steps": 1}))
    opponents = learner._seated.max(axis=1)
    assert (opponents == 1).mean() == pytest.approx(0.3, abs=0.03)
    assert (opponents > 1).mean() == pytest.approx(0.6, abs=0.03)


def test_pay_mixes_the_win_with_a_soft_share() -> None:
    finals = np.zeros(2, PuertoRico(players=3).final)
    finals["total"][:, :3] = [40, 35, 20]
    finals["win_share"][:, :3] = [1, 0, 0]
    rewards = np.full((2, 3), 9, np.float32)
    ways = np.array([[0.5, 0.25, 0.0], [1, 1, 1]], np.float32)
    pay(finals, np.array([True, False]), np.zeros(2, np.bool_), ways, 0.4, 5.0, rewards)
    soft = np.exp([0.0, -1.0, -4.0])
    assert rewards[0] == pytest.approx(0.6 * np.array([1, 0, 0]) + 0.4 * soft / soft.sum())
    assert rewards[1].tolist() == [0, 0, 0]
    pay(finals, np.array([True, False]), np.zeros(2, np.bool_), ways, 0.4, 0.0, rewards)  # in cooperative games
    assert rewards[0] == pytest.approx([0.6 + 0.4 * 0.5, 0.4 * 0.25, 0])


def advantages_in_plain_words(
    players: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
    passed: np.ndarray,
    trace: float,
    step: int,
    seat: int,
) -> float:
    """Sum of discounted one-step errors along one seat's stream of values, in one game."""
    seats = rewards.shape[1]
    total, weight = 0.0, 1.0
    while True:
        now = values[step, (seat - players[step]) % seats]
        later = 0.0 if ended[step] else values[step + 1, (seat - players[step + 1]) % seats]
        total += weight * (rewards[step, seat] + later - now)
        weight *= trace ** passed[step]
        step += 1
        if ended[step - 1] or step == len(rewards):
            return float(total)


def test_advantages_follow_each_seat_through_all_positions() -> None:
    random = np.random.default_rng(1)
    steps, games, seats = 30, 4, 3
    players = random.integers(0, seats, (steps + 1, games)).astype(np.int8)
    values = random.random((steps + 1, games, seats)).astype(np.float32)
    ended = random.random((steps, games)) < 0.1
    rewards = (random.random((steps, games, seats)) * ended[..., None]).astype(np.float32)
    advantages, targets = np.zeros((steps, games), np.float32), np.zeros((steps, games, seats), np.float32)
    passed = random.integers(1, 5, (steps, games))
    estimate_advantages(players, values, rewards, ended, passed, 0.9, advantages, targets)
    for step in range(steps):
        for game in range(games):
            of = [
                advantages_in_plain_words(
                    players[:, game],
                    values[:, game],
                    rewards[:, game],
                    ended[:, game],
                    passed[:, game],
                    0.9,
                    step,
                    seat,
                )
                for seat in range(seats)
            ]
            acting = players[step, game]
            assert advantages[step, game] == pytest.approx(of[acting], abs=1e-5)
            for distance in range(seats):
                expected = values[step, game, distance] + of[(acting + distance) % seats]
                assert targets[step, game, distance] == pytest.approx(expected, abs=1e-5)


def test_the_final_reward_of_every_seat_reaches_all_its_decisions() -> None:
    batch = Batch(PuertoRico(players=3), 1, seed=3, threads=1)
    players: list[np.ndarray] = []
    ended: list[np.ndarray] = []
    rewards: list[np.ndarray] = []
    while not ended or not ended[-1]:
        players.append(batch.player.copy())
        batch.step(batch.sample_actions())
        ended.append(batch.terminated.copy())
        rewards.append(batch.reward.copy())
    seats, steps = np.array([*players, batch.player]), len(rewards)
    advantages, targets = np.zeros((steps, 1), np.float32), np.zeros((steps, 1, 3), np.float32)
    values = np.zeros((steps + 1, 1, 3), np.float32)
    passed = np.ones((steps, 1), np.int64)
    estimate_advantages(seats, values, np.array(rewards), np.array(ended), passed, 1.0, advantages, targets)
    final = rewards[-1][0]
    assert final.sum() == 1
    assert set(seats[:-1, 0].tolist()) == {0, 1, 2}
    assert advantages[:, 0].tolist() == final[seats[:-1, 0]].tolist()


def test_same_seed_same_agent() -> None:
    def trained(seed: int) -> dict[str, np.ndarray]:
        learner = SelfPlay(Settings(**{**vars(TINY), "seed": seed}))
        for i in range(4):
            learner.iterate(i / 4)
        return learner.weights()

    assert same(trained(5), trained(5))
    assert not same(trained(5), trained(6))


@pytest.mark.parametrize("lessons", [0, 5 * 16 * 24])  # with lessons until after the checkpoint
def test_a_checkpoint_goes_on_as_if_nothing_had_happened(tmp_path: Path, lessons: int) -> None:
    settings = Settings(**{**vars(TINY), "lessons": lessons})
    straight = SelfPlay(settings)
    for i in range(7):
        straight.iterate(i / 7)
    first = SelfPlay(settings)
    for i in range(3):
        first.iterate(i / 7)
    first.save(tmp_path / "checkpoint.npz")
    second = SelfPlay.load(tmp_path / "checkpoint.npz")
    assert second.rollouts == 3
    for i in range(3, 7):
        second.iterate(i / 7)
    assert second.decisions == straight.decisions
    assert second.pool_shares == straight.pool_shares
    assert same(second.weights(), straight.weights())
    assert same(second.network.arrays(), straight.network.arrays())
    assert second.games.tobytes() == straight.games.tobytes()


def test_naming_the_same_opponents_again_changes_nothing(tmp_path: Path) -> None:
    first = SelfPlay(TINY)
    for _ in range(3):
        first.iterate(0)
    first.save(tmp_path / "checkpoint.npz")
    second = SelfPlay.load(tmp_path / "checkpoint.npz", agents=["random"], pool_opponents=1)
    assert second.games.tobytes() == first.games.tobytes()
    for learner in (first, second):
        learner.iterate(0)
    assert same(second.weights(), first.weights())


@pytest.mark.parametrize(("before", "after"), [(10**9, 0), (0, 10**9)])
def test_lessons_that_begin_or_end_begin_new_games(tmp_path: Path, before: int, after: int) -> None:
    first = SelfPlay(Settings(**{**vars(TINY), "lessons": before}))
    first.iterate(0)
    first.save(tmp_path / "checkpoint.npz")
    second = SelfPlay.load(tmp_path / "checkpoint.npz", lessons=after)
    assert (second._seated == LEARNER).any() == (after == 0)  # in lessons others have all seats
    assert second.iterate(0)["learned"] > 0


def test_a_resumed_run_may_have_other_opponents(tmp_path: Path) -> None:
    first = SelfPlay(Settings(**{**vars(TINY), "pool_opponents": 2}))
    for _ in range(5):
        first.iterate(0)
    first.save(tmp_path / "checkpoint.npz")
    second = SelfPlay.load(tmp_path / "checkpoint.npz", pool_opponents=1, agents=())
    assert second._seated.max() <= 1
    for _ in range(12):  # until games have ended
        second.iterate(0)


def test_the_weakest_version_leaves_the_pool() -> None:
    learner = SelfPlay(TINY)
    for _ in range(4):
        learner.iterate(0)
    assert len(learner.pool) == 2
    first, second = learner.pool
    learner.pool_shares = [0.3, 0.9]
    learner.admit(learner.weights())
    assert learner.pool[0] is first
    assert all(version is not second for version in learner.pool)


def test_a_smaller_pool_becomes_smaller(tmp_path: Path) -> None:
    first = SelfPlay(Settings(**{**vars(TINY), "pool": 4}))
    for _ in range(8):
        first.iterate(0)
    assert len(first.pool) == 4
    first.save(tmp_path / "checkpoint.npz")
    second = SelfPlay.load(tmp_path / "checkpoint.npz", pool=2)
    for _ in range(2):
        second.iterate(0)
    assert len(second.pool) == len(second.pool_shares) == 2


@pytest.mark.parametrize("bfloat16", [False, True])
def test_learning_moves_the_policy_towards_what_paid(bfloat16: bool) -> None:
    # Only one action gets a reward: after some rollouts the network must prefer it.
    changes = {"agents": (), "learning_rate": (1e-2, 1e-2), "ent_coef": (0.0, 0.0), "bfloat16": bfloat16}
    try:
        settings = Settings(**{**vars(TINY), **changes})
    except ValueError as error:
        pytest.skip(str(error))
    learner = SelfPlay(settings)
    learner.collect(0)
    rollout = learner._rollout
    rollout.masks[:] = False
    rollout.masks[..., :2] = True
    rollout.actions[:] = np.arange(rollout.actions.size).reshape(rollout.actions.shape) % 2
    rollout.log_chances[:] = np.log(0.5)
    rollout.values[:] = 1 / 3
    rollout.ended[:] = True
    rollout.rewards[:] = (rollout.actions == 1)[..., None]
    for _ in range(10):
        learner.learn(0, lesson=False)
    with torch.no_grad():
        scores, _ = learner.network(torch.from_numpy(rollout.observations.reshape(-1, 435)))
    assert (scores[:, 1] > scores[:, 0]).float().mean() > 0.95


def test_lessons_teach_to_play_like_the_agents_that_give_them() -> None:
    changes = {
        "agents": ("builder",),
        "lessons": 10**9,
        "num_envs": 64,
        "hidden_sizes": (64,),
        "learning_rate": (3e-3, 3e-3),
    }
    learner = SelfPlay(Settings(**{**vars(TINY), **changes}))
    game = PuertoRico(players=3)
    batch = Batch(game, 32, seed=99)
    builder = make_agent("builder", game)
    positions = []
    for _ in range(60):
        chosen = builder.choose(batch.observation, batch.mask, batch.games)
        positions.append((batch.observation.copy(), batch.mask.copy(), chosen))
        batch.step(chosen)
    seen, masks, chosen = (np.concatenate(part) for part in zip(*positions, strict=True))

    def agreement() -> float:
        with torch.no_grad():
            scores = learner.network(torch.from_numpy(seen))[0].numpy()
        return float((np.where(masks, scores, -1e9).argmax(axis=1) == chosen).mean())

    before = agreement()
    for _ in range(12):
        learner.iterate(0)
    assert learner.decisions == 12 * 64 * 24  # in lessons the decisions of all seats are learned from
    assert agreement() > max(0.6, before + 0.2)


def test_after_the_lessons_the_learner_plays() -> None:
    learner = SelfPlay(Settings(**{**vars(TINY), "lessons": 1, "opponent_games": 0.0}))
    assert (learner._seated != LEARNER).all()
    learner.iterate(0)
    assert not learner.in_lessons
    assert (learner._seated == LEARNER).all()
    assert same(learner.weights(), learner.network.arrays())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be at least 1, got 0"),
        ({"num_envs": 2.5}, "num_envs must be a whole number, got 2.5"),
        ({"num_envs": True}, "num_envs must be a whole number, got True"),
        ({"hidden_sizes": ()}, "hidden_sizes must be the widths"),
        ({"hidden_sizes": 256}, r"hidden_sizes must be whole numbers, such as \(256, 256\), got 256"),
        ({"opponent_games": 1.0}, "opponent_games and pool_games must add up to at most 1"),
        ({"opponent_games": -0.1}, "opponent_games must be from 0 to 1"),
        ({"lessons": -1}, "lessons must be at least 0"),
        ({"ent_coef": 0.05}, r"ent_coef must be two numbers \(first, last\), got 0.05"),
        ({"ent_coef": (0.1,)}, "ent_coef must be two numbers"),
        ({"learning_rate": (1e-3, "low")}, "learning_rate must be two numbers"),
        ({"learning_rate": (1e-3, -1e-3)}, "learning_rate must be at least 0"),
        ({"clip_coef": "abc"}, "clip_coef must be a number, got 'abc'"),
        ({"clip_coef": float("nan")}, "clip_coef must be a number, got nan"),
        ({"ema_decay": 2}, "ema_decay must be from 0 to 1, got 2"),
        ({"soft_points": 0}, "soft_points must be more than 0"),
        ({"soft_share": (0.5, 1.5)}, "soft_share must go from 0 to 1"),
        ({"agents": "builder"}, r"agents must be words, such as .*, got 'builder'"),
        ({"agents": ("nosuch",)}, "there is no agent 'nosuch'"),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"seed": 2**63}, "seed must be from 0 to"),
        ({"threads": 100_000}, "threads must be at most"),
        ({"sure": 0.0}, "sure must be more than 0"),
        ({"sure_kept": 0}, "sure_kept must be more than 0"),
        ({"clip_coef": 10**400}, "clip_coef must be a number"),
        ({"bfloat16": 1}, "bfloat16 must be True or False, got 1"),
        ({"options": {"players": 7}}, "players must be a whole number from 2 to 6, got 7"),
        ({"options": {"colour": "red"}}, "puerto_rico does not have these options: .*colour"),
        ({"options": ["players"]}, "options must be a dictionary"),
        ({"game": "chess"}, "game must be one of puerto_rico"),
        ({"device": "abacus"}, "device must be available to PyTorch, got 'abacus'"),
    ],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Settings(**wrong)


@pytest.mark.parametrize(
    ("trial", "reason"),
    [
        ("raise RuntimeError('could not create a primitive')", "could not create a primitive"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "Illegal instruction"),
    ],
)
def test_a_machine_without_bfloat16_says_so(monkeypatch: pytest.MonkeyPatch, trial: str, reason: str) -> None:
    monkeypatch.setattr(bfloat16, "_TRIAL", trial)
    monkeypatch.setattr(selfplay, "why_no_bfloat16", bfloat16.why_no_bfloat16.__wrapped__)
    with pytest.raises(ValueError, match=f"bfloat16 does not work on this machine: .*{reason}"):
        Settings(bfloat16=True)


def test_lists_become_tuples() -> None:
    settings = Settings(hidden_sizes=[64, 32], ent_coef=[0.1, 0])  # type: ignore[arg-type]
    assert (settings.hidden_sizes, settings.ent_coef) == ((64, 32), (0.1, 0))


def test_lessons_need_somebody_who_gives_them() -> None:
    with pytest.raises(ValueError, match="lessons need agents"):
        Settings(agents=(), lessons=1)
    assert Settings(agents=()).lessons == 0
