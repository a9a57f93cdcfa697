"""OpenSpiel: the games as registered Python games. Needs the extra ``openspiel``.

>>> import pyspiel
>>> import pr_env.openspiel
>>> game = pyspiel.load_game("python_nim(players=3)")

Importing this module registers every game in `pr_env.registry`; `register` registers other games.

Chance: the set-up of a game is a chance node, and so is every action that draws something. The outcomes of a chance
    node are equally likely seed numbers; each initialises the generator for the draws that follow. So a node has a
    fixed number of futures (the parameter ``chance_outcomes``) instead of every future that the rules allow, and a
    search through chance nodes accounts for what it cannot foresee. Texts and tensors show only what a player may know,
    not the seed or the generator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pr_env.openspiel needs {missing.name}, of the extra 'openspiel': "
        "pip install -e '.[openspiel]' in the checkout of pr-env",
        name=missing.name,
    ) from None

from pr_env.batch import Batch
from pr_env.commands.options import GameOption, options_of
from pr_env.game import Buffers, Game
from pr_env.moment import Moment
from pr_env.registry import GAMES, find_game
from pr_env.sampling import start_generators

CHANCE_OUTCOMES = 256  # outcomes per chance node, unless the parameter says otherwise
MOST_DECISIONS = 100_000  # in a game, chance nodes included; more than any game has
MOST_PLAYERS = 10  # the highest number to try
SEPARATOR = "+"  # between several names in one parameter
_SET_UP = -1  # pending at a state's first chance node
_NOTHING = -2
_OTHER_SEEDS = np.uint64(0x9E3779B97F4A7C15)  # keeps the outcomes of one node apart


def register(kind: type[Game]) -> str:
    """Register a game.

    Args:
        kind: Its class. Its options become parameters; lists of names are joined with ``+``.

    Returns:
        Its name in ``pyspiel.load_game``: ``python_`` followed by the game's name.
    """
    short_name = f"python_{kind.name}"
    if short_name in pyspiel.registered_names():
        return short_name
    options = options_of(kind)
    counts = _player_counts(kind, options)

    def game_type(game: Game) -> pyspiel.GameType:
        return pyspiel.GameType(
            short_name=short_name,
            long_name=game.words.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,  # some options hide information
            utility=_utility(game),
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=max(counts),
            min_num_players=min(counts),
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                **{option.name: _usual(option) for option in options},
                "chance_outcomes": CHANCE_OUTCOMES,
            },
        )

    class RegisteredGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
        """One configuration."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            params = params or {}
            given = {option.name: params[option.name] for option in options if option.name in params}
            game = kind(
                **{option.name: _read(option, given[option.name]) for option in options if option.name in given}
            )
            outcomes = params.get("chance_outcomes", CHANCE_OUTCOMES)
            if outcomes < 1:
                raise ValueError(f"chance_outcomes must be at least 1, got {outcomes}")
            self.table = _Table(game, outcomes)
            constant_sum = _utility(game) == pyspiel.GameType.Utility.CONSTANT_SUM
            info = pyspiel.GameInfo(
                num_distinct_actions=len(game.actions),
                max_chance_outcomes=outcomes,
                num_players=game.players,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0 if constant_sum else None,
                max_game_length=MOST_DECISIONS,
            )
            super().__init__(game_type(game), info, params)

        def new_initial_state(self) -> State:
            """The state before the set-up."""
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            """An observer, which writes observations."""
            if params:
                raise ValueError(f"observers take no parameters, got {params!r}")
            return Observer(self.table)

    pyspiel.register_game(game_type(kind()), RegisteredGame)
    return short_name


class _Table:
    """A game and its work space, shared by all its states and never copied."""

    def __init__(self, game: Game, chance_outcomes: int) -> None:
        self.game = game
        self.chance = [(outcome, 1 / chance_outcomes) for outcome in range(chance_outcomes)]
        # A batch announces what it compiles.
        batch = Batch(game, 1, reward=game.reward_schemes[0], observations=False, threads=1)
        self.blank = np.array(batch.games)
        self.blank["legal"] = 0
        self._out = batch.buffers
        self._view = Buffers.allocate(game, 1)
        self._everywhere = np.ones(1, np.bool_)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Table:
        """Copies of states share it."""
        return self

    def set_up(self, outcome: int) -> np.ndarray:
        """The game set up with a chance outcome."""
        games = np.zeros(1, self.game.record)
        self.game._reset(games, np.array([outcome], np.uint64))
        return games

    def step(self, games: np.ndarray, action: int) -> np.ndarray:
        """The game one action later."""
        later = games.copy()
        actions = np.array([action], np.int64)
        refused = self.game._step(later, actions, self._everywhere, self.game.reward_schemes[0], False, 1, self._out)
        if refused >= 0:
            raise ValueError(f"action {action} is not legal")
        return later

    def with_chance(self, games: np.ndarray, outcome: int) -> np.ndarray:
        """The same game with another generator state, which depends on the outcome and the current state."""
        changed = games.copy()
        seeds = games["rng"] ^ (np.array([outcome + 1], np.uint64) * _OTHER_SEEDS)
        states = np.zeros(1, np.uint64)
        start_generators(seeds, states)
        changed["rng"] = states
        return changed

    def seen(self, games: np.ndarray, viewer: int) -> np.ndarray:
        """The observation of a seat."""
        self.game._look(games, self._view, viewer)
        observation: np.ndarray = self._view.observation[0]
        return observation

    def told(self, games: np.ndarray, viewer: int) -> str:
        """The observation of a seat as text: a line for each field that is not all 0."""
        fields = self.game.read_observation(self.seen(games, viewer))
        lines = [_line(field.name, fields[field.name], field.axes) for field in self.game.fields]
        return "\n".join(line for line in lines if line)


