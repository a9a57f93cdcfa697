"""The table of Port Royal as terminal text and as a picture. Both are made from a `View` of the game."""

from pr_env.port_royal.pictures.drawing import draw
from pr_env.port_royal.pictures.terminal import text
from pr_env.render.scene import Picture

__all__ = ["Picture", "draw", "text"]
