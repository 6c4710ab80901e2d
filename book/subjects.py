"""The subjects of the reference: which name is looked up where.

A public name belongs to the subject that lists it or, if none does, to the one that lists the
module in which it is defined; so a new operation finds its page without a change here.
"""

import inspect
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import autodiff_edu as ad
from autodiff_edu import course


class Subject(NamedTuple):
    """A page: its title, what it is about, and whose names it has."""

    title: str
    words: str
    names: str = ""  # names, or dotted names inside the package, in the order of the page
    modules: str = ""  # those of which it has all the public names that no subject lists


SUBJECTS = (
    Subject(
        "Leaves",
        "What a formula is made of: inputs, known values, shared values, and their types.",
        "scalar vector matrix tensor3 tensor constant shared Shared TensorType TupleType "
        "zeros ones full eye arange linspace logspace zeros_like ones_like full_like meshgrid ix_",
    ),
    Subject(
        "Expressions and graphs",
        "What a formula becomes when it is written down. Expressions have NumPy's operators and "
        "methods.",
        "Expr Graph same evaluate cost ops.Cost size",
    ),
    Subject(
        "Operations: arithmetic",
        "Sums, products, quotients, powers and roots, entry by entry.",
        "hypot cbrt copysign",
        "ops.arithmetic",
    ),
    Subject(
        "Operations: comparisons and choices",
        "Which of two is larger, and what is taken then.",
        "logical_xor isclose isfinite isinf isnan heaviside piecewise select fmax fmin",
        "ops.comparison",
    ),
    Subject(
        "Operations: exponentials, logarithms, trigonometry",
        "The elementary functions, entry by entry.",
        "exp2 log2 log10 logaddexp logaddexp2 deg2rad rad2deg sinc",
        "ops.elementary library.scales",
    ),
    Subject(
        "Operations: special functions",
        "Functions of scipy.special, and those of neural networks.",
        "sigmoid softplus softmax log_softmax logsumexp",
        "library.special",
    ),
    Subject("Operations: rounding and remainders", "Whole numbers near x.", "", "library.rounding"),
    Subject("Operations: bits", "Whole numbers and truth values, bit by bit.", "", "library.bits"),
    Subject(
        "Operations: reductions",
        "Many numbers become one: sums, means, extremes, and what runs along an axis.",
        "",
        "ops.reduce library.statistics library.cumulative",
    ),
    Subject(
        "Operations: order and interpolation",
        "Sorting, places, quantiles, differences and integrals along an axis.",
        "gradient polyval vander",
        "library.order",
    ),
    Subject(
        "Operations: shapes",
        "The same entries in another shape, order or dtype.",
        "matrix_transpose",
        "ops.shape library.moving",
    ),
    Subject(
        "Operations: joining, splitting, choosing",
        "Arrays of parts, and parts of arrays. `x[k]` and `x.at[k].set(v)` are methods of Expr.",
        "take take_along_axis",
        "library.arrange library.blocks",
    ),
    Subject(
        "Operations: products",
        "Products of vectors, matrices and arrays with more axes.",
        "dot matmul outer cross multi_dot",
        "library.contraction library.tensor_products",
    ),
    Subject(
        "Operations: linear algebra",
        "Equations, decompositions, determinants and norms; on stacks of matrices, too.",
        "",
        "library.linalg library.decompositions library.symmetric library.spectral library.norms "
        "library.diagonals",
    ),
    Subject(
        "Operations: windows and convolutions",
        "Sums and extremes over windows that move.",
        "",
        "library.windows library.padding",
    ),
    Subject(
        "Operations of one's own",
        "A function with a rule for its derivative, or a graph as an operation.",
        "op Op custom_gradient checkpoint OpFromGraph override_gradient "
        "rewrite.override.Overriding release",
        "ops.gradient_gates",
    ),
    Subject(
        "Derivatives",
        "Of expressions, and of Python functions.",
        "grad value_and_grad jacobian hessian hessian_vector_product hessian_diagonal "
        "gauss_newton_product newton pullback pushforward "
        "subgraph_grad jet sparsity structure.Sparsity structure.Coloring "
        "structure.SparseDerivative symbolic_derivative forward_mode reverse_mode vectorize pure "
        "flatten "
        "functions.Paths functions.Path functions.Guard",
    ),
    Subject(
        "Stages",
        "What a pass leaves behind: the graph before and after, and every step between.",
        "Stage Step Pipeline pipeline expr.Rewriting expr.Growing",
    ),
    Subject(
        "Simplification",
        "Rules, and the engine that applies them; all of them stand in "
        "[the catalogue](../rules/index.md). `stage.why_not(rule, node)` says why a rule was not "
        "used at a node, and what would have to change: a fact, the mode, another user of a part.",
        "simplify rewrite.Simplification RULES Rule rewrite.Rewrite rewrite.Rules wild "
        "rewrite.why_not.answers.WhyNot rewrite.why_not.answers.Answer",
    ),
    Subject(
        "Pictures",
        "How a graph, a stage, a rule or an operation is looked at. What they give shows itself in "
        "a notebook and is text in a terminal.",
        "draw group overview compare film explore trace why biography explain latex show.Picture "
        "show.SideBySide show.Film show.Table show.views.trace.Trace show.Why "
        "show.biography.Biography show.Explanation show.RulePicture show.scene.Explorer "
        "show.scene.film.SceneFilm show.scene.film.SceneFrame show.scene.short_film.ShortFrame "
        "show.Formula",
    ),
    Subject(
        "Loops and branches",
        "Steps that are repeated, sides that are chosen, and their derivatives.",
        "scan until unroll cond",
    ),
    Subject(
        "Equations",
        "Solutions, with derivatives that come from the equation alone.",
        "root fixed_point odeint ConvergenceError",
    ),
    Subject(
        "Chance",
        "Random draws, and gradients of expectations.",
        "RandomStream score_function",
    ),
    Subject(
        "Programs",
        "From a graph to a Python function, whose text can be read.",
        "function run.Compiled generate run.Program plan run.Plan run.Region run.Profile run.Line "
        "portable run.Portable",
    ),
    Subject(
        "Optimisers",
        "What becomes of parameters in one step: `ad.optimisers.adam(cost, parameters)`.",
        "optimisers.sgd optimisers.momentum optimisers.adam",
    ),
    Subject(
        "Checking",
        "What is claimed, compared with numbers. `op.check()` and `rule.check()` are methods.",
        "verify_grad check.Verified check.Report",
    ),
    Subject(
        "Errors",
        "What is wrong, where it was written, and what to write.",
        "",
        "core.errors",
    ),
    Subject(
        "Course",
        "What the exercises check, for those who teach: `from autodiff_edu import course`.",
        " ".join(f"course.{n}" for n in sorted(course.__all__) if callable(getattr(course, n))),
    ),
)


