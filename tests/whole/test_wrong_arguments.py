"""Arguments that nothing can be made of: errors name them, the same in every run.

Protects whoever misspells an option from an error of Python's inside, or from no error at all.
"""

import pytest

import autodiff_edu as ad


def on_purpose():
    """No argument of anything."""


X = ad.vector("x", shape=2)
COST, RESIDUALS = ad.sum(X * X), X * X
ARGUMENTS = {
    "a free identifier, which": lambda w: ad.function(X, COST, name=w),
    "there is no target": lambda w: ad.function(X, COST, target=w),
    "check is None or": lambda w: ad.function(X, COST, check=w),
    "draw takes layout= as 'graph', 'tree', not as": lambda w: ad.draw(COST, layout=w),
    "draw takes direction= as None, 'TB', 'BT', 'LR', not as": lambda w: ad.draw(COST, direction=w),
    "the order is a whole number": lambda w: ad.jet(COST, X, w),
    "the order is 1 for a Jacobian": lambda w: ad.sparsity(RESIDUALS, X, w),
    "coloring is column, row or None": lambda w: ad.jacobian(RESIDUALS, X, sparse=True, coloring=w),
    "sparse=True takes mode=": lambda w: ad.jacobian(RESIDUALS, X, sparse=True, mode=w),
    "x takes real numbers, not|x takes an array": lambda w: ad.evaluate(COST, {X: w}),
}
WRONG = {"function": on_purpose, "rows": [[1], [2, 3]], "object": object(), "word": "Tree?"}


@pytest.mark.each("words", ARGUMENTS)
@pytest.mark.each("wrong", WRONG.values(), ids=WRONG)
def test_what_an_argument_cannot_be_is_told_without_a_place_in_memory(words, wrong):
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        ARGUMENTS[words](wrong)
    assert " at 0x" not in str(caught.value)


@pytest.mark.each("given", [[], [X, ad.scalar("y")]], ids=["none", "two"])
def test_what_is_done_for_one_variable_says_so(given):
    for act in (ad.newton, ad.hessian_diagonal):
        with pytest.raises(ValueError, match="done for one variable at a time"):
            act(COST, given)
