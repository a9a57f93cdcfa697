"""The promises that every game keeps: ``check_game(game)`` plays random games and checks them.

Run this in the tests of a new game, or use ``pr-env check --game module:Class``:

>>> check_game(MyGame(players=4))

The first broken promise raises `BrokenPromiseError`, which names the promise, where it was broken and what was found.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from pr_env.aec import GameAEC
from pr_env.batch import Batch
from pr_env.game import ACTING, EVERYTHING, NO_TITLE, Buffers, Game, IllegalActionError
from pr_env.moment import Moment
from pr_env.registry import known_names
from pr_env.replay import Recorder, Replay
from pr_env.rewards import SCHEMES
from pr_env.rules import rules_of
from pr_env.single import GameEnv
from pr_env.spaces import HIGHEST
from pr_env.threads import most_threads
from pr_env.vector import GameVectorEnv

_RECORD_FIELDS = {"seed": "uint64", "rng": "uint64", "player": "int64"}
_FINAL_FIELDS = {"seed": "u", "ending": "u", "points": "i", "total": "i", "rank": "i", "win_share": "f"}


class BrokenPromiseError(AssertionError):
    """A game breaks a promise of the interface."""


def check_game(game: Game, *, games: int = 24, steps: int = 200, seed: int = 0) -> list[str]:
    """Play random games in one configuration, and check all promises.

    Args:
        game: The game in the configuration to check.
        games: The number of games in the batch.
        steps: The number of decisions in each; finished games restart.
        seed: Seed of the games and of the random play.

    Returns:
        The promises that were checked, in words.

    Raises:
        BrokenPromiseError: If one is broken.
    """
    checked = []
    for promise in _PROMISES:
        promise(_Check(game, games, steps, seed))
        checked.append((promise.__doc__ or "").splitlines()[0].rstrip("."))
    return checked


class _Check:
    """Helpers for the checks: the game, batches of it, and a way to report problems."""

    def __init__(self, game: Game, games: int, steps: int, seed: int) -> None:
        self.game = game
        self.games = games
        self.steps = steps
        self.seed = seed

    def holds(self, condition: object, sentence: str) -> None:
        """Report a problem unless the condition is true."""
        if not bool(condition):
            raise BrokenPromiseError(f"{self.game}: {sentence}")

    def batch(self, **options: Any) -> Batch:
        """A batch of new games."""
        return Batch(self.game, self.games, self.seed, **({"threads": 1} | options))

    def positions(self, each: Callable[[Batch, int], None], every: int = 7, **options: Any) -> None:
        """Call a function with a batch at many moments of random games."""
        batch = self.batch(**options)
        for step in range(self.steps):
            if step % every == 0:
                each(batch, step)
            batch.step(batch.sample_actions())


def _tables(check: _Check) -> None:
    """Record, result, actions, observation table and options follow the interface."""
    game, holds = check.game, check.holds
    holds(isinstance(game, Game), "the game is not derived from pr_env.Game")
    record = game.record
    for name, kind in _RECORD_FIELDS.items():
        holds(name in (record.names or ()), f"the record lacks the field {name!r}")
        holds(record[name] == np.dtype(kind), f"the record's field {name!r} must be {kind}, got {record[name]}")
    holds("legal" in (record.names or ()), "the record lacks the field 'legal'")
    legal = record["legal"]
    wanted = np.dtype(("u1", (len(game.actions),)))
    holds(legal == wanted, f"the record's field 'legal' must be uint8 of shape ({len(game.actions)},), got {legal}")
    holds(rules_of(record) == game.rules, "the record is not marked as one of this game: use game_record(name, fields)")
    for name, letter in _FINAL_FIELDS.items():
        holds(name in (game.final.names or ()), f"the final record lacks the field {name!r}")
        holds(
            game.final[name].base.kind == letter,
            f"the final record's field {name!r} has the wrong type, {game.final[name]}",
        )
    unit = game.length_unit
    holds(unit in (game.final.names or ()), f"the final record lacks the field {unit!r}, the unit of its length")
    seats = game.final["total"].shape[0]
    holds(seats >= game.players, f"the final record has {seats} seats for {game.players} players")
    sources = (seats, len(game.point_sources))
    holds(game.final["points"].shape == sources, f"the final record's points must have the shape {sources}")
    numbers = [action.number for action in game.actions]
    holds(numbers == list(range(len(numbers))), "actions must be numbered in order, starting at 0")
    holds(len({action.name for action in game.actions}) == len(numbers), "two actions have the same name")
    places = [place for field in game.fields for place in range(field.start, field.stop)]
    holds(places == list(range(game.observation_size)), "fields must cover the observation without gaps or overlaps")
    options = json.loads(json.dumps(game.options()))
    holds(type(game)(**options) == game, f"options() does not give the same game again: {options}")
    recorded = json.loads(json.dumps(game.recorded_options()))
    again = type(game).from_recorded(recorded, **game.local())
    holds(again == game, f"recorded_options() does not give the same game again: {recorded}")
    holds(len(game.teams) == game.players, f"teams must have {game.players} entries, got {game.teams}")
    known = set(game.reward_schemes) <= set(SCHEMES)
    holds(game.reward_schemes and known, f"reward schemes must be among {SCHEMES}, got {game.reward_schemes}")
    if "score" in game.reward_schemes:
        holds("score" in (game.final.names or ()), "a game that pays 'score' needs that field in its final record")
        wanted = np.dtype(("f4", (seats,)))
        holds(
            game.final["score"] == wanted,
            f"the final record's field 'score' must be float32 of shape ({seats},), got {game.final['score']}",
        )
    if game.titles:
        holds(not game.constant_sum, "titles are for cooperative and solo games")
        holds(len(set(game.titles)) == len(game.titles), f"titles must differ, got {game.titles}")
        holds("title" in (game.final.names or ()), "a game with titles needs the field 'title' in its final record")
        holds(
            game.final["title"] == np.int8, f"the final record's field 'title' must be int8, got {game.final['title']}"
        )
    holds(game.fits(game.blank), "a blank record does not fit its own configuration")


def _masks(check: _Check) -> None:
    """A running game always offers a real choice, and a game that is over offers none."""

    def each(batch: Batch, step: int) -> None:
        over, legal = batch.is_over(), batch.games["legal"] != 0
        choices = legal.sum(axis=1)
        check.holds(not choices[over].any(), f"after {step} steps something is legal in a game that is over")
        few = np.flatnonzero(~over & (choices < 2))
        what = "a decision with one answer must not be asked"
        check.holds(not len(few), f"after {step} steps game {few[:1]} has {choices[few][:1]} legal actions: {what}")
        check.holds((batch.mask == (legal | over[:, None])).all(), "the mask differs from the legal actions")
        seats = (batch.player >= 0) & (batch.player < check.game.players)
        check.holds(seats.all(), "the seat to move does not exist")
        problems = check.game.problems(np.array(batch.games))
        check.holds(not problems, f"after {step} steps of play problems() says: {'; '.join(problems[:3])}")

    check.positions(each)
    check.positions(each, autoreset=False)


def _same_games(check: _Check) -> None:
    """A game depends only on its seed and its actions, not on the batch, its index in the batch or the threads."""
    whole = check.batch()
    others = [check.batch(threads=min(2, most_threads()))]
    alone = [Batch(check.game, 1, check.seed + place, threads=1) for place in (0, check.games - 1)]
    for step in range(check.steps):
        actions = whole.sample_actions()
        whole.step(actions)
        for other in others:
            other.step(actions)
            check.holds(_same(other, whole), f"after {step + 1} steps two threads give another game than one thread")
        for place, single in zip((0, check.games - 1), alone, strict=True):
            single.step(actions[place : place + 1])
            same = single.games.tobytes() == whole.games[place : place + 1].tobytes()
            check.holds(same, f"after {step + 1} steps game {place} of a batch differs from a game with its seed")


def _refusals(check: _Check) -> None:
    """A refused action changes nothing."""

    def each(batch: Batch, step: int) -> None:
        before = batch.save(), [array.copy() for array in vars(batch.buffers).values()]
        actions = batch.clone().sample_actions()
        for wrong in (-1, len(check.game.actions), *_some_illegal(batch, check.games - 1)):
            actions[-1] = wrong
            try:
                batch.step(actions)
            except IllegalActionError:
                pass
            else:
                check.holds(False, f"after {step} steps the illegal action {wrong} was played")
            same = all(
                np.array_equal(old, new) for old, new in zip(before[1], vars(batch.buffers).values(), strict=True)
            )
            check.holds(before[0] == batch.save() and same, f"the refused action {wrong} changed something")

    check.positions(each, every=29)


def _copies(check: _Check) -> None:
    """Cloned, saved and described games continue like the originals."""

    def each(batch: Batch, step: int) -> None:
        restored = check.batch()
        restored.restore(batch.save())
        described = Batch.from_dicts(
            check.game,
            [json.loads(json.dumps(batch.to_dict(place))) for place in range(len(batch))],
            threads=1,
        )
        copies = {"clone": batch.clone(), "deep copy": copy.deepcopy(batch), "restored": restored}
        for name, other in {**copies, "described": described}.items():
            check.holds(_same(other, batch), f"after {step} steps a {name} game differs from the original")
        probe = batch.clone()
        for _ in range(5):
            actions = probe.sample_actions()
            probe.step(actions)
            for name, other in copies.items():
                other.step(actions)
                check.holds(_same(other, probe), f"a {name} game continues differently from the original")

    check.positions(each, every=41)


def _rewards(check: _Check) -> None:
    """Every scheme rewards every seat, and ``win_share`` tells who won."""
    game = check.game
    for scheme in game.reward_schemes:
        batch = check.batch(reward=scheme, autoreset=False)
        at_first = batch.score()["total"][:, : game.players].astype(np.float64)
        returns = np.zeros((check.games, game.players))
        for _ in range(100 * check.steps):
            if batch.is_over().all():
                break
            batch.step(batch.sample_actions())
            check.holds(np.isfinite(batch.reward).all(), f"{scheme} pays NaN or inf")
            returns += batch.reward
        check.holds(batch.is_over().all(), f"random games do not end within {100 * check.steps} decisions")
        final = batch.score()
        cut = game.is_truncated(np.array(batch.games))
        total, share = final["total"][:, : game.players], final["win_share"][:, : game.players]
        if scheme == "points":
            check.holds(
                np.array_equal(returns, total - at_first),
                "rewards of 'points' do not add up to the final points",
            )
        elif scheme == "win_share":
            check.holds(np.allclose(returns[~cut], share[~cut]), "the reward of 'win_share' is not the final win_share")
        elif scheme == "score":
            score = final["score"][:, : game.players]
            check.holds(np.allclose(returns[~cut], score[~cut]), "the reward of 'score' is not the final score")
            good = np.where(share > 0, (score > 0) & (score <= 1), score == 0)
            check.holds(good[~cut].all(), "score must be 0 for a loss, and above 0 and at most 1 for a win")
        elif scheme == "progress":
            check.holds((np.abs(returns) <= 1 + 1e-4).all(), "progress must be from 0 to 1")
        if scheme not in ("points", "progress"):
            check.holds(not returns[cut].any(), f"{scheme} pays for a truncated game")
        _check_result(check, final, cut)


def _check_result(check: _Check, final: np.ndarray, cut: np.ndarray) -> None:
    """The parts of a final record must be consistent."""
    game, teams = check.game, np.array(check.game.teams)
    share, rank = final["win_share"][:, : game.players], final["rank"][:, : game.players]
    check.holds(((share >= 0) & (share <= 1)).all(), "win_share must be from 0 to 1")
    for team in set(game.teams):
        own = share[:, teams == team]
        check.holds((own == own[:, :1]).all(), f"seats of team {team} have different win_shares")
    if game.constant_sum:
        firsts = [int(np.argmax(teams == team)) for team in sorted(set(game.teams))]
        check.holds(np.allclose(share[~cut][:, firsts].sum(axis=1), 1), "win_shares of the teams must add up to 1")
    check.holds(((rank >= 1) & (rank <= game.players)).all(), "ranks must be from 1 to the number of players")
    points = final["points"][:, : game.players].sum(axis=2)
    check.holds(
        np.array_equal(points, final["total"][:, : game.players]), "points by source do not add up to the total"
    )
    if game.titles:
        known = (final["title"] >= NO_TITLE) & (final["title"] < len(game.titles))
        wanted = f"{NO_TITLE} or an index in titles, from 0 to {len(game.titles) - 1}"
        check.holds(known.all(), f"a title must be {wanted}, got {final['title'][~known][:1]}")
    unknown = final["ending"] >> len(game.end_reasons)
    check.holds(not unknown.any() and final["ending"].all(), "a game that is over must give a reason in end_reasons")


def _observations(check: _Check) -> None:
    """Observations are finite, fit the space, and are the acting player's."""
    game = check.game
    view = Buffers.allocate(game, check.games)

    def each(batch: Batch, step: int) -> None:
        seen = batch.observation
        check.holds(np.isfinite(seen).all(), f"after {step} steps an observation contains NaN or inf")
        check.holds(((seen >= 0) & (seen <= HIGHEST)).all(), f"an observation has numbers outside 0 to {HIGHEST:g}")
        before = batch.games.tobytes()
        for viewer in (*range(game.players), EVERYTHING, ACTING):
            view.observation[:] = np.nan
            batch.look(view, viewer)
            check.holds(np.isfinite(view.observation).all(), f"observe does not write all numbers for viewer {viewer}")
            if viewer >= 0:
                rows = batch.player == viewer
                same = np.array_equal(view.observation[rows], seen[rows])
                check.holds(same, f"the observation of seat {viewer} differs between ACTING and its seat number")
        batch.score()
        check.holds(batch.games.tobytes() == before, "looking at games or scoring them changed them")
        named = game.read_observation(seen)
        check.holds(list(named) == [field.name for field in game.fields], "read_observation does not name all fields")

    check.positions(each, every=11)


