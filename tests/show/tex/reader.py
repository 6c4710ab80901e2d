"""A reader of formulas in LaTeX, with the order of operations of a textbook: it computes their
values, and refuses what two readers may take in two ways.

Juxtaposition binds before a dot, a dot before a sum; a minus is that of the product behind it, and
Σ sums the product behind it. Nobody knows how mod binds beside a product, a sum or a minus.
"""

import re

import numpy as np

TOKEN = re.compile(
    r"\\text\{[^{}]*\}|\\mathsf\{T\}|\\(?:left|right)\\\w+|\\(?:left|right)\S|\\[a-zA-Z]+|\\\\|\\,|"
    r"\d+\.?\d*|[a-zA-Z]|\S"
)
RELATIONS = {r"\lt": np.less, r"\le": np.less_equal, r"\gt": np.greater, r"\ge": np.greater_equal}
LOGIC = {r"\land": np.logical_and, r"\lor": np.logical_or}
DOTS = (r"\cdot", r"\odot")
SUMS = {r"\sum": np.sum, r"\prod": np.prod}
FUNCTIONS = {r"\sin": np.sin, r"\exp": np.exp, r"\max": np.maximum}
PAIRS = {"(": ")", r"\left(": r"\right)", r"\left|": r"\right|"}
AROUND = {r"\left|": np.abs}


class Ambiguous(Exception):
    """Two readers may take this in two ways."""


def value_of(formula, names):
    """The value of a formula in which these names have values."""
    reader = Reader(formula, names)
    value = reader.logic()
    assert not reader.tokens, (formula, reader.tokens)
    return value


class Reader:
    def __init__(self, formula, names):
        self.tokens = [t.strip() for t in TOKEN.findall(formula)]
        self.names = names | {r"\infty": np.inf}

    def next(self):
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted):
        token = self.tokens.pop(0)
        if wanted and token not in wanted:
            raise Ambiguous(f"{wanted} and not {token} before {self.tokens}")
        return token

    def logic(self):
        found, signs = self.relation(), set()
        while self.next() in LOGIC:
            signs.add(self.next())
            found = LOGIC[self.take()](found, self.relation())
        if len(signs) > 1:
            raise Ambiguous("and beside or")
        return found

    def relation(self):
        found = self.sum()
        return RELATIONS[self.take()](found, self.sum()) if self.next() in RELATIONS else found

    def sum(self):
        minus = self.next() == "-" and self.take()
        found = self.term(alone=not minus)
        found = -found if minus else found
        while self.next() in ("+", "-"):
            sign = self.take()
            other = self.term(alone=False)
            found = found + other if sign == "+" else found - other
        if self.next() == r"\bmod":
            raise Ambiguous("mod behind a sum")
        return found

    def term(self, alone):
        """A product, or what stands alone on both sides of mod."""
        if self.next() in SUMS:
            reduce = SUMS[self.take()]
            axis = int(self.subscript()[-1]) if self.next() == "_" else None
            return reduce(self.term(alone=False), axis=axis)
        found, factors = self.beside()
        while self.next() in DOTS:
            self.take()
            other, _ = self.beside()
            found, factors = found * other, 2
        if self.next() == r"\bmod":
            self.take()
            other, more = self.beside()
            if not alone or factors + more > 2 or self.next() in ("+", "-", r"\bmod", *DOTS):
                raise Ambiguous("mod beside another operation")
            return np.remainder(found, other)
        return found

    def beside(self):
        """Factors side by side: a number before another factor, or matrices."""
        is_number, (found, count) = self.next()[:1].isdigit(), (self.power(), 1)
        if is_number and self.starts():
            found, count = found * self.power(), 2
        while self.next() == r"\,":
            self.take()
            found, count = found @ self.power(), count + 1
        if self.starts():
            raise Ambiguous(f"{self.next()} behind a factor")
        return found, count

    def starts(self):
        """Does a factor begin here?"""
        t = self.next()
        return (
            t in (*PAIRS, *FUNCTIONS, r"\frac", r"\left\lfloor", r"\sqrt", "{")
            or t in self.names
            or t == "e"
            or (t[:1].isdigit())
        )

    def power(self):
        if self.next() == r"\lnot":
            self.take()
            return ~self.atom()
        found = self.atom()
        while self.next() in ("^", "_"):
            if self.next() == "_":
                found = eval("a" + "".join(self.subscript()), {"a": found, "None": None})
                continue
            self.take()
            if self.tokens[:3] == ["{", r"\mathsf{T}", "}"]:
                del self.tokens[:3]
                found = found.T
            else:
                found = np.power(found, self.group())
        return found

    def subscript(self):
        self.take("_")
        self.take("{")
        end = self.tokens.index("}")
        inside, self.tokens = self.tokens[:end], self.tokens[end + 1 :]
        return inside if inside[0] == "[" else re.findall(r"\d+", "".join(inside))

    def group(self):
        self.take("{")
        found = self.logic()
        self.take("}")
        return found

    def atom(self):
        token = self.take()
        if token in PAIRS:
            found = self.logic()
            self.take(PAIRS[token])
            return AROUND.get(token, np.asarray)(found)
        if token == r"\begin":
            return self.cases()
        if token == r"\frac":
            above = self.group()
            return above / self.group()
        if (
            token == r"\left\lfloor"
        ):  # of a quotient, which NumPy floors without an infinity between
            self.take(r"\frac")
            above = self.group()
            found = np.floor_divide(above, self.group())
            self.take(r"\right\rfloor")
            return found
        if token == r"\sqrt":
            return np.sqrt(self.group())
        if token in FUNCTIONS:
            return FUNCTIONS[token](*self.arguments())
        if token == "{":
            found = self.logic()
            self.take("}")
            return found
        if token == "e":
            self.take("^")
            return np.exp(self.group())
        return np.float64(token) if token[0].isdigit() else self.names[token]

    def arguments(self):
        end = PAIRS[self.take("(", r"\left(")]
        found = [self.logic()]
        while self.next() == ",":
            self.take()
            found.append(self.logic())
        self.take(end)
        return found

    def cases(self):
        del self.tokens[: self.tokens.index("}") + 1]
        some = self.logic()
        self.take("&")
        self.take(r"\text{if }".strip())
        condition = self.logic()
        self.take("\\\\")
        others = self.logic()
        del self.tokens[: self.tokens.index(r"\end")]
        del self.tokens[: self.tokens.index("}") + 1]
        return np.where(condition, some, others)
