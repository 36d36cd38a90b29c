"""Import and first prediction of a fresh process: from the first line to a prediction by a saved model."""

import time

STARTED = time.perf_counter()
import json  # noqa: E402
import pickle  # noqa: E402
import sys  # noqa: E402

with open(sys.argv[1], "rb") as f:
    MODEL = pickle.load(f)  # imports scikit-learn
PREDICTION = MODEL.predict([json.loads(sys.argv[2])])
print(json.dumps({"seconds": time.perf_counter() - STARTED, "prediction": float(PREDICTION[0])}))
