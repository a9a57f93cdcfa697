"""The search: fair, reproducible, legal everywhere, and it finds a win if there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents.mcts
from agents import make_agent
from agents.guided_mcts import DEFAULT_PLAYOUTS, GuidedMctsAgent
from agents.mcts import PLAYOUTS_A_LOOK_AT_THE_CLOCK, MctsAgent
from agents.search.agent import SearchAgent
from agents.search.rollout import rollouts_of
from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.tables import PLAYER_COUNTS
from pr_env.threads import most_threads
from tests.puerto_rico.table import Name

GAME = PuertoRico(players=3)

# The last decision of a game: with 1 more point it is a tie, lost by doubloons; with 2 more points it is a win.
LAST_BUILDING: dict[str, Any] = {
    "phase": "builder",
    "governor": 0,
    "picker": 2,
    "player": 1,
    "roles": {"settler": {"taken_by": 0}, "mayor": {"taken_by": 1}, "builder": {"taken_by": 2}},
    "boards": [{"chips": 37, "doubloons": 9}, {"chips": 36, "doubloons": 3}, {"chips": 2}],
}
# The last pick of a game: the builder wins by 2 points, the other roles gain nothing.
LAST_PICK: dict[str, Any] = {
    "phase": "pick_role",
    "governor": 0,
    "roles": {"settler": {"taken_by": 0}, "mayor": {"taken_by": 1}},
    "boards": [{"chips": 37}, {"chips": 2}, {"chips": 36, "doubloons": 3}],
}


class Indifferent:
    """A uniform evaluator that records its calls."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert masks.any(axis=1).all()
        assert not masks.all(axis=1).any(), "finished games must not be evaluated"
        self.asked.append(len(observations))
        return np.ones(masks.shape), np.full((len(masks), 3), 1 / 3)


class Opinionated(Indifferent):
    """Always returns the same priors and values."""

    def __init__(self, priors: np.ndarray, values: list[float]) -> None:
        super().__init__()
        self.priors, self.values = priors, values

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.tile(self.priors, (len(masks), 1)), np.tile(self.values, (len(masks), 1))


def positions(players: int, count: int, seed: int = 0) -> np.ndarray:
    """Games at all stages, after random play."""
    batch = Batch(PuertoRico(players=players), count, seed=seed, observations=False, threads=1)
    chosen = np.zeros(count, batch.game.record)
    for i in range(count):
        for _ in range(37):
            batch.step(batch.sample_actions())
        chosen[i] = batch.games[i]
    return chosen


def decide(agent: SearchAgent, position: dict[str, Any]) -> Name:
    batch = Batch.from_dicts(PuertoRico(players=3), [position], autoreset=False)
    action = int(agent.choose(batch.observation, batch.mask, batch.games)[0])
    return batch.game.actions[action].name


def guided(**options: Any) -> GuidedMctsAgent:
    return GuidedMctsAgent(PuertoRico(players=3), Indifferent(), **options)


# -- good choices ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rollout", rollouts_of(GAME))
def test_sees_the_building_that_wins(rollout: str) -> None:
    assert decide(MctsAgent(GAME, playouts=100, rollout=rollout), LAST_BUILDING) == ("build", "indigo_plant")


def test_sees_the_pick_that_wins() -> None:
    assert decide(MctsAgent(GAME, playouts=200), LAST_PICK) == ("pick", "builder")


def test_sees_the_win_by_the_win_alone() -> None:
    assert decide(MctsAgent(GAME, playouts=200, softness=0), LAST_BUILDING) == ("build", "indigo_plant")
    assert decide(MctsAgent(GAME, playouts=200, softness=0), LAST_PICK) == ("pick", "builder")


def test_guided_search_sees_wins_that_its_evaluator_does_not() -> None:
    assert decide(guided(playouts=100), LAST_BUILDING) == ("build", "indigo_plant")
    assert decide(guided(playouts=200), LAST_PICK) == ("pick", "builder")


def test_values_are_those_of_the_seats() -> None:
    game = PuertoRico(players=3)
    thought = MctsAgent(GAME, playouts=100, softness=0).think(game.from_dict(LAST_BUILDING))
    assert thought.values[0, game.action_number("build", "indigo_plant")].tolist() == [0, 1, 0]
    assert thought.values[0, game.action_number("pass")].tolist() == [1, 0, 0]


