"""A page as Chromium sees it, with the network off: what a script finds there, keys, a picture.

One Chromium serves many pages. It is spoken to through two pipes, in its own protocol: messages of
JSON, each with a zero byte behind it.
"""

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None) if os.name == "posix" else None
OFFLINE = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", "--disable-sync",
           "--disable-background-networking", "--disable-component-update",
           "--disable-quic")  # fmt: skip
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
         "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe")  # fmt: skip
WITHIN = ("file:", "data:", "blob:", "about:")  # addresses that ask no network
SECONDS = 1200  # that the browser may be silent, on a machine with much else to do


SETTLE = """
for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
const hosts = [...document.querySelectorAll("*")].filter((node) => node.shadowRoot);
const roots = [document, ...hosts.map((node) => node.shadowRoot)];
const moving = roots.flatMap((root) => root.getAnimations());
await Promise.all(moving.map((motion) => motion.finished.catch(() => 0)));
"""


class Page:
    """A page in a browser, of 1280 by 720 pixels."""

    def __init__(self, sending: Any, receiving: Any):
        self.sending, self.receiving = sending, receiving
        self.number, self.session, self.read = 0, "", b""
        self.asked: list[str] = []  # what has been asked of the network
        self.errors: list[str] = []  # of scripts of the page
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for part in ("Page", "Network", "Runtime"):
            self.tell(f"{part}.enable")
        self.tell("Page.setLifecycleEventsEnabled", enabled=True)
        self.resize(1280, 720)

    def tell(self, method: str, **words: Any) -> dict[str, Any]:
        """What the browser answers. Raises RuntimeError for its errors."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": words}
        message |= {"sessionId": self.session} if self.session else {}
        self.sending.write(json.dumps(message).encode() + b"\0")
        self.sending.flush()
        return self.wait(lambda said: said.get("id") == self.number).get("result", {})

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The next message of a kind; what happens on the page meanwhile is noted."""
        while not wanted(said := self.next()):
            told = said.get("params", {})
            url = told.get("request", {}).get("url", "")
            if said.get("method") == "Network.requestWillBeSent" and not url.startswith(WITHIN):
                self.asked.append(url)
            if said.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(told["exceptionDetails"].get("exception", told)))
        if "error" in said:
            raise RuntimeError(said["error"])
        return said

    def next(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self.read:
            if not select.select([self.receiving], [], [], SECONDS)[0]:
                raise TimeoutError(f"the browser said nothing for {SECONDS} seconds")
            if not (more := os.read(self.receiving, 1 << 20)):
                raise RuntimeError("the browser has ended")
            self.read += more
        said, _, self.read = self.read.partition(b"\0")
        return json.loads(said)

    def resize(self, width: int, height: int) -> None:
        """Let the page have so many pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.tell("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme: str) -> None:
        """Let the reader's system be light or dark, and without motion."""
        wanted = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        self.tell("Emulation.setEmulatedMedia", media="screen", features=features)

    def open(self, path: Path, query: str = "") -> None:
        """Load a file; what the last one asked of the network is forgotten."""
        self.visit(path.resolve().as_uri() + query)

    def visit(self, address: str) -> None:
        """Load what is at an address, and forget as `open` does."""
        self.asked.clear()
        self.errors.clear()
        loading = self.tell("Page.navigate", url=address)["loaderId"]
        done = {"loaderId": loading, "name": "load"}
        self.wait(lambda said: done.items() <= said.get("params", {}).items())

    @contextmanager
    def beginning(self, script: str) -> Iterator[None]:
        """Let each page that is opened run a script before its own."""
        name = self.tell("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        try:
            yield
        finally:
            self.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=name)

    def run(self, script: str) -> Any:
        """What the body of an asynchronous function returns on the page."""
        function = f"(async () => {{ {script} \n}})()"
        asked = {"expression": function, "awaitPromise": True, "returnByValue": True}
        done = self.tell("Runtime.evaluate", **asked)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"]["exception"].get("description"))
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until something holds on the page, however slow the machine is."""
        self.run(f"while (!({condition})) await new Promise((done) => setTimeout(done, 20));")

    def settle(self) -> None:
        """Wait until the page has drawn what a new size asks for: it is noticed in one frame, drawn
        in the next, and moves from then on."""
        self.run(SETTLE)

    def press(self, key: str) -> None:
        """Press a key, and let it go."""
        code = KEYS.get(key, ord(key[0].upper()))
        words = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        words |= {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, **words)

    def run_beside(self, title: str, script: str) -> Any:
        """What `run` gives on another page of the browser, which this one has opened; close it."""
        mine, self.session = self.session, ""
        targets = self.tell("Target.getTargets")["targetInfos"]
        (there,) = [t["targetId"] for t in targets if t["title"] == title]
        try:
            attached = self.tell("Target.attachToTarget", targetId=there, flatten=True)
            self.session = attached["sessionId"]
            return self.run(script)
        finally:
            self.session = ""
            self.tell("Target.closeTarget", targetId=there)
            self.session = mine

    def picture(self, **words: Any) -> bytes:
        """The page as a PNG."""
        return base64.b64decode(self.tell("Page.captureScreenshot", **words)["data"])


KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, " ": 32}


def axe() -> str:
    """The rules of axe-core 4.14.1, as a script."""
    return (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")


@contextmanager
def opened(profile: Path) -> Iterator[Page]:
    """A page of a Chromium that is ended afterwards; its files stand in a folder of its own."""
    theirs, ours = map(high, os.pipe()), map(high, os.pipe())
    (hearing, sending), (receiving, saying) = theirs, ours
    words = [PROGRAM, *QUIET, *OFFLINE, f"--user-data-dir={profile}"]
    places = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    process = subprocess.Popen(
        words,
        env=os.environ | dict.fromkeys(places, str(profile)),
        pass_fds=(3, 4),  # where it looks for the pipes
        preexec_fn=lambda: (os.dup2(hearing, 3), os.dup2(saying, 4)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(hearing), os.close(saying)
    try:
        with open(sending, "wb") as pipe:
            yield Page(pipe, receiving)
    finally:
        process.kill()
        process.wait()
        os.close(receiving)


def high(number: int) -> int:
    """The same end of a pipe, by a number that is not in the way."""
    import fcntl  # which Windows has not: there these tests are left out

    moved = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(number)
    return moved
