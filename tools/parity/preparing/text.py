"""Fixtures of the vectorizers: vocabularies, counts, weights and hashed columns, in many scripts and on real mails."""

import hashlib
import json
import re
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer

from shapes import dumps, write, write_fixture

ROOT = Path(__file__).resolve().parents[3]

DOCUMENTS = {
    "scripts": [
        "Über Straßen, Äpfel und ÖL: straße ÜBER überall!",
        "Le café naïve à la crème brûlée; l'été où cafe\u0301 et CAFÉ se disent pareil",
        "東京都に住んでいます。東京 は 大きい。我爱北京天安门",
        "안녕하세요 세계 안녕",
        "Привет, МИР! привет мир; Ёлка ёлка",
        "ΟΔΥΣΣΕΥΣ Οδυσσεύς ΣΑΣ σας ΑΣ.Α ς",
        "İstanbul ISTANBUL ıstanbul istanbul",
        "हिन्दी में नमस्ते दुनिया",
        "مرحبا بالعالم ١٢٣ مَرحَبًا",
        "สวัสดีชาวโลก ภาษาไทย",
        "emoji 🙂🙂 go 👩‍👩‍👧 family 🇩🇪 flags 𝒜𝓁𝓅𝒽𝒶 𝟙𝟚𝟛 𐐀𐐨 𠀀𠀁",
        "x² + y² = ½ Ⅷ ⅷ ① 3³ a_b _c_ __ 1_000 ab12",
        "ﬁne ﬂow ｆｕｌｌ ＷＩＤＴＨ Å Å Å ǅ ŉ ẞ ß",
        "tabs\tand\nlines\r\n\u000bvertical\u001cfile\u001funit\u0085next\u00a0hard\u2003em\u3000wide\ufeffbom end",
        "don't stop-words: state-of-the-art e-mail U.S.A. C++ C# x y z",
        "",
        "   \n\t ",
        "a I x",
        "the and of to",
        "\u0301leading mark, e\u0301\u0301 twice, zero\u200bwidth\u200djoin soft\u00adhyphen",
        "ends with astral 𝒵\U0001F600 and \uffee and \uffff before \U00010000",
    ],
    "plain": [
        "the cat sat on the mat", "the dog sat on the log", "cats and dogs are not mats and logs",
        "", "New York is not York, and New York City is a city", "the the the the",
    ],
    "single": ["one document, one word twice: word"],
}


def mails():
    text = (ROOT / "library/src/data/included/mails.ts").read_text(encoding="utf-8")
    body = re.search(r"= `\n(.*)\n`;", text, re.S).group(1)
    body = body.replace("\\`", "`").replace("\\${", "${").replace("\\\\", "\\")
    return [json.loads(line)[1] for line in body.split("\n")]


def camel(key):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), key)


def described(params):
    spelled = {"char_wb": "charWb"}
    return {camel(k): (list(v) if isinstance(v, tuple) else spelled.get(v, v) if isinstance(v, str) else v)
            for k, v in params.items()}


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(part)
    return total.hexdigest()


def whole(X):
    X.sort_indices()
    return {"rows": X.shape[0], "cols": X.shape[1], "indptr": X.indptr.tolist(), "indices": X.indices.tolist(),
            "values": X.data.astype(float).tolist()}


def summary(X):
    """Of a matrix too large to keep: a digest of where its entries are, and every 97th of them."""
    X.sort_indices()
    return {"rows": X.shape[0], "cols": X.shape[1], "nonZeros": int(X.nnz),
            "places": digest(X.indptr.astype("<i4").tobytes(), X.indices.astype("<i4").tobytes()),
            "sample": X.data[::97].astype(float).tolist(), "sum": float(X.data.sum())}


def case(name, cls, documents, new=None, **params):
    """Fitted on `documents`; `new` are transformed too."""
    model = cls(**params)
    large = documents == "mails"
    texts = mails() if large else DOCUMENTS[documents]
    X = model.fit_transform(texts)
    out = {"name": name, "estimator": cls.__name__, "documents": documents, "params": described(params)}
    expected = {"X": (summary if large else whole)(X)}
    if hasattr(model, "get_feature_names_out"):
        names = model.get_feature_names_out().tolist()
        expected["names"] = digest("\n".join(names).encode()) if large else names
    if cls is TfidfVectorizer and params.get("use_idf", True):
        expected["idf"] = model.idf_[::97].tolist() if large else model.idf_.tolist()
    if new is not None:
        out["new"] = new
        expected["newX"] = whole(model.transform(DOCUMENTS[new]))
    return {**out, "expected": expected}


def transformer(name, **params):
    counts = CountVectorizer().fit_transform(DOCUMENTS["plain"])
    model = TfidfTransformer(**params)
    X = model.fit_transform(counts)
    return {"name": name, "estimator": "TfidfTransformer", "documents": "plain", "params": described(params),
            "expected": {"X": whole(X), **({"idf": model.idf_.tolist()} if params.get("use_idf", True) else {})}}


