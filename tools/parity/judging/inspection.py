"""Partial dependence and individual curves, against scikit-learn's brute force."""

from sklearn.inspection import partial_dependence
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from shapes import included, write_fixture


def case(name, model, data, features, resolution, percentiles=(0.05, 0.95)):
    model.fit(data.X, data.y)
    kind = "both" if len(features) == 1 else "average"
    found = partial_dependence(model, data.X, features, grid_resolution=resolution, percentiles=percentiles,
                               method="brute", kind=kind, response_method="auto")
    average = found["average"].reshape(found["average"].shape[0], -1)
    expected = {"grid": [list(values) for values in found["values"]], "average": average}
    if kind == "both":
        # The first output, three rows.
        expected["individual"] = found["individual"][0][:3]
    params = {"features": list(features), "gridResolution": resolution, "percentiles": list(percentiles)}
    estimator = type(model).__name__
    return {"name": f"{estimator}: {name}", "estimator": estimator, "data": data.spec, "params": params,
            "oracle": "scikit-learn", "weighted": False, "expected": expected}


def main():
    diabetes, iris = included("diabetes"), included("iris")
    cancer = included("breastCancer")
    write_fixture("inspection", [
        case("diabetes, bmi", LinearRegression(), diabetes, [2], 10),
        case("diabetes, bmi", KNeighborsRegressor(), diabetes, [2], 12),
        case("diabetes, two values", KNeighborsRegressor(), diabetes, [1], 100),
        case("diabetes, bmi and s5", KNeighborsRegressor(), diabetes, [2, 8], 5),
        case("diabetes, all of bmi", KNeighborsRegressor(), diabetes, [2], 7, (0.0, 1.0)),
        case("iris, petal length", GaussianNB(), iris, [2], 8, (0.1, 0.8)),
        case("breast cancer, two classes", GaussianNB(), cancer, [0], 6),
    ])


if __name__ == "__main__":
    main()
