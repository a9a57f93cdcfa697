import os

import pytest

from training.waits import PASSIVE


@pytest.fixture(autouse=True)
def _waits_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore process-wide settings of the command, so that they do not affect other tests."""
    for name, value in PASSIVE.items():
        monkeypatch.setenv(name, os.environ.get(name, value))
