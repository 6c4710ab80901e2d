"""What the explorer shows is right: in random graphs, the formula, value, adjoint, terms, line and
program line on each card are Python's.

Runs where Chromium is.
"""

import math
import re
import sys
from collections import Counter
from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph, Input, Place, first_place, substitute
from autodiff_edu.show.scene.document import Document

from ...helpers.depth import draws, some
from .explored import SEND, flat, plain
from .kinds import KINDS, explored

LIVES = some([2, 0, 1], 3)  # of these frames, parts are asked for what became of them
CARDS = (
    f"const lives = {LIVES};"
    + """
const shown = (k, n) => {
  e.go(k);
  const cards = {};
  for (const p of Object.keys(e.model.frame(k))) {
    e.pin(p);
    const card = e.card.element.innerText;
    if (lives.includes(n)) e.card.showMore(p);
    const life = e.card.element.querySelector(".biography")?.innerText;
    const shape = e.values[p]?.shape ?? [];
    cards[p] = { card, life, value: send(e.values[p]), shape, name: e.model.name(p) };
  }
  return cards;
};
return [0, e.model.end, e.model.last].map(shown);
"""
)
NUMBER = re.compile(r"−?(?:\d+(?:\.\d+)?(?:e−?\d+)?|∞)|nan")


def read(text):
    """The numbers in a text of the page."""
    return [float(w.replace("−", "-").replace("∞", "inf")) for w in NUMBER.findall(text)]


def assert_written(text, value, message):
    """The text has this value, to the digits that are written; of a large array its shape."""
    value = np.asarray(value, float)
    wanted = value.ravel() if value.size <= 4 else value.shape
    np.testing.assert_allclose(read(text), wanted, 6e-3, err_msg=f"{message}: {text}")


def assert_equal(shown, value, message):
    if np.asarray(value).size <= 64:  # of larger arrays the page has shapes alone
        shown = flat(plain(shown)) if isinstance(shown, list) else [plain(shown)]
        value = np.ravel(value).astype(float)
        np.testing.assert_allclose(shown, value, 1e-5, 1e-7, err_msg=message)  # float32, too


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", some(KINDS, 3), ids=lambda kind: kind.__name__)
def test_every_card_is_right(page, kind):
    count = dict.fromkeys(["formula", "value", "adjoint", "line", "program"], 0)
    for seed in range(draws(10)):
        document, at = explored(kind, seed)
        page.run(f"show([{document.json()}])")
        frames = page.run(SEND + CARDS)
        derived = len(document.derivative.steps)
        for k, cards in zip((0, derived, -1), frames, strict=True):
            check_values(document.shots[k][1].contents, cards, at, f"{seed}, {k}", count)
            check_lines(document, cards, f"{seed}, {k}", count)
        check_slopes(document, frames[1], at, str(seed), count)
        check_program(document, frames[2], at, str(seed), count)
    assert min(count.values()) > 2, count
    assert page.errors == []


def signs(numbers):
    """Each operation that has a sign, on the result of each, on either side; and on a negative
    constant; summed."""
    x, y, z = inputs = [ad.scalar(name) for name in "xyz"]
    operations = [ad.add, ad.subtract, ad.multiply, ad.divide, ad.power, ad.negative, ad.square]
    terms, minus = [], ad.constant(-2.0)
    inner = [minus, *(operation(*[x, y][: operation.arity]) for operation in operations)]
    for outer, within in product(operations, inner):
        two_sides = [(within, z), (z, within)] if outer.arity == 2 else [(within,)]
        terms += [outer(*operands) for operands in two_sides]
    return sum(terms), dict(zip(inputs, numbers, strict=True))


WRITTEN = """
const frame = e.model.frame(0), written = {};
for (const [p, content] of Object.entries(frame))
  if (Array.isArray(content[1]) && e.values[p] !== undefined)
    written[p] = [e.formulas.write(p, frame, 99), e.formulas.inNumbers(content, e.values)];
return written;
"""


