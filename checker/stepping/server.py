"""The server of `precede step`: on the loopback interface only, for whoever has the token, and for no other site.

A page of another site could reach the loopback interface through the user's browser. So every request must name this
server as its host, bring the token, and come from this server's own page where the browser says where it comes from.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from ..errors import PrecedeError
from .answering import Stepping, path_of

LOOPBACK = "127.0.0.1"
LARGEST_REQUEST = 64 * 1024
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class StepServer(ThreadingHTTPServer):
    """The server; `address` is what the user opens, with the token."""

    daemon_threads = True

    def __init__(self, stepping: Stepping, port: int = 0) -> None:
        """`port` 0: any free one. Raises OSError where the port is taken."""
        super().__init__((LOOPBACK, port), Handler)
        self.stepping = stepping
        self.token = secrets.token_urlsafe(24)
        self.one_at_a_time = threading.Lock()

    @property
    def port(self) -> int:
        """The port."""
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: StepServer
    server_version = "precede"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """The page."""
        parts = urlsplit(self.path)
        token = parse_qs(parts.query).get("token", [""])[0]
        if not self._is_welcome(token):
            return
        if parts.path != "/":
            self._say(HTTPStatus.NOT_FOUND, "there is only one page\n")
            return
        self._answer("text/html; charset=utf-8", self.server.stepping.page)

    def do_POST(self) -> None:
        """A run, as JSON, or as the text of a file."""
        if not self._is_welcome(self.headers.get("X-Token", "")):
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_REQUEST:
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {LARGEST_REQUEST} bytes\n")
            return
        try:
            found = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            self._say(HTTPStatus.BAD_REQUEST, "a request is JSON\n")
            return
        stepping = self.server.stepping
        answers: dict[str, tuple[str, Callable[[list[int]], str]]] = {
            "/run": ("application/json", lambda path: json.dumps(stepping.state(path))),
            "/trace": ("application/json", stepping.trace),
            "/scenario": ("text/plain; charset=utf-8", stepping.scenario_text),
        }
        if self.path not in answers:
            self._say(HTTPStatus.NOT_FOUND, "there is /run, /trace and /scenario\n")
            return
        kind, answer = answers[self.path]
        self._answer(kind, lambda: answer(path_of(found)))

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: requests are not written down, since their addresses hold the token."""

    def _is_welcome(self, token: str) -> bool:
        """Whether a request names this server, brings the token, and comes from no other site; says so if not."""
        hosts = {f"{name}:{self.server.port}" for name in (LOOPBACK, "localhost")}
        origin = self.headers.get("Origin")
        is_foreign = origin is not None and origin not in {f"http://{host}" for host in hosts}
        if self.headers.get("Host") not in hosts or is_foreign:
            self._say(HTTPStatus.FORBIDDEN, "requests to another host, or from another site, are refused\n")
            return False
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._say(HTTPStatus.FORBIDDEN, "no token, or a wrong one: open the address that `precede step` prints\n")
            return False
        return True

    def _answer(self, kind: str, answer: Callable[[], str]) -> None:
        """Say what `answer` gives. A model is called by one request at a time."""
        try:
            with self.server.one_at_a_time:
                text = answer()
        except PrecedeError as error:
            self._say(HTTPStatus.UNPROCESSABLE_ENTITY, f"{error}\n")
            return
        self._say(HTTPStatus.OK, text, kind)

    def _say(self, status: HTTPStatus, text: str, kind: str = "text/plain; charset=utf-8") -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def serve(stepping: Stepping, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `say` is told the address. Raises OSError where the port is taken."""
    with StepServer(stepping, port) as server:
        say(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
