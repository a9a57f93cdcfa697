"""The table of Puerto Rico as terminal text and as a picture.

Both are made of what ``Batch.to_dict`` tells about a game, the legal actions, and each player's points if the game
ended now.
"""

from pr_env.render.drawing import draw
from pr_env.render.scene import Picture
from pr_env.render.terminal import text

__all__ = ["Picture", "draw", "text"]
