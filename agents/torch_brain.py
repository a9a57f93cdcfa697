"""Evaluation of an agent's network by PyTorch: on another device, or with PyTorch's threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from agents.neural import Brain
from pr_env.game import Game


def check_device(device: str) -> None:
    """Check that PyTorch can use a device.

    Raises:
        ValueError: If it cannot; the message includes PyTorch's reason.
    """
    try:
        torch.zeros(1, device=device)
    except (AssertionError, RuntimeError, TypeError) as error:  # PyTorch was built without it, or the machine has none
        reason = str(error).strip().splitlines()[0]
        raise ValueError(f"device must be available to PyTorch, got {device!r}: {reason}") from None


class TorchBrain(Brain):
    """A network read from a file, evaluated by PyTorch.

    Args:
        path: A file written by `agents.neural.save_agent`.
        game: The game to play; None for the one that it was trained for.
        device: The device for the evaluation.
    """

    def __init__(self, path: Path, game: Game | None = None, *, device: str = "cpu") -> None:
        super().__init__(path, game)
        self._device = torch.device(device)
        tensors = {
            name: torch.from_numpy(value.astype(np.float32)).to(self._device) for name, value in self.weights.items()
        }
        layers = [f"hidden.{place}" for place in range(len(self._hidden))]
        self._hidden_tensors = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in layers]
        heads = ["policy", *(["value"] if self._value is not None else [])]
        self._heads = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in heads]

    @torch.inference_mode()
    def _scores(self, observations: np.ndarray, *, values: bool) -> list[np.ndarray]:
        x = torch.from_numpy(np.ascontiguousarray(observations, np.float32)).to(self._device)
        for weight, bias in self._hidden_tensors:
            x = functional.relu(functional.linear(x, weight, bias))
        heads = self._heads if values else self._heads[:1]
        return [functional.linear(x, weight, bias).cpu().numpy() for weight, bias in heads]
