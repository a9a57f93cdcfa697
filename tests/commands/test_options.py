"""The options of a game as options of a command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

import pytest
import typer
from typer.testing import CliRunner, Result

from pr_env import PuertoRico, registry
from pr_env.cli import app
from pr_env.commands.choice import Choice, chosen
from pr_env.commands.configuration import one_of_each_record, player_counts, seated, seats
from pr_env.commands.game_command import GameCommand
from pr_env.commands.options import GameOption, attributes_in, options_of
from pr_env.game import Game

if TYPE_CHECKING:
    from decimal import Decimal

NIM = "examples.nim:Nim"


def without_rules(kind: Any) -> Any:
    """A class of games that can be instantiated without rules."""
    kind.__abstractmethods__ = frozenset()
    return kind


@dataclass(frozen=True)
class _Everything(Game):
    """Every kind of option.

    Attributes:
        size: How large,
            in all directions.
        share: A ``"part"`` of `it`.
        level: Easy to hard.
        hints: Whether there are any.
        cards: Which ones.
        either: One, or a list.
        quiet: Whether nobody speaks.
        seed: Of the map.
        table: Not for the command line.
        made: Follows from the others.

    More about it.
        size: not here.
    """

    size: int
    share: float = 0.5
    level: Literal[1, 2] = 1
    hints: bool = True
    cards: Sequence[str] = ("ace", "king")
    either: Literal["none", "all"] | tuple[str, ...] = "none"
    quiet: bool = False
    seed: int | None = None
    table: dict[str, int] = field(default_factory=dict)
    made: int = field(default=0, init=False)

    name = "everything"


Everything = without_rules(_Everything)


def by_name(kind: type[Game]) -> dict[str, GameOption]:
    return {option.name: option for option in options_of(kind)}


def try_command(*arguments: str) -> Result:
    """A command with its own options that prints the game's options and the arguments of its function."""
    program = typer.Typer(rich_markup_mode=None)

    @program.command(cls=GameCommand)
    def look(context: typer.Context, seed: int = 7) -> None:
        choice = chosen(context)
        typer.echo(f"{seed} {choice.kind.name} {choice.given} {choice.named}")

    return CliRunner().invoke(program, list(arguments))


@pytest.fixture(autouse=True)
def _known_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_from_outside", {"everything": Everything})


# -- options from fields ----------------------------------------------------------------------------------------------


def test_fields_become_options_by_their_types() -> None:
    options = by_name(Everything)
    assert list(options) == ["size", "share", "level", "hints", "cards", "either", "quiet", "seed"]
    assert {name: option.kind for name, option in options.items()} == {
        "size": int,
        "share": float,
        "level": str,
        "hints": bool,
        "cards": str,
        "either": str,
        "quiet": bool,
        "seed": int,
    }
    assert [options[name].metavar for name in ("size", "share", "level", "hints", "cards", "either")] == [
        "N",
        "X",
        "1|2",
        None,
        "A,B,...",
        "none|all|A,B,...",
    ]
    assert [name for name, option in options.items() if option.required] == ["size"]


def test_help_comes_from_the_docstring() -> None:
    options = by_name(Everything)
    assert options["size"].help == "How large, in all directions."
    assert options["share"].help == "A part of it."
    assert attributes_in("No section.") == {}
    assert attributes_in("Attributes:\n    a: One.\n", "Attributes:\n    a (int): Two.\n") == {"a": "Two."}


def test_types_for_type_checkers_only_do_not_matter() -> None:
    @dataclass(frozen=True)
    class Checked(Game):
        players: int = 2
        stake: Decimal | None = None
        name = "checked"

    assert list(by_name(without_rules(Checked))) == ["players"]


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("level", "2", 2),
        ("cards", "ten", ["ten"]),
        ("cards", "ten,two", ["ten", "two"]),
        ("either", "all", "all"),
        ("either", "ten,two", ["ten", "two"]),
        ("either", "ten", "ten"),
        ("size", 3, 3),
        ("hints", False, False),
    ],
)
def test_values_are_read_as_the_field_wants_them(name: str, given: Any, value: Any) -> None:
    assert by_name(Everything)[name].read(given) == value


def test_a_value_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="--level must be one of 1, 2, got '3'"):
        by_name(Everything)["level"].read("3")


def test_all_fields_of_puerto_rico_have_options_with_help() -> None:
    options = options_of(PuertoRico)
    assert [option.name for option in options] == [known.name for known in fields(PuertoRico)]
    assert all(option.help and "`" not in option.help for option in options)


# -- commands ---------------------------------------------------------------------------------------------------------


