import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CsrMatrix } from "argmax";
import { CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer } from "argmax";
import { loadTexts } from "argmax/datasets";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf } from "../fixtures.js";

interface Whole {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: readonly number[];
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** Of a large matrix: a digest of the places of its entries, and every 97th of them. */
interface Summary {
  readonly rows: number;
  readonly cols: number;
  readonly nonZeros: number;
  readonly places: string;
  readonly sample: readonly number[];
  readonly sum: number;
}

interface TextExpected {
  readonly X: Whole | Summary;
  readonly names?: readonly string[] | string;
  readonly idf?: readonly number[];
  readonly newX?: Whole;
}

interface TextCase {
  readonly name: string;
  readonly estimator: "CountVectorizer" | "TfidfVectorizer" | "HashingVectorizer" | "TfidfTransformer";
  readonly documents: string;
  readonly new?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expected: TextExpected;
}

const documents: Readonly<Record<string, readonly string[]>> = {
  ...JSON.parse(readFileSync(new URL("../fixtures/text-documents.json", import.meta.url), "utf8")),
  mails: (await loadTexts("spam")).texts,
};

// Counts are exact. A weight is a logarithm, a product and a division by the root of a sum of squares; both sides add the
// squares of a row from left to right, so only the logarithm's last bit can differ.
const rounding = 1e-14;

const hex = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const bytesOf = (list: Int32Array) => new Uint8Array(list.buffer, list.byteOffset, list.byteLength);

function expectMatrix(X: CsrMatrix, expected: Whole | Summary): void {
  expect(X.shape).toEqual([expected.rows, expected.cols]);
  if ("places" in expected) {
    expect(X.nonZeros).toBe(expected.nonZeros);
    expect(hex(bytesOf(X.indptr), bytesOf(X.indices))).toBe(expected.places);
    expectClose(
      X.values.filter((_, e) => e % 97 === 0),
      expected.sample,
      rounding,
    );
    return;
  }
  expect([...X.indptr]).toEqual(expected.indptr);
  expect([...X.indices]).toEqual(expected.indices);
  expectClose(X.values, expected.values, rounding);
}

/** The fitted model, from documents as an array and, to show that it makes no difference, as a generator. */
function fitted({ estimator, params, documents: name, expected }: TextCase) {
  const texts = documents[name]!;
  if (estimator === "TfidfTransformer") {
    const counts = new CountVectorizer().fitTransform(texts);
    const model = new TfidfTransformer(params).fit(counts);
    expectMatrix(model.transform(counts), expected.X);
    return { model, transform: undefined };
  }
  function* oneByOne() {
    yield* texts;
  }
  if (estimator === "HashingVectorizer") {
    const model = new HashingVectorizer(params).fit(texts);
    expectMatrix(model.transform(oneByOne()), expected.X);
    return { model, transform: (list: readonly string[]) => model.transform(list) };
  }
  const vectorizer =
    estimator === "CountVectorizer" ? new CountVectorizer(params) : new TfidfVectorizer(params);
  const { model, X } = vectorizer.fitAndTransform(oneByOne());
  expectMatrix(X, expected.X);
  expectMatrix(model.transform(texts), expected.X);
  return { model, transform: (list: readonly string[]) => model.transform(list) };
}

describe("vectorizers are scikit-learn's", () => {
  for (const fixture of casesOf("text") as unknown as readonly TextCase[]) {
    it(`${fixture.estimator}: ${fixture.name}`, () => {
      const { names, idf, newX } = fixture.expected;
      const { model, transform } = fitted(fixture);
      if (names !== undefined && "featureNames" in model) {
        const own = model.featureNames();
        if (typeof names === "string") expect(hex(own.join("\n"))).toBe(names);
        else expect(own).toEqual(names);
      }
      if (idf !== undefined && "idf" in model) {
        const every = fixture.documents === "mails" ? 97 : 1;
        expectClose(
          model.idf!.filter((_, j) => j % every === 0),
          idf,
          rounding,
        );
      }
      if (newX !== undefined) expectMatrix(transform!(documents[fixture.new!]!), newX);
    });
  }
});
