"""Docstrings follow numpydoc: every public name says what it takes, gives and raises, by example.

Protects readers of `help(ad.grad)` and of the book's reference: numpydoc's own rules are asked, and
every example runs; its numbers are compared by tolerance, so that they hold on every processor.
"""

import ast
import doctest
import functools
import inspect
import math
import re
import textwrap
from typing import NoReturn

import numpy as np
import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator, validate

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.expr import HOOKS, OPERATIONS, Method
from autodiff_edu.ops import OPS
from tests.helpers.depth import some

LEFT_OUT = {
    "ES01": "a summary may say all",
    "SA01": "not everything has a relative",
    "SA04": "a relative's name may say enough",
    "SS02": "a summary may begin with a formula",
    "SS03": "or be a question",
    "SS05": "a result is described by a noun, as in NumPy",
    "RT02": "results may have names",
    "EX01": "examples are looked at below",
}


def public():
    """Every public function, operation and class, by name."""
    things = {name: getattr(ad, name) for name in ad.__all__}
    things |= {name: getattr(ad.optimisers, name) for name in ("sgd", "momentum", "adam")}
    things |= {name: getattr(ad.functions, name) for name in ("Paths", "Path", "Guard")}
    return {name: t for name, t in things.items() if callable(t) or inspect.isclass(t)}


@functools.cache
def results():
    """The classes of what public functions return, by name."""
    x, a = ad.scalar("x"), ad.wild("a")
    stage, report = ad.simplify(x * 1), ad.sin.check(np.ones(2))
    shown = ad.draw(x), ad.draw(ad.RULES[0]), ad.compare(x, x), stage.table()
    films = ad.film(stage), ad.film(stage)[:1]
    told = (
        ad.trace(x * x, at={x: 1.0}),
        ad.cost(x),
        ad.why(x),
        stage.why_not("times one"),
        stage.why_not("times one").answers[0],
        report,
        ad.verify_grad(ad.sin, [1.0]),
    )
    stages = stage, ad.forward_mode(x, x), ad.override_gradient(x, abs(a), None), ad.unroll(x)
    made = ad.RULES, ad.plan(x).after, ad.generate(x).after, ad.latex(x), ad.rewrite.Rewrite()
    v = ad.vector("v", shape=2)
    sparse = ad.sparsity(v, v), ad.sparsity(v, v).coloring(), ad.jacobian(v, v, sparse=True)
    given = ad.function(x, x), ad.explain(ad.exp), *sparse
    return {type(t).__name__: type(t) for t in (*shown, *films, *told, *stages, *made, *given)}


@functools.cache
def methods():
    """The public methods and properties of public classes, by dotted name; and the checks of the
    course, whose examples are the exercises."""
    found = results() | {
        f"course.{name}": f for name, f in vars(course).items() if is_public(name, f)
    }
    for name, cls in {**public(), **results()}.items():
        if inspect.isclass(cls):
            own = {k: v for k, v in vars(cls).items() if is_public(k, v)}
            found |= {f"{name}.{k}": described(cls, k) for k in own}
    return found


def described(cls, name):
    """The method of this name of the first class that describes it, as `help` does."""
    ways = [vars(base)[name] for base in cls.__mro__ if name in vars(base)]
    ways = [getattr(way, "__func__", way) for way in ways]
    return next((way for way in ways if way.__doc__), ways[0])


def is_public(name, thing):
    thing = getattr(thing, "__func__", thing)
    kinds = (property, functools.cached_property, Method)
    return not name.startswith("_") and (inspect.isroutine(thing) or isinstance(thing, kinds))


PUBLIC = public()
every_name = pytest.mark.each("name", some(PUBLIC, 2))


# ---- what numpydoc and the house ask


def complaints(thing):
    """What is wrong with a docstring."""
    if not thing.__doc__:
        return ["no docstring"]
    doc = get_doc_object(thing)
    left_out = {*LEFT_OUT, *["PR01"] * is_made_by_python(thing)}
    found = [f"{code} {text}" for code, text in validate(doc)["errors"] if code not in left_out]
    if not Validator(doc).summary.endswith((".", "?")):
        found.append("the summary is no sentence")
    return found


def is_made_by_python(thing):
    """Is it a class whose parameters are those of a class of Python's, written in C?"""
    makers = [thing.__new__, thing.__init__] if inspect.isclass(thing) else [is_made_by_python]
    return not any(map(inspect.isfunction, makers))


def omissions(thing):
    """What the docstring of a function does not tell."""
    doc, asked = get_doc_object(thing), ["Examples"]
    if not inspect.isclass(thing):
        asked += ["Parameters"] * bool(inspect.signature(thing).parameters)
        asked += ["Yields" if inspect.isgeneratorfunction(inspect.unwrap(thing)) else "Returns"]
        asked += ["Raises"] * raises(thing)
    elif issubclass(thing, Exception):
        asked = []
    return [f"no {section}" for section in asked if not doc[section]]


