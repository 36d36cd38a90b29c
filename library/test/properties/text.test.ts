import { CountVectorizer, HashingVectorizer, loadModel, saveModel, TfidfVectorizer } from "argmax";
import { describe, expect, it } from "vitest";
import { fc } from "../support/properties.js";

/** Words of a few letters of several scripts, so that they repeat, and documents of them with all kinds of space. */
const letter = fc.constantFrom("a", "b", "B", "é", "ß", "İ", "語", "𝒜", "1", "_");
const word = fc.string({ unit: letter, minLength: 0, maxLength: 4 });
const gap = fc.constantFrom(" ", "\n", ", ", "-", "\u00a0", "🙂");
const document = fc
  .array(fc.tuple(word, gap), { maxLength: 12 })
  .map((list) => list.map(([text, space]) => text + space).join(""));
/** Words of ASCII, up to several blocks of memory long. */
const asciiDocument = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom("a", "b", "B", "z", "1", "_"), maxLength: 20 }),
      fc.constantFrom(" ", "\n", "\0", "[", "`", "{", "@", "/", ":", "-".repeat(50)),
    ),
    { maxLength: 30 },
  )
  .map((list) => list.map(([text, space]) => text + space).join(""));
const documents = fc.array(document, { minLength: 1, maxLength: 6 });
const range = fc.constantFrom<readonly [number, number]>([1, 1], [1, 2], [2, 3], [1, 3]);
/** A document that has a term of any length up to three words. */
const full = "aa bb éé";

/** The same by the letter: a RegExp for words, strings for n-grams, a Map for counts. */
function slowly(text: string, [least, greatest]: readonly [number, number]): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const counts = new Map<string, number>();
  for (let n = least; n <= greatest; n++) {
    for (let i = 0; i + n <= words.length; i++) {
      const term = words.slice(i, i + n).join(" ");
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

describe("CountVectorizer", () => {
  it("counts what a RegExp and a Map count", () => {
    fc.assert(
      fc.property(documents, range, (list, ngramRange) => {
        const texts = [full, ...list];
        const { model, X } = new CountVectorizer({ ngramRange }).fitAndTransform(texts);
        const names = model.featureNames();
        texts.forEach((text, i) => {
          const from = X.indptr[i]!;
          const own = new Map<string, number>();
          for (let e = from; e < X.indptr[i + 1]!; e++) own.set(names[X.indices[e]!]!, X.values[e]!);
          expect(own).toEqual(
            new Map([...slowly(text, ngramRange)].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))),
          );
        });
      }),
    );
  });

  it("gives in transform what fitAndTransform gave, also after saving", () => {
    fc.assert(
      fc.property(
        fc.oneof(documents, fc.array(asciiDocument, { minLength: 1, maxLength: 6 })),
        range,
        fc.constantFrom("word" as const, "char" as const, "charWb" as const),
        fc.record({
          stopWords: fc.constantFrom(null, ["aab", "bb", "éa"]),
          tokenPattern: fc.constantFrom("\\w\\w+", "\\w+", "\\w{3,}", "[a-z]+"),
          lowercase: fc.boolean(),
          binary: fc.boolean(),
        }),
        (list, ngramRange, analyzer, others) => {
          const texts = ["aaa zzz _1z bbb éé", ...list];
          const { model, X } = new CountVectorizer({ ...others, ngramRange, analyzer }).fitAndTransform(
            texts,
          );
          expect(model.transform(texts)).toEqual(X);
          expect(loadModel(saveModel(model), CountVectorizer).transform(texts)).toEqual(X);
        },
      ),
    );
  });

  it("doubles the counts of a document that is there twice in a row", () => {
    fc.assert(
      fc.property(document, (text) => {
        const model = new CountVectorizer().fit([full, text]);
        const [once, twice] = model
          .transform([text, `${text} ${text}`])
          .toDense()
          .toArray();
        expect(twice).toEqual(once!.map((count) => 2 * count));
      }),
    );
  });
});

describe("TfidfVectorizer", () => {
  it("makes rows of length 1, or of zeros", () => {
    fc.assert(
      fc.property(documents, (list) => {
        const X = new TfidfVectorizer().fitTransform([full, ...list]);
        for (const row of X.toDense().toArray()) {
          const length = row.reduce((sum, value) => sum + value * value, 0);
          expect(length === 0 || Math.abs(length - 1) < 1e-12).toBe(true);
        }
      }),
    );
  });
});

describe("HashingVectorizer", () => {
  it("adds up the columns of a CountVectorizer", () => {
    fc.assert(
      fc.property(documents, range, (list, ngramRange) => {
        const texts = [full, ...list];
        const hashed = new HashingVectorizer({ ngramRange, nFeatures: 8, norm: null, alternateSign: false })
          .fit(texts)
          .transform(texts);
        const counted = new CountVectorizer({ ngramRange }).fitTransform(texts);
        const sums = (X: typeof hashed) =>
          X.toDense()
            .toArray()
            .map((row) => row.reduce((sum, value) => sum + value, 0));
        expect(sums(hashed)).toEqual(sums(counted));
      }),
    );
  });
});
