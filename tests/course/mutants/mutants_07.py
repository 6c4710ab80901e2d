"""Wrong solutions of lecture 7, by task: what students write before they understand."""

OWN = "def spread(): return ad.Rule('spread', {left}, {right}, {more})"
RIGHT = {"left": "ad.maximum(u, v) - ad.minimum(u, v)", "right": "ad.abs(u - v)"}
RIGHT |= {"more": "mode='ieee'"}
own = [
    OWN.format(**RIGHT | {"right": "u - v"}),
    OWN.format(**RIGHT | {"right": "ad.abs(u + v)"}),
    OWN.format(**RIGHT | {"right": "ad.abs(u) - ad.abs(v)"}),
    OWN.format(**RIGHT | {"right": "ad.maximum(u - v, 0)"}),
    OWN.format(**RIGHT | {"right": "ad.sqrt(ad.square(u - v))"}),
    OWN.format(**RIGHT | {"right": "ad.maximum(u - v, v - u)"}),
    OWN.format(**RIGHT | {"left": "ad.maximum(u, v) + ad.minimum(u, v)"}),
    OWN.format(**RIGHT | {"left": "ad.minimum(u, v) - ad.maximum(u, v)"}),
    OWN.format(**RIGHT | {"left": "ad.maximum(u, v) - ad.minimum(u, w)"}),
    OWN.format(**RIGHT | {"more": "mode='safe'"}),
    OWN.format(**RIGHT | {"more": "mode='real'"}),
    OWN.format(**RIGHT | {"more": "mode='ieee', when=lambda u, v: False"}),
    OWN.format(left=RIGHT["right"], right=RIGHT["left"], more="mode='ieee', cost_policy=''"),
    "def spread(): return ad.abs(x - y)",
    "def spread(): return 'max(u, v) - min(u, v) = |u - v|'",
]

JOINED = "def joined(): return ad.Rule('mine', {}, cost_policy='')"
confluence = [
    JOINED.format("ad.square(ad.exp(u)), ad.exp(2 * u)"),
    JOINED.format("ad.exp(u + u), ad.exp(2 * u)"),
    JOINED.format("u + u, 2 * u"),
    JOINED.format("ad.square(ad.exp(u)), ad.exp(u) * ad.exp(u)"),
    JOINED.format("ad.square(ad.exp(u)), ad.exp(u)"),
    JOINED.format("ad.square(u), u * u"),
    JOINED.format("ad.exp(u + v), ad.exp(u) * ad.exp(v)"),
    JOINED.format("ad.exp(u), ad.exp(0.5 * u + 0.5 * u)"),
    JOINED.format("ad.square(ad.exp(u)), ad.square(ad.exp(u + 0))"),
    "def joined(): return GIVEN[0]",
    "def joined(): return GIVEN",
    JOINED.replace("cost_policy=''", "decreases='nodes'").format(
        "ad.square(ad.exp(u)), ad.exp(u + u)"
    ),
]

CONDITIONS = """
def conditions(u):
    return {{"over itself": {}, "root of product": {}, "modulus over": {}}}
"""
conditions = [
    CONDITIONS.format("u > 0", "u >= 0", "u > 0"),
    CONDITIONS.format("u >= 0", "u >= 0", "u > 0"),
    CONDITIONS.format("u != 0", "u > 0", "u > 0"),
    CONDITIONS.format("u != 0", "u >= 0", "u >= 0"),
    CONDITIONS.format("u != 0", "u >= 0", "u != 0"),
    CONDITIONS.format("u != 0", "u <= 0", "u > 0"),
    CONDITIONS.format("u != 1", "u >= 0", "u > 0"),
    CONDITIONS.format("ad.isfinite(u)", "u >= 0", "u > 0"),
    CONDITIONS.format("True", "True", "True"),
    CONDITIONS.format("'u != 0'", "'u >= 0'", "'u > 0'"),
    "def conditions(u): return [u != 0, u >= 0, u > 0]",
    "def conditions(u): return {'over itself': u != 0}",
]

SWELLING = "def swelling(x): return {}"
swell = [
    SWELLING.format("x * (x + 1)"),
    SWELLING.format("x * (x + 1) * (x + 2) * (x + 3)"),
    SWELLING.format("(x + 1) * (x + 1) * (x + 1) * (x + 1)"),
    SWELLING.format("x**64"),
    SWELLING.format("np.square(np.square(np.square(x + 1)))"),
    SWELLING.format("x + x + x + x + x + x + x"),
    SWELLING.format("3.0"),
    SWELLING.format("MULTIPLY_OUT[0]"),
    """
def swelling(x):
    for _ in range(4):
        x = (x + 1) * (x + 2)
    return x
""",
]

