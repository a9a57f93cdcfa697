"""Port Royal through every interface: checkers, cooperative and solo play, commands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from pr_env.cli import app
from pr_env.commands.options import options_of, parameters_of
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.scoring import final_for
from pr_env.seats import result_of
from tests.port_royal.configurations import CONFIGURATIONS, CONTRACTS, SOLO
from tests.port_royal.uncompiled import run_uncompiled


@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
def test_every_checker_passes_in_every_configuration(mode: str) -> None:
    count = sum(options.get("mode", "competitive") == mode for options in CONFIGURATIONS)
    said = run_uncompiled("-m", "tests.port_royal.checkers", mode)
    assert f"{count} configurations: all checks passed" in said


def test_every_command_plays_every_mode() -> None:
    assert "all commands work" in run_uncompiled("-m", "tests.port_royal.commands")


# -- cooperative and solo games ----------------------------------------------------------------------------------------


def test_schemes_of_a_mode() -> None:
    assert PortRoyal().reward_schemes == ("win_share", "rank", "margin", "points")
    assert PortRoyal(**SOLO).reward_schemes == ("win_share", "points", "score", "progress")


@pytest.mark.parametrize(
    ("points", "score", "title"),
    [(0, 1 / 9, "landlubber"), (3, 4 / 9, "sailor"), (7, 8 / 9, "captain"), (8, 1, "lord_of_the_seas"), (12, 1, None)],
)
def test_a_win_is_scored_by_its_points(points: int, score: float, title: str | None) -> None:
    game = PortRoyal(**SOLO)
    won = {
        "question": "game_over",
        "ending": ["contracts"],
        "score_deck": points,
        "contracts": {name: {"completed": [0]} for name in ("fighter", "jinx", "small_fortune")},
    }
    final = _final(game, won)
    assert final["score"][0] == pytest.approx(score)
    assert final["points"][0].tolist() == [3, points]
    assert result_of(game, final, 0) == {
        "points": [3 + points],
        "win_share": 1.0,
        "won": True,
        "title": title or "lord_of_the_seas",
    }


def test_a_loss_scores_nothing() -> None:
    game = PortRoyal(**SOLO)
    lost = {"question": "game_over", "ending": ["time"], "time_deck": 0, "score_deck": 5}
    final = _final(game, lost)
    assert final["score"].tolist() == [0] * 5
    assert result_of(game, final, 0) == {"points": [0], "win_share": 0.0, "won": False, "title": None}


def _final(game: PortRoyal, position: dict[str, Any]) -> Any:
    """The result of a described position, by the rules as plain Python."""
    import pr_env.port_royal.scoring as scoring
    from pr_env.port_royal.read_position import read_position

    finals = np.zeros(1, final_for(game.shape))
    scoring.write_final(read_position(position, game)[0], game.tables[0], finals[0])
    return finals[0]


# -- the command line --------------------------------------------------------------------------------------------------


def info(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["info", "--game", "port_royal", *arguments], prog_name="pr-env")


def test_info_lists_what_is_reconstructed() -> None:
    said = " ".join(info().stdout.split())
    assert "reconstructed 0 cards and contracts of this configuration" in said
    assert "set_sail_cards.csv, row 24 7 cards sailor_3_1: guessed are cost, influence" in said
    alone = " ".join(info("--deck", "set_sail").stdout.split())
    assert "reconstructed 37 cards and contracts of this configuration" in alone
    together = " ".join(
        info("--players", "1", "--add", "contract_cards,contracts", "--mode", "cooperative").stdout.split()
    )
    assert "reconstructed 2 cards and contracts of this configuration" in together
    assert "contracts.csv, row 19 1 card ransom: guessed are coins_1..5, seal_number, seal_letter" in together


@pytest.mark.parametrize(
    "given", [("--add", "contract_cards,contracts"), ("--add", CONTRACTS[0], "--add", CONTRACTS[1])]
)
def test_a_list_is_given_with_commas_or_by_repeating(given: tuple[str, ...]) -> None:
    assert "add=['contract_cards','contracts']" in "".join(info(*given).stdout.split())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("--add", "magic"), "each of add must be one of gambler, set_sail_20, contract_cards, contracts, got"),
        (("--add", "contracts"), "contracts need the contract cards"),
        (("--mode", "cooperative"), "a cooperative game needs contracts"),
        (("--mode", "war"), "--mode must be one of competitive, cooperative, post_adventure, got 'war'"),
        (
            ("--players", "9"),
            "players of a competitive game with the deck base must be a whole number from 2 to 5, got 9",
        ),
        (("--data", "no/such/folder"), "no/such/folder/base_cards.csv: there is no such card file"),
        (("--deck", "set_sail", "--add", "gambler"), "add is for the base deck; set_sail takes no additions"),
        (("--vice-admiral-passive", "3"), "--vice-admiral-passive must be one of 1, 2, got '3'"),
    ],
)
def test_impossible_options_are_one_line(given: tuple[str, ...], sentence: str) -> None:
    result = info(*given)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"pr-env: {sentence}")
    assert result.stderr.count("\n") == 1


def test_the_shell_completes_the_names_of_a_list() -> None:
    add = next(one for one in parameters_of(options_of(PortRoyal), ()) if one.opts == ["--add"])

    def complete(text: str) -> list[str]:
        return [item.value for item in add.shell_complete(None, text)]

    assert complete("con") == ["contract_cards", "contracts"]
    assert complete("gambler,c") == ["gambler,contract_cards", "gambler,contracts"]
    assert complete("contracts,contract") == ["contracts,contract_cards"]


def test_every_option_has_help() -> None:
    options = {option.name: option for option in options_of(PortRoyal)}
    assert list(options) == [
        *("players", "deck", "add", "mode", "alternative_end", "score_start", "must_repel_duplicate"),
        *("vice_admiral_passive", "chapter", "character_choice", "month_end_ends_turn", "jean_counts_for_missions"),
        *("max_turns", "max_decisions", "data"),
    ]
    assert all(option.help for option in options.values())
    assert options["add"].metavar == "gambler|set_sail_20|contract_cards|contracts,..."
