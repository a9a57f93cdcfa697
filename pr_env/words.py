"""What people read about a game: names, questions, answers, the result, and the story of its moves.

`Words` has defaults for any game. A game with more specific texts derives from it; ``game.words`` is its object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pr_env.game import Action, Game
from pr_env.moment import Moment

if TYPE_CHECKING:
    from pr_env.replay import Move


class Words:
    """What people read about a game in one configuration.

    Sentences are about a `Moment`: a game between two moves.

    Attributes:
        game: What they are about.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    # -- names ------------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the game is called."""
        return plain(self.game.name).title()

    def seat(self, seat: int) -> str:
        """What a seat is called in the middle of a sentence."""
        return f"player {seat}"

    @property
    def one_team(self) -> bool:
        """Whether all seats win or lose together, as a single seat does."""
        return not self.game.constant_sum

    # -- a decision -------------------------------------------------------------------------------------------------

    def question(self, moment: Moment) -> str:
        """What the acting player is asked."""
        return "what to do?"

    def sentence(self, action: Action, moment: Moment) -> str:
        """An action as a sentence."""
        return action.sentence

    def answer(self, action: Action, moment: Moment) -> str:
        """An action in as few words as the question needs."""
        return plain(" ".join(str(part) for part in action.name))

    def remark(self, action: Action, moment: Moment) -> str:
        """What a choice costs or brings; empty where nothing needs to be said."""
        return ""

    def explanation(self, moment: Moment) -> str:
        """What the question is about, for those who are new to the game; empty if there is none."""
        return ""

    def topics(self) -> Mapping[str, str]:
        """What there are in the game and what each does, by name, for those who are new to it; may be empty."""
        return {}

    # -- the end ----------------------------------------------------------------------------------------------------

    def end_reason(self, reason: str, moment: Moment) -> str:
        """Why a game ends, by its name in ``game.end_reasons``."""
        return plain(reason)

    def earned(self, title: str) -> str:
        """What a title is called, by its name in ``game.titles``."""
        return plain(title)

    def was_cut(self, moment: Moment) -> bool:
        """Whether a game that is over was cut: then nobody wins it."""
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
        """Who has won, or leads if the game was cut."""
        seats = range(self.game.players)
        if self.was_cut(moment):
            return [seat for seat in seats if moment.final["rank"][seat] == 1]
        return [seat for seat in seats if moment.final["win_share"][seat] > 0]

    def seats(self, seats: Sequence[int]) -> str:
        """Several seats at the start of a sentence."""
        return " and ".join(capitalised(self.seat(seat)) for seat in seats)

    def ranking(self, moment: Moment) -> list[int]:
        """The seats from the best to the worst; in their order where all are one team."""
        seats = range(self.game.players)
        return list(seats) if self.one_team else sorted(seats, key=lambda seat: int(moment.final["rank"][seat]))

    def tie_break(self, moment: Moment) -> str:
        """What decides between equal points, for each seat; empty if nothing does."""
        return ""

    # -- the story: what a log tells --------------------------------------------------------------------------------

    def move(self, action: Action, moment: Moment) -> str:
        """What was decided, without a full stop."""
        return self.sentence(action, moment).rstrip(".")

    def effects(self, action: Action, before: Moment, after: Moment, gains: Sequence[int]) -> Iterator[str]:
        """What a move changed, each change without a full stop.

        Args:
            action: What was decided.
            before: The game when it was.
            after: The game when the next decision is to be made.
            gains: The points that each seat has won.
        """
        for seat in clockwise(before.player, self.game.players):
            for change in counted_change(gains[seat], "point"):
                yield self.named(seat, before, change)

    def named(self, seat: int, moment: Moment, change: str) -> str:
        """A change with the name of its seat, but for the one who decided."""
        return change if seat == moment.player else f"{self.seat(seat)}: {change}"

    def settled(self, moment: Moment) -> bool:
        """Whether points won are told now. If not, they are told after a later move, with those of that one."""
        return True

    def opens(self, moment: Moment) -> bool:
        """Whether the decision opens a part of the round; the others are indented."""
        return True

    def round_number(self, moment: Moment) -> int:
        """Which round (or whatever ``game.length_unit`` says) the game is in; 0 before the first.

        A position says so by a key without the last letter of the unit, for example ``"round"``.
        """
        return int(moment.position.get(self.one_unit, 0))

    @property
    def one_unit(self) -> str:
        """A single one of ``game.length_unit``."""
        return self.game.length_unit.removesuffix("s")

    def part(self, moment: Moment) -> str:
        """The part of the game that a decision belongs to: a new one has a header. Empty: no header."""
        number = self.round_number(moment)
        return f"{self.one_unit.capitalize()} {number}" if number else ""

    def header(self, moment: Moment) -> str:
        """What is said at the start of a part."""
        return f"{self.part(moment)} | points: {' / '.join(str(points) for points in moment.points)}"

    def standing(self, seat: int, moment: Moment) -> str:
        """A seat's points, and where they come from if there are several sources."""
        points = counted(moment.points[seat], "point")
        if len(self.game.point_sources) < 2:
            return points
        named = zip(moment.final["points"][seat].tolist(), self.game.point_sources, strict=True)
        sources = ", ".join(f"{count} from {plain(source)}" for count, source in named if count)
        return f"{points} ({sources})" if sources else points

    def told_reason(self, reason: str, moment: Moment) -> str:
        """Why the game ended, in the last sentence of the story."""
        return self.end_reason(reason, moment)

    def together(self, moves: Sequence[Move]) -> list[Move]:
        """The moves with those made one that are told in one sentence."""
        return list(moves)


def plain(name: str) -> str:
    """A name of the tables as people write it."""
    return name.replace("_", " ")


def capitalised(text: str) -> str:
    """The text at the start of a sentence."""
    return text[:1].upper() + text[1:]


def counted(count: int, what: str, plural: str = "s") -> str:
    """For example "1 point" or "2 points"."""
    return f"{count} {what}{'' if abs(count) == 1 else plural}"


def counted_change(change: int, what: str, plural: str = "s") -> list[str]:
    """A change such as "+2 points"; nothing for no change."""
    return [f"{change:+} {what}{'' if abs(change) == 1 else plural}"] if change else []


def clockwise(start: int, players: int) -> Iterator[int]:
    """All seats from one on."""
    return ((start + turn) % players for turn in range(players))


def _shared(points: Sequence[int]) -> str:
    """Points of those who won or lost together: one number if all have the same."""
    if len(set(points)) == 1:
        return counted(points[0], "point")
    return f"{' / '.join(str(count) for count in points)} points"
