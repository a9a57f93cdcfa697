"""Agents that are programs: the protocol, the time limit, and the handling of failing programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import make_agent
from agents.arena import play_match
from agents.dialogue import Dialogue, ProgramError
from agents.program import ProgramAgent
from pr_env import Batch, replay
from pr_env.replay import Recorder
from tests.toys import InOrder, Nim, SevenDice

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
NIM = Nim(players=2)

# The start of every program below: it reports readiness, and answers with the function `answer`.
FRAME = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({{"type": "ready", "want": ["observation", "position", "words"]}}), flush=True)
    else:
        {answer}
"""


def program(tmp_path: Path, answer: str) -> str:
    """A command that runs a program with this reaction to every question."""
    file = tmp_path / "bot.py"
    file.write_text(FRAME.format(answer=answer))
    return f"{sys.executable} {file}"


def ask(agent: Any) -> np.ndarray:
    batch = Batch(agent.game, 3, seed=5, threads=1)
    return np.asarray(agent.choose(batch.observation, batch.mask, batch.games))


@pytest.mark.parametrize("command", ["sh {}/first_legal.sh", sys.executable + " {}/preferring.py 2 3"])
def test_the_examples_play_in_the_arena(command: str) -> None:
    result = play_match(NIM, ["program:command=" + command.format(BOTS), "random"], games=8)
    assert not result.faults
    assert len(result) == 8


def test_the_shell_example_answers_with_the_first_legal_action() -> None:
    assert ask(ProgramAgent(NIM, f"sh {BOTS / 'first_legal.sh'}")).tolist() == [0, 0, 0]


def test_the_python_example_prefers_answers_with_its_words() -> None:
    assert ask(ProgramAgent(NIM, f"{sys.executable} {BOTS / 'preferring.py'} 'take 3'")).tolist() == [2, 2, 2]


def test_a_program_is_told_what_its_player_sees(tmp_path: Path) -> None:
    command = program(tmp_path, "print(json.dumps(dict(id=message['id'], action=message['legal'][-1])), flush=True)")
    agent = ProgramAgent(NIM, command, seed=4)
    assert ask(agent).tolist() == [2, 2, 2]
    introduction = agent._introduction()
    assert (introduction["game"], introduction["players"], introduction["seed"]) == ("nim", 2, 4)
    assert introduction["actions"][1] == {"action": 1, "name": ["take", 2], "sentence": "Take 2."}


@pytest.mark.parametrize("game", [NIM, SevenDice(), InOrder(players=3)])
def test_nothing_hidden_is_told(game: Any, tmp_path: Path) -> None:
    file = tmp_path / "told.jsonl"
    file.touch()
    say = "print(json.dumps(dict(id=message['id'], action=message['legal'][-1])), flush=True)"
    agent = ProgramAgent(game, program(tmp_path, f"open({str(file)!r}, 'a').write(line); {say}"))
    batch = Batch(game, 4, seed=9, autoreset=False, threads=1)
    seen = []
    while not batch.is_over().any():
        seen += [game.read_observation(observation) for observation in batch.observation]
        batch.step(agent.choose(batch.observation, batch.mask, batch.games))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == len(seen) > 8
    for line, fields in zip(lines, seen, strict=True):
        assert set(line) == {
            *("type", "id", "seat", "seconds", "legal", "question", "explanation", "answers", "position"),
            "observation",
        }
        assert set(line["position"]) == set(fields)
        assert np.isclose(sum(map(np.sum, fields.values())), total(line["position"]))


def total(value: Any) -> float:
    return sum(map(total, value.values())) if isinstance(value, dict) else float(value)


def test_who_takes_too_long_is_killed_with_all_it_has_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    sleeper = (
        f"child = subprocess.Popen(['sleep', '60']); open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')"
    )
    agent = ProgramAgent(NIM, program(tmp_path, f"{sleeper}; child.wait()".replace("{{", "{").replace("}}", "}")), 0.5)
    start = time.monotonic()
    with pytest.raises(TimeoutError, match=r"no answer within 0.5 s"):
        ask(agent)
    assert time.monotonic() - start < 10
    for pid in map(int, pids.read_text().split()):
        while _lives(pid):  # signals take a moment
            assert time.monotonic() - start < 10
            time.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc").exists()
    return state != "Z"


