import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { heap } from "../numeric/runtime/heap.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer } from "./index.js";

const dense = (X: { toDense(): { toArray(): number[][] } }) => X.toDense().toArray();

describe("CountVectorizer", () => {
  it("counts words, columns in alphabetical order", () => {
    const { model, X } = new CountVectorizer().fitAndTransform(["b a b", "bb ab bb ab", "ab"]);
    expect(model.featureNames()).toEqual(["ab", "bb"]);
    expect(dense(X)).toEqual([
      [0, 0],
      [2, 2],
      [1, 0],
    ]);
    expect(model.vocabulary.get("bb")).toBe(1);
    expect(model.nFeatures).toBe(2);
  });

  it("sorts by code point, where UTF-16 would put 𝒜 before ﬁ", () => {
    const words = ["𝒜𝒜", "ﬁﬁ", "zz", "éé"];
    expect(new CountVectorizer().fit([words.join(" ")]).featureNames()).toEqual(["zz", "éé", "ﬁﬁ", "𝒜𝒜"]);
    expect([...words].sort()).not.toEqual(["zz", "éé", "ﬁﬁ", "𝒜𝒜"]);
  });

  it("removes stop words before it makes n-grams", () => {
    const vectorizer = new CountVectorizer({ stopWords: ["the"], ngramRange: [2, 2] });
    expect(vectorizer.fit(["over the lazy dog"]).featureNames()).toEqual(["lazy dog", "over lazy"]);
  });

  it("drops stop words of texts in ASCII and in other scripts alike", () => {
    const options = { stopWords: ["the", "très"], ngramRange: [1, 2] } as const;
    const model = new CountVectorizer(options).fit(["over lazy dog é"]);
    expect(model.featureNames()).toEqual(["dog", "lazy", "lazy dog", "over", "over lazy"]);
    expect(dense(model.transform(["over the lazy dog", "é: over the très lazy dog"]))).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1],
    ]);
  });

  it("can be used while it reads its documents, and for several lists of documents at a time", async () => {
    const model = new CountVectorizer().fit(["aa bb cc"]);
    const inner: number[][][] = [];
    const documents = function* () {
      for (const text of ["aa aa", "bb", "é cc"]) {
        inner.push(dense(model.transform([`${text} cc`, ""])));
        yield text;
      }
    };
    expect(dense(model.transform(documents()))).toEqual([
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(inner.map(([first]) => first)).toEqual([
      [2, 0, 1],
      [0, 1, 1],
      [0, 0, 2],
    ]);
    const [one, other] = await Promise.all([
      model.transformAsync(["aa", "bb"]),
      model.transformAsync(["cc", "cc cc"]),
    ]);
    expect([dense(one), dense(other)]).toEqual([
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [0, 0, 1],
        [0, 0, 2],
      ],
    ]);
  });

  it("leaves no kernel memory behind where documents of a fixed vocabulary are refused", () => {
    const vectorizer = new CountVectorizer({ vocabulary: ["aa"] });
    const before = heap().bytesInUse;
    expect(() => vectorizer.fit(["aa", 3 as never])).toThrow("documents[1]");
    expect(heap().bytesInUse).toBe(before);
  });

  it("returns matrices that later documents do not change", () => {
    const model = new CountVectorizer().fit(["aa bb cc"]);
    const first = model.transform(["aa bb", "cc"]);
    const before = dense(first);
    model.transform(["cc cc", "aa aa bb", "cc"]);
    expect(dense(first)).toEqual(before);
  });

  it("takes words from a tokenizer and text from a preprocessor", () => {
    const tokenizer = (text: string) => text.split("|");
    const preprocessor = (text: string) => text.replaceAll("-", "|");
    const model = new CountVectorizer({ tokenizer, preprocessor, ngramRange: [1, 2] }).fit(["A b-C", "C"]);
    expect(model.featureNames()).toEqual(["A b", "A b C", "C"]);
    expect(dense(model.transform(["C-C|A b"]))).toEqual([[1, 0, 2]]);
  });

  it("joins words with a space even where words have spaces: “a b” and “c” make what “a” and “b c” make", () => {
    const tokenizer = (text: string) => text.split("|");
    const model = new CountVectorizer({ tokenizer, ngramRange: [2, 2] }).fit(["a b|c", "a|b c"]);
    expect(model.featureNames()).toEqual(["a b c"]);
  });

  it("says what is wrong with what a function returns", () => {
    const wrong = { tokenizer: () => [1] as never, preprocessor: null };
    expect(() => new CountVectorizer(wrong).fit(["a"])).toThrow(
      "tokenizer: every word must be a string, got 1.",
    );
    const missing = { preprocessor: () => undefined as never };
    expect(() => new CountVectorizer(missing).fit(["a"])).toThrow(
      "preprocessor: its result must be a string, got undefined.",
    );
  });

  it("refuses patterns that are not regular expressions, or have two groups", () => {
    const fit = (tokenPattern: string) => () => new CountVectorizer({ tokenPattern }).fit(["a"]);
    expect(fit("(")).toThrow(ParameterError);
    expect(fit("(a)(b)")).toThrow(/tokenPattern must be a pattern with at most one capturing group, got 2/);
    expect(fit("(?x) a")).toThrow(/tokenPattern must be a regular expression/);
  });

  it("reads a dot as Python does: any character but \\n", () => {
    const model = new CountVectorizer({ tokenPattern: "a." }).fit(["a\ra\na\u2028ab"]);
    expect(model.featureNames()).toEqual(["a\r", "ab", "a\u2028"]);
    expect(new CountVectorizer({ tokenPattern: "(?s)a." }).fit(["a\n"]).featureNames()).toEqual(["a\n"]);
    expect(new CountVectorizer({ tokenPattern: "[.]" }).fit(["a.b"]).featureNames()).toEqual(["."]);
  });

  it("says why there is no vocabulary", () => {
    const fit = (params: object, documents: string[]) => () => new CountVectorizer(params).fit(documents);
    expect(fit({}, ["", " "])).toThrow("CountVectorizer.fit: the vocabulary must be not empty, got no term");
    expect(fit({ stopWords: "english" }, ["the and of"])).toThrow(/stop words only/);
    expect(fit({ minDf: 3 }, ["aa bb", "aa cc"])).toThrow(DataError);
    expect(fit({ minDf: 2, maxDf: 0.5 }, ["aa bb", "aa cc"])).toThrow(/maxDf must be at least minDf/);
    expect(fit({ minDf: 0.9 }, ["aa bb", "cc"])).toThrow(/Lower minDf or raise maxDf/);
  });

  it("takes maxDf 1 for all documents and minDf 1 for one of them", () => {
    const documents = ["aa bb", "aa cc"];
    expect(new CountVectorizer({ maxDf: 1, minDf: 1 }).fit(documents).featureNames()).toEqual([
      "aa",
      "bb",
      "cc",
    ]);
    expect(new CountVectorizer({ minDf: 2 }).fit(documents).featureNames()).toEqual(["aa"]);
    expect(new CountVectorizer({ maxDf: 0.5 }).fit(documents).featureNames()).toEqual(["bb", "cc"]);
  });

  it("keeps the order of a fixed vocabulary, learns nothing, and saves it among its parameters", () => {
    const model = new CountVectorizer({ vocabulary: ["zz", "aa", "zz aa"], ngramRange: [1, 2] }).fit([""]);
    expect(dense(model.transform(["zz aa zz mm aa"]))).toEqual([[2, 2, 1]]);
    expect(model.toState().tensors).toEqual({});
    expect(dense(loadModel(saveModel(model), CountVectorizer).transform(["aa"]))).toEqual([[0, 1, 0]]);
    expect(() => new CountVectorizer({ vocabulary: ["a", "a"] })).toThrow(/distinct strings/);
    expect(() => new CountVectorizer({ vocabulary: [] })).toThrow(/one or more distinct/);
  });

  it("refuses a fixed vocabulary with a term that no document can have", () => {
    const fit = (params: object) => () => new CountVectorizer(params);
    expect(fit({ vocabulary: ["cat", "Dog"] })).toThrow(
      'CountVectorizer: vocabulary[1] must be a term that documents can have with lowercase: true, got "Dog". They have "dog"; lowercase: false keeps capitals.',
    );
    expect(() => new TfidfVectorizer({ vocabulary: ["Dog"] })).toThrow(ParameterError);
    expect(fit({ vocabulary: ["naïve"], stripAccents: "unicode" })).toThrow(/They have "naive"/);
    expect(fit({ vocabulary: ["e-mail"] })).toThrow(/This text itself has "mail"\./);
    expect(fit({ vocabulary: ["new york"] })).toThrow(/This text itself has "new", "york"\./);
    expect(fit({ vocabulary: ["york"], ngramRange: [2, 2] })).toThrow(/This text itself has no terms\./);
    expect(fit({ vocabulary: ["the"], stopWords: "english" })).toThrow(/This text itself has no terms\./);
    expect(fit({ vocabulary: ["a b"], analyzer: "charWb", ngramRange: [3, 3] })).toThrow(/" a ", " b "\./);
  });

  it("takes any vocabulary that it could have learned, and believes the caller's own functions", () => {
    const documents = [
      "New York, e-mail: naïve ΟΔΟΣ ℋ𝐇ello İstanbul",
      "a\tb  c\u00a0 the\ud800 ﬁnd ½ ΟΔΟΣ'Α",
    ];
    for (const analyzer of ["word", "char", "charWb"] as const)
      for (const stripAccents of [null, "ascii", "unicode"] as const)
        for (const lowercase of [true, false])
          for (const ngramRange of [
            [1, 1],
            [2, 5],
          ] as const) {
            const params = { analyzer, stripAccents, lowercase, ngramRange };
            const { model, X } = new CountVectorizer(params).fitAndTransform(documents);
            const again = new CountVectorizer({ ...params, vocabulary: model.featureNames() });
            expect(again.fitTransform(documents)).toEqual(X);
          }
    const vocabulary = ["Dog", "e-mail", "a"];
    const tokenizer = (text: string) => text.split(" ");
    expect(() => new CountVectorizer({ vocabulary, tokenizer, lowercase: false })).not.toThrow();
    const found = { vocabulary: ["dog"], tokenPattern: "(?<=#)\\w+" };
    expect(dense(new CountVectorizer(found).fitTransform(["#dog dog"]))).toEqual([[1]]);
    const preprocessor = (text: string) => text.toUpperCase();
    expect(dense(new CountVectorizer({ vocabulary: ["DOG"], preprocessor }).fitTransform(["dog"]))).toEqual([
      [1],
    ]);
  });

  it("gives back the words of each row", () => {
    const { model, X } = new CountVectorizer().fitAndTransform(["to be or not to be", ""]);
    expect(model.inverseTransform(X)).toEqual([["be", "not", "or", "to"], []]);
    expect(model.inverseTransform([[0, 1, 0, 2]])).toEqual([["not", "to"]]);
  });

  it("counts a document of a million words", () => {
    const X = new CountVectorizer({ ngramRange: [1, 2] }).fitTransform(["ab cd ".repeat(500_000)]);
    expect([...X.values]).toEqual([500_000, 500_000, 500_000, 499_999]);
  });

  it("takes a lone surrogate for the character that stands for none", () => {
    const model = new CountVectorizer({ analyzer: "char" }).fit(["a\ud800b"]);
    expect(model.featureNames()).toEqual(["a", "b", "\ufffd"]);
    expect(loadModel(saveModel(model), CountVectorizer).featureNames()).toEqual(model.featureNames());
  });

  it("may be asked again while the documents are still coming", () => {
    const model = new CountVectorizer().fit(["aa bb"]);
    function* documents() {
      for (const text of ["aa", "bb bb"]) {
        expect(model.transform([text, "aa"]).rows).toBe(2);
        yield text;
      }
    }
    expect(dense(model.transform(documents()))).toEqual([
      [1, 0],
      [0, 2],
    ]);
  });

  it("learns from documents that arrive one after the other", async () => {
    async function* lines() {
      yield "aa bb";
      yield "bb";
    }
    const { model, X } = await new CountVectorizer().fitAndTransformAsync(lines());
    expect(model.featureNames()).toEqual(["aa", "bb"]);
    expect(dense(X)).toEqual([
      [1, 1],
      [0, 1],
    ]);
    await expect(new TfidfVectorizer().fitAndTransformAsync([])).rejects.toThrow(/one or more, got none/);
  });

  it("stops when its signal fires", () => {
    const controller = new AbortController();
    function* endless() {
      for (let i = 0; ; i++) {
        if (i === 5000) controller.abort();
        yield "word";
      }
    }
    const fit = () => new CountVectorizer().fit(endless(), undefined, { signal: controller.signal });
    expect(fit).toThrow(/aborted/);
  });

  it("says what is wrong with what a tokenizer gives", () => {
    for (const words of [undefined, 7, "no split"]) {
      const vectorizer = new CountVectorizer({ tokenizer: () => words as never });
      expect(() => vectorizer.fit(["a b"])).toThrow(
        "tokenizer: its result must be an array (or another iterable) of words",
      );
    }
  });
});

