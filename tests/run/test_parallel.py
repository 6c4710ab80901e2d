"""Threads: updates are one step each, reads are of one moment, draws do not repeat."""

import copy
import itertools
import pickle
import random
import threading
import time

import numpy as np
import pytest
from hypothesis import settings

import autodiff_edu as ad
from autodiff_edu.optimisers import adam

EIGHT = 8
CASES = 2000 if settings.get_current_profile_name() == "nightly" else 200


def in_threads(work, count=EIGHT, patience=1200.0):
    """work(k) in as many threads as there are k; an error in one of them is raised here."""
    failures, gate = [], threading.Barrier(count)

    def run(k):
        gate.wait()
        try:
            work(k)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(count)]
    for t in threads:
        t.start()
    end = time.monotonic() + patience
    for t in threads:
        t.join(max(0.0, end - time.monotonic()))
    assert not any(t.is_alive() for t in threads), "threads wait for each other"
    for error in failures:
        raise error


def test_eight_threads_of_a_hundred_updates_leave_eight_hundred():
    w = ad.shared(np.zeros(200_000), "w")
    step = ad.function([], [], updates=[(w, w + 1)])
    in_threads(lambda k: [step() for _ in range(100)])
    assert (w.get_value() == 800).all()


def test_a_stream_draws_no_number_twice():
    rng = ad.RandomStream(3)
    draw = ad.function([], rng.uniform(size=50_000))
    found = [[] for _ in range(EIGHT)]

    def work(k):
        for _ in range(40):
            v = draw()
            # a tenth of the numbers, of all draws the same tenth, takes a tenth of the memory
            found[k].append((hash(v.tobytes()), v[v < 0.1]))

    in_threads(work)
    hashes, numbers = zip(*itertools.chain(*found), strict=True)
    assert len(set(hashes)) == 40 * EIGHT
    small = np.concatenate(numbers)
    assert len(np.unique(small)) == len(small) > 1_000_000


def test_a_traced_function_draws_no_number_twice():
    rng = ad.RandomStream(5)
    slope = ad.grad(lambda x: np.sum(x * rng.normal(size=100)))
    found = [[] for _ in range(EIGHT)]
    in_threads(lambda k: found[k].extend(slope(1.0 + 0.0 * k) for _ in range(100)))
    assert len({v for part in found for v in part}) == 100 * EIGHT


def test_draws_described_in_threads_are_different_draws():
    rng = ad.RandomStream(7)
    found = [[] for _ in range(EIGHT)]
    in_threads(lambda k: found[k].extend(rng.uniform() for _ in range(200)))
    values = ad.evaluate([d for part in found for d in part])
    assert len(set(map(float, values))) == 200 * EIGHT


def test_reads_are_of_one_moment():
    """a and b are changed together, and so nobody ever sees one of them alone changed."""
    a, b = ad.shared(np.zeros(50_000), "a"), ad.shared(np.zeros(50_000), "b")
    step = ad.function([], [], updates=[(b, b + 1), (a, a + 1)])
    gap = ad.function([], [a.max(), b.max()])
    whole, seen = a - b, []

    def work(k):
        for _ in range(100):
            if k % 2:
                step()
            elif k % 4:
                seen.append(gap())
            else:
                seen.append([np.abs(ad.evaluate(whole)).max(), 0.0])

    in_threads(work)
    assert all(x == y for x, y in seen)


def test_a_value_that_is_set_is_not_lost_in_a_step():
    w = ad.shared(np.zeros(100_000), "w")
    step = ad.function([], [], updates=[(w, w + 1)])
    for _ in range(20):
        in_threads(lambda k: w.set_value(np.full(100_000, 1000.0)) if k else step(), 2)
        assert w.get_value()[0] in (1000.0, 1001.0)


def test_functions_that_take_values_in_different_orders_do_not_wait_for_each_other():
    a, b, c = (ad.shared(np.zeros(1000), name) for name in "abc")
    steps = [
        ad.function([], [], updates=[(a, a + 0 * b + 1), (c, c + 1)]),
        ad.function([], [], updates=[(c, c + 0 * a + 1), (b, b + 1)]),
        ad.function([], [], updates=[(b, b + 0 * c + 1), (a, a + 1)]),
    ]
    in_threads(lambda k: [steps[(k + i) % 3]() for i in range(300)])
    assert [w.get_value()[0] for w in (a, b, c)] == [1600.0] * 3