def test_beats_random_with_few_playouts() -> None:
    games = 12
    batch = Batch(PuertoRico(players=3), games, seed=5, autoreset=False, observations=False)
    searcher, chance = make_agent("mcts:playouts=32", GAME), make_agent("random", GAME, seed=1)
    seats = np.arange(games) % 3
    while not batch.is_over().all():
        own = (batch.player == seats) & ~batch.is_over()
        actions = chance.choose(batch.observation, batch.mask)
        if own.any():
            actions[own] = searcher.choose(batch.observation[own], batch.mask[own], batch.games[own])
        batch.step(actions)
    assert batch.score()["win_share"][np.arange(games), seats].sum() >= 11


# -- legal, fair, reproducible -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_every_choice_is_legal_and_every_playout_counts(players: int) -> None:
    games = positions(players, 12, seed=players)
    thought = MctsAgent(PuertoRico(players=players), playouts=60).think(games)
    assert not thought.visits[games["legal"] == 0].any()
    assert (thought.visits.sum(axis=1) == 60).all()
    tried = thought.visits > 0
    assert np.allclose(thought.values[tried].sum(axis=1), 1)
    assert (games["legal"][np.arange(12), thought.best()] == 1).all()


@pytest.mark.parametrize("players", [2, 4, 5])  # they use the same record as three
def test_a_search_refuses_games_of_another_configuration(players: int) -> None:
    games = np.concatenate([positions(3, 1), positions(players, 1)])
    masks = games["legal"] != 0
    for agent in (MctsAgent(GAME, playouts=40), guided(playouts=40)):
        with pytest.raises(ValueError, match=r"made for PuertoRico.*got games of another configuration"):
            agent.think(games)
        with pytest.raises(ValueError, match="another configuration"):
            agent.choose(np.zeros((2, 0), np.float32), masks, games)


def test_a_search_refuses_what_are_no_records_of_its_game() -> None:
    six = PuertoRico(players=6, six_players="johns")
    nothing = np.zeros((1, 0), np.float32), np.ones((1, 86), np.bool_)
    for games in (np.zeros(1, six.record), np.zeros(1), np.zeros((1, 1), GAME.record), [1]):
        with pytest.raises(ValueError, match="one-dimensional array of records of PuertoRico"):
            MctsAgent(GAME, playouts=1).choose(*nothing, games)  # type: ignore[arg-type]


def test_the_choice_does_not_depend_on_what_else_is_searched() -> None:
    games = positions(4, 5)
    agent = MctsAgent(PuertoRico(players=4), playouts=40)
    together = agent.think(games)
    for i in range(5):
        alone = agent.think(games[i : i + 1])
        assert (together.visits[i] == alone.visits[0]).all()
        assert (together.values[i] == alone.values[0]).all()


def test_what_lies_face_down_stays_unknown() -> None:
    games = positions(3, 8)
    others = games.copy()
    others["rng"] ^= np.uint64(0x1234567)
    others["seed"] += np.uint64(1)
    agent = MctsAgent(GAME, playouts=60)
    assert (agent.think(games).visits == agent.think(others).visits).all()


def test_same_seed_same_choice_with_any_number_of_threads() -> None:
    games = positions(3, 5)
    thoughts = [MctsAgent(GAME, playouts=60, threads=threads, seed=3).think(games) for threads in {1, most_threads()}]
    again = MctsAgent(GAME, playouts=60, seed=3).think(games[::-1])
    for thought in thoughts:
        assert (thought.visits == again.visits[::-1]).all()
        assert (thought.values == again.values[::-1]).all()
    assert (MctsAgent(GAME, playouts=60, seed=4).think(games).visits != again.visits[::-1]).any()


def test_the_games_are_not_changed() -> None:
    games = positions(3, 3)
    before = games.tobytes()
    MctsAgent(GAME, playouts=20).think(games)
    guided(playouts=20).think(games)
    assert games.tobytes() == before


