"""What stands in the examples of rules.

Letters: x y z numbers, v r u n vectors (n of unknown length), A B S matrices (S square),
c I constants, p a condition, q a quotient.
"""

from ...expr import constant
from ...ops import exp, eye, matrix, scalar, vector

x, y, z = scalar("x"), scalar("y"), scalar("z")
v, n = vector("v", shape=4), vector("n")
A, B, S = matrix("A", shape=(3, 4)), matrix("B", shape=(4, 3)), matrix("S", shape=(3, 3))
r, u = vector("r", shape=3), vector("u", dtype="float32", shape=4)
c, I = constant(2.5), eye(4)
p, q = x > 0, y / exp(x)