def test_a_program_that_does_not_read_is_killed_too() -> None:
    with pytest.raises(TimeoutError):
        Dialogue([sys.executable, "-c", "import time; time.sleep(60)"]).ask({"long": "x" * 10_000_000}, 0.5)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("print('I take two', flush=True)", "an answer must be one line of JSON, got 'I take two"),
        ("print([2], flush=True)", "an answer must be a JSON object"),
        ("print('[' * 100000, flush=True)", "an answer must be one line of JSON"),
        ("print(json.dumps(dict(id=7, action=0)), flush=True)", 'an answer must have "id": 1 and a number'),
        ("print(json.dumps(dict(id=1, action='0')), flush=True)", 'a number as "action"'),
        ("print(json.dumps(dict(id=1, action=True)), flush=True)", 'a number as "action"'),
        ("sys.exit('out of ideas')", r"the program has exited \(exit code 1\): out of ideas"),
        ("sys.stdout.write('x' * 1100000); sys.stdout.flush()", "one line of at most 1,000,000 characters"),
    ],
)
def test_a_faulty_answer_says_what_is_wrong(answer: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=message):
        ask(ProgramAgent(NIM, program(tmp_path, answer)))


def test_a_program_that_failed_is_started_anew(tmp_path: Path) -> None:
    file = tmp_path / "been_here"
    say = "print(json.dumps(dict(id=message['id'], action=0)), flush=True)"
    agent = ProgramAgent(
        NIM, program(tmp_path, f"os.path.exists({str(file)!r}) or sys.exit(open({str(file)!r}, 'w').write('x')); {say}")
    )
    with pytest.raises(ProgramError, match="has exited"):
        ask(agent)
    assert ask(agent).tolist() == [0, 0, 0]


def test_the_first_answer_must_say_that_it_is_ready(tmp_path: Path) -> None:
    for said in ("{}", '{"type": "ready", "want": ["secrets"]}', '{"type": "ready", "want": "words"}'):
        file = tmp_path / "bot.py"
        file.write_text(f"input(); print({said!r}, flush=True); input()")
        agent = ProgramAgent(NIM, f"{sys.executable} {file}")
        with pytest.raises(ProgramError, match="the first answer must be"):
            ask(agent)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("print(json.dumps(dict(id=message['id'], action=99)), flush=True)", "illegal"),
        ("sys.exit(3)", "crash"),
        ("time.sleep(60)", "stall"),
    ],
)
def test_faulty_programs_forfeit_in_the_arena(answer: str, kind: str, tmp_path: Path) -> None:
    command = program(tmp_path, answer)
    result = play_match(NIM, [f"program:command={command},seconds=0.3", "random"], games=2)
    assert {fault.kind for fault in result.faults.values()} == {kind}
    assert len(result.faults) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "command must be a program with its arguments, got ''"),
        (":command=", "command must be a program"),
        (":command=3", "command must be a program with its arguments, got 3"),
        (":command=there_is_no_such_program x", "there is no executable program 'there_is_no_such_program'"),
        (":command=sh 'x", "cannot be parsed: No closing quotation"),
        (":command=sh,seconds=0", "seconds must be a number above 0, got 0"),
        (":command=sh,start_seconds=soon", "start_seconds must be a number above 0, got 'soon'"),
    ],
)
def test_bad_options(options: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"program{options}", NIM)


def test_no_program_outlives_its_agent(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    say = "print(json.dumps(dict(id=message['id'], action=0)), flush=True)"
    agent = ProgramAgent(NIM, program(tmp_path, f"open({str(pids)!r}, 'w').write(str(os.getpid())); {say}"))
    ask(agent)
    assert _lives(int(pids.read_text()))
    del agent
    assert not _lives(int(pids.read_text()))


def test_a_saved_game_starts_no_program(tmp_path: Path) -> None:
    recorder, batch = Recorder(NIM, 1), Batch(NIM, 1, seed=1, threads=1)
    recorder.add(int(batch.mask[0].argmax()))
    played = recorder.replay()
    file, ran = tmp_path / "game.jsonl", tmp_path / "ran"
    replay.save(file, [replay.Replay(played.game, 1, played.actions, ("you", f"program:command=touch {ran}"))])
    command = [sys.executable, "-m", "pr_env.cli", "play", "--game", "examples.nim:Nim", "--resume", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, input="")
    assert done.returncode == 1
    assert "names a player that starts a program" in done.stderr
    assert not ran.exists()


def test_a_checkpoint_names_no_program() -> None:
    selfplay = pytest.importorskip("training.selfplay")
    with pytest.raises(ValueError, match="agents must not start programs"):
        selfplay.Settings(game="nim", options={"players": 2}, agents=("program:command=sh",))