def cases():
    C, T, H = CountVectorizer, TfidfVectorizer, HashingVectorizer
    for documents in ("scripts", "plain", "single"):
        yield case(f"words, {documents}", C, documents)
        yield case(f"tf-idf, {documents}", T, documents, new="plain")
        yield case(f"hashing, {documents}", H, documents)
    for documents in ("scripts", "plain"):
        yield case(f"accents off, {documents}", C, documents, strip_accents="unicode")
        yield case(f"ascii only, {documents}", C, documents, strip_accents="ascii")
        yield case(f"case kept, {documents}", C, documents, lowercase=False)
        yield case(f"one to three words, {documents}", C, documents, ngram_range=(1, 3), new="plain")
        yield case(f"two and three words only, {documents}", C, documents, ngram_range=(2, 3), new="plain")
        yield case(f"one to three characters, {documents}", C, documents, analyzer="char", ngram_range=(1, 3))
        yield case(f"characters in words, {documents}", C, documents, analyzer="char_wb", ngram_range=(2, 5))
        yield case(f"single characters in words, {documents}", C, documents, analyzer="char_wb")
        yield case(f"characters with accents off, {documents}", C, documents, analyzer="char", ngram_range=(2, 2),
                   strip_accents="unicode", lowercase=False)
        yield case(f"words of one character too, {documents}", C, documents, token_pattern=r"(?u)\b\w+\b")
        yield case(f"words between white space, {documents}", C, documents, token_pattern=r"\S+")
        yield case(f"hashed n-grams, {documents}", H, documents, ngram_range=(1, 2), n_features=64, norm=None)
        yield case(f"hashed n-grams without signs, {documents}", H, documents, ngram_range=(2, 3), n_features=1000,
                   alternate_sign=False, norm="l1")
        yield case(f"hashed characters, {documents}", H, documents, analyzer="char_wb", ngram_range=(3, 3),
                   n_features=7, binary=True)
    yield case("a group in the pattern", C, "scripts", token_pattern=r"(\w+)[-'’]")
    yield case("a pattern of letters and digits", C, "scripts", token_pattern=r"[^\W\d_]+|\d+")
    yield case("a pattern with a class of everything but words", C, "scripts", token_pattern=r"[\W]{2,}")
    yield case("a pattern that ignores case", C, "plain", token_pattern=r"(?i)[A-M]\w*", lowercase=False)
    yield case("a pattern with bigrams", C, "plain", token_pattern=r"\b[a-z]+\b", ngram_range=(1, 2), new="plain")
    yield case("a pattern that matches nothing at times", C, "plain", token_pattern=r"x*")
    yield case("English stop words", C, "plain", stop_words="english", ngram_range=(1, 2), new="plain")
    yield case("a list of stop words", C, "scripts", stop_words=["straße", "мир", "and"], ngram_range=(1, 2))
    yield case("hashing with stop words", H, "plain", stop_words="english", ngram_range=(1, 2), n_features=50)
    yield case("stop words for characters do nothing", C, "plain", stop_words=["a"], analyzer="char")
    yield case("in two documents at least", C, "plain", min_df=2)
    yield case("in a third of the documents at most", C, "plain", max_df=1 / 3)
    yield case("in at most two documents", C, "plain", max_df=2)
    yield case("between shares", C, "plain", min_df=0.3, max_df=0.5, ngram_range=(1, 2))
    yield case("the three most frequent", C, "plain", max_features=3)
    yield case("the seven most frequent, with ties", C, "plain", max_features=7, min_df=1)
    yield case("the five most frequent, counted once a document", C, "plain", max_features=5, binary=True)
    yield case("more than there are", C, "plain", max_features=1000)
    yield case("binary", C, "plain", binary=True)
    yield case("a fixed vocabulary", C, "plain", vocabulary=["york", "new york", "cat", "unheard"], ngram_range=(1, 2),
               new="single")
    yield case("a fixed vocabulary, weighed", T, "plain", vocabulary=["york", "the", "cat", "unheard"])
    yield case("tf-idf, l1", T, "plain", norm="l1", new="scripts")
    yield case("tf-idf, no norm", T, "plain", norm=None)
    yield case("tf-idf, not smooth", T, "plain", smooth_idf=False)
    yield case("tf-idf, sublinear", T, "plain", sublinear_tf=True, ngram_range=(1, 2))
    yield case("tf only", T, "plain", use_idf=False)
    yield case("tf-idf, binary", T, "plain", binary=True, norm=None, use_idf=False)
    yield transformer("counts weighed")
    yield transformer("counts weighed, sublinear, l1", sublinear_tf=True, norm="l1")
    yield transformer("counts weighed, not smooth", smooth_idf=False)
    yield transformer("counts, normed only", use_idf=False)
    yield case("mails", C, "mails")
    yield case("mails, two words", C, "mails", ngram_range=(1, 2))
    yield case("mails, characters", C, "mails", analyzer="char_wb", ngram_range=(3, 4), min_df=5)
    yield case("mails, tf-idf", T, "mails", sublinear_tf=True, min_df=2, max_df=0.5, stop_words="english")
    yield case("mails, hashed", H, "mails")


def main():
    write("text-documents.json", dumps(DOCUMENTS) + "\n")
    write_fixture("text", list(cases()))


if __name__ == "__main__":
    main()
