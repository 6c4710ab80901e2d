"""What is loaded when: nothing of other people's but NumPy by the import itself.

Protects a quick `import autodiff_edu`: pictures, checks, rules and programs come with their first
use, and until then nobody can see that they are not there.
"""

import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest

import autodiff_edu as ad
from autodiff_edu.expr import HOOKS, Later, LazyModule
from tests.helpers.depth import some
from tests.helpers.forks import forks

HEAVY = {"numpy.random", "scipy", "matplotlib", "pyparsing", "graphviz", "pygraphviz"}
FORMULA = "x = ad.scalar('x'); stage = ad.symbolic_derivative(x * x + (x - 2), x)"


@pytest.fixture(scope="module")
def loaded_by(tmp_path_factory):
    """The modules that are there when a new process has imported the package and run a line."""
    with forks("import autodiff_edu as ad", tmp_path_factory.mktemp("forks")) as run:

        def modules(line):
            done = run(f"{line}\nprint('MODULES', *sys.modules)")
            assert done.returncode == 0, done.stderr
            return set(done.stdout.partition("MODULES")[2].split())

        yield modules


def rooms(modules):
    names = {name.split(".")[1] for name in modules if name.startswith("autodiff_edu.")}
    return names & {"rewrite", "run", "functions", "check", "show", "course", "theano"}


@pytest.mark.parametrize(
    "first, not_yet",
    some({
        "pass": HEAVY,
        FORMULA: HEAVY,
        f"{FORMULA}; ad.simplify(stage)": HEAVY,
        f"{FORMULA}; ad.function([x], stage.output)(1.0)": HEAVY,
        f"{FORMULA}; ad.draw(stage)._repr_mimebundle_()": HEAVY - {"graphviz", "pygraphviz"},
        "ad.evaluate(ad.softmax([1.0]))": HEAVY - {"numpy.random", "scipy"},
    }.items(), 3, turn=1),
)  # fmt: skip
def test_libraries_are_loaded_at_their_first_use(first, not_yet, loaded_by):
    modules = loaded_by(first)
    assert "autodiff_edu" in modules and not modules & not_yet


def test_upper_rooms_are_loaded_at_their_first_use(loaded_by):
    for line in some(["pass", FORMULA], 2, turn=1):
        assert rooms(loaded_by(line)) == set()
    assert rooms(loaded_by("ad.RULES")) == {"rewrite"}
    assert "show" in rooms(loaded_by("import autodiff_edu.rewrite as r; r.RULES.table()"))


def test_a_first_gradient_loads_nothing_that_it_does_not_need(loaded_by):
    modules = loaded_by("ad.grad(lambda x: x * x)(3.0)")
    others = """structure run.profile run.standalone run.fast run.source.jax_arrays
        run.source.numpy_arrays run.bodies rewrite.override rewrite.loops rewrite.branches
        functions.advice functions.recording"""
    assert "autodiff_edu.run.source.numbers" in modules
    assert not modules & {f"autodiff_edu.{name}" for name in others.split()}


LATE = [
    "stage.draw()._repr_mimebundle_()",
    "stage.table()",
    "x._repr_mimebundle_()",
    "stage.after.latex()",
    "ad.grad(lambda x: x * x)(3.0)",
    "from autodiff_edu.run.source.target import target_of; target_of('jax')",
    "f = ad.function([x], x * x); f.source, f.profile(1.0), ad.run.Line",
    "ad.jacobian(lambda x: x * x, sparse=True)",
    "from autodiff_edu.rewrite import override_gradient, override",
    "assert ad.Stage.draw.__doc__ and ad.exp.__doc__",
    "ad.show.Picture, ad.rewrite.Rewrite, ad.optimisers.adam, ad.check.Report",
    "from autodiff_edu import *; assert len(simplify(stage).steps) == 4 and optimisers",
    "assert ad.exp.check(1.0).ok",
]


def test_what_is_loaded_late_works_at_once(loaded_by):
    for line in some(LATE, 4):
        loaded_by(f"{FORMULA}; {line}")
    with pytest.raises(AssertionError, match="simplfy"):
        loaded_by(f"{FORMULA}; ad.simplfy(stage)")


def test_dir_names_what_is_public():
    assert set(ad.__all__) <= set(dir(ad))
    assert {name for name in set(dir(ad)) - set(ad.__all__) if not name.startswith("__")} == set()


def test_a_name_that_there_is_not():
    with pytest.raises(AttributeError, match=r"'autodiff_edu' has no attribute 'simplfy'") as told:
        ad.simplfy  # noqa: B018
    assert told.value.name == "simplfy" and told.value.obj is ad, "so that Python asks: simplify?"


def test_type_checkers_are_told_where_what_is_loaded_late_stands():
    tree = ast.parse(Path(ad.__file__).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    told = {a.name: n.module for n in block.body for a in n.names}
    rooms = dict.fromkeys(ad._ROOMS)
    late = {name: place.partition(".")[2] for name, place in ad._LATER.places.items()}
    assert ast.unparse(block.test) == "TYPE_CHECKING" and told == rooms | late


def test_every_place_has_what_it_is_said_to_have():
    for table in (ad._LATER, HOOKS):
        for name, place in table.places.items():
            entered, own = table[name], getattr(sys.modules[place], name, None)
            assert entered is own or entered.__module__ == place  # which entered it by this name


@pytest.mark.parametrize("room", ["run", "rewrite"])
def test_what_is_loaded_late_is_listed(room, loaded_by):
    """By Tab in a notebook, and by help()."""
    listed = f"import autodiff_edu.{room} as r; late = {{*r.__all__}} - {{*vars(r)}}"
    loaded_by(f"{listed}; assert late and late <= {{*dir(r)}}")


def test_a_table_loads_a_thing_once():
    table = Later()
    table.place("math", "pi")
    assert "pi" not in table and table["pi"] == table["pi"] == 3.141592653589793 and "pi" in table
    with pytest.raises(KeyError, match="tau"):
        table["tau"]


def test_a_lazy_module_becomes_the_module():
    math = LazyModule("math")
    assert "pi" not in vars(math)
    assert math.pi == 3.141592653589793 and type(math) is ModuleType and "e" in vars(math)
    with pytest.raises(AttributeError, match="py"):
        math.py  # noqa: B018