def public_names() -> list[str]:
    """What `import autodiff_edu as ad` gives, rooms aside."""
    return [name for name in ad.__all__ if not isinstance(getattr(ad, name), ModuleType)]


def thing_of(name: str) -> Any:
    """What a name, or a dotted name, stands for."""
    module, _, last = f"autodiff_edu.{name}".rpartition(".")
    return getattr(import_module(module), last)


def module_of(name: str) -> str:
    """Where a public name is defined, an operation where its body stands: ops.arithmetic."""
    thing = getattr(ad, name)
    home = thing if inspect.isclass(thing) else getattr(thing, "body", thing)
    module = getattr(home, "__module__", None) or type(home).__module__
    return module.partition(".")[2]


@cache
def pages() -> dict[Subject, tuple[str, ...]]:
    """The names of each subject."""
    listed = {name for subject in SUBJECTS for name in subject.names.split()}
    found = {}
    for subject in SUBJECTS:
        modules = subject.modules.split()
        rest = [n for n in public_names() if n not in listed and module_of(n) in modules]
        names = [*subject.names.split(), *sorted(rest)]
        found[subject] = tuple(sorted(names) if subject.title.startswith("Operations:") else names)
    return found


@cache
def entries() -> dict[str, str]:
    """The entry of a thing, by where it is defined: show.html.picture.Picture is show.Picture."""
    found = {}
    for name in [name for names in pages().values() for name in names]:
        thing = thing_of(name)
        module = getattr(thing, "__module__", None) or type(thing).__module__
        found[f"{module}.{name.rpartition('.')[2]}"] = f"autodiff_edu.{name}"
    return found
