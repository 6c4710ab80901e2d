"""The core is the engine: it builds graphs, differentiates them and makes them short, with NumPy
alone.

Takes: leaves and operations. Gives: nodes that never change, graphs that list them in order, the
walks over them, three modes of differentiation, rules and the rewriter that applies them, and the
stage that each pass leaves behind. It knows no other room: what stands above it is reached through
the tables in `seams`, and what the core cannot do without has a plain entry: see `plain`.

Read it in this order: `node` (first the class, then its leaves), `types`, `op`, `derivative_rules`,
`graph`, `stage`; then `symbolic`, `forward`, `reverse`; then `pattern`, `rule`, `uses`,
`rewriter`. Look into `seams`, `plain` and `errors` when you need them;
`protocols.pyi` is for editors.

The README's formula, x*x + (x - 2), and its derivative need four operations. They are stated in
`ops/arithmetic.py`, by a decorator of `ops/declare.py` that makes a `derivative_rules.Declared`:

    @op(symbol="+", linear=True, commutative=True)
    def add(x, y): return np.add(x, y)

    @op(symbol="-", linear=True)
    def subtract(x, y): return np.subtract(x, y)

    @op(symbol="*", multilinear=True, commutative=True)
    def multiply(x, y): return np.multiply(x, y)

    @op(linear=True)
    def negative(x): return np.negative(x)
"""

from . import plain as _plain  # noqa: F401
