"""The adventure as a campaign: which chapter follows, extra coins, files, and the environment."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import pr_env
from pr_env import Batch, PortRoyal, PuertoRico, Recorder
from pr_env import campaign as campaigns
from pr_env.campaign import CampaignError
from pr_env.campaign_env import CampaignEnv
from pr_env.port_royal.adventure.cards import packaged_adventure
from pr_env.port_royal.adventure.tales import CHAPTERS, ENDS, MISSIONS
from pr_env.port_royal.campaign import AdventureCampaign

WON, LOST = (1.0, 1.0), (0.0, 0.0)


def final(win_share: tuple[float, ...], points: int = 10) -> dict[str, Any]:
    """What a campaign reads of a final record."""
    return {"win_share": np.array(win_share, np.float32), "total": np.full(len(win_share), points)}


def played(campaign: AdventureCampaign, *results: tuple[float, ...]) -> AdventureCampaign:
    """The campaign after some results."""
    for seed, result in enumerate(results):
        campaign = campaign.after(campaign.next_game(), seed, final(result))
    return campaign


TEAM = AdventureCampaign.new(players=2)
RIVALS = AdventureCampaign.new(players=2, mode="competitive")


# -- what is played next -----------------------------------------------------------------------------------------------


def test_it_begins_with_the_first_chapter_without_extra_coins() -> None:
    game = TEAM.next_game()
    assert (game.deck, game.chapter, game.mode, game.bonus_coins) == ("adventure", 1, "cooperative", ())


def test_a_success_leads_to_the_next_chapter() -> None:
    assert [played(TEAM, *[WON] * count).chapter for count in range(6)] == [1, 2, 3, 4, 5, 6]
    assert played(TEAM, *[WON] * 5).is_over


def test_each_failure_at_a_chapter_brings_three_more_coins_and_a_success_takes_them_away() -> None:
    campaign = TEAM
    for coins in (0, 3, 6, 9):
        assert (campaign.chapter, campaign.to_share) == (1, coins)
        assert sum(campaign.next_game().bonus_coins) == coins
        campaign = played(campaign, LOST)
    campaign = played(campaign, WON)
    assert (campaign.chapter, campaign.to_share, campaign.failures, campaign.defeats) == (2, 0, 0, 4)
    assert played(campaign, LOST).to_share == 3


def test_the_team_shares_the_coins_out_as_it_likes() -> None:
    campaign = played(TEAM, LOST, LOST)
    assert campaign.next_game((6, 0)).bonus_coins == (6, 0)
    assert played(TEAM, LOST).next_game().bonus_coins == (2, 1)
    for shares in ((6,), (7, 0), (7, -1), (3.0, 3), (2, 2, 2)):
        with pytest.raises(ValueError, match="shares must be 2 whole numbers that add up to 6"):
            campaign.next_game(shares)  # type: ignore[arg-type]


def test_a_competitive_campaign_goes_on_whoever_wins() -> None:
    campaign = played(RIVALS, (1, 0), (0, 1), (0.5, 0.5), (0, 1))
    assert (campaign.chapter, campaign.to_share, campaign.wins) == (5, 0, (1.5, 2.5))
    campaign = played(campaign, (0, 1))
    assert campaign.is_over
    assert campaign.after_adventure().mode == "post_adventure"


def test_alone_it_is_played_as_by_a_team() -> None:
    campaign = played(AdventureCampaign.new(players=1), (0.0,))
    assert campaign.next_game().bonus_coins == (3,)


def test_nothing_follows_the_last_chapter() -> None:
    campaign = played(TEAM, *[WON] * 5)
    with pytest.raises(ValueError, match="the campaign is over"):
        campaign.next_game()
    with pytest.raises(CampaignError, match="the campaign is over"):
        campaign.after(PortRoyal(players=2, deck="adventure", mode="cooperative"), 0, final(WON))


@pytest.mark.parametrize(
    "game",
    [
        replace(TEAM.next_game(), chapter=2),
        replace(TEAM.next_game(), bonus_coins=(1, 2)),
        replace(TEAM.next_game(), players=3),
        PortRoyal(players=2),
        PuertoRico(players=3),
    ],
)
def test_only_the_next_game_counts(game: Any) -> None:
    with pytest.raises(CampaignError):
        TEAM.after(game, 0, final(WON))


def test_a_game_without_the_extra_coins_is_not_the_next_one() -> None:
    campaign = played(TEAM, LOST)
    with pytest.raises(CampaignError, match="the game must have the 3 coins"):
        campaign.after(replace(campaign.next_game(), bonus_coins=()), 0, final(WON))


@pytest.mark.parametrize(
    "options",
    [{"chapter": 2}, {"bonus_coins": (1, 1)}, {"deck": "base"}, {"mode": "post_adventure"}, {"players": 5}],
)
def test_a_campaign_refuses_what_it_decides_itself(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"campaign|players"):
        AdventureCampaign.new(**options)


# -- texts -------------------------------------------------------------------------------------------------------------


def test_there_is_a_text_for_every_story_card() -> None:
    assert set(MISSIONS) == {mission.name for mission in packaged_adventure(1).missions}
    assert len(CHAPTERS) == len(ENDS) == 5


def test_what_people_read_before_and_after_a_game() -> None:
    campaign = played(TEAM, WON, LOST, LOST)
    assert campaign.before()[0] == f"Chapter 2: {CHAPTERS[1][0]}"
    assert campaign.before()[-1] == "The team has failed here 2 times: it has 6 coins more to share out."
    assert campaign.afterwards() != played(TEAM, WON).afterwards() == [ENDS[0]]
    assert played(TEAM, *[WON] * 5).afterwards()[-1].startswith("The adventure is won without a single defeat")
    assert played(TEAM, LOST, *[WON] * 5).afterwards()[-1] == "The adventure is won, after 1 defeat."
    assert played(RIVALS, (0, 1)).afterwards()[-1] == "Player 1 wins the chapter."
    assert played(RIVALS, *[(0.5, 0.5)] * 5).afterwards()[-1].endswith("player 0: 2.5, player 1: 2.5.")
    assert TEAM.afterwards() == []


# -- files -------------------------------------------------------------------------------------------------------------


def test_it_is_saved_and_loaded_with_the_game_that_is_being_played(tmp_path: Path) -> None:
    campaign = played(AdventureCampaign.new(players=2, jean_counts_for_missions=True), WON, LOST)
    campaign = campaign.with_seats(("you", "crew"))
    batch = Batch(campaign.next_game((0, 3)), 1, seed=5, autoreset=False)
    recorder = Recorder(batch.game, 5)
    for _ in range(10):
        actions = batch.sample_actions()
        recorder.add(actions[0])
        batch.step(actions)
    campaign = campaign.with_playing(recorder.replay())
    file = tmp_path / "campaign.json"
    campaigns.save(file, campaign)
    assert campaigns.load(file) == campaign
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.json"]
    with pytest.raises(CampaignError, match="not over yet"):
        campaign.after_replay(recorder.replay())


def test_a_finished_replay_counts(tmp_path: Path) -> None:
    batch = Batch(TEAM.next_game(), 1, seed=3, autoreset=False)
    recorder = Recorder(batch.game, 3)
    while not batch.is_over()[0]:
        actions = batch.sample_actions()
        recorder.add(actions[0])
        batch.step(actions)
    campaign = TEAM.after_replay(recorder.replay())
    assert campaign == TEAM.after(batch.game, 3, batch.final[0])
    assert campaign.results[0].points == tuple(batch.final["total"][0, :2])


def test_a_failed_save_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "campaign.json"
    campaigns.save(file, TEAM)
    before = file.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left"):
        campaigns.save(file, played(TEAM, WON))
    assert file.read_bytes() == before


def told(**changes: Any) -> dict[str, Any]:
    """A campaign of two games as its file has it, with changes."""
    return json.loads(json.dumps(played(TEAM, LOST, WON).to_dict())) | changes  # type: ignore[no-any-return]


def with_result(**changes: Any) -> dict[str, Any]:
    data = told()
    data["results"][1] |= changes
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], 'it has no "pr_env": "campaign"'),
        (told(pr_env="replay"), 'it has no "pr_env": "campaign"'),
        (told(version=2), "of version 2; only version 1 is known"),
        (told(game="chess"), "of 'chess'"),
        (told(layout=99), "of layout 99"),
        (told(options=[]), "options must be a dictionary"),
        (told(options={"players": 9, "deck": "adventure", "mode": "cooperative"}), "players"),
        (told(options={"players": 2, "deck": "adventure", "chapter": 3}), "chapter is not an option of a campaign"),
        (told(options={"players": 2, "deck": "adventure", "data": "/etc"}), "data"),
        (told(options={"players": 2}), "game must be the first chapter"),
        (told(seats="you"), "seats must be a list of names"),
        (told(seats=["you"]), "seats must be 2 names"),
        (told(seats=["you", "a\x1bb"]), "seats must be a list of names"),
        (told(results={}), "results must be a list"),
        (told(results=[1]), "results[1] must be a dictionary"),
        (with_result(seed=-1), "results[2]: seed"),
        (with_result(seed=True), "results[2]: seed"),
        (with_result(shares=[9, 9]), "results[2]: shares must be 2 whole numbers that add up to 3"),
        (with_result(shares=[]), "results[2]: shares must add up to 3"),
        (with_result(shares=[1.5, 1.5]), "results[2]: shares must be a list of whole numbers"),
        (with_result(win_share=[1]), "results[2]: win_share must be 2 numbers"),
        (with_result(win_share=[1, 0]), "results[2]: win_share must be that of a finished game"),
        (with_result(win_share=[float("nan"), 1]), "results[2]: win_share must be 2 numbers"),
        (with_result(points=[1, 2, 3]), "results[2]: points must be 2 whole numbers"),
        (told(playing=3), "playing must be a replay or null"),
        (told(playing={"pr_env": "replay"}), "playing: is a replay of version None"),
    ],
)
def test_a_damaged_file_is_refused_with_what_is_wrong(data: Any, message: str, tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps(data))
    with pytest.raises(CampaignError) as error:
        campaigns.load(file, AdventureCampaign)
    assert str(error.value).startswith(str(file))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_results_after_the_end_are_refused() -> None:
    data = played(TEAM, *[WON] * 5).to_dict()
    data["results"].append(data["results"][-1])
    with pytest.raises(CampaignError, match=r"results\[6\]: the campaign is over before this game"):
        AdventureCampaign.from_dict(data)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    file.write_bytes(content)
    with pytest.raises(CampaignError, match="is not JSON"):
        campaigns.load(file)


def test_a_game_without_a_campaign_says_so(tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="puerto_rico has no campaign"):
        campaigns.campaign_of(PuertoRico)
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps({"game": "puerto_rico"}))
    with pytest.raises(CampaignError, match="puerto_rico has no campaign"):
        campaigns.load(file)


# -- the environment ---------------------------------------------------------------------------------------------------


Outcome = tuple[list[float], bool, bool, dict[str, Any]]


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """An opponent that always takes the first action."""
    return np.asarray(masks.argmax(axis=1))


def run(env: gymnasium.Env[Any, Any], info: dict[str, Any], seed: int) -> Outcome:
    """One episode by chance: its rewards and how it ends."""
    chance, rewards = np.random.default_rng(seed), []
    while True:
        observation, reward, terminated, truncated, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        assert env.observation_space.contains(observation)
        rewards.append(float(reward))
        if terminated or truncated:
            return rewards, terminated, truncated, info


def test_an_episode_is_a_chapter_and_failures_are_played_again() -> None:
    env = gymnasium.make("pr_env/PortRoyalCampaign-v0", players=1)
    _, info = env.reset(seed=1)
    assert info["campaign"] == TEAM.standing() | {"wins": [0]}
    for failures in (1, 2):  # nobody wins by chance
        _, terminated, _, info = run(env, info, failures)
        assert terminated
        assert info["won"] is False
        assert (info["campaign"]["chapter"], info["campaign"]["failures"]) == (1, failures)
        _, info = env.reset()
        assert env.unwrapped.game.bonus_coins == (3 * failures,)  # type: ignore[attr-defined]


def test_an_episode_is_the_campaign() -> None:
    env = CampaignEnv(RIVALS, episode="campaign", seat=1, opponents=first_legal)
    _, info = env.reset(seed=4)
    rewards, terminated, truncated, info = run(env, info, 4)
    assert terminated
    assert not truncated
    assert info["campaign"]["games"] == 5
    assert sum(rewards) == info["campaign"]["wins"][1]
    assert env.campaign.is_over
    _, info = env.reset()
    assert info["campaign"]["games"] == 0


def test_a_long_episode_of_failures_is_truncated() -> None:
    env = CampaignEnv(TEAM, episode="campaign", max_games=2, seat="team")
    _, info = env.reset(seed=2)
    rewards, terminated, truncated, info = run(env, info, 2)
    assert (terminated, truncated, sum(rewards)) == (False, True, 0)
    assert info["campaign"]["failures"] == 2


def test_the_same_seed_and_actions_give_the_same_campaign() -> None:
    ends = []
    for _ in range(2):
        env = CampaignEnv(RIVALS, episode="campaign", opponents=first_legal)
        _, info = env.reset(seed=9)
        run(env, info, 9)
        ends.append(env.campaign)
    assert ends[0] == ends[1]


def test_it_goes_on_from_a_saved_campaign() -> None:
    env = CampaignEnv(TEAM, seat="team")
    saved = played(TEAM, WON, WON, LOST)
    for given in (saved, saved.to_dict()):
        _, info = env.reset(seed=0, options={"campaign": given})
        assert (info["campaign"]["chapter"], info["campaign"]["failures"]) == (3, 1)
    with pytest.raises(ValueError, match="must have the options"):
        env.reset(options={"campaign": RIVALS})
    with pytest.raises(ValueError, match="it knows campaign"):
        env.reset(options={"position": {}})


def test_all_games_of_a_campaign_have_the_same_spaces() -> None:
    games = [played(TEAM, *[WON] * count).next_game() for count in range(5)]
    assert len({(game.observation_size, len(game.actions), game.record) for game in games}) == 1


# -- the command -------------------------------------------------------------------------------------------------------


def play(file: Path, keys: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pr_env.cli", "play", "--game", "port_royal", "--campaign", str(file), *options]
    return subprocess.run(command, input=keys, capture_output=True, text=True, check=False, timeout=600)


def test_a_campaign_is_played_in_the_terminal_and_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    first = play(file, "1\n1\nq\n", "--players", "1", "--seed", "3")
    assert first.returncode == 0, first.stderr
    assert f"Chapter 1: {CHAPTERS[0][0]}" in first.stdout
    saved = campaigns.load(file)
    assert saved.playing is not None
    assert len(saved.playing.actions) == 2
    assert f"pr-env play --campaign {file}" in first.stdout
    again = play(file, "1\n" * 300 + "q\n", "--tips", "random")  # the last keys choose nothing
    assert again.returncode == 0, again.stderr
    saved = campaigns.load(file)
    assert len(saved.results) == 1
    assert saved.playing is None


def test_options_that_do_not_go_with_a_campaign_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "campaign.json"
    for options, message in (
        (("--chapter", "2"), "chapter is not an option of a campaign"),
        (("--resume", "x"), "--resume does not go with --campaign"),
    ):
        refused = play(file, "", *options)
        assert refused.returncode != 0
        assert message in refused.stderr
        assert not file.exists()
    campaigns.save(file, TEAM.with_seats(("you", "crew")))
    refused = play(file, "", "--players", "3")
    assert refused.returncode != 0
    assert "--players does not go with a campaign that is saved" in refused.stderr
    campaigns.save(file, TEAM.with_seats(("you", "program:command=true")))
    refused = play(file, "")
    assert refused.returncode != 0
    assert "names a player that starts a program" in refused.stderr


assert pr_env.__version__
