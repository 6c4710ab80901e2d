"""Sentences that a student reads once, who learned English as a second language.

Protects lectures, exercises, pages of the book and docstrings: short sentences, and none of the
idioms that readers stumbled over.
"""

import ast
import inspect
import json
import re

import pytest

import autodiff_edu as ad
from autodiff_edu import course
from dev import ROOT
from tests.helpers.changed import statements

LONGEST = 30  # words of a sentence
IDIOMS = """
    is charged for it | share all but | nobody needs any more | takes the next result
    needs no leave | a plate such as | wants two proofs | stands out of its | a dear one | dearer
    dearest | not asked for | hand in hand | by and large | in a nutshell | at first glance
    at a glance | the lion's share | rule of thumb | keep in mind | bear in mind
    goes without saying | by no means | to and fro | once and for all | in the long run
    out of the blue | the other way round | free lunch | piece of cake | boils down to
    comes down to | make sense of | get rid of | gets away with | lo and behold | let alone
    as it were | so to speak | in vain | heed | thereof | hence | thus | albeit | whilst | amongst
    aforementioned | henceforth | whence | hither | nay | keeps books | opens these books
    under the hood | for good | pays for itself | worth its salt | settle an old | old accusation
    of its own accord | in one go | a handful of | on the spot | has the last word
    tells them apart | nowhere to hide | by heart | takes apart | loses patience
"""
PHRASES = [phrase.strip() for row in IDIOMS.strip().splitlines() for phrase in row.split("|")]
FOUND = re.compile("|".join(rf"\b{re.escape(p)}\b" for p in PHRASES if p), re.IGNORECASE)

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS += sorted((ROOT / "notebooks" / "exercises").glob("*.ipynb"))
MODULES = sorted((ROOT / "autodiff_edu").rglob("*.py"))
PAGES = sorted((ROOT / "book").glob("*.md")) + [ROOT / "README.md"]


def of_notebook(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]


def of_names(package):
    """The docstrings of what a package gives, without their examples. A line that is indented
    there is no code; where the indent changes, a sentence ends."""
    found = {name: getattr(package, name) for name in package.__all__}
    methods = {
        f"{name}.{key}": member
        for name, thing in found.items()
        if inspect.isclass(thing)
        for key, member in inspect.getmembers(thing)
        if not key.startswith("_")
    }
    texts = {name: inspect.getdoc(thing) or "" for name, thing in (found | methods).items()}
    return {name: flush(text.partition("Examples\n")[0]) for name, text in texts.items()}


def flush(text):
    """The lines without their indents; a row of a table has a gap, and is a sentence of its own."""
    lines, last = [], ""
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += [""] * (indent != last or "  " in line.strip()) + [line.lstrip()]
        last = indent
    return "\n".join(lines)


CODE = [
    re.compile(r"^(```|:::|~~~).*?^(```|:::|~~~)\s*$", re.DOTALL | re.MULTILINE),
    re.compile(r"\$\$.*?\$\$", re.DOTALL),
    re.compile(r"^(\||#|    |>>>|---|===).*$", re.MULTILINE),
    re.compile(r"<[^>]*>"),
]
ONE_WORD = [re.compile(r"`[^`]*`"), re.compile(r"\$[^$]*\$"), re.compile(r"\]\([^)]*\)")]
WORD = re.compile(r"[^\W\d_]{2}|^\W*[aAI]\W*$")
END = re.compile(r"(?<=[.!?:])[\"”')*_]*\s+|\n\s*\n|\n\s*(?:[-*+]|\d+\.|:)\s|\*\*\s")


def sentences(text):
    """The sentences of a text in Markdown; code and formulas are a word each."""
    for pattern in CODE:
        text = pattern.sub("\n\n", text)
    for pattern in ONE_WORD:
        text = pattern.sub(" code ", text)
    parts = [re.sub(r"^\s*(?:[-*+]|\d+\.)\s+", "", part) for part in END.split(text) if part]
    return [" ".join(part.split()) for part in parts if part.strip()]


def words(sentence):
    """What is read as a word: no operator, no number, no variable, no part of a formula."""
    return [w for w in sentence.split() if re.fullmatch(r"[^\s()*/=+]*", w) and WORD.search(w)]


def long(texts):
    return [s for text in texts for s in sentences(text) if len(words(s)) > LONGEST]


@pytest.mark.each("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_notebooks(path):
    texts = of_notebook(path)
    assert long(texts) == []
    assert [m.group() for text in texts for m in FOUND.finditer(text)] == []


@pytest.mark.each("path", PAGES, ids=lambda path: path.stem)
def test_pages(path):
    texts = [path.read_text("utf-8")]
    assert long(texts) == []
    assert [m.group() for text in texts for m in FOUND.finditer(text)] == []


@pytest.mark.parametrize("package", [ad, course], ids=lambda p: p.__name__)
def test_docstrings(package):
    texts = of_names(package)
    found = {k: long([v]) + [m.group() for m in FOUND.finditer(v)] for k, v in texts.items()}
    assert {name: rows for name, rows in found.items() if rows} == {}


# ---- errors


def raised(tree):
    """The texts of what a module raises, values as a word each."""
    for statement in statements(tree):
        for part in ast.walk(statement) if isinstance(statement, ast.Raise) else ():
            if isinstance(part, ast.JoinedStr):
                yield "".join(
                    v.value if isinstance(v, ast.Constant) else "`v`" for v in part.values
                )
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


@pytest.mark.each("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_errors(path):
    text = path.read_text("utf-8")
    texts = list(raised(ast.parse(text))) if "raise " in text else []
    assert long(texts) == []
    assert [m.group() for text in texts for m in FOUND.finditer(text)] == []


def test_what_a_sentence_is():
    text = (
        "One. Two `a. b`? See $x.y$:\n\n- three\n- four\n\n```\ncode here. and there.\n```\nFive."
    )
    assert [s.split()[0] for s in sentences(text)] == [
        "One.",
        "Two",
        "See",
        "three",
        "four",
        "Five.",
    ]
    assert long(["a word " * 16]) and not long(["a word " * 15]) and not long(["x = y * 2, " * 9])
    assert FOUND.search("It is a dear one.") and not FOUND.search("It is expensive.")