def raises(function):
    """Does a function raise on purpose, in its own lines? An operation always may."""
    if not inspect.isfunction(function):
        return True
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    return any(isinstance(node, ast.Raise) for node in own_lines(tree))


def own_lines(tree):
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            yield node
            yield from own_lines(node)


@every_name
def test_a_docstring_tells_all(name):
    thing = PUBLIC[name]
    assert complaints(thing) + omissions(thing) == []


@pytest.mark.each("name", lambda: some(methods(), 2))
def test_a_method_says_what_it_does(name):
    assert complaints(methods()[name]) == []


CALLED_BY_THE_ENGINE = {  # users state or read these; the example of the class shows them at work
    "Op": "infer_type perform pullback pushforward apply bind normalize_static normal "
    "differentiable cores type_of",
    "OpFromGraph": "changed with_lengths infer_type perform lowered batch differentiable pullback "
    "pushforward own_pullback own_pushforward derivative",
    "RandomStream": "standard uniforms",
    "Rule": "matches holds proved build",
    "Plan": "left takes_room",
}


def hints(function):
    if isinstance(function, Method) and function.__name__ in function.table:
        function = function.function
    return getattr(function, "__annotations__", {})


def is_shown(name):
    """Does a method have an example of its own? What only refuses has none."""
    cls, _, method = name.partition(".")
    thing = methods()[name]
    if cls == "course" or isinstance(thing, (property, functools.cached_property)):
        return False
    refuses = hints(thing).get("return") is NoReturn
    return not refuses and method not in CALLED_BY_THE_ENGINE.get(cls, "").split()


@functools.cache
def shown():
    """What shall have an example of its own, by name."""
    things = methods() | results()
    return {name: things[name] for name in things if "." not in name or is_shown(name)}


@pytest.mark.each("name", shown)
def test_a_method_has_an_example(name):
    assert get_doc_object(shown()[name])["Examples"]


def test_the_methods_without_an_example_are_there():
    for cls, names in CALLED_BY_THE_ENGINE.items():
        assert {f"{cls}.{name}" for name in names.split()} <= methods().keys()


# ---- completion by tab


def objects():
    """One object of each kind that a person has in hand, by the name of its class."""
    x = ad.scalar("x")
    stage, f = ad.simplify(x * 1), ad.function(x, x * x)
    leaves = x, x * x, ad.shared(1.0), ad.constant(1.0), x.type
    stages = ad.Graph(x), stage, stage.steps[0], ad.forward_mode(x * x, x), f.stages, f
    made = ad.generate(x).after, ad.plan(x).after, ad.RULES, ad.RULES[0], ad.RandomStream(0)
    shown = ad.draw(x), ad.film(stage), ad.compare(x, x), stage.table(), ad.explain(ad.exp)
    told = ad.trace(x, at={x: 1.0}), ad.why(x), ad.sin.check(1.0), ad.verify_grad(ad.sin, [1.0])
    ops = ad.exp, ad.OpFromGraph([x], x * x)
    return {type(t).__name__: t for t in (*leaves, *stages, *made, *shown, *told, *ops)}


@pytest.mark.each("kind", objects())
def test_what_completion_offers_is_described(kind):
    """Methods by a sentence; what is only data by a sentence or in the docstring of the class."""
    thing = objects()[kind]
    classes = [c for c in type(thing).__mro__ if c.__module__.startswith("autodiff_edu")]
    docs = " ".join(c.__doc__ or "" for c in classes)
    for name in dir(thing):
        if name.startswith("_") or not any(name in vars(c) for c in classes):
            continue
        found = described(type(thing), name)
        if is_public(name, found):
            summary = found.__doc__.split("\n\n")[0].strip()
            assert summary.endswith((".", "?")), name
        elif not isinstance(thing, ad.Op):  # whose data `ad.op?` lists
            assert (inspect.getdoc(found) or "").endswith((".", "?")) or name in docs, name
    if hasattr(thing, "__dict__") and not isinstance(thing, ad.Op):
        data = [k for k in vars(thing) if k in dir(thing) and not k.startswith("_")]
        assert [k for k in data if not re.search(rf"\b{k}\b", docs)] == []


def test_completion_offers_what_works():
    refusing = {n for n, f in vars(ad.Expr).items() if hints(f).get("return") is NoReturn}
    assert {n for n in refusing if not n.startswith("_")} == HOOKS["refused"]
    x, f = ad.vector("x"), ad.function([], 1.0 * ad.constant(2.0))
    assert {"sum", "T", "at", "op", "type"} <= set(dir(x))
    assert not {"item", "tolist", "fill", "put", "sort", "resize", "partition"} & set(dir(x))
    assert {"source", "graph", "stages"} <= set(dir(f))
    assert not {"args", "func", "keywords"} & set(dir(f))
    assert {"explain", "check", "name"} <= set(dir(ad.exp))
    assert {"draw", "film", "table", "trace", "latex", "steps"} <= set(dir(ad.simplify(x * 1)))


