"""SciPy and scikit-learn on tensors, dispatched by the array API; dask over them.

SciPy does so where SCIPY_ARRAY_API is set when it is imported: tools/make_consumers.py sets it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from support.consumers import cube, row, same

import strided


def agree(*programs: Any) -> None:
    """Raise unless programs give tensors for tensors, with the elements that arrays give."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 8))
    for program in programs:
        for view in (a, a[::-1, ::2]):
            same(program(strided.from_numpy(view)), program(view))


@row("scipy", "special: logsumexp, softmax, gammaln, erf, xlogy")
def special() -> None:
    from scipy import special as sp

    agree(
        lambda x: sp.logsumexp(x, axis=1),
        lambda x: sp.softmax(x, axis=0),
        lambda x: sp.gammaln(abs(x) + 1),
        lambda x: sp.erf(x),
        lambda x: sp.xlogy(abs(x), abs(x) + 1),
    )


@row("scipy", "stats: zscore, skew, kurtosis, pearsonr, ttest_1samp, entropy, gmean, sem")
def stats() -> None:
    from scipy import stats as sp

    agree(
        lambda x: sp.zscore(x, axis=0),
        lambda x: sp.skew(x, axis=1),
        lambda x: sp.kurtosis(x, axis=0),
        lambda x: sp.pearsonr(x[0], x[1]).statistic,
        lambda x: sp.ttest_1samp(x, 0.1, axis=0).pvalue,
        lambda x: sp.entropy(abs(x) + 1, axis=0),
        lambda x: sp.gmean(abs(x) + 1, axis=0),
        lambda x: sp.sem(x, axis=1),
    )


@row("scipy", "signal: detrend, convolve, fftconvolve, hilbert; fft: rfft, dct")
def signal() -> None:
    from scipy import fft
    from scipy import signal as sp

    agree(
        lambda x: sp.detrend(x, axis=1),
        lambda x: sp.convolve(x, x),
        lambda x: sp.fftconvolve(x, x, mode="same"),
        lambda x: sp.hilbert(x),
        lambda x: fft.rfft(x, axis=0),
        lambda x: fft.dct(x),
    )


@row("scipy", "cluster.vq: whiten, vq; integrate: trapezoid, cumulative_trapezoid; differentiate")
def others() -> None:
    from scipy import differentiate, integrate
    from scipy.cluster import vq

    agree(
        lambda x: vq.whiten(x),
        lambda x: vq.vq(x, x[:2])[1],
        lambda x: integrate.trapezoid(x, axis=0),
        lambda x: integrate.cumulative_trapezoid(x, axis=0),
        lambda x: differentiate.derivative(lambda t: t * t, x).df,
    )


# ---- scikit-learn ----


def learned(*programs: Any) -> None:
    """Raise unless estimators give for tensors what they give for NumPy's arrays."""
    import sklearn

    rng = np.random.default_rng(1)
    a = rng.normal(size=(80, 5))
    label, target = (a[:, 0] + 0.3 * a[:, 1] > 0).astype("int64"), a @ np.arange(5.0) + 1
    with sklearn.config_context(array_api_dispatch=True):
        for program in programs:
            wanted = program(a, label, target)
            got = program(*map(strided.from_numpy, (a, label, target)))
            if isinstance(wanted, float):
                assert abs(got - wanted) < 1e-12
            else:
                same(got, wanted)


@row("scikit-learn", "PCA (full, covariance_eigh, randomized): fit, transform, inverse_transform")
def components() -> None:
    from sklearn.decomposition import PCA

    def run(solver: str) -> Any:
        options = {"svd_solver": solver, "power_iteration_normalizer": "QR", "random_state": 0}

        def program(x: Any, label: Any, target: Any) -> Any:
            model = PCA(3, **options).fit(x)
            return model.inverse_transform(model.transform(x))

        return program

    learned(run("full"), run("covariance_eigh"), run("randomized"))


@row("scikit-learn", "LinearDiscriminantAnalysis: fit, predict, predict_proba")
def discriminants() -> None:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Model

    learned(
        lambda x, label, target: Model().fit(x, label).predict(x),
        lambda x, label, target: Model().fit(x, label).predict_proba(x),
    )


@row("scikit-learn", "Ridge and RidgeClassifier: fit, predict")
def ridges() -> None:
    from sklearn.linear_model import Ridge, RidgeClassifier

    learned(
        lambda x, label, target: Ridge(solver="svd").fit(x, target).predict(x),
        lambda x, label, target: RidgeClassifier(solver="svd").fit(x, label).predict(x),
    )


@row("scikit-learn", "StandardScaler, MinMaxScaler, Normalizer, train_test_split, metrics")
def preparations() -> None:
    from sklearn.metrics import accuracy_score, mean_squared_error, r2_score
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler

    learned(
        lambda x, label, target: StandardScaler().fit_transform(x),
        lambda x, label, target: MinMaxScaler().fit_transform(x),
        lambda x, label, target: Normalizer().fit_transform(x),
        lambda x, label, target: train_test_split(x, label, random_state=0)[0],
        lambda x, label, target: float(accuracy_score(label, 1 - label)),
        lambda x, label, target: float(r2_score(target, target * 1.1)),
        lambda x, label, target: float(mean_squared_error(target, target * 1.1)),
    )


# ---- dask ----


@row("dask", "from_array, slices, products, reductions, rechunk over chunks that are tensors")
def dask_arrays() -> None:
    import dask.array as da

    x = cube().reshape(4, 6)
    a = x.numpy()
    y = da.from_array(x, chunks=(2, 3), asarray=False)
    same((y.T @ y)[::2].compute(scheduler="sync"), (a.T @ a)[::2])
    same(((y - y.mean(axis=0)) / y.std()).compute(scheduler="sync"), (a - a.mean(0)) / a.std())
    same(y.rechunk((4, 2)).cumsum(axis=1).compute(scheduler="sync"), a.cumsum(1))
