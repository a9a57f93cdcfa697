"""Texts about a game for people: names, questions, answers, the result, and the story of its moves.

`Words` has defaults for any game. A game with more specific texts derives a class from it; ``game.words`` is the
object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pr_env.game import Action, Game
from pr_env.moment import Moment

if TYPE_CHECKING:
    from pr_env.replay import Move


class Words:
    """Texts about a game in one configuration.

    Sentences are about a `Moment`: the state of a game between two moves.

    Attributes:
        game: The game and its configuration.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    # -- names ------------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The name of the game."""
        return plain(self.game.name).title()

    def seat(self, seat: int) -> str:
        """The name of a seat in the middle of a sentence."""
        return f"player {seat}"

    @property
    def one_team(self) -> bool:
        """Whether all seats win or lose together; also True for a single seat."""
        return not self.game.constant_sum

    # -- a decision -------------------------------------------------------------------------------------------------

    def question(self, moment: Moment) -> str:
        """The question for the acting player."""
        return "what to do?"

    def sentence(self, action: Action, moment: Moment) -> str:
        """An action as a sentence."""
        return action.sentence

    def answer(self, action: Action, moment: Moment) -> str:
        """An action in as few words as the question needs."""
        return plain(" ".join(str(part) for part in action.name))

    def remark(self, action: Action, moment: Moment) -> str:
        """What a choice costs or brings; empty if there is nothing to say."""
        return ""

    def explanation(self, moment: Moment) -> str:
        """An explanation of the question for newcomers to the game; may be empty."""
        return ""

    def topics(self) -> Mapping[str, str]:
        """Topics for newcomers, such as roles or cards, with what each does, by name; may be empty."""
        return {}

    # -- the end ----------------------------------------------------------------------------------------------------

    def end_reason(self, reason: str, moment: Moment) -> str:
        """Why a game ends, by its name in ``game.end_reasons``."""
        return plain(reason)

    def earned(self, title: str) -> str:
        """The text for a title, by its name in ``game.titles``."""
        return plain(title)

    def was_cut(self, moment: Moment) -> bool:
        """Whether a game that is over was truncated, so that nobody wins it."""
        return moment.was_cut

    def result(self, moment: Moment) -> str:
        """How a finished game ended, in one sentence without a full stop."""
        reasons = " and ".join(self.end_reason(reason, moment) for reason in moment.end_reasons)
        return self._outcome(moment) + (f" ({reasons})" if reasons else "")

    def _outcome(self, moment: Moment) -> str:
        points = moment.points
        if self.one_team:
            verb = "Cut" if self.was_cut(moment) else "Won" if moment.final["win_share"][0] > 0 else "Lost"
            title = "" if moment.title is None else f", {self.earned(moment.title)}"
            return f"{verb} with {_shared(points)}{title}"
        best = self.best_seats(moment)
        if not best:
            return "Nobody wins"
        if self.was_cut(moment):
            verb = "leads" if len(best) == 1 else "lead"
        elif len(best) == 1:
            verb = "wins"
        else:
            verb = "win" if len({self.game.teams[seat] for seat in best}) == 1 else "share the win"
        return f"{self.seats(best)} {verb} with {_shared([points[seat] for seat in best])}"

    def best_seats(self, moment: Moment) -> list[int]:
        """The winners, or the leaders if the game was truncated."""
        seats = range(self.game.players)
        if self.was_cut(moment):
            return [seat for seat in seats if moment.final["rank"][seat] == 1]
        return [seat for seat in seats if moment.final["win_share"][seat] > 0]

    def seats(self, seats: Sequence[int]) -> str:
        """Several seats at the start of a sentence."""
        return " and ".join(capitalised(self.seat(seat)) for seat in seats)

    def ranking(self, moment: Moment) -> list[int]:
        """The seats from best to worst; in seat order if all are one team."""
        seats = range(self.game.players)
        return list(seats) if self.one_team else sorted(seats, key=lambda seat: int(moment.final["rank"][seat]))

    def tie_break(self, moment: Moment) -> str:
        """Each seat's tie-break value, as text; empty if there is no tie-break."""
        return ""

    # -- the story: what a log tells --------------------------------------------------------------------------------

    def move(self, action: Action, moment: Moment) -> str:
        """The decision, without a full stop."""
        return self.sentence(action, moment).rstrip(".")

    def effects(self, action: Action, before: Moment, after: Moment, gains: Sequence[int]) -> Iterator[str]:
        """What a move changed, each change without a full stop.

        Args:
            action: The decision.
            before: The game at the decision.
            after: The game at the next decision.
            gains: The points that each seat gained.
        """
        for seat in clockwise(before.player, self.game.players):
            for change in counted_change(gains[seat], "point"):
                yield self.named(seat, before, change)

    def named(self, seat: int, moment: Moment, change: str) -> str:
        """A change with the name of its seat, unless that seat made the decision."""
        return change if seat == moment.player else f"{self.seat(seat)}: {change}"

    def settled(self, moment: Moment) -> bool:
        """Whether points won are reported now. If not, they are reported together with those of a later move."""
        return True

    def opens(self, moment: Moment) -> bool:
        """Whether the decision opens a part of the round; the others are indented."""
        return True

    def round_number(self, moment: Moment) -> int:
        """The current round (or other ``game.length_unit``) of the game; 0 before the first.

        Positions have it under the unit without its last letter, for example ``"round"``.
        """
        return int(moment.position.get(self.one_unit, 0))

    @property
    def one_unit(self) -> str:
        """The singular of ``game.length_unit``."""
        return self.game.length_unit.removesuffix("s")

    def part(self, moment: Moment) -> str:
        """The part of the game that a decision belongs to. Each new part gets a header, unless the text is empty."""
        number = self.round_number(moment)
        return f"{self.one_unit.capitalize()} {number}" if number else ""

    def header(self, moment: Moment) -> str:
        """The header of a part."""
        return f"{self.part(moment)} | points: {' / '.join(str(points) for points in moment.points)}"

    def standing(self, seat: int, moment: Moment) -> str:
        """A seat's points, broken down if there are several sources."""
        points = counted(moment.points[seat], "point")
        if len(self.game.point_sources) < 2:
            return points
        named = zip(moment.final["points"][seat].tolist(), self.game.point_sources, strict=True)
        sources = ", ".join(f"{count} from {plain(source)}" for count, source in named if count)
        return f"{points} ({sources})" if sources else points

    def told_reason(self, reason: str, moment: Moment) -> str:
        """The reason why the game ended, for the last sentence of the story."""
        return self.end_reason(reason, moment)

    def together(self, moves: Sequence[Move]) -> list[Move]:
        """The moves, with those merged that are told in one sentence."""
        return list(moves)


def plain(name: str) -> str:
    """A name from the tables as ordinary text."""
    return name.replace("_", " ")


def capitalised(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def counted(count: int, what: str, plural: str = "s") -> str:
    """For example "1 point" or "2 points"."""
    return f"{count} {what}{'' if abs(count) == 1 else plural}"


def counted_change(change: int, what: str, plural: str = "s") -> list[str]:
    """A change such as "+2 points"; nothing for no change."""
    return [f"{change:+} {what}{'' if abs(change) == 1 else plural}"] if change else []


def clockwise(start: int, players: int) -> Iterator[int]:
    """All seats in clockwise order, starting with this one."""
    return ((start + turn) % players for turn in range(players))


def _shared(points: Sequence[int]) -> str:
    """Points of seats that won or lost together; one number if all have the same."""
    if len(set(points)) == 1:
        return counted(points[0], "point")
    return f"{' / '.join(str(count) for count in points)} points"
