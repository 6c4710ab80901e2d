"""The book's page on JAX, typed into a fresh Python: it prints what is shown.

Protects readers of the page.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book/jax.md").read_text("utf-8")
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"\d+\.\d+")


def rounded(text):
    return NUMBER.sub(lambda number: f"{float(number[0]):.6f}", text).strip()


def test_the_page_prints_what_is_shown():
    texts, printed = [], []
    for language, text in BLOCK.findall(PAGE):
        if language == "python":
            texts.append(text)
            printed.append("")
        else:
            printed[-1] = text
    command = [sys.executable, ROOT / "tests/helpers/cells.py"]
    done = subprocess.run(
        command, input=json.dumps(texts), capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert list(map(rounded, shown)) == list(map(rounded, printed))