@pytest.mark.parametrize("numbers", [(-2.0, 1.0, -3.0), (-2.0, -4.0, 2.0)])
def test_signs_within_signs_mean_what_is_computed(page, numbers):
    """A formula is read as it is meant: in letters, and in numbers of which some are negative."""
    y, at = signs(numbers)
    document = Document(None, ad.simplify(Graph([y])), at)
    page.run(f"show([{document.json()}])")
    contents = document.shots[0][1].contents
    for p, texts in page.run(WRITTEN).items():
        for text in filter(None, texts):  # a long one is not written
            result = computed(text, {x.name: value for x, value in at.items()})
            np.testing.assert_allclose(result, ad.evaluate(contents[p].of, at), 2e-3, err_msg=text)


# ---- values and formulas


def check_values(contents, cards, at, name, count):
    """Of each operation its value, and its formula computed."""
    values = {c["name"]: array(c) for c in cards.values() if c["name"] and is_known(c)}
    for p, card in cards.items():
        n = getattr(contents[p], "of", None)
        value = None if n is None else ad.evaluate(n, at)
        if n is None or isinstance(value, tuple):  # several results: those that take them have one
            continue
        message = f"{name}: {p} {n} {card}"
        assert_equal(card["value"], value, message)
        count["value"] += 1
        title, *lines = card["card"].split("\n")
        for line in lines:
            if line.startswith("= "):
                assert_written(line.rpartition(" = ")[2], value, message)
        formula = title.removeprefix(f"{card['name']} = ")
        result = computed(formula, values)
        if result is not None and np.shape(result) == np.shape(value):
            scale = np.max(np.abs(np.nan_to_num(value)), initial=1)  # of terms that cancel
            np.testing.assert_allclose(result, value, 6e-3, 6e-3 * scale, err_msg=message)
            count["formula"] += 1


def is_known(card):
    return card["value"] is not None and np.size(card["value"]) == math.prod(card["shape"])


def array(card):
    """A value as NumPy has it."""
    return np.reshape(np.array(plain(card["value"]), float), card["shape"])


SIGNS = {"²": "**2", "^": "**", "−": "-", "·": "*", "≥": ">=", "≤": "<=", "≠": "!=", "ᵀ": ".T"}
FUNCTIONS = {w: getattr(np, w) for w in "exp log sin cos tanh sqrt abs arctan where".split()}
FUNCTIONS |= {"max": lambda *a: np.maximum(*a) if len(a) > 1 else np.max(*a),
              "min": lambda *a: np.minimum(*a) if len(a) > 1 else np.min(*a)}  # fmt: skip


def computed(formula, values):
    """The formula, with these values of its names; None where it has other words."""
    names = sorted(values, key=len, reverse=True)
    for k, word in enumerate(names):
        apart = rf"(?<!\w){re.escape(word)}(?![^\W²]|[̄̅̇₀-₉])"
        formula = re.sub(apart, f"_{k}_", formula)
    for sign, python in SIGNS.items():
        formula = formula.replace(sign, python)
    known = {f"_{k}_": values[word] for k, word in enumerate(names)}
    if re.search(r"\(\d+,( \d+)*\)|@ \d|\d @", formula):
        return None  # a constant that is written as its shape, or as the number in all its places
    try:
        return eval(formula, {"__builtins__": {}}, known | FUNCTIONS)
    except (NameError, SyntaxError):
        return None


def check_lines(document, cards, name, count):
    for n, p in document.parts.of_value.items():
        place = first_place(n)
        if isinstance(place, Place) and n.op is not None:
            line = " ".join(f"{place.where}: {place.text}".split())
            assert line[:100] in cards[p]["card"], f"{name}: {n} {cards[p]}"
            count["line"] += 1


# ---- adjoints


def adjoint(y, v, at):
    """By a graph in which v is an input: a way that no picture takes."""
    x = Input("apart", v.type)
    outputs = Graph(substitute([y], {v: x})).outputs
    return ad.evaluate(ad.grad(outputs[0], x), {**at, x: ad.evaluate(v, at)})


