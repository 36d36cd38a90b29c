"""The twelve models of `argmax compare` in scikit-learn: FILE TARGET [DROPPED,COLUMNS]. Prints name and mean accuracy."""

import sys
import warnings

import numpy
import pandas
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")
path, target, dropped = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
table = pandas.read_csv(path)
table = table.drop(columns=[name for name in dropped.split(",") if name])
y = table.pop(target)

numbers = [name for name in table if table[name].dtype.kind in "ifb"]
words = [name for name in table if name not in numbers]
few = [name for name in words if table[name].nunique() <= 40]
texts = [name for name in words if name not in few]
for name in texts:
    table[name] = table[name].fillna("")
parts = [("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers)]
if few:
    encoder = OneHotEncoder(handle_unknown="ignore", min_frequency=0.005, sparse_output=False)
    parts.append(("categories", make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"), encoder), few))
for name in texts:
    parts.append((name, TfidfVectorizer(max_features=300), name))

models = [
    MLPClassifier(random_state=0),
    HistGradientBoostingClassifier(random_state=0),
    AdaBoostClassifier(random_state=0),
    ExtraTreesClassifier(random_state=0),
    RandomForestClassifier(random_state=0),
    DecisionTreeClassifier(max_depth=6, random_state=0),
    SVC(),
    KNeighborsClassifier(),
    GaussianNB(),
    LinearDiscriminantAnalysis(),
    LinearSVC(random_state=0),
    LogisticRegression(),
]
# `argmax compare` leaves it out as well: its time grows faster than the rows.
if len(table) > 20_000:
    models = [model for model in models if not isinstance(model, SVC)]
folds = StratifiedKFold(5, shuffle=True, random_state=0)
for model in models:
    prepare = ColumnTransformer(parts, sparse_threshold=0)
    scores = cross_val_score(make_pipeline(prepare, model), table, y, cv=folds, n_jobs=2)
    print(type(model).__name__, numpy.mean(scores).round(4))