HEAVIER = """
def heavier():
    A, B = ad.tensor("A", shape=(100, 100)), ad.tensor("B", shape=(100, 100))
    z = ad.tensor("z", shape=(100,))
    return {}
"""
heavier = [
    HEAVIER.format("ad.Rule('m', (u @ v) @ w, u @ (v @ w), mode='real'), (A @ B) @ z"),
    HEAVIER.format(
        "ad.Rule('m', u @ (v @ w), (u @ v) @ w, mode='real', cost_policy='fewer'), A @ (B @ A)"
    ),
    HEAVIER.format(
        "ad.Rule('m', u @ (v @ w), (u @ v) @ w, mode='real', cost_policy='fewer'), (A @ B) @ z"
    ),
    HEAVIER.format(
        "ad.Rule('m', u @ (v @ w), (v @ u) @ w, mode='real', cost_policy='fewer'), A @ (B @ z)"
    ),
    HEAVIER.format(
        "ad.Rule('m', u @ (v @ w), (u @ v) @ w, mode='ieee', cost_policy='fewer'), A @ (B @ z)"
    ),
    HEAVIER.format("ad.Rule('m', u + v, v + u, mode='real'), A + B"),
    HEAVIER.format("ad.Rule('m', u @ v + u @ w, u @ (v + w), mode='real'), A @ z + A @ z"),
    HEAVIER.format("ad.Rule('m', ad.sum(u) * v, ad.sum(u * v), mode='real'), ad.sum(A) * x"),
    HEAVIER.format("ad.Rule('m', u @ (v @ w), (u @ v) @ w, mode='real'), A @ (B @ z)"),
    HEAVIER.format("A @ (B @ z)"),
    HEAVIER.format("A @ (B @ z), (A @ B) @ z"),
]

CIRCLE = """
def circle():
    one = ad.Rule("one", {}{})
    other = ad.Rule("other", {}, cost_policy="")
    return one, other, {}
"""
DIFFERENCE = ("u + (-v), u - v", "", "u - v, u + (-v)", "x - y")
circle = [
    CIRCLE.format("u * u, ad.square(u)", "", "ad.square(u), u * u", "x * x"),
    CIRCLE.format("ad.square(u), u * u", "", "u * u, ad.square(u)", "x * x"),
    CIRCLE.format(*DIFFERENCE[:3], "x * y"),
    CIRCLE.format("u + (-v), u - v", "", "u - v, -(v - u)", "x - y"),
    CIRCLE.format("u - v, u + (-v)", ", cost_policy=''", "u + (-v), u - v", "x - y"),
    CIRCLE.format("u + (-v), u - v", "", "u - v, v + (-u)", "x - y"),
    CIRCLE.format("ad.sin(u), ad.cos(u)", "", "ad.cos(u), ad.sin(u)", "np.sin(x)"),
    CIRCLE.format("u + 0, u", "", "u * 1, u", "x + 0"),
    CIRCLE.format("u + v, v + u", "", "u - v, u + (-v)", "x - y"),
    "def circle(): return x + y",
    "def circle(): return x + y, y + x, x",
]

DECEIVER = "def deceiver(): return ad.Rule('sly', {}), {}"
sly = [
    DECEIVER.format("ad.sqrt(u * u), u", "-4.0"),
    DECEIVER.format("ad.sqrt(u * u), ad.abs(u)", "500.0"),
    DECEIVER.format("ad.minimum(ad.abs(u), 5), ad.abs(u)", "500.0"),
    DECEIVER.format("ad.maximum(ad.minimum(u - 1e6, 9e6 - u), 0), 0", "5e6"),
    DECEIVER.format(
        "ad.maximum(ad.minimum(u - 1e6, 9e6 - u), 0), ad.minimum(ad.maximum(u, 0), 0)", "50.0"
    ),
    DECEIVER.format("ad.sin(u) + 0, ad.sin(u), needs=u > 5", "7.0"),
    DECEIVER.format("ad.sqrt(u * u), u, mode='real', needs=u >= 0", "-7.0"),
    DECEIVER.format("ad.sqrt(u * u), u, when=lambda u: False", "-7.0"),
    DECEIVER.format("ad.sin(u) + ad.sin(v), ad.sin(u + v)", "7.0"),
    "def deceiver(): return ad.Rule('sly', ad.sqrt(u * u), u)",
    "def deceiver(): return 5.0, 6.0",
]

FIRE = """
def fire():
    p = ad.scalar("x", nonzero=True)
    return {{"user": ad.simplify({user}), "fact": ad.simplify({fact}), "mode": ad.simplify({mode})}}
"""
FIRED = {
    "user": "total, mode='real'",
    "fact": "np.sin(y) + p / p",
    "mode": "x * y * x, mode='real'",
}
fire = [
    FIRE.format(**FIRED | {"user": "[x * y, total], mode='real'"}),
    FIRE.format(**FIRED | {"user": "x * y, mode='real'"}),
    FIRE.format(**FIRED | {"user": "[total, total], mode='real'"}),
    FIRE.format(**FIRED | {"user": "x * (y + np.exp(y)), mode='real'"}),
    FIRE.format(**FIRED | {"user": "total, mode='ieee'"}),
    FIRE.format(**FIRED | {"fact": "np.sin(y) + x / x, mode='real'"}),
    FIRE.format(**FIRED | {"fact": "np.sin(y) + x / x"}),
    FIRE.format(**FIRED | {"fact": "p / p"}),
    FIRE.format(**FIRED | {"fact": "np.sin(p) + x / x"}),
    FIRE.format(**FIRED | {"fact": "np.sin(y) + x / x, rules=[ad.Rule('over itself', u / u, 1)]"}),
    FIRE.format(**FIRED | {"mode": "x * y * x, mode='ieee'"}),
    FIRE.format(**FIRED | {"mode": "x * x * x, mode='real'"}),
    FIRE.format(**FIRED | {"mode": "p * y * p, mode='real'"}),
    "def fire(): return {key: stage for key, (stage, _) in STAGES.items()}",
    "def fire(): return {'user': total}",
    "def fire(): return dict.fromkeys(STAGES, 'real')",
]

MUTANTS = {
    "fire": fire,
    "own": own,
    "confluence": confluence,
    "conditions": conditions,
    "swell": swell,
    "heavier": heavier,
    "circle": circle,
    "sly": sly,
}
