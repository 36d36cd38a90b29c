"""scikit-learn behind FastAPI: the same models on the same data and the same JSON as `argmax serve`.

    python3 serve_sklearn.py DATA.json PORT

Written as a careful user would: rows are validated by pydantic, answers skip FastAPI's encoder, small requests are answered on the
event loop (twice as fast as in a thread), large ones in a thread (`/batch`), so that they do not block it. Labels come from the
probabilities, which are computed once.
"""

import json
import sys
from typing import List

import numpy as np
import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

data_path, port = sys.argv[1], int(sys.argv[2])
with open(data_path, encoding="utf-8") as file:
    data = json.load(file)
X, y = np.array(data["iris"]["X"]), data["iris"]["y"]
mails = data["mails"]

models = {
    "iris": make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y),
    "forest": RandomForestClassifier(n_estimators=100, random_state=0).fit(X, y),
    "mails": make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(mails["texts"], mails["y"]),
    "mlp": make_pipeline(
        StandardScaler(), MLPClassifier(hidden_layer_sizes=(64, 64), max_iter=500, random_state=0)
    ).fit(X, y),
}


class Numbers(BaseModel):
    rows: List[List[float]]


class Texts(BaseModel):
    rows: List[str]


def answer(name, rows):
    model = models[name]
    probabilities = model.predict_proba(rows)
    classes = model.classes_.tolist()
    best = probabilities.argmax(axis=1)
    predictions = [
        {"label": classes[k], "probabilities": dict(zip(classes, row))}
        for k, row in zip(best.tolist(), probabilities.tolist())
    ]
    return JSONResponse({"model": name, "version": "1", "predictions": predictions})


app = FastAPI()


@app.post("/v1/models/mails/predict")
async def predict_texts(body: Texts):
    return answer("mails", body.rows)


@app.post("/v1/models/{name}/predict")
async def predict(name: str, body: Numbers):
    return answer(name, np.array(body.rows))


@app.post("/v1/models/{name}/batch")
def predict_batch(name: str, body: Numbers):
    return answer(name, np.array(body.rows))


@app.get("/healthz")
async def health():
    return {"status": "ok"}


uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
