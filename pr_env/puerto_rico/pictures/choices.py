"""Which things in the picture stand for which legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pr_env.game import Action
from pr_env.puerto_rico import phrases
from pr_env.puerto_rico.phrases import Position
from pr_env.puerto_rico.tables import TILES
from pr_env.render.scene import Picture
from pr_env.words import capitalised

# A thing in the picture: its type, then its owner and kind, for example ("barrel", 2, "corn")
Thing = tuple[str | int, ...]


class Choices:
    """The legal actions, by the things that stand for them.

    Args:
        position: The game, from ``Batch.to_dict``.
        legal: The legal actions.
    """

    def __init__(self, position: Position, legal: Sequence[Action]) -> None:
        self._position = position
        self._by_thing: dict[Thing, list[Action]] = {}
        for action in legal:
            for thing in _things(action, position):
                self._by_thing.setdefault(thing, []).append(action)

    def actions(self, *thing: str | int) -> list[Action]:
        """Legal actions that a thing stands for."""
        return self._by_thing.get(thing, [])

    @contextmanager
    def element(self, picture: Picture, label: str, *thing: str | int) -> Iterator[None]:
        """Everything drawn inside the block is one thing.

        Args:
            picture: Where it is drawn.
            label: Its description.
            thing: Its key among the actions; none if no action is about it.
        """
        actions = self.actions(*thing)
        sentences = [phrases.sentence(action, self._position) for action in actions]
        whole = " ".join([f"{capitalised(label)}.", *sentences])
        with picture.element(whole, [action.number for action in actions]):
            yield


def _things(action: Action, position: Position) -> list[Thing]:
    """The things that stand for an action in the picture; nothing if only a button does."""
    kind, *what = action.name
    me, decision = position["player"], position.get("decision") or {}
    if kind in ("pick", "replay"):
        return [("role", str(what[0]).removesuffix("_as_prospector"))]
    if kind == "settle":
        return [("tile", what[0])]
    if kind == "draw_tile":
        return [("face down",)]
    if kind == "take_colonist":
        return [("colonists",)]
    if kind == "take_good":
        return [("supply", what[0])]
    if kind in ("build", "draft"):
        return [("building", what[0])]
    if kind == "load":
        return [("ship", what[1]), ("barrel", me, what[0])]
    if kind in ("sell", "sell_to_post", "wharf", "pay_barrel"):
        return [("barrel", me, what[0])]
    if kind == "small_wharf":
        return [("city", me, "small_wharf")]
    if kind in ("store", "keep"):
        return [("barrel", me, decision["store_good"])]
    if kind == "ship":
        return [("barrel", me, decision["wharf_good"])]
    if kind == "place":
        return [_place(me, decision["circle_kind"])]
    if kind in ("guest", "pay_colonist"):
        return [_place(me, str(what[0]))]
    if kind in ("plunder", "kidnap"):
        other = (me + int(what[0])) % position["players"]
        return [("barrel", other, what[1]) if kind == "plunder" else _place(other, str(what[1]))]
    return []


def _place(seat: int, place: str) -> Thing:
    """Where a player's colonists are."""
    if place == "san_juan":
        return "san juan", seat
    return "island" if place in TILES else "city", seat, place