def check_slopes(document, cards, at, name, count):
    """At the end of the derivative the adjoint of each value, and the terms that it is made of."""
    (y,) = document.graph.outputs
    for v, p in document.parts.of_value.items():
        card = cards[p]["card"]
        said = re.search(r"^adjoint .* = (.*)$", card, re.MULTILINE)
        assert bool(said) == (v in document.parts.place), f"{name}: {v} {card}"
        if not said:
            continue
        place = cards[document.parts.place[v]]
        value, message = adjoint(y, v, at), f"{name}: {v} {card}"
        assert_written(said[1], value, message)
        assert_equal(place["value"], value, message)
        count["adjoint"] += 1
        terms = [s.bindings["term"] for s in document.derivative.steps if s.bindings["of"] is v]
        check_terms(card, place["name"], [ad.evaluate(t, at) for t in terms], value, message)


def check_terms(card, name, terms, value, message):
    """x̄ = a + b = 1 + 2 = 3, with the numbers of Python's terms."""
    line = next((line for line in card.split("\n") if line.startswith(f"{name} = ")), "")
    if len(terms) > 4:
        assert f"{len(terms)} terms, one for each use" in card, message
    elif len(terms) > 1 and line:
        _, texts, *numbers, last = line.split(" = ")
        assert texts, message
        assert_written(last, value, message)
        if numbers:
            assert_same_sum(read(numbers[0]), [float(t) for t in terms], message)


def assert_same_sum(shown, terms, message):
    """Both are the summands of one sum. One may have it in finer parts: terms under one mask stand
    in one `where`, and a term that is a sum itself stands in its parts."""
    few, many = sorted((np.sort(shown), terms), key=len)
    cancelled = 6e-4 * np.abs(np.nan_to_num(many)).max() if len(few) < len(many) else 1e-12
    close = {"rtol": 6e-3, "atol": cancelled, "equal_nan": True}
    sums = (np.bincount(groups, many, len(few)) for groups in groupings(len(many), len(few)))
    assert any(np.allclose(np.sort(few), np.sort(s), **close) for s in sums), message


def groupings(many, few):
    """All ways to put so many things into few groups, none of them empty."""
    return (way for way in product(range(few), repeat=many) if len({*way}) == few)


# ---- the program


def check_program(document, cards, at, name, count):
    """A line computes what stands in the parts that it names, and their cards have the line."""
    written = document.data()["program"]
    text, graph = written["text"].split("\n"), document.short.graph
    f = ad.function(list(graph.inputs), document.short, on_unused_input="ignore")
    lines = Counter(f.program.lines.values())
    results = traced(f.source, [at[x] for x in graph.inputs])
    for number, n in f.program.lines.items():
        parts, message = written["lines"][str(number)], f"{name}: {text[number - 1]}"
        if number in results and lines[n] == 1:  # else it is filled by the lines below
            value = ad.evaluate(n, at)
            np.testing.assert_allclose(results[number], value, 1e-6, 1e-9, err_msg=message)
            count["program"] += 1
        for p in parts:
            assert "program, line " in cards[p]["life"], message
    for p, card in cards.items():
        whole = {p, *(q for q, row in document.parts.rows.items() if row.get("of") == p)}
        for number, code in re.findall(r"program, line (\d+): (.*)", card["life"]):
            assert whole & {*written["lines"][number]}, f"{name}: {p} {card}"
            assert code.split() == text[int(number) - 1].split()


def traced(source, values):
    """What each line of a program gives a name to, by the number of the line."""
    space, results, before = {}, {}, None
    lines = source.split("\n")

    def trace(frame, event, _):
        nonlocal before
        if frame.f_code.co_name != "program":
            return None
        name = re.match(r" *(\w+) = ", lines[before - 1]) if before else None
        if name and not isinstance(frame.f_locals.get(name[1], ()), tuple):
            results[before] = np.copy(frame.f_locals[name[1]])
        before = frame.f_lineno if event == "line" else None
        return trace

    exec(compile(source, "<traced>", "exec"), space)
    old = sys.gettrace()
    sys.settrace(trace)
    try:
        space["program"](*values)
    finally:
        sys.settrace(old)
    return results
