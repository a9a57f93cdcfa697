"""The command ``pr-env web``: read files, print the address, open the page, and serve until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import uvicorn

from web.app import LOOPBACK, Server
from web.arenas import Arena

SHORTEST_TOKEN = 8


def checked_token(host: str, token: str | None) -> str:
    """The access token: empty if the server only accepts connections from this machine, unless one is given.

    Raises:
        ValueError: If the given token is too short.
    """
    if token is not None:
        if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or set(token) & set(' ;,"\\'):
            raise ValueError(f"token must be at least {SHORTEST_TOKEN} letters and digits, got {len(token)} characters")
        return token
    return "" if host in LOOPBACK else secrets.token_urlsafe(18)


def default_folder() -> Path:
    """The default folder of the saved games."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "pr_env" / "web"


def read_arenas(results: Sequence[Path], replays: Sequence[Path]) -> list[Arena]:
    """The tournaments in these files.

    Raises:
        ValueError: If a file is invalid, or there are more replay files than results files.
    """
    if len(replays) > len(results):
        raise ValueError("each --replays must belong to an --arena, got more of them")
    found = []
    for place, path in enumerate(results):
        lines = replays[place].read_text(encoding="utf-8") if place < len(replays) else ""
        found.append(Arena(path.name, path.read_text(encoding="utf-8"), lines))
    return found


def serve(
    *, host: str, port: int, token: str, folder: Path, agents: Sequence[str], arenas: Sequence[Arena], browser: bool
) -> None:
    """Serve until Ctrl-C.

    Raises:
        ValueError: If the port is taken.
    """
    outside = host not in LOOPBACK
    server = Server(folder, agents=agents, arenas=arenas, hosts=() if outside else LOOPBACK, token=token)
    listening = _listen(host, port)
    address = _address(host, listening.getsockname()[1], token)
    print(f"pr-env is running at {address}  (Ctrl-C stops it; games are saved in {folder})", flush=True)
    if outside:
        print("anyone who knows this address can play; the connection is not encrypted", flush=True)
    if browser:
        webbrowser.open(address)
    try:
        asyncio.run(run(server, listening))
    except KeyboardInterrupt:
        print("ended", file=sys.stderr)


async def run(server: Server, listening: socket.socket) -> None:
    """Serve on an open socket until the process is told to stop."""
    await uvicorn_server(server).serve([listening])


def uvicorn_server(server: Server) -> uvicorn.Server:
    """A uvicorn server with the required settings."""
    return uvicorn.Server(
        uvicorn.Config(
            server.app,
            ws="websockets-sansio",
            ws_max_size=server.limits.message,
            ws_per_message_deflate=False,  # on one machine, compressing takes longer than sending
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise ValueError(f"cannot listen on {host} port {port}: {error.strerror}; --port sets another one") from None


def _address(host: str, port: int, token: str) -> str:
    named = f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host
    return f"http://{named}:{port}/" + (f"?token={quote(token)}" if token else "")