def _resample(check: _Check) -> None:
    """Resampling keeps what the viewer knows, and depends on nothing else."""
    game = check.game
    one, other = Buffers.allocate(game, check.games), Buffers.allocate(game, check.games)
    random = np.random.default_rng(check.seed)

    def each(batch: Batch, step: int) -> None:
        if batch.is_over().any():
            return
        for viewer in range(game.players):
            viewers = np.full(check.games, viewer)
            first, second = random.integers(1, 2**63, (2, check.games)).astype(np.uint64)
            games = np.array(batch.games)
            game.look(games, one, viewer)
            game.resample(games, viewers, first)
            game.look(games, other, viewer)
            kept = np.array_equal(one.observation, other.observation) and np.array_equal(one.player, other.player)
            check.holds(kept, f"resample changes what seat {viewer} sees, or the seat to move")
            own = one.player == viewer
            check.holds(
                np.array_equal(one.mask[own], other.mask[own]), f"resample changes what is legal for seat {viewer}"
            )
            again = np.array(batch.games)
            game.resample(again, viewers, second)
            changed = (again["rng"] != batch.games["rng"]).any()
            check.holds(changed, "resample keeps the state of the generator, so a search would see the future")
            game.resample(again, viewers, first)
            same = again.tobytes() == games.tobytes()
            check.holds(same, f"what resample draws for seat {viewer} depends on something that the seat cannot know")

    check.positions(each, every=23, autoreset=True)


def _environments(check: _Check) -> None:
    """The environments play games to their end, and every seat gets its return."""
    game = check.game
    env = GameAEC(game)
    env.reset(seed=check.seed)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    random = np.random.default_rng(check.seed)
    while env.agents:
        agent = env.agent_selection
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        mask = observation["action_mask"]
        chosen = None if terminated or truncated else int(random.choice(np.flatnonzero(mask)))
        env.step(chosen)
    share = env._batch.score()["win_share"][0, : game.players] * env._batch.terminated[0]
    check.holds(np.allclose(list(returns.values()), share), f"AEC returns {returns} are not the win_share {share}")
    single = GameEnv(game)
    for seed in range(3):
        _, info = single.reset(seed=seed)
        over = False
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, _, terminated, truncated, info = single.step(action)
            over = terminated or truncated
    vector = GameVectorEnv(game, check.games)
    view = Buffers.allocate(game, check.games)
    _, infos = vector.reset(seed=check.seed)
    for _ in range(20):
        seen, rewards, _, _, infos = vector.step(infos["action_mask"].argmax(axis=1))
        check.holds(np.isfinite(rewards).all(), "the vector environment pays NaN or inf")
        vector._seats.batch.look(view)
        check.holds(
            np.array_equal(seen, view.observation), "observations of the vector environment differ from the batch's"
        )


