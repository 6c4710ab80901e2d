"""The explorer's modules are pages that one can read, and join into one module by their imports."""

import re
from collections import Counter
from itertools import chain

import pytest

from autodiff_edu.show.scene.explorer import ASSETS

MODULES = {path.stem: path.read_text("utf-8") for path in sorted(ASSETS.glob("*.js"))}
IMPORT = re.compile(r'^import \{ (\w+) \} from "\./(\w+)\.js";$', re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", re.MULTILINE)
DANGEROUS = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(",
             "XMLHttpRequest", "localStorage", "getElementById", "setInterval")  # fmt: skip


def test_a_module_is_a_page():
    for name, text in MODULES.items():
        assert text.startswith("// "), f"{name} says first what it is about"
        assert text.count("\n") <= 200, name
        assert max(map(len, text.splitlines())) <= 100, name


def test_imports_are_one_a_line_and_lead_to_an_export():
    for name, text in MODULES.items():
        assert text.count("\nimport ") == len(IMPORT.findall(text)), name
        for word, source in IMPORT.findall(text):
            exported = rf"^export (?:const|function|class) {word}\b"
            assert re.search(exported, MODULES[source], re.MULTILINE), (name, word)
            used = re.findall(rf"\b{word}\b", IMPORT.sub("", text))
            assert used, f"{name} does not use {word}"


def test_no_name_is_declared_twice():
    names = chain.from_iterable(map(DECLARED.findall, MODULES.values()))
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_no_circle_of_imports():
    done, open_ = set(), []

    def visit(name):
        assert name not in open_, open_
        if name not in done:
            open_.append(name)
            for _, source in IMPORT.findall(MODULES[name]):
                visit(source)
            done.add(open_.pop())

    visit("explorer")
    assert done == set(MODULES)


@pytest.mark.parametrize("word", DANGEROUS)
def test_nothing_reads_text_as_code_or_leaves_the_page(word):
    assert [name for name, text in MODULES.items() if word in text] == []