describe("TfidfTransformer", () => {
  it("weighs by log((n + 1) / (df + 1)) + 1 and makes rows of length 1", () => {
    const { idf } = new TfidfTransformer().fit([
      [1, 1],
      [0, 2],
    ]);
    expect([...idf!]).toEqual([expect.closeTo(Math.log(3 / 2) + 1, 14), 1]);
    const Z = new TfidfTransformer({ useIdf: false }).fitTransform([[3, 4]]);
    expect(Z.toArray()).toEqual([[0.6, 0.8]]);
  });

  it("refuses an infinite weight, and logarithms of negative values", () => {
    const counts = [
      [1, 0],
      [1, 0],
    ];
    expect(() => new TfidfTransformer({ smoothIdf: false }).fit(counts)).toThrow(
      /column 1 must be in at least one document, since smoothIdf is false/,
    );
    const model = new TfidfTransformer({ sublinearTf: true }).fit([[1, 2]]);
    expect(() => model.transform([[1, -2]])).toThrow(/row 0 must be free of negative values/);
    expect(model.transform([[0, 0]]).toArray()).toEqual([[0, 0]]);
  });

  it("refuses numbers that times their weight do not fit a double", () => {
    const model = new TfidfTransformer().fit([
      [1, 0],
      [0, 1],
    ]);
    expect(() => model.transform([[1.7e308, 1]])).toThrow(
      "TfidfTransformer.transform: row 0 must be free of numbers that times their idf exceed 1.8e308, got Infinity.",
    );
  });

  it("makes rows of length 1 of values whose squares are not finite", () => {
    for (const size of [1e-200, 1e200]) {
      const [row] = new TfidfTransformer({ useIdf: false }).fitTransform([[3 * size, 4 * size]]).toArray();
      expect(row![0]).toBeCloseTo(0.6, 14);
      expect(row![1]).toBeCloseTo(0.8, 14);
    }
  });
});

