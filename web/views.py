"""The data that a page shows, made from the game as its viewer may see it."""

from __future__ import annotations

from typing import Any

from pr_env.game import Action
from pr_env.moment import Moment
from pr_env.replay import Move
from pr_env.words import capitalised
from web.table import PERSON, Access, Table
from web.work import Compiling

SVG = "svg"


def state(
    table: Table,
    access: Access,
    thinking: bool,
    pace: float | None,
    problem: str,
    compiling: Compiling | None = None,
) -> dict[str, Any]:
    """The state of a table, without the board."""
    words = table.game.words
    return {
        "id": table.id,
        "game": table.game.name,
        "title": words.title,
        "options": table.game.recorded_options(),
        "seats": [
            {
                "label": capitalised(words.seat(seat)),
                "who": _who(table, seat),
                "person": seat in table.persons,
                "mine": seat in access.seats,
                "team": table.game.teams[seat],
            }
            for seat in range(table.game.players)
        ],
        "together": words.one_team,
        "unit": words.one_unit,
        "moves": table.moves,
        "undone": table.undone,
        "player": table.player,
        "over": table.is_over,
        "finished": table.finished,
        "thinking": thinking,
        "compiling": None if compiling is None else compiling.to_dict(),
        "pace": pace,
        "problem": problem,
        "owner": access.owner,
        "myTurn": not table.is_over and not table.finished and table.player in access.seats,
        "mayUndo": table.can_undo(access),
        "mayAnalyse": table.may_analyse(access),
        "mayAsk": table.may_ask(access, table.moves),
        "maySave": table.may_analyse(access) and table.seed is not None,
    }


def _who(table: Table, seat: int) -> str:
    if table.names:
        return table.names[seat]
    return "" if table.seats[seat] == PERSON else table.seats[seat]


def look(table: Table, access: Access, move: int) -> dict[str, Any]:
    """The board after a number of moves, the question and the legal actions."""
    moment = table.moment(access, move)
    words, game = table.game.words, table.game
    over = moment.is_over
    acting = moment.player
    answers = not over and (acting in access.seats or table.sees_everything(access))
    return {
        "move": move,
        "svg": game.render(moment.record, SVG) if SVG in game.render_modes else None,
        "text": None if SVG in game.render_modes else game.text(moment.record, answers=False, width=80, colour=False),
        "player": acting,
        "over": over,
        "part": words.part(moment),
        "question": words.result(moment) if over else words.question(moment),
        "explanation": "" if over else words.explanation(moment),
        "standings": [[seat, words.standing(seat, moment)] for seat in words.ranking(moment)] if over else [],
        "legal": [_answer(action, moment) for action in moment.legal] if answers else [],
        "mine": answers and acting in access.seats and not table.finished and move == table.moves,
    }


def _answer(action: Action, moment: Moment) -> dict[str, Any]:
    words = moment.game.words
    return {
        "number": action.number,
        "answer": capitalised(words.answer(action, moment)),
        "sentence": words.sentence(action, moment),
        "remark": words.remark(action, moment),
    }


def line(table: Table, access: Access, move: Move, part: str) -> dict[str, Any]:
    """A move of the log. The action is left out where it could reveal hidden information."""
    open_to_all = table.sees_everything(access) or not table.game.imperfect_information
    return {
        "move": move.number,
        "action": table.actions[move.number - 1] if open_to_all else None,
        "player": move.player,
        "who": capitalised(move.who),
        "opens": move.opens,
        "words": move.words,
        "effects": list(move.effects),
        "part": part,
    }
