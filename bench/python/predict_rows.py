"""Rows per second of pandas.read_csv, predict and to_csv; see src/cli/predict-rows.ts.

predict_rows.py fit logistic|forest TRAINING.csv MODEL
predict_rows.py predict MODEL DATA.csv OUT.csv      prints {"seconds": …} of the work, imports and loading not included
"""

import json
import pickle
import sys
import time

import pandas as pd


def fit(family, training, path):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(n_estimators=100, max_depth=10, random_state=0, n_jobs=-1),
    }
    table = pd.read_csv(training)
    model = models[family].fit(table.drop(columns="y"), table["y"])
    with open(path, "wb") as f:
        pickle.dump(model, f)


def predict(path, data, out):
    with open(path, "rb") as f:
        model = pickle.load(f)
    started = time.perf_counter()
    predictions = model.predict(pd.read_csv(data))
    pd.DataFrame({"prediction": predictions}).to_csv(out, index=False)
    print(json.dumps({"seconds": time.perf_counter() - started}))


{"fit": fit, "predict": predict}[sys.argv[1]](*sys.argv[2:])
