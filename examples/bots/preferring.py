#!/usr/bin/env python3
"""A program that plays any game by its texts: it prefers answers that contain certain words. Requires only Python.

    pr-env watch "program:command=python3 examples/bots/preferring.py build settle" random random

The function `choose` could ask a language model instead: it gets a question and a list of sentences.
"""

import json
import random
import sys


def choose(question, explanation, answers, liked):
    """The action to play: an answer with the first word that occurs in any of them, or else a random answer."""
    for word in liked:
        fitting = [answer for answer in answers if word in answer["sentence"].lower()]
        if fitting:
            return random.choice(fitting)["action"]
    return random.choice(answers)["action"]


def main():
    """Answer each line of the input."""
    liked = [word.lower() for word in sys.argv[1:]]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            random.seed(message["seed"])
            answer = {"type": "ready", "want": ["words"]}
        else:
            action = choose(message["question"], message["explanation"], message["answers"], liked)
            answer = {"id": message["id"], "action": action}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
