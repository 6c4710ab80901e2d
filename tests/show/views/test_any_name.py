"""Names are data: whatever a user calls a thing, every renderer shows it and none obeys it."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import text
from tests.helpers.depth import some

LONG = 10_000
FIRST = re.compile(r"(import|from) (numpy|math|types|itertools)( (as|import) \w+(, \w+)*)?")
NAMES = [
    "{0.__class__.__mro__}", "{", "%s %(a)s", "${x}", "<script>alert(1)</script>", "</desc>", 'a"b',
    'x"]; n0 -> n1 [label="', "\\n", "\r\n    import os", "\x1b[31m\x00", "$x$ \\end{aligned}",
    "\\input{x}", "\u202e", "__import__('os').abort()", "a; import os", "🙂", "", "y" * LONG,
    "1" * LONG, "&amp;-->", "{'x'!r:>9}", "_{0}_" * (LONG // 5),
]  # fmt: skip


class Program:
    """One name for inputs, shared values, rows, loops, boxes, an operation, a rule and outputs."""

    def __init__(self, name):
        def step(row, state):
            found = row * 2
            found.name = name
            return ad.tanh(state) * row + self.w, found

        class Own(ad.Op):
            def infer_type(self, x):
                return x

            def perform(self, x):
                return x * 2

            def pullback(self, inputs, outputs, cotangents):
                return [cotangents[0] * 2]

        own = Own()
        own.name = own.label = name or "own"
        self.name = name
        self.x, self.v = ad.scalar(name), ad.vector(name, shape=3)
        self.w = ad.shared(2.0, name)
        box = ad.OpFromGraph([self.x], [self.x * self.x + 1], name=name)
        states, rows = ad.scan(step, self.v, [self.x, None], name=name)
        self.y = box(self.x) * self.w + states[-1] * rows.sum() + own(self.x) + ad.sin(self.x)
        self.y.name = name
        self.at = {self.x: 0.5, self.v: np.ones(3)}
        self.slope = ad.grad(self.y, self.x)
        a = ad.wild("a")
        self.rule = ad.Rule(name, ad.sin(a) + 0, ad.sin(a))

    def error(self, act):
        with pytest.raises(Exception) as caught:
            act()
        return str(caught.value)

    def errors(self):
        yield self.error(lambda: bool(self.y))
        yield self.error(lambda: self.v + np.ones(4))
        yield self.error(lambda: ad.function([self.v], self.y))
        yield self.error(lambda: ad.function([self.x, self.x], self.y))
        yield self.error(lambda: ad.function(self.v, self.v * 2)(np.ones(2)))
        yield self.error(lambda: ad.grad(self.y, ad.scalar(self.name + "z")))
        yield self.error(lambda: ad.evaluate(self.y, {}))
        yield self.error(lambda: self.x ^ 2)

    def shown(self):
        """What a notebook gets."""
        yield from (ad.draw(self.y), ad.draw(self.y, open=True, values=self.at, layout="graph"))
        yield from (ad.draw(self.y, layout="tree"), ad.draw(self.rule), ad.why(self.slope))
        yield from (ad.compare(self.y, self.slope), ad.trace(self.y, self.at))
        reverse = ad.reverse_mode(self.y, self.x)
        yield from (reverse, reverse[:2] if hasattr(reverse, "__getitem__") else reverse.table())
        yield from (reverse.table(), ad.simplify(self.slope).table(), ad.film(reverse)[:3])

    def formulas(self):
        yield from map(ad.latex, (self.y, ad.Graph([self.y], names=[self.name]), self.rule))
        yield ad.latex(ad.trace(self.y, self.at))

    def sources(self):
        for mode in (None, "safe"):
            f = ad.function([self.x, self.v], [self.y, self.slope], simplify=mode)
            f(0.5, np.ones(3))
            yield f.source
        yield repr(ad.generate(self.y).after)

    def words(self):
        yield from (repr(self.y), repr(ad.Graph(self.y)), text(self.slope), repr(self.rule))
        yield from (repr(ad.plan(self.y).after), repr(ad.why(self.slope)))
        yield from (str(n) for n in ad.Graph(self.slope).nodes)


@pytest.fixture(scope="module", params=some(NAMES, 6), ids=lambda name: ascii(name[:24]))
def program(request):
    return Program(request.param)


ACTS = re.compile("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]")


def test_words(program):
    for found in (*program.words(), *program.errors()):
        assert "class 'str'" not in found and not ACTS.search(found)
        assert len(found) < 4000


def test_pictures(program):
    for picture in some(program.shown(), 6, turn=NAMES.index(program.name)):
        bundle = picture._repr_mimebundle_()
        html, plain = bundle["text/html"], bundle["text/plain"]
        assert "<script" not in html and "</desc></desc>" not in html
        assert "class 'str'" not in plain and not ACTS.search(plain)
        if "image/svg+xml" in bundle:
            root = ElementTree.fromstring(bundle["image/svg+xml"])
            labels = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]
            assert max(map(len, labels), default=0) < 200


def test_the_full_name_stays_in_the_text_of_a_picture(program):
    if len(program.name) == LONG:
        picture = ad.draw(program.y)
        assert program.name in repr(picture) and program.name not in picture.dot
        assert "…" in picture.dot


def test_formulas(program):
    for formula in program.formulas():
        braces = re.sub(r"\\[{}]", "", formula)  # but those that are shown
        assert braces.count("{") == braces.count("}")
        assert formula.count("\\begin{") == formula.count("\\end{")
        assert "\\input" not in formula and len(formula) < 8000
        assert "$" not in formula.replace("\\$", "") and not ACTS.search(formula)


def test_sources(program):
    for source in program.sources():
        text = "\n".join(line for line in source.splitlines() if not FIRST.fullmatch(line))
        assert "import" not in text.replace("__import__", "").replace("_import_os", "")


def test_programs_of_any_name_compute_the_same(program):
    plain, given = Program("q"), (0.5, np.ones(3))
    ours, theirs = (ad.function([p.x, p.v], [p.y, p.slope])(*given) for p in (program, plain))
    np.testing.assert_allclose(ours, theirs)


def test_the_name_of_a_loop_is_no_template():
    x = ad.scalar("x")
    found = ad.scan(lambda s: s * 2, outputs_info=x, n_steps=3, name="{0.__class__.__mro__}")
    assert "{0.__class__.__mro__}(3, x)" in repr(found)
