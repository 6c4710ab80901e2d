"""A restricted Boltzmann machine by contrastive divergence, Gibbs sampling by scan."""

import pickle
import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tensor.shared_randomstreams import RandomStreams
from sklearn.datasets import load_digits

_d = load_digits()
_X = (_d.data / 16.0).astype(theano.config.floatX)
_y = _d.target


def shared_dataset(data_xy, borrow=True):
    data_x, data_y = data_xy
    shared_x = theano.shared(numpy.asarray(data_x, dtype=theano.config.floatX), borrow=borrow)
    shared_y = theano.shared(numpy.asarray(data_y, dtype=theano.config.floatX), borrow=borrow)
    return shared_x, T.cast(shared_y, "int32")


train_set_x, train_set_y = shared_dataset((_X[:1200], _y[:1200]))
test_set_x, test_set_y = shared_dataset((_X[1200:], _y[1200:]))


class RBM(object):
    def __init__(self, input=None, n_visible=64, n_hidden=40, numpy_rng=None, theano_rng=None):
        numpy_rng = numpy.random.RandomState(1234)
        theano_rng = RandomStreams(numpy_rng.randint(2**30))
        self.W = theano.shared(
            value=numpy.asarray(
                numpy_rng.uniform(low=-0.3, high=0.3, size=(n_visible, n_hidden)),
                dtype=theano.config.floatX,
            ),
            name="W",
            borrow=True,
        )
        self.hbias = theano.shared(
            value=numpy.zeros(n_hidden, dtype=theano.config.floatX), name="hbias", borrow=True
        )
        self.vbias = theano.shared(
            value=numpy.zeros(n_visible, dtype=theano.config.floatX), name="vbias", borrow=True
        )
        self.input = input
        if not input:
            self.input = T.matrix("input")
        self.theano_rng = theano_rng
        self.params = [self.W, self.hbias, self.vbias]
        self.n_visible = n_visible

    def free_energy(self, v_sample):
        wx_b = T.dot(v_sample, self.W) + self.hbias
        vbias_term = T.dot(v_sample, self.vbias)
        hidden_term = T.sum(T.log(1 + T.exp(wx_b)), axis=1)
        return -hidden_term - vbias_term

    def propup(self, vis):
        p = T.dot(vis, self.W) + self.hbias
        return [p, T.nnet.sigmoid(p)]

    def sample_h_given_v(self, v0_sample):
        pre, mean = self.propup(v0_sample)
        s = self.theano_rng.binomial(size=mean.shape, n=1, p=mean, dtype=theano.config.floatX)
        return [pre, mean, s]

    def propdown(self, hid):
        p = T.dot(hid, self.W.T) + self.vbias
        return [p, T.nnet.sigmoid(p)]

    def sample_v_given_h(self, h0_sample):
        pre, mean = self.propdown(h0_sample)
        s = self.theano_rng.binomial(size=mean.shape, n=1, p=mean, dtype=theano.config.floatX)
        return [pre, mean, s]

    def gibbs_hvh(self, h0_sample):
        a = self.sample_v_given_h(h0_sample)
        b = self.sample_h_given_v(a[2])
        return a + b

    def gibbs_vhv(self, v0_sample):
        a = self.sample_h_given_v(v0_sample)
        b = self.sample_v_given_h(a[2])
        return a + b

    def get_cost_updates(self, lr=0.1, persistent=None, k=1):
        pre_sigmoid_ph, ph_mean, ph_sample = self.sample_h_given_v(self.input)
        chain_start = ph_sample if persistent is None else persistent
        (
            [pre_sigmoid_nvs, nv_means, nv_samples, pre_sigmoid_nhs, nh_means, nh_samples],
            updates,
        ) = theano.scan(
            self.gibbs_hvh,
            outputs_info=[None, None, None, None, None, chain_start],
            n_steps=k,
            name="gibbs_hvh",
        )
        chain_end = nv_samples[-1]
        cost = T.mean(self.free_energy(self.input)) - T.mean(self.free_energy(chain_end))
        gparams = T.grad(cost, self.params, consider_constant=[chain_end])
        for gparam, param in zip(gparams, self.params):
            updates[param] = param - gparam * T.cast(lr, dtype=theano.config.floatX)
        if persistent:
            updates[persistent] = nh_samples[-1]
            monitoring_cost = self.get_pseudo_likelihood_cost(updates)
        else:
            monitoring_cost = self.get_reconstruction_cost(updates, pre_sigmoid_nvs[-1])
        return monitoring_cost, updates

    def get_pseudo_likelihood_cost(self, updates):
        bit_i_idx = theano.shared(value=0, name="bit_i_idx")
        xi = T.round(self.input)
        fe_xi = self.free_energy(xi)
        xi_flip = T.set_subtensor(xi[:, bit_i_idx], 1 - xi[:, bit_i_idx])
        fe_xi_flip = self.free_energy(xi_flip)
        cost = T.mean(self.n_visible * T.log(T.nnet.sigmoid(fe_xi_flip - fe_xi)))
        updates[bit_i_idx] = (bit_i_idx + 1) % self.n_visible
        return cost

    def get_reconstruction_cost(self, updates, pre_sigmoid_nv):
        return T.mean(
            T.sum(
                self.input * T.log(T.nnet.sigmoid(pre_sigmoid_nv))
                + (1 - self.input) * T.log(1 - T.nnet.sigmoid(pre_sigmoid_nv)),
                axis=1,
            )
        )


index = T.lscalar()
x = T.matrix("x")
persistent_chain = theano.shared(numpy.zeros((20, 40), dtype=theano.config.floatX), borrow=True)
rbm = RBM(input=x)
cost, updates = rbm.get_cost_updates(lr=0.1, persistent=persistent_chain, k=5)
train_rbm = theano.function(
    [index],
    cost,
    updates=updates,
    givens={x: train_set_x[index * 20 : (index + 1) * 20]},
    name="train_rbm",
)
cs = [np.mean([train_rbm(i) for i in range(60)]) for e in range(4)]
print(cs)
assert cs[-1] > cs[0] and persistent_chain.get_value().any()
rbm2 = RBM(input=x)
cost, updates = rbm2.get_cost_updates(lr=0.1, persistent=None, k=1)
t2 = theano.function(
    [index], cost, updates=updates, givens={x: train_set_x[index * 20 : (index + 1) * 20]}
)
cs = [np.mean([t2(i) for i in range(60)]) for e in range(3)]
print(cs)
assert cs[-1] > cs[0]
persistent_vis_chain = theano.shared(
    numpy.asarray(test_set_x.get_value(borrow=True)[:20], dtype=theano.config.floatX)
)
([presig_hids, hid_mfs, hid_samples, presig_vis, vis_mfs, vis_samples], updates) = theano.scan(
    rbm.gibbs_vhv,
    outputs_info=[None, None, None, None, None, persistent_vis_chain],
    n_steps=10,
    name="gibbs_vhv",
)
updates.update({persistent_vis_chain: vis_samples[-1]})
sample_fn = theano.function([], [vis_mfs[-1], vis_samples[-1]], updates=updates, name="sample_fn")
v1, s1 = sample_fn()
v2, s2 = sample_fn()
assert (s1 != s2).any()
