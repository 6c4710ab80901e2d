"""A folder as a server shows it under an address of its own, and a walk along all of its links."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urldefrag, urljoin
from urllib.request import ProxyHandler, build_opener

PLACE = "/a%20course/book/"
LINKS = {
    "text/html": re.compile(r'="(?:(?<=\bhref=")|(?<=\bsrc="))([^"]+)"'),
    "text/css": re.compile(r"url\([\"']?(?!data:)([^\"'()]+)"),
}
NAME = re.compile(r'="(?:(?<=\bid=")|(?<=\bname="))([^"]+)"')  # ten times as quick as from \b on
HERE = build_opener(ProxyHandler({}))  # no request leaves the machine


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the folder. Beside it there is nothing, as on a server with other sites."""

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *words: Any):
            super().__init__(*words, directory=str(folder))

        def translate_path(self, path: str) -> str:
            inside = path.startswith(PLACE)
            return super().translate_path(path.removeprefix(PLACE) if inside else "no such file")

        def log_message(self, *words: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}{PLACE}"
        finally:
            server.shutdown()


def walk(start: str) -> tuple[set[str], list[tuple[str, str]]]:
    """The addresses that links lead to, from the first page on; and the links that are dead.

    Links to other sites are passed over. A dead link is a page, and what is written there.
    """
    names: dict[str, set[str] | None] = {}  # of places on a page; None if there is no page
    links, todo, seen = [], [start], {start}
    for page in todo:  # which grows
        kind, text = load(page)
        names[page] = set(NAME.findall(text)) if kind else None
        for link in sorted(set(LINKS[kind].findall(text))) if kind in LINKS else ():
            target, part = urldefrag(urljoin(page, unescape(link)))
            if target.startswith(start[: start.index(PLACE)]):
                links.append((page, link, target, part))
                todo += [target] * (target not in seen)
                seen.add(target)
    dead = [
        (page, link)
        for page, link, target, part in links
        if (there := names[target]) is None or (part and there and part not in there)
    ]
    return {page for page, there in names.items() if there is not None}, dead


def load(address: str) -> tuple[str, str]:
    """The kind of a file, and its text; no kind, where there is no such file."""
    try:
        with HERE.open(address) as answer:
            kind = answer.headers.get_content_type()
            data = answer.read()
            return kind, data.decode() if kind in LINKS else ""
    except HTTPError as error:
        error.close()
        return "", ""
