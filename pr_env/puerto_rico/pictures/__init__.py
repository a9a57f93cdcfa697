"""The table of Puerto Rico as terminal text and as a picture.

Both are made from the output of ``Batch.to_dict``, the legal actions, and each player's points if the game ended now.
"""

from pr_env.puerto_rico.pictures.drawing import draw
from pr_env.puerto_rico.pictures.terminal import text
from pr_env.render.scene import Picture

__all__ = ["Picture", "draw", "text"]
