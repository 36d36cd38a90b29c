"""Fixtures of RobustScaler, MaxAbsScaler, PowerTransformer and QuantileTransformer."""

import numpy as np
from sklearn.preprocessing import MaxAbsScaler, PowerTransformer, QuantileTransformer, RobustScaler

from certify import dense
from shapes import included, sample_rows, synthetic, write_fixture

NAMES = {"with_centering": "withCentering", "with_scaling": "withScaling", "quantile_range": "quantileRange",
         "unit_variance": "unitVariance", "n_quantiles": "nQuantiles", "output_distribution": "outputDistribution"}
VALUES = {"yeo-johnson": "yeoJohnson", "box-cox": "boxCox"}


def case(name, Class, data, **params):
    model = Class(**params, **({"subsample": 10**9} if Class is QuantileTransformer else {})).fit(data.X)
    rows = sample_rows(data.X.shape[0], 8)
    learned = {"center": getattr(model, "center_", None), "scale": getattr(model, "scale_", None),
               "lambdas": getattr(model, "lambdas_", None)}
    Z = model.transform(data.X)
    expected = {"rows": rows, "transform": dense(Z)[rows], "inverse": dense(model.inverse_transform(Z))[rows],
                **{key: value for key, value in learned.items() if value is not None}}
    ours = {NAMES.get(k, k): VALUES.get(v, v) if isinstance(v, str) else v for k, v in params.items()}
    return {"name": name, "estimator": Class.__name__, "oracle": "scikit-learn", "data": data.spec, "params": ours,
            "weighted": False, "expected": expected}


def main():
    wine, cancer, digits = included("wine"), included("breastCancer"), included("digits")
    tall, bad, sparse = (synthetic(s, "number") for s in ("tall", "badlyScaled", "sparse"))
    write_fixture("scalers", [
        case("robust, wine", RobustScaler, wine),
        case("robust, digits, constant columns", RobustScaler, digits),
        case("robust, deciles, unit variance", RobustScaler, bad, quantile_range=(10.0, 90.0), unit_variance=True),
        case("robust, center only", RobustScaler, tall, with_scaling=False),
        case("robust, sparse", RobustScaler, sparse, with_centering=False, quantile_range=(1.0, 95.0)),
        case("max-abs, wine", MaxAbsScaler, wine),
        case("max-abs, digits", MaxAbsScaler, digits),
        case("max-abs, sparse", MaxAbsScaler, sparse),
        case("yeo-johnson, tall", PowerTransformer, tall),
        case("yeo-johnson, cancer", PowerTransformer, cancer),
        case("yeo-johnson, wine, plain", PowerTransformer, wine, standardize=False),
        case("box-cox, wine", PowerTransformer, wine, method="box-cox"),
        case("quantiles, tall", QuantileTransformer, tall, n_quantiles=240),
        case("quantiles, wine, twenty", QuantileTransformer, wine, n_quantiles=20),
        case("quantiles, digits, ties", QuantileTransformer, digits, n_quantiles=100),
        case("quantiles, tall, normal", QuantileTransformer, tall, n_quantiles=50, output_distribution="normal"),
        case("quantiles, digits, normal", QuantileTransformer, digits, n_quantiles=1000, output_distribution="normal"),
    ])


if __name__ == "__main__":
    main()
