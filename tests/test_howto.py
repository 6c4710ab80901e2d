"""The how-to page runs as it stands, from its first line to its last.

Protects answers to questions that people asked: what is told there works.
"""

import os
import re
import subprocess
import sys

from dev import ROOT

PAGE = (ROOT / "book" / "howto.md").read_text("utf-8")


def test_the_page_runs_from_top_to_bottom(tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    path = tmp_path / "howto.py"
    path.write_text("\n\n".join(blocks), "utf-8")
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, path], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "RandomStream" in done.stdout or "rate" in done.stdout


def test_there_is_an_answer_for_each_thread():
    assert len(re.findall(r"^## .*\?$", PAGE, re.MULTILINE)) == 4
