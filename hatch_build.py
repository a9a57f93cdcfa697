"""Metadata for the package index: the README, with links that work there, and the project's addresses.

The address of the project is given when a distribution is built: ``PROJECT_URL=https://... make wheel``. Links to files
of the repository then point there. Without it there are no addresses, and links to files become plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Fills in ``readme`` and ``urls``."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Called before the distribution is built."""
        home = os.environ.get("PROJECT_URL", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text, home)}
        metadata["urls"] = addresses(home)


def for_index(text: str, home: str) -> str:
    """Rewrite the links of a page so that they work outside the repository."""

    def changed(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if not home:
            return "" if picture else words
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/main/{path})"

    return LINK.sub(changed, text)


def addresses(home: str) -> dict[str, str]:
    """The project's addresses; empty if its address is not given."""
    if not home:
        return {}
    return {
        "Repository": home,
        "Documentation": f"{home}/blob/main/docs/index.md",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }
