"""The document of a scene: each frame is the log, read so far, and nothing moves."""

import re
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.document import Document

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers, random_program
from ...helpers.scenes import Frame, frames, number

x, x1, x2, w = map(ad.scalar, ("x", "x1", "x2", "w"))


def recurrent(steps):
    h = ad.scalar("h0")
    for t in range(steps):
        h = ad.tanh(w * h + ad.scalar(f"x{t + 1}") * 0.5)
    return (h - 1) ** 2


FORMULAS = {
    "seven": x * x + (x - 2),
    "lecture 05": ad.log(x1) + x1 * x2 - ad.sin(x2),
    "used thrice": x * ad.exp(x) + ad.sin(x) / (1 + x * x),
    "a constant": x * 0 + 3.0,
    "an input": x,
    "softplus": ad.log(1 + ad.exp(x)),
    "recurrent": recurrent(4),
}


def stages(y, of=1, turn=0):
    """The derivatives of an expression, in every mode, with their simplifications; by default, one
    in so many."""
    inputs = list(ad.Graph(y).inputs)
    modes = (
        lambda: None,
        lambda: ad.reverse_mode(y, inputs),
        lambda: ad.symbolic_derivative(y, inputs[0]),
        lambda: ad.forward_mode(y, inputs[0]),
    )
    for mode in some(modes, of, turn):
        derivative = mode()
        yield derivative, ad.simplify(y if derivative is None else derivative)


def documents(y, values, of=1, turn=0):
    at = dict(zip(ad.Graph(y).inputs, values, strict=True))
    for derivative, short in stages(y, of, turn):
        yield derivative, short, at, Document(derivative, short, at).data()