def test_what_is_given_reaches_the_game_and_the_rest_the_function() -> None:
    assert try_command("--players", "4", "--balanced").stdout == (
        "7 puerto_rico {'players': 4, 'balanced': True} False\n"
    )
    assert try_command("--seed", "1", f"--game={NIM}", "--players", "3").stdout == "1 nim {'players': 3} True\n"
    assert try_command("--players", "3", "--game", "puerto_rico", "--game", NIM).stdout == (
        "7 nim {'players': 3} True\n"
    )
    assert try_command("--game", "everything", "--size", "3", "--no-hints", "--cards", "a,b").stdout == (
        "7 everything {'size': 3, 'hints': False, 'cards': ['a', 'b']} True\n"
    )


def test_an_option_of_a_game_that_the_command_has_itself_gets_another_name() -> None:
    assert try_command("--game", "everything", "--seed", "1", "--game-seed", "2").stdout == (
        "1 everything {'seed': 2} True\n"
    )


def test_help_shows_the_options_of_the_game() -> None:
    result = try_command("--help", "--game", "everything")
    assert result.exit_code == 0
    own, of_game = result.stdout.split("Options of everything:")
    assert "--seed" in own
    assert re.search(r"--game NAME +Name of the game", own)
    assert "--hints / --no-hints" in of_game
    assert re.search(r"--level 1\|2 +Easy to hard\. +\[default: 1\]", of_game)
    assert re.search(r"--cards A,B,\.\.\. +Which ones\. +\[default: ace, king\]", of_game)
    assert re.search(r"--quiet +Whether nobody speaks\.\n", of_game)
    assert "--balanced" not in of_game


@pytest.mark.parametrize("command", ["play", "watch", "info", "bench", "compile", "arena"])
def test_help_of_every_command_that_plays_fits_80_columns(command: str) -> None:
    text = CliRunner().invoke(app, [command, "--help"], terminal_width=80).stdout
    assert "Options of puerto_rico:" in text
    assert all(flag in text for flag in ("--game NAME", "--players N", "--six-players johns|governor", "--balanced"))
    assert max(map(len, text.splitlines())) <= 80
    nim = CliRunner().invoke(app, [command, "--help", "--game", NIM]).stdout
    assert re.search(r"Options of nim:\n +--players N +2 to 4\. +\[default: 2\]\n", nim)
    assert "--six-players" not in nim


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--game", "chess"), "game must be one of puerto_rico, .*or module:Class, got 'chess'"),
        (("--game", "examples.nim:Chess"), "module examples.nim has no game 'Chess'"),
        (("--game", "no.such:Game"), "there is no module 'no.such', either installed or in this folder"),
        (("--six-players", "both"), "--six-players must be one of johns, governor, got 'both'"),
        (("--players", "7"), "players must be a whole number from 2 to 6, got 7"),
        (("--buildings", "none"), "buildings must be one of base, draft, random, or a list .*, got 'none'"),
        (("--game", NIM, "--players", "5"), "players must be a whole number from 2 to 4, got 5"),
        (("--game", "everything"), "everything needs --size"),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], complaint: str) -> None:
    result = CliRunner().invoke(app, ["info", *arguments])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"pr-env: {complaint}\n", result.stderr)


# -- seats and configurations -----------------------------------------------------------------------------------------


def choice_of(kind: type[Game], **given: Any) -> Choice:
    return Choice(kind.name, True, kind, options_of(kind), given)


@dataclass(frozen=True)
class _Solo(Game):
    """For one player."""

    deck: Literal["small", "large"] = "small"
    name = "solo"
    players = 1


Solo = without_rules(_Solo)


def test_a_game_for_one_has_no_opponents() -> None:
    assert seats(Solo(), 0, None) == ("you",)
    with pytest.raises(ValueError, match="a game for 1 player has no opponents, got random"):
        seats(Solo(), 0, ["random"])
    assert seated(choice_of(Solo), ["random"])[1] == ("random",)
    with pytest.raises(ValueError, match="agents must be one for all seats, or one per seat \\(1\\), got 2"):
        seated(choice_of(Solo), ["random", "random"])


def test_opponents_are_those_that_the_game_proposes() -> None:
    nim = registry.find_game(NIM)
    assert seats(nim(), 1, None) == ("random", "you")
    assert seats(PuertoRico(players=3), 0, None) == ("you", "builder", "builder")


def test_agents_say_how_many_players_there_are() -> None:
    game, names = seated(choice_of(PuertoRico, balanced=True), ["a", "b", "c", "d"])
    assert game == PuertoRico(players=4, balanced=True)
    assert names == ("a", "b", "c", "d")
    assert seated(choice_of(PuertoRico, players=2), ["a"])[1] == ("a", "a")


def test_one_configuration_for_each_record() -> None:
    assert one_of_each_record(PuertoRico) == [PuertoRico(), PuertoRico(buildings="draft")]
    assert [game.players for game in player_counts(PuertoRico())] == [2, 3, 4, 5]
    assert [game.players for game in player_counts(PuertoRico(buildings="draft"))] == [2, 3, 4, 5, 6]
    nim = registry.find_game(NIM)
    assert one_of_each_record(nim) == [nim()]
    assert [game.players for game in player_counts(nim())] == [2, 3, 4]
