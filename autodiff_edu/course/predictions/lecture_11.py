"""Predictions of lecture 11."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "first loss": Prediction(
        "No hidden layer, and all weights 0: what is the loss over the ten digits? An answer "
        "within 1 % is right.",
        2.302585,
        "Ten equal scores are ten equal probabilities, and −log 0.1 is log 10.",
        [
            Miss(0, "A loss of 0 needs the probability 1 for the right digit."),
            Miss(0.1, "That is the probability of each digit. The loss is its negative logarithm."),
            Miss(1, "The loss is a natural logarithm, and not one to the base 10."),
        ],
        within=0.01,
    ),
    "begin with zeros": Prediction(
        "All weights are 0. Which of the gradients by W1, b1, W2 and b2 are not zero? Write 1 "
        "for one that is not zero, and 0 otherwise.",
        (0, 0, 0, 1),
        "The hidden values are 0, so W2 gets nothing. W2 is 0, so nothing comes back to layer "
        "1.",
        [
            Miss((0, 0, 0, 0), "b2 gets the mean of q − t, and the digits are not equally "
                 "frequent."),
            Miss((0, 0, 1, 1), "The gradient by W2 is a product with the hidden values, and tanh "
                 "0 is 0."),
            Miss((1, 1, 1, 1), "What comes back to layer 1 is multiplied by W2, and that is 0."),
        ],
    ),
}  # fmt: skip