def check_frames(derivative, short, at, document):
    """The results of each frame are those of the frames of the simplification."""
    shown = list(frames(document))
    before = document["derived"] if derivative is not None else 0
    assert len(shown) == before + 1 + len(short.steps)
    for k, (held, outs) in enumerate(shown[before:]):
        scene, answers = Frame(document, held), document["answers"][before + k]
        for p, answer, y in zip(outs, answers, short.frame(k).outputs, strict=True):
            wanted = ad.evaluate(y, at)
            np.testing.assert_allclose(scene[p], wanted, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(number(answer), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.each("turn, name", some(enumerate(FORMULAS), 6))
def test_each_frame_is_the_log_read_so_far(turn, name):
    y = FORMULAS[name]
    values = np.random.default_rng(1).uniform(0.3, 2.0, len(ad.Graph(y).inputs))
    for case in documents(y, values, 4, turn):
        check_frames(*case)


def test_frames_of_random_formulas():
    for seed in range(draws(12)):
        inputs, values, y = random_numbers(seed)
        for case in documents(ad.sum(y), values, 4, turn=seed):
            check_frames(*case)


def test_frames_of_random_programs_of_arrays():
    for seed in range(draws(12)):
        inputs, values, y = random_program(seed)
        at = dict(zip(inputs, values, strict=True))
        loss = ad.sum(y)
        derivative = ad.reverse_mode(loss, list(ad.Graph(loss).inputs))
        for stage, short in ((None, ad.simplify(loss)), (derivative, ad.simplify(derivative))):
            check_frames(stage, short, at, Document(stage, short, at).data())


def attention(seed):
    rng = np.random.default_rng(seed)
    rows, width, depth = map(int, rng.permutation([2, 3, 4, 5])[:3])
    X = ad.matrix("X", shape=(rows, width))
    weights = [ad.matrix(name, shape=(width, depth)) for name in ("Q", "K", "V")]
    at = {m: rng.normal(size=m.type.shape) for m in (X, *weights)}
    q, k, v = (X @ m for m in weights)
    return ad.mean((ad.softmax(q @ k.T, axis=1) @ v) ** 2), at, weights


def test_a_part_is_for_values_of_its_own_shape():
    for seed in range(draws(6)):
        loss, at, wrt = attention(seed)
        derivative = ad.reverse_mode(loss, wrt)
        short = ad.simplify(derivative)
        check_frames(derivative, short, at, Document(derivative, short, at).data())


def likelihood(steps):
    """Of a Kalman filter. Its program computes in another order than its derivative."""
    q, r, mean, spread = map(ad.scalar, ("q", "r", "m", "P"))
    at = {q: 0.1, r: 0.5, mean: 0.0, spread: 1.0}
    total = 0
    for t in range(steps):
        z = ad.scalar(f"z{t}")
        at[z] = float(np.sin(t))
        spread = spread + q
        gain, error = spread / (spread + r), z - mean
        total = total + ad.log(spread + r) + error**2 / (spread + r)
        mean, spread = mean + gain * error, (1 - gain) * spread
    return total, at, [q, r]


def test_each_line_that_computes_is_a_line_of_the_program():
    for loss, at, wrt in (likelihood(4), attention(0)):
        program = ad.explore(loss, at=at, wrt=wrt).document["program"]
        for place, row in enumerate(program["text"].split("\n"), 1):
            if re.match(r" +v\d+ = ", row):
                assert str(place) in program["lines"], row


def test_answers_are_those_of_each_frame_where_a_rewrite_changes_the_value():
    y = ad.scalar("y")
    short = ad.simplify(((x / x) * 1 + y) - 0, mode="real")
    document = Document(None, short, {x: 0.0, y: 2.0}).data()
    wanted = [
        ad.evaluate(short.frame(k).output, {x: 0.0, y: 2.0}) for k in range(len(short.steps) + 1)
    ]
    np.testing.assert_array_equal([number(answer[0]) for answer in document["answers"]], wanted)
    assert np.isnan(wanted[0]) and wanted[-1] == 3


def test_letters_of_a_rule_are_parts_that_were_there_before():
    document = ad.explore(ad.log(x1) + x1 * x2 - ad.sin(x2), at={x1: 2.0, x2: 5.0}).document
    before = [held for held, _ in frames(document)]
    steps = document["steps"][document["derived"] :]
    bound = [
        (k, step["bind"]) for k, step in enumerate(steps, document["derived"]) if step.get("bind")
    ]
    assert len(bound) > 2
    for k, bind in bound:
        assert all(p in before[k] for p in bind.values())
        assert all(letter in document["steps"][k]["eq"] for letter in bind)


def test_a_result_is_called_as_no_input_is():
    y, z = ad.scalar("y"), ad.scalar("z")
    for inputs, name in (([x, x], "y"), ([x, y], "z"), ([y, z], "f")):
        document = ad.explore(inputs[0] * inputs[1], dict.fromkeys(inputs, 2.0)).document
        values = [p["name"] for p in document["parts"].values() if p["kind"] == "value"]
        assert document["name"] == name and len(values) == len({*values}) and name in values


def test_inputs_of_unknown_lengths_and_inputs_that_are_not_there():
    X, w, t = ad.matrix("X"), ad.vector("w"), ad.vector("t")
    at = {X: np.ones((3, 2)), w: np.ones(2), t: np.zeros(3)}
    document = ad.explore(ad.mean((X @ w - t) ** 2), at, wrt=w).document
    np.testing.assert_allclose(number(document["answers"][-1][0]), [4, 4])
    with pytest.raises(ValueError, match="the formula has x1"):
        ad.explore(x1 * x1, at={x1: 1.0}, wrt=x2)


PAGE = (Path(__file__).parents[3] / "book" / "explorer.md").read_text("utf-8")


@pytest.mark.each("turn, name", some(enumerate(FORMULAS), 3, turn=1))
def test_the_book_names_every_key_of_a_document(turn, name):
    values = np.full(len(ad.Graph(FORMULAS[name]).inputs), 0.7)
    for *_, document in documents(FORMULAS[name], values, 4, turn + 1):
        keys = {*document, *[k for row in document["parts"].values() for k in row]}
        keys |= {k for step in document["steps"] for k in step}
        told = {"version", "title", "mode", "name", "wrt", "lines", "parts", "kind", "text"}
        assert not [k for k in keys - told if f"`{k}`" not in PAGE]


def test_the_examples_of_the_book_print_what_it_says(capsys):
    pieces, names = re.findall(r"```(?:python|text)\n(.*?)```", PAGE, re.S), {}
    for code, words in zip(pieces[::2], pieces[1::2], strict=True):
        exec(compile(code, "<example>", "exec"), names)
        assert capsys.readouterr().out == words


def test_a_python_function_is_explored_as_its_formula():
    def f(x, y, n):
        for _ in range(n):
            x = x * y if x < 10 else x - y
        return x + ad.sin(y)

    point = 3.0, 2.0, 3
    x, y = ad.scalar("x"), ad.scalar("y")
    formula = x * y * y - y + ad.sin(y)
    here, there = ad.explore(f, at=point), ad.explore(formula, at={x: 3.0, y: 2.0})
    assert here.document["answers"] == there.document["answers"]
    assert here.document["title"] == there.document["title"]
    assert {line["code"] for line in here.document["lines"]} <= {
        "x = x * y if x < 10 else x - y", "return x + ad.sin(y)"
    }  # fmt: skip
    assert ad.explore(ad.grad(lambda x: x**3), at=2.0).document["answers"][-1] == [12]
    with pytest.raises(TypeError, match="needs the arguments"):
        ad.explore(f)
    with pytest.raises(ValueError, match=r"write 3\.0 for 3"):
        ad.explore(f, at=(3, 2, 1))
    with pytest.raises(TypeError, match="numbers and arrays"):
        ad.explore(lambda p: p["w"] * 2, at=({"w": 1.0},))
    with pytest.raises(TypeError, match="Python function"):
        ad.explore("x*x")


def test_each_value_has_the_line_that_wrote_it_though_its_derivative_rewrites_it():
    def program(rounds):
        h = 0.1
        for _ in range(rounds):
            h = ad.tanh(w * h + 0.5)
            h = h * h - 2 * h
        return h

    those = (
        program(1),
        program(3),
        *some(FORMULAS.values(), 3, turn=1),
        *(random_numbers(k, 8)[2] for k in range(draws(2))),
    )
    for turn, y in enumerate(those):
        for derivative, short in stages(y, 4, turn):
            document = Document(derivative, short, {})
            data = document.data()
            for n, p in document.parts.of_value.items():
                place = ad.expr.first_place(n)
                if n.op is not None and place is not None:
                    line = data["lines"][data["parts"][p]["line"]]
                    assert line == {"at": place.where, "code": place.text}, (y, n)