class State(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A game between two moves, or at a chance node."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._table: _Table = game.table
        self._games = self._table.blank.copy()
        self._waiting = _SET_UP

    @property
    def games(self) -> np.ndarray:
        """The record, shape (1,); meaningless before the set-up."""
        games: np.ndarray = self._games
        return games

    @property
    def is_set_up(self) -> bool:
        """Whether the first chance node has been passed."""
        return self._waiting != _SET_UP

    def current_player(self) -> int:
        """The seat to move, or the chance or terminal player."""
        if self._waiting != _NOTHING:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self._games["player"][0])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._waiting == _NOTHING and bool(self._table.game._is_over(self._games)[0])

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self._games["legal"][0])]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Seed numbers and their equal probabilities."""
        return self._table.chance

    def _apply_action(self, action: int) -> None:
        if self._waiting == _SET_UP:
            self._games, self._waiting = self._table.set_up(action), _NOTHING
        elif self._waiting != _NOTHING:
            drawing = self._table.with_chance(self._games, action)
            self._games, self._waiting = self._table.step(drawing, self._waiting), _NOTHING
        else:
            later = self._table.step(self._games, action)
            if later["rng"][0] == self._games["rng"][0]:
                self._games = later
            else:
                self._waiting = action  # something was drawn: a chance node decides it

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return " ".join(str(part) for part in self._table.game.actions[action].name)

    def returns(self) -> list[float]:
        """Each seat's share of the win; 0 before the end."""
        game = self._table.game
        if not self.is_terminal():
            return [0.0] * game.players
        finals = np.zeros(1, game.final)
        game._score(self._games, finals)
        return [float(share) for share in finals["win_share"][0][: game.players]]

    def __str__(self) -> str:
        """The question asked, and the acting player's observation."""
        if not self.is_set_up:
            return "not set up yet"
        moment = Moment(self._table.game, self._games[0])
        words = self._table.game.words
        if self.is_terminal():
            asked = words.result(moment)
        else:
            asked = f"{words.seat(moment.player)}: {words.question(moment)}"
            if self._waiting != _NOTHING:
                asked += f" {self._action_to_string(moment.player, self._waiting)}; chance is next"
        return f"{asked}\n{self._table.told(self._games, moment.player)}"


class Observer:
    """Writes the observation of a player.

    Attributes:
        tensor: float32 (size,): the observation as in the environments.
        dict: The same by name.
    """

    def __init__(self, table: _Table) -> None:
        self._table = table
        self.tensor = np.zeros(table.game.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Write a player's observation; zeros before the set-up."""
        self.tensor[:] = self._table.seen(state.games, player) if state.is_set_up else 0

    def string_from(self, state: State, player: int) -> str:
        """The same as text."""
        return self._table.told(state.games, player) if state.is_set_up else "not set up yet"


def _utility(game: Game) -> Any:
    utilities = pyspiel.GameType.Utility
    teams = len(set(game.teams))
    if teams == 1:
        return utilities.IDENTICAL
    return utilities.CONSTANT_SUM if teams == game.players else utilities.GENERAL_SUM


def _player_counts(kind: type[Game], options: tuple[GameOption, ...]) -> list[int]:
    """The numbers of players that a game of this class can have."""
    if not any(option.name == "players" for option in options):
        return [kind().players]
    found = [kind().players]
    for players in range(1, MOST_PLAYERS + 1):
        try:
            found.append(kind(players=players).players)  # type: ignore[call-arg] # players is one of its options
        except ValueError:
            continue
    return found


def _usual(option: GameOption) -> Any:
    """An option's default as a parameter; a string if OpenSpiel has no type for it."""
    if option.several and not isinstance(option.default, str) and option.default is not None:
        return SEPARATOR.join(map(str, option.default))
    if isinstance(option.default, (bool, int, float, str)):
        return option.default
    return ""


def _read(option: GameOption, value: Any) -> Any:
    """An option's value from a parameter."""
    if value == "" and not isinstance(option.default, str):
        return option.default
    if isinstance(value, str):
        return option.read(value.split(SEPARATOR) if option.several and SEPARATOR in value else value)
    return value


def _line(name: str, values: np.ndarray, axes: tuple[tuple[str, ...], ...]) -> str:
    """The entries of a field that are not 0; an empty text if all are 0."""
    if not axes:
        return f"{name}: {values}" if values else ""
    named = [
        f"{'/'.join(axis[place] for axis, place in zip(axes, where, strict=True))} {values[tuple(where)]}"
        for where in np.argwhere(values)
    ]
    return f"{name}: {', '.join(named)}" if named else ""


for _name in GAMES:
    register(find_game(_name))
