"""One HTML file out of the page's ES modules, its style and its data: no server, no outside request, no build tool.

Every module becomes one function that returns what it exports, so that names of different modules never meet. The
content security policy allows exactly this script and this style by their hashes, and nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

MAIN = "main.js"
STYLE = "page.css"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def page(documents: Sequence[Mapping[str, Any]], title: str = "precede", main: str = MAIN, asks: str = "'none'") -> str:
    """The page that shows these documents, as the text of an HTML file; `asks` is whom it may ask for more."""
    script, style = bundle(main), read_asset(STYLE)
    policy = (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'; img-src data: blob:; "
        f"connect-src {asks}; base-uri 'none'; form-action 'none'"
    )
    return document(title, policy, style, [
        "<noscript>This page steps through a recorded run and needs JavaScript; nothing is loaded from elsewhere. "
        "<code>precede trace show</code> prints the run as text, <code>precede trace draw</code> draws it.</noscript>",
        f'<script type="application/json" id="data">{embedded(documents)}</script>',
        f"<script>{script}</script>",
    ])  # fmt: skip


def document(title: str, policy: str, style: str, body: Iterable[str]) -> str:
    """An HTML file with this style sheet and content security policy; `body` is markup, `title` is text."""
    return "\n".join([
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<link rel="icon" href="data:,">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def embedded(value: Any) -> str:
    """JSON that can stand in a script element whatever texts it holds: nothing in it ends the element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def bundle(main: str = MAIN) -> str:
    """The modules that `main` needs as one script, those that others need first."""
    order: list[str] = []
    _visit(main, order)
    parts = [_as_function(module) for module in order]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"


def _visit(module: str, order: list[str]) -> None:
    for _, needed in _IMPORT.findall(read_asset(module)):
        if needed not in order:
            _visit(needed, order)
    if module not in order:
        order.append(module)


def _as_function(module: str) -> str:
    """A module as a function that is called once and returns what the module exports."""
    source = read_asset(module)
    exported = ", ".join(_EXPORT.findall(source))
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(found[2])};\n", source)
    body = _EXPORT.sub("", body)
    return f"const {_variable(module)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _variable(module: str) -> str:
    return "module_" + module.removesuffix(".js").replace(".", "_")


def read_asset(name: str) -> str:
    """A file of the room `app`."""
    return files(__package__).joinpath("app", name).read_text(encoding="utf-8")


def hashed(text: str) -> str:
    """How a content security policy names the script or style with this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
