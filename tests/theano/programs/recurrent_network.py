"""A recurrent network over word embeddings."""

import numpy
import numpy as np
import theano
import theano.tensor as T


def rnn():
    nh, nc, ne, de, cs = 20, 4, 10, 5, 3

    def s(*shape):
        return theano.shared(
            name="e",
            value=0.2
            * numpy.random.RandomState(len(shape))
            .uniform(-1.0, 1.0, shape)
            .astype(theano.config.floatX),
        )

    emb = s(ne + 1, de)
    wx = s(de * cs, nh)
    wh = s(nh, nh)
    w = s(nh, nc)
    bh = s(nh)
    b = s(nc)
    h0 = s(nh)
    params = [emb, wx, wh, w, bh, b, h0]
    idxs = T.imatrix()
    x = emb[idxs].reshape((idxs.shape[0], de * cs))
    y_sentence = T.ivector("y_sentence")

    def recurrence(x_t, h_tm1):
        h_t = T.nnet.sigmoid(T.dot(x_t, wx) + T.dot(h_tm1, wh) + bh)
        s_t = T.nnet.softmax(T.dot(h_t, w) + b)
        return [h_t, s_t]

    [h, s_], _ = theano.scan(
        fn=recurrence, sequences=x, outputs_info=[h0, None], n_steps=x.shape[0]
    )
    p_y_given_x_sentence = s_[:, 0, :]
    y_pred = T.argmax(p_y_given_x_sentence, axis=1)
    lr = T.scalar("lr")
    sentence_nll = -T.mean(T.log(p_y_given_x_sentence)[T.arange(x.shape[0]), y_sentence])
    sentence_gradients = T.grad(sentence_nll, params)
    from collections import OrderedDict

    sentence_updates = OrderedDict((p, p - lr * g) for p, g in zip(params, sentence_gradients))
    classify = theano.function(inputs=[idxs], outputs=y_pred)
    sentence_train = theano.function(
        inputs=[idxs, y_sentence, lr], outputs=sentence_nll, updates=sentence_updates
    )
    normalize = theano.function(
        inputs=[], updates={emb: emb / T.sqrt((emb**2).sum(axis=1)).dimshuffle(0, "x")}
    )
    ws = np.array([[0, 1, 2], [1, 2, 3], [2, 3, 4]], dtype="int32")
    ys = np.array([0, 1, 2], dtype="int32")
    for i in range(1500):
        c = sentence_train(ws, ys, 0.5)
    normalize()
    print(c)
    assert c < 0.3 and (classify(ws) == ys).all()


rnn()