def _words(check: _Check) -> None:
    """Every position, action and result has a text, and a replay reproduces the game."""
    game, words = check.game, check.game.words
    batch = Batch(game, 1, check.seed, autoreset=False, threads=1)
    recorder = Recorder(game, int(batch.seed[0]))
    move = 0
    while not batch.is_over()[0]:
        if move % 5 == 0:
            moment = Moment(game, batch.games[0])
            check.holds(words.question(moment), f"at move {move} there is no question")
            for action in moment.legal:
                said = words.sentence(action, moment) and words.answer(action, moment)
                check.holds(said, f"at move {move} the action {action} has no words")
            check.holds(game.text(batch.games[0], colour=False), f"at move {move} the board has no text")
        number = int(batch.sample_actions()[0])
        recorder.add(number)
        batch.step([number])
        move += 1
    check.holds(words.result(Moment(game, batch.games[0])), "a game that is over has no result in words")
    replay = recorder.replay()
    if game.name in known_names():
        check.holds(Replay.from_json(replay.to_json()) == replay, "a replay changes when it is written and read again")
    check.holds(len(replay.moves()) == move, "the log does not tell every move")
    check.holds(replay.log(), "the log is empty")


def _pictures(check: _Check) -> None:
    """Every render mode works."""
    batch = Batch(check.game, 1, check.seed, threads=1)
    for mode in check.game.render_modes:
        picture = batch.render(0, mode)
        text = isinstance(picture, str) and picture != ""
        pixels = isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.shape[2:] == (3,)
        check.holds(text or pixels, f"render mode {mode!r} must return text, or uint8 of shape (height, width, 3)")


_PROMISES: tuple[Callable[[_Check], None], ...] = (
    _tables,
    _masks,
    _same_games,
    _refusals,
    _copies,
    _rewards,
    _observations,
    _resample,
    _environments,
    _words,
    _pictures,
)


def _same(one: Batch, other: Batch) -> bool:
    return one.games.tobytes() == other.games.tobytes()


def _some_illegal(batch: Batch, place: int) -> list[int]:
    """An existing but illegal action, if there is one."""
    if batch.is_over()[place]:
        return []
    return [int(action) for action in np.flatnonzero(batch.games["legal"][place] == 0)[:1]]
