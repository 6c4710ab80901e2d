"""The explorer's modules are pages that one can read, and join into one module by their imports."""

import re
from collections import Counter
from itertools import chain

import pytest

from autodiff_edu.show.scene.explorer import ASSETS, bare, modules, packed

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


def test_no_property_hides_a_method():
    for name, text in MODULES.items():
        methods = {*re.findall(r"^  (?:async )?(\w+)\(.*\) \{$", text, re.MULTILINE)}
        properties = {*re.findall(r"this\.(\w+) (?:\?\?)?= ", text)}
        for several in re.findall(r"Object\.assign\(this, \{ ([\w, ]+) \}", text):
            properties |= {*several.split(", ")}
        assert not methods & properties, f"{name}: {methods & properties}"


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


def test_what_is_packed_is_the_same_code_without_comments_and_indentation():
    for name, text in MODULES.items():
        assert "/*" not in text, name
        short = bare(text)
        assert " // " not in short and not re.search(r"^(?: |//)", short, re.MULTILINE), name
        for line in text.splitlines():
            code = line.partition(" // ")[0]
            assert line.lstrip().startswith("//") or all(code.count(q) % 2 == 0 for q in '"`'), (
                f"{name}: no text may go over several lines, or have two slashes: {line}"
            )
        words = re.sub(r"^ *//.*\n| // .*$", "", text, flags=re.MULTILINE)
        assert "".join(short.split()) == "".join(words.split()), name


def test_the_module_and_the_style_are_small_enough_to_be_in_outputs():
    """Less than is written: what only a reader of the sources needs is left out."""
    written = sum(path.stat().st_size for path in ASSETS.glob("*.*"))
    assert len(modules().encode()) < 0.85 * written
    assert len(packed(modules())) < 52_000, "characters in each output"