def test_dir_lists_the_public_names():
    rooms = {"check", "chance", "differentiate", "expr", "functions", "library", "nested", "ops",
             "rewrite", "run", "show", "structure", "course", "theano"}  # fmt: skip
    offered = {name for name in dir(ad) if not name.startswith("__")}
    assert offered == set(ad.__all__) and not offered & rooms
    assert not [name for name in offered if name.startswith("_")]


# ---- examples run


class Close(doctest.OutputChecker):
    """Numbers to six digits, and all between them but for white space."""

    NUMBER = re.compile(r"(?<![A-Za-z_])([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")

    def check_output(self, want, got, flags):
        want, got = ["".join(text.split()) for text in (want.replace("<BLANKLINE>", ""), got)]
        (*wanted,), (*given,) = self.NUMBER.split(want), self.NUMBER.split(got)
        return wanted[::2] == given[::2] and all(
            math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-15)
            for a, b in zip(wanted[1::2], given[1::2], strict=True)
        )


@pytest.fixture
def forgetting():
    """What an example declares is gone after it."""
    before = [(table, dict(table)) for table in (OPERATIONS, OPS)]
    yield
    for table, was in before:
        table.clear()
        table.update(was)


@pytest.mark.each(
    ("want", "got", "same"),
    [
        ("array([0.5 , 1.  ])", "array([0.50000000001, 1.])", True),
        ("array([0.5, 1.])", "array([0.5001, 1.])", False),
        ("np.float64(1e-09)", "np.float64(1.1e-09)", False),
        ("exp(x) * 2", "exp(y) * 2", False),
        ("[1, 2]", "[1, 2, 3]", False),
    ],
)
def test_numbers_are_compared_and_all_between_them(want, got, same):
    assert Close().check_output(want, got, 0) == same


@pytest.mark.numeric
@pytest.mark.each("name", lambda: some(PUBLIC | shown(), 2, turn=1))
def test_the_examples_run(name, forgetting):
    thing = (shown() | PUBLIC)[name]
    found = doctest.DocTestParser().get_doctest(
        inspect.getdoc(thing) or "", {"ad": ad, "np": np}, name, name, 0
    )
    runner, said = doctest.DocTestRunner(Close()), []
    runner.run(found, out=said.append)
    assert not said, "".join(said)


# ---- what an operation's record says


@pytest.mark.each("name", OPS)
def test_an_operation_has_a_signature_and_a_name(name):
    op = OPS[name]
    assert op.__name__ == name and op.__module__ == op.body.__module__
    assert "static" not in inspect.signature(op).parameters
    assert "Parameters\n----------\n" in op.__doc__


def test_operands_and_parameters_are_given_by_name_too():
    x = ad.vector("x")
    assert str(inspect.signature(ad.exp)) == "(x)"
    assert str(inspect.signature(ad.sum)) == "(x, axis=None, keepdims=False)"
    assert ad.same(ad.exp(x=x), ad.exp(x))
    assert ad.same(ad.subtract(x, y=2.0), x - 2.0)
    assert ad.same(ad.sum(x=x, axis=0), ad.sum(x, 0))
    with pytest.raises(TypeError, match="takes 2 operands, 0 were given"):
        ad.subtract(y=x)


def test_a_method_is_described_as_its_function():
    x = ad.vector("x")
    assert str(inspect.signature(x.reshape)) == "(*lengths, shape=None, order='C')"
    assert x.clip.__doc__ == ad.clip.__doc__
    assert ad.Stage.draw.__doc__ == ad.draw.__doc__
    assert type(ad.Expr.clip).__doc__.startswith("A method that hands")


def test_the_derivative_is_that_of_the_record():
    assert "x̄ = v̄ * exp(x)" in ad.exp.__doc__
    assert r"\bar{x} = \bar{v} \cdot e^{x}" in ad.exp.__doc__
    assert ad.floor.nondifferentiable in ad.floor.__doc__
    assert "Linear in each operand" in ad.multiply.__doc__


def test_help_never_fails(forgetting):
    @ad.op(partials=lambda x, out: 1 / 0)
    def broken_rule(x, *, scale):
        """Twice x, says its author."""
        raise OSError

    assert str(inspect.signature(broken_rule)) == "(x, scale)"
    assert broken_rule.__doc__.startswith("Twice x, says its author.\n\nParameters\n")
    assert "An array of the shape of x.\n" in broken_rule.__doc__


def test_a_parameter_without_a_default_stays_by_name(forgetting):
    @ad.op(partials=lambda x, out: (1,))
    def shifted_by(x, *, scale=1, by):
        """x + scale·by."""
        return x + scale * by

    assert str(inspect.signature(shifted_by)) == "(x, *, scale=1, by)"