def random_functions(draw, values):
    """Functions that add to some values, by amounts that others multiply by zero; and what each
    adds to each."""
    made = []
    for _ in range(draw.randint(2, 5)):
        changed = draw.sample(values, draw.randint(0, len(values)))
        read = draw.sample(values, draw.randint(0, min(2, len(values))))
        amounts = {w: float(draw.randint(1, 5)) for w in changed}
        nothing = 0.0 * sum(r.sum() for r in read)
        updates = [(w, w + amounts[w] + nothing) for w in changed]
        made.append((ad.function([], [r.sum() for r in read], updates=updates), amounts))
    return made


def test_random_sets_of_functions_and_values():
    draw = random.Random(11)
    for _ in range(CASES // 10):
        length = draw.choice([1, 100, 20_000])
        values = [ad.shared(np.zeros(length), f"w{k}") for k in range(draw.randint(1, 5))]
        made = random_functions(draw, values)
        plan = [[draw.choice(made) for _ in range(10)] for _ in range(EIGHT)]
        in_threads(lambda k, plan=plan: [run() for run, _ in plan[k]])
        for w in values:
            wanted = sum(amounts.get(w, 0.0) for row in plan for _, amounts in row)
            assert (w.get_value() == wanted).all()


def test_an_optimiser_in_threads_takes_every_step():
    w = ad.shared(np.array([3.0, -2.0]), "w")
    cost = ((w - 1.0) ** 2).sum()
    updates = adam(cost, [w])
    step = ad.function([], cost, updates=updates)
    in_threads(lambda k: [step() for _ in range(25)])
    assert updates[0][0].get_value() == 200.0


def test_a_value_that_does_not_fit_leaves_all_values_as_they_were():
    a = ad.shared(0.0, "a")
    b, x = ad.shared(np.zeros(3), "b"), ad.vector("x")
    step = ad.function([x], [], updates=[(a, a + 1), (b, x)])
    with pytest.raises(ad.ShapeError):
        step(np.zeros(4))
    assert a.get_value() == 0.0
    step(np.ones(3))
    assert a.get_value() == 1.0 and b.get_value().tolist() == [1, 1, 1]


def test_an_error_in_a_step_gives_the_values_free():
    w, x = ad.shared(np.zeros(3), "w"), ad.vector("x")
    step = ad.function([x], [], updates=[(w, w + x[:3])])
    with pytest.raises(ValueError):
        step(np.zeros(2))
    in_threads(lambda k: step(np.ones(3)), 2, 10.0)
    assert w.get_value()[0] == 2.0


# ---- copies


COPIES = [copy.copy, copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))]


@pytest.mark.each("how", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_a_copy_has_a_value_and_a_lock_of_its_own(how):
    w = ad.shared(np.array([1.0, 2.0]), "w")
    best = how(w)
    step = ad.function([], [], updates=[(w, w + 1)])
    step()
    assert best.get_value().tolist() == [1, 2] and best.name == "w"
    assert best.lock is not w.lock and best.lock.number > w.lock.number
    ad.function([], [], updates=[(best, 2 * best)])()
    assert best.get_value().tolist() == [2, 4] and w.get_value().tolist() == [2, 3]


def test_the_best_model_so_far_does_not_move():
    w, b = ad.shared(1.0, "w"), ad.shared(0.0, "b")
    model = {"w": w, "b": b, "cost": (w + b) ** 2, "double": 2 * w}
    step = ad.function([], [], updates=[(w, w * 2), (b, b + 1)])
    best = copy.deepcopy(model)
    step()
    assert ad.evaluate([best["w"], best["b"], best["cost"]]) == [1.0, 0.0, 1.0]
    best["w"].set_value(5.0)
    assert ad.evaluate([best["cost"], best["double"], model["cost"]]) == [25.0, 10.0, 9.0]


def test_a_copied_stream_draws_the_same_and_moves_by_itself():
    rng = ad.RandomStream(1)
    again = copy.deepcopy(rng)
    assert again.state.default_update.inputs[0] is again.state
    one, other = (ad.function([], r.uniform(size=3)) for r in (rng, again))
    first = one()
    one()
    np.testing.assert_array_equal(first, other())


def test_an_expression_without_shared_values_is_its_own_copy():
    x = ad.scalar("x")
    y = x * 2
    assert copy.deepcopy(y) is y and copy.deepcopy([x])[0] is x
