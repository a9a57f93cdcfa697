"""mkdocs hooks that add pages from other folders: the notebooks, CONTRIBUTING and the changelog.

Notebooks are shown with their saved outputs; nothing is run.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEXTS = ("CONTRIBUTING.md", "CHANGELOG.md")
NOTEBOOKS_BEFORE = "Make it yours"  # the navigation section that follows them

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # terminal colours


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add a navigation section for the notebooks, if there are any."""
    if NOTEBOOKS and config.nav is not None:
        section = {"Notebooks": [f"notebooks/{notebook.stem}.md" for notebook in NOTEBOOKS]}
        place = [next(iter(entry)) for entry in config.nav].index(NOTEBOOKS_BEFORE)
        config.nav.insert(place, section)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for name in TEXTS:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name.lower(), content=text))
    for notebook in NOTEBOOKS:
        for uri, content in notebook_files(notebook):
            files.append(File.generated(config, uri, content=content))
    return files


def notebook_files(notebook: Path) -> Iterator[tuple[str, str | bytes]]:
    """The page of a notebook, its pictures, and the notebook itself for download."""
    stored = notebook.read_text(encoding="utf-8")
    pictures: dict[str, str | bytes] = {}
    parts = [f"*This page is `notebooks/{notebook.name}`: [download it]({notebook.name}), or run it in your checkout.*"]
    for cell in json.loads(stored)["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(with_site_links(text_of(cell["source"])))
        elif cell["cell_type"] == "code":
            parts.append(fenced("python", text_of(cell["source"])))
            parts += outputs(cell["outputs"], notebook.stem, pictures)
    if len(parts) > 1:
        parts[0], parts[1] = parts[1], parts[0]  # the title comes first
    yield f"notebooks/{notebook.stem}.md", "\n\n".join(parts) + "\n"
    yield f"notebooks/{notebook.name}", stored
    yield from pictures.items()


def outputs(stored: Iterable[dict[str, Any]], page: str, pictures: dict[str, str | bytes]) -> Iterator[str]:
    """The outputs of a cell as Markdown; its pictures are added to ``pictures``."""
    for output in stored:
        if output["output_type"] == "stream":
            yield fenced("text", ESCAPES.sub("", text_of(output["text"])))
            continue
        shown = {kind: text_of(value) for kind, value in output.get("data", {}).items() if kind != "application/json"}
        if "image/svg+xml" in shown:
            yield picture(f"{page}_{len(pictures)}.svg", shown["image/svg+xml"], pictures)
        elif "image/png" in shown:
            yield picture(f"{page}_{len(pictures)}.png", base64.b64decode(shown["image/png"]), pictures)
        elif "text/markdown" in shown:
            yield with_site_links(shown["text/markdown"])
        elif "text/html" in shown:
            yield f"<div>\n{shown['text/html']}\n</div>"
        elif "text/plain" in shown:
            yield fenced("text", ESCAPES.sub("", shown["text/plain"]))


def picture(name: str, content: str | bytes, pictures: dict[str, str | bytes]) -> str:
    """A link to a picture that is saved as a file next to the page."""
    pictures[f"notebooks/{name}"] = content
    return f"![output]({name})"


def text_of(stored: Any) -> str:
    """Notebooks store a text as a list of lines or as one string."""
    return "".join(stored) if isinstance(stored, list) else str(stored)


def fenced(language: str, text: str) -> str:
    """A fenced code block whose contents may contain fences."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`{3,}", text)), 0)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def with_site_links(text: str) -> str:
    """Adapt links to documents and other notebooks to the site."""
    return re.sub(r"\]\(([\w-]+)\.ipynb", r"](\1.md", text.replace("](../docs/", "](../"))