def test_a_lone_legal_action_and_a_game_that_is_over_are_not_searched() -> None:
    games = positions(3, 2)
    masks = np.zeros(games["legal"].shape, np.bool_)
    games["legal"] = 0
    games["legal"][0, 7] = masks[0, 7] = True
    masks[1] = True
    agent = guided()
    assert agent.choose(np.zeros((2, 0)), masks, games)[0] == 7
    assert agent.evaluator.asked == []  # type: ignore[attr-defined]


# -- budgets -----------------------------------------------------------------------------------------------------------


def test_what_comes_first_ends_the_search() -> None:
    games = positions(3, 3)
    assert (MctsAgent(GAME, playouts=100, seconds=1000).think(games).visits.sum(axis=1) == 100).all()
    blink = MctsAgent(GAME, seconds=1e-9).think(games)
    assert (blink.visits.sum(axis=1) == PLAYOUTS_A_LOOK_AT_THE_CLOCK).all()
    assert (MctsAgent(GAME, playouts=10, seconds=1e-9).think(games).visits.sum(axis=1) == 10).all()


def test_a_search_in_several_calls_is_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    games = positions(3, 3)
    whole = MctsAgent(GAME, playouts=96).think(games)
    monkeypatch.setattr(agents.mcts, "PLAYOUTS_A_CALL", 32)
    assert (MctsAgent(GAME, playouts=96).think(games).visits == whole.visits).all()


def test_a_full_tree_is_still_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents.mcts, "MOST_NODES", 12)
    games = positions(3, 6)
    thought = MctsAgent(GAME, playouts=60).think(games)
    assert (games["legal"][np.arange(6), thought.best()] == 1).all()
    assert (np.count_nonzero(thought.visits, axis=1) <= 11).all()


# -- the evaluator -----------------------------------------------------------------------------------------------------


def test_evaluator_is_asked_seldom_about_many() -> None:
    agent = guided(playouts=40, leaves=8)
    thought = agent.think(positions(3, 10))
    asked = agent.evaluator.asked  # type: ignore[attr-defined]
    assert len(asked) == 1 + 40 // 8
    assert asked[0] == 10  # the roots
    assert max(asked) <= 80
    assert (thought.visits.sum(axis=1) == 40).all()


def test_guided_search_has_time_or_playouts() -> None:
    games = positions(3, 2)
    assert (guided(seconds=1e-9, leaves=8).think(games).visits.sum(axis=1) == 8).all()  # at least one round
    assert (guided(seconds=1e-9, playouts=3).think(games).visits.sum(axis=1) == 3).all()
    assert (guided(seconds=1000, playouts=30).think(games).visits.sum(axis=1) == 30).all()
    assert (guided().think(games).visits.sum(axis=1) == DEFAULT_PLAYOUTS).all()
    with pytest.raises(ValueError, match="seconds must be more than 0"):
        guided(seconds=0)


def test_search_looks_where_the_prior_points() -> None:
    game = PuertoRico(players=3)
    priors = np.full(len(game.actions), 0.001)
    priors[game.action_number("pick", "trader")] = 1
    agent = GuidedMctsAgent(game, Opinionated(priors, [1 / 3, 1 / 3, 1 / 3]), playouts=50)
    opening = Batch(game, 1).games
    assert agent.think(opening).best()[0] == game.action_number("pick", "trader")


def test_a_search_with_a_clock_ends_when_no_other_action_can_win() -> None:
    game = PuertoRico(players=3)
    priors = np.full(len(game.actions), 0.001)
    priors[game.action_number("pick", "trader")] = 1
    evaluator = Opinionated(priors, [1 / 3, 1 / 3, 1 / 3])
    opening = Batch(game, 1).games
    whole = GuidedMctsAgent(game, evaluator, playouts=400).think(opening)
    short = GuidedMctsAgent(game, evaluator, playouts=400, seconds=1000).think(opening)
    first, second = np.sort(short.visits[0])[[-1, -2]]
    assert short.best()[0] == whole.best()[0]
    assert short.visits.sum() < 300
    assert first - second > 400 - short.visits.sum()


def test_values_are_seen_from_the_acting_seat_clockwise() -> None:
    game = PuertoRico(players=3)
    games = positions(3, 12)
    agent = GuidedMctsAgent(game, Opinionated(np.ones(len(game.actions)), [0.7, 0.2, 0.1]), playouts=1)
    thought = agent.think(games)
    batch = Batch(game, len(games), autoreset=False)
    batch.set_games(games)
    actions = thought.visits.argmax(axis=1)
    batch.step(actions)
    movers = set()
    for i, action in enumerate(actions):
        if not batch.is_over()[i]:
            mover = int(batch.player[i])
            movers.add(mover)
            assert thought.values[i, action].tolist() == np.roll([0.7, 0.2, 0.1], mover).tolist()
    assert movers == {0, 1, 2}


def test_guided_choice_does_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    games = positions(3, 6)
    whole = guided(playouts=40).think(games)
    monkeypatch.setattr("agents.guided_mcts.MOST_NODES", 1200)  # two trees at a time
    parts = guided(playouts=40).think(games)
    assert (whole.visits == parts.visits).all()


def test_evaluators_that_answer_nonsense_are_told() -> None:
    game = PuertoRico(players=3)
    opening = Batch(game, 1).games
    ones = np.ones(len(game.actions))
    for priors, values, complaint in (
        (ones[:5], [0.1, 0.2, 0.3], "priors must have shape"),
        (ones, [0.1, 0.2], "values must have shape"),
        (ones, [0.1, np.nan, 0.3], "values must be finite"),
        (-ones, [0.1, 0.2, 0.3], "priors must not be negative"),
    ):
        with pytest.raises(ValueError, match=complaint):
            GuidedMctsAgent(game, Opinionated(priors, values)).think(opening)


def test_a_search_that_trusts_its_rollout_tries_first_what_the_rollout_would_do() -> None:
    games = positions(3, 12)
    trusting = MctsAgent(GAME, playouts=1, rollout="builder", trust=1.0, threads=1).think(games)
    masks = games["legal"].astype(np.bool_)
    scripted = make_agent("builder", GAME).choose(np.zeros((12, 0), np.float32), masks, games)
    assert trusting.best().tolist() == scripted.tolist()
    none = MctsAgent(GAME, playouts=40, rollout="random", threads=1).think(games)
    by_chance = MctsAgent(GAME, playouts=40, rollout="random", trust=0.5, threads=1).think(games)
    assert by_chance.visits.sum() == none.visits.sum() == 40 * 12, "the random policy has no favourite"


# -- options -----------------------------------------------------------------------------------------------------------


def test_options_by_name() -> None:
    agent = make_agent("mcts:playouts=30,rollout=mixed,exploration=2", GAME)
    assert isinstance(agent, MctsAgent)
    assert agent.think(Batch(GAME, 1).games).visits.sum() == 30


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("playouts=0", "playouts must be a whole number of at least 1, got 0"),
        ("playouts=2.5", "playouts must be a whole number"),
        ("seconds=0", "seconds must be more than 0"),
        ("seconds=-1", "seconds must be a number of at least 0, got -1"),
        ("rollout=wise", "rollout must be one of mixed, builder, .*random, got 'wise'"),
        ("exploration=-0.5", "exploration must be a number of at least 0"),
        ("trust=-0.1", "trust must be a number of at least 0"),
        ("trust=1.5", "trust must be a number from 0 to 1, got 1.5"),
        ("softness=soft", "softness must be a number of at least 0"),
        ("threads=0", "threads must be a whole number"),
        ("threads=9999", "threads must be at most"),
        ("depth=3", "no option 'depth=3'"),
    ],
)
def test_silly_options_are_refused(options: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        make_agent(f"mcts:{options}", GAME)


def test_silly_options_of_the_guided_search_are_refused() -> None:
    for options, complaint in (
        ({"playouts": 0}, "playouts"),
        ({"leaves": 0}, "leaves"),
        ({"exploration": -1}, "explor"),
    ):
        with pytest.raises(ValueError, match=complaint):
            guided(**options)


def test_a_search_needs_games() -> None:
    with pytest.raises(ValueError, match="pass them as games"):
        make_agent("mcts", GAME).choose(np.zeros((1, 0)), np.ones((1, 86), np.bool_))
