"""The server: static files of the page, and one connection per page."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as StarletteMessage
from starlette.websockets import WebSocket, WebSocketDisconnect

from web.arenas import Arena
from web.limits import Limits
from web.lobby import Lobby
from web.players import Players
from web.session import Session
from web.store import Store
from web.thinking import Thinkers

STATIC = Path(__file__).parent / "static"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_COOKIE = "pr_env_token"
SHUT, TOO_MANY, FORBIDDEN = 1001, 1013, 1008  # close codes of the WebSocket protocol
SEND_SECONDS = 20.0  # a page that receives nothing for this long is gone

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Guard:
    """Rejects requests with a wrong host or origin, or without the token if one is required.

    Args:
        app: The application to protect.
        hosts: Accepted host names; empty for any.
        token: The token that a page must send; empty for none.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], token: str) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        problem = self._problem(scope, headers)
        if problem:
            response = PlainTextResponse(f"pr-env: {problem}\n", 403)
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(FORBIDDEN)
            else:
                await response(scope, receive, send)
            return
        await self._app(scope, receive, self._with_headers(scope, send))

    def _problem(self, scope: Scope, headers: dict[bytes, str]) -> str:
        host = headers.get(b"host", "")
        if self._hosts and _name(host) not in self._hosts:
            return "unknown host name"  # protects against DNS rebinding
        origin = headers.get(b"origin")
        if scope["type"] == "websocket" and (origin is None or urlsplit(origin).netloc != host):
            return "connections are accepted from this server's own page only"
        if self._token and not self._knows_token(scope, headers):
            return "access needs a token: use the address printed in the server's terminal, which ends with ?token=..."
        return ""

    def _knows_token(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        given = Request({**scope, "type": "http"}).query_params.get("token", "")
        cookies = headers.get(b"cookie", "")
        kept = [part.strip().partition("=")[2] for part in cookies.split(";") if part.strip().startswith(TOKEN_COOKIE)]
        return any(secrets.compare_digest(one.encode(), self._token.encode()) for one in (given, *kept))

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: StarletteMessage) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS, *self._cookie(scope)]
            await send(message)

        return sending

    def _cookie(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The token as a cookie, so that files loaded by the page are authorised too."""
        if not self._token or b"token=" not in scope.get("query_string", b""):
            return []
        cookie = f"{TOKEN_COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", cookie.encode())]


def _name(host: str) -> str:
    """A host without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Server:
    """The application and its parts.

    Args:
        folder: Folder of the saved games.
        limits: Limits on what pages can request.
        agents: Additional agents to offer, with their options.
        arenas: Tournaments to browse.
        hosts: Accepted host names; empty for any.
        token: The token that a page must send; empty for none.
    """

    def __init__(
        self,
        folder: Path,
        *,
        limits: Limits | None = None,
        agents: Sequence[str] = (),
        arenas: Sequence[Arena] = (),
        hosts: Sequence[str] = LOOPBACK,
        token: str = "",
    ) -> None:
        self.limits = Limits() if limits is None else limits
        self.thinkers = Thinkers(self.limits)
        self.lobby = Lobby(self.limits, Players(self.limits, agents), self.thinkers, Store(folder, self.limits))
        self._arenas = list(arenas)
        self._sessions: set[Session] = set()
        self.app = Starlette(
            routes=[
                Route("/", self._index),
                Route("/assets/{name}", self._asset),
                WebSocketRoute("/ws", self._connection),
            ],
            middleware=[Middleware(Guard, hosts=tuple(hosts), token=token)],
            lifespan=self._life,
        )

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        yield
        for session in list(self._sessions):
            session.close()
        self.lobby.close()
        self.thinkers.close()

    async def _index(self, request: Request) -> Response:
        return _file(STATIC / "index.html")

    async def _asset(self, request: Request) -> Response:
        """A file of the page. It is looked up in a list of existing files, so no path can lead outside the folder."""
        name = request.path_params["name"]
        files = {path.name: path for path in (STATIC / "assets").iterdir()} if STATIC.is_dir() else {}
        if name not in files:
            return PlainTextResponse("not found\n", 404)
        return _file(files[name])

    async def _connection(self, websocket: WebSocket) -> None:
        if len(self._sessions) >= self.limits.connections:
            await websocket.close(TOO_MANY)
            return
        await websocket.accept()

        async def send(text: str) -> None:
            await asyncio.wait_for(websocket.send_text(text), SEND_SECONDS)

        session = Session(self.lobby, self._arenas, send)
        self._sessions.add(session)
        news = asyncio.create_task(session.tell_news())
        try:
            await self._talk(websocket, session.receive)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):  # the three ways to lose the connection
            pass
        finally:
            news.cancel()
            session.close()
            self._sessions.discard(session)

    async def _talk(self, websocket: WebSocket, receive: Callable[[str | bytes], Awaitable[None]]) -> None:
        """Process messages one by one, within the rate limit."""
        rate = float(self.limits.messages_a_second)
        allowance, last = rate, time.monotonic()
        while True:
            event = await websocket.receive()
            if event["type"] == "websocket.disconnect":
                return
            now = time.monotonic()
            allowance = min(rate, allowance + (now - last) * rate) - 1
            last = now
            if allowance < 0:
                await asyncio.sleep(-allowance / rate)
            await receive(event.get("text") or event.get("bytes") or "")


def _file(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse("the page has not been built: run `make web-build`\n", 404)
    return FileResponse(path, media_type=TYPES.get(path.suffix), headers={"cache-control": "no-cache"})
