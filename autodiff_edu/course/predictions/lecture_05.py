"""Predictions of lecture 5."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "multiplications": Prediction(
        "f is a product of a thousand numbers. How many multiplications take f *and all of its "
        "thousand partial derivatives* together? An answer within 1 % is right.",
        2_995,
        "It takes 2,995, three times as many as f alone. No division is used.",
        [
            Miss(999_999, "That is a thousand runs of the whole program, with one changed input."),
            Miss(1_999, "One each would do with divisions, f/xₖ, which fail at a zero."),
            Miss(499_500, "All pairs are counted here. A shared product is computed once."),
        ],
        within=0.01,
    ),
    "four adjoints": Prediction(
        "y is v₅ = v₄ − v₃, and v₄ = v₁ + v₂. What are the adjoints of v₄, v₃, v₁ and v₂?",
        (1, -1, 1, 1),
        "The difference passes 1 and −1. The sum passes on what it has, to both operands.",
        [
            Miss((1, 1, 1, 1), "If v₃ grows, then v₄ − v₃ becomes smaller."),
            Miss((1, -1, 0.5, 0.5), "A sum does not share its adjoint out. Each gets all of it."),
            Miss((1, -1, -1, -1), "v₁ and v₂ reach the result through v₄, and not through v₃."),
        ],
    ),
    "rows": Prediction(
        "b = a + a and c = b + b, at a = 3. Which values do the rows of the adjoint pass have? "
        "Write them in their order, a number for each row.",
        (1, 1, 2, 2, 4),
        "The seed; two contributions to b, after which it is 2; and two to a, of 2 each.",
        [
            Miss((1, 2, 4), "An operand that is used twice gets two contributions, a row each."),
            Miss((1, 1, 1, 1, 1), "Contributions are added, and the sum is passed on."),
            Miss((1, 1, 2, 1, 2), "b passes on its whole adjoint, which is 2 by then."),
        ],
    ),
    "careless": Prediction(
        "What does the sweep with `=` in place of `+=` say of the slope of x·x at 3?",
        3,
        "Each of the two uses contributes 3, and only the last contribution remains.",
        [
            Miss(6, "That is the right slope. But the second contribution replaces the first."),
            Miss(9, "That is the value of x·x. The sweep gives each operand the other one."),
            Miss(4, "Nothing is added to the seed 1: a contribution of 3 replaces what was there."),
        ],
    ),
    "product with a zero": Prediction(
        "What are the four partial derivatives of the product at (1, 0, 3, 4)? And what does "
        "f/xᵢ say of the second one? Write five numbers; nan is `float(\"nan\")`.",
        (0, 12, 0, 0, float("nan")),
        "Without the zero the product is 12. The formula divides 0 by 0.",
        [
            Miss((0, 0, 0, 0, 0), "The second derivative leaves the zero out: 1 · 3 · 4."),
            Miss((0, 12, 0, 0, 12), "The formula computes 0 / 0, and that is nan."),
            Miss((12, 12, 4, 3, float("nan")), "All others have the zero as a factor."),
        ],
    ),
}  # fmt: skip
