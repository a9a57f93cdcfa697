"""pr-env: reinforcement-learning environments for the board game Puerto Rico and the card game Port Royal."""

from pr_env import registration
from pr_env.batch import Batch
from pr_env.game import Action, Buffers, Field, Game, IllegalActionError, PositionError
from pr_env.port_royal import PortRoyal
from pr_env.puerto_rico import PuertoRico
from pr_env.replay import Recorder, Replay, ReplayError

registration.register_gymnasium()
registration.register_pettingzoo()

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Batch",
    "Buffers",
    "Field",
    "Game",
    "IllegalActionError",
    "PortRoyal",
    "PositionError",
    "PuertoRico",
    "Recorder",
    "Replay",
    "ReplayError",
]
