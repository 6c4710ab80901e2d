"""A page as Chromium sees it, with the network off: what a script finds there."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
OFFLINE = ("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--mute-audio")
BAR = 143  # pixels of the window that the page does not get
FOUND = re.compile(r'data-found="([^"]*)"')
RUN = """
<script>
addEventListener("load", async () => {
  let found;
  try { found = await (async () => { %s })() } catch (error) { found = "" + error.stack }
  document.documentElement.dataset.found = JSON.stringify(found);
});
</script>
"""


def found_by(script: str, page: Path, profile: Path, width=1280, height=720, query=""):
    """What the body of an asynchronous function returns on a page; a text tells of an error."""
    seen = page.with_name(f"{page.stem}.seen.html")
    seen.write_text(page.read_text("utf-8") + RUN % script, "utf-8")
    window = (f"--user-data-dir={profile}", f"--window-size={width},{height + BAR}")
    words = [PROGRAM, *QUIET, *OFFLINE, *window, "--virtual-time-budget=60000", "--dump-dom"]
    try:
        done = subprocess.run(
            [*words, seen.as_uri() + query], capture_output=True, text=True, timeout=120, check=True
        )
    finally:
        seen.unlink()
    return json.loads(html.unescape(FOUND.search(done.stdout)[1]))