describe("HashingVectorizer", () => {
  it("reads nothing in fit, and needs nothing", () => {
    const model = new HashingVectorizer({ nFeatures: 16, norm: null, alternateSign: false }).fit();
    expect(model.nFeatures).toBe(16);
    expect(dense(model.transform(["aa aa", ""])).map((row) => row.reduce((sum, v) => sum + v, 0))).toEqual([
      2, 0,
    ]);
  });

  it("works with every choice in its table, finite and the same after saving", () => {
    const documents = ["Ada byte CODE data", "Émile fünf 日本", ""];
    for (const params of [
      { norm: "l1" },
      { norm: null },
      { binary: true },
      { alternateSign: false },
      { lowercase: false },
      { stripAccents: "unicode" },
      { stripAccents: "ascii" },
      { analyzer: "char", ngramRange: [1, 3] },
      { analyzer: "charWb" },
      { stopWords: "english" },
      { nFeatures: 1 },
      { nFeatures: 2 ** 31 - 1 },
    ] as const) {
      const model = new HashingVectorizer(params).fit(documents);
      const X = model.transform(documents);
      expect(X.values.every(Number.isFinite)).toBe(true);
      expect(loadModel(saveModel(model), HashingVectorizer).transform(documents)).toEqual(X);
    }
  });
});
