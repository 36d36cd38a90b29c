import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Packer, unpackMatrix } from "../background/messages.js";
import { Random } from "../core/numbers/random.js";
import { KFold } from "../data/splitters/k-fold.js";
import { BooleanColumn, type Column, DateColumn, NumericColumn, TextColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { LinearSVC, LogisticRegression } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { crossValidate } from "../selection/index.js";
import { TfidfVectorizer } from "../text/index.js";
import type { FittedTableVectorizer } from "./fitted-table-vectorizer.js";
import { tableVectorizer } from "./index.js";

const treatments = (model: FittedTableVectorizer) =>
  model.choices.map(
    ({ column, treatment, reason }) =>
      `${column}: ${treatment}, ${reason.replace(/, \d+ of \d+ missing/, "")}`,
  );

/** Texts of two classes whose words differ, though every class has few different texts. */
const praise = ["good and nice", "nice film", "very good", "good, good"];
const blame = ["bad and dull", "dull film", "very bad", "bad, bad"];

describe("what a column holds is decided on the whole table", () => {
  it("a text column stays text, however few of its entries differ", () => {
    const random = new Random(1);
    for (const distinct of [2, 8, 40, 41, 60]) {
      const pool = Array.from({ length: distinct }, (_, k) => `${(k % 2 ? blame : praise)[k % 4]} ${k}`);
      const rows = Array.from({ length: 120 }, () => random.below(distinct));
      const table = Table.fromColumns({ review: new TextColumn(rows.map((k) => pool[k]!)) });
      const { choices } = tableVectorizer().fit(table);
      expect(choices.map(({ treatment }) => treatment)).toEqual(["texts"]);
    }
  });

  it("text of single words is a column of codes: its vocabulary would be the list of its entries", () => {
    const codes = (distinct: number) =>
      new TextColumn(
        Array.from({ length: 200 }, (_, i) => (i % 9 === 0 ? `PC ${i % distinct}` : `C${i % distinct}`)),
      );
    const choice = (column: TextColumn) =>
      tableVectorizer().fit(
        Table.fromColumns({ code: column, size: Array.from({ length: 200 }, (_, i) => i * i) }),
        Array.from({ length: 200 }, (_, i) => i % 2),
      ).choices[0]!.treatment;
    expect(choice(codes(7))).toBe("categories");
    expect(choice(codes(90))).toBe("manyCategories");
    expect(choice(codes(200))).toBe("drop");
    expect(choice(new TextColumn(Array.from({ length: 200 }, (_, i) => `see C${i % 7}`)))).toBe("texts");
  });

  it("texts that no training fold has seen are read by their words: 1.0, as tf-idf has it", () => {
    const texts = Array.from({ length: 36 }, (_, i) => `${(i % 2 ? blame : praise)[i % 4]} number${i}`);
    const y = texts.map((_, i) => (i % 2 ? "bad" : "good"));
    const table = Table.fromColumns({ review: new TextColumn(texts) });
    const { testScore } = crossValidate(pipeline(tableVectorizer(), new LinearSVC()), table, y, { cv: 4 });
    const tfidf = crossValidate(pipeline(new TfidfVectorizer(), new LinearSVC()), texts, y, { cv: 4 });
    expect([...testScore]).toEqual([...tfidf.testScore]);
    expect(Math.min(...testScore)).toBe(1);
  });

  it("every kind of column in every fold as in the whole table, in a worker too", () => {
    const cells: Record<string, (random: Random, n: number) => Column | (string | null)[]> = {
      numbers: (random, n) => new NumericColumn(Float64Array.from({ length: n }, () => random.below(4))),
      counts: (_, n) => new NumericColumn(Float64Array.from({ length: n }, (_, i) => 7 + i)),
      flags: (random, n) =>
        new BooleanColumn(Uint8Array.from({ length: n }, (_, i) => (i === 0 ? 1 : random.below(2)))),
      rareFlag: (_, n) => new BooleanColumn(Uint8Array.from({ length: n }, (_, i) => (i === 3 ? 1 : 0))),
      dates: (random, n) => new DateColumn(Float64Array.from({ length: n }, () => 864e5 * random.below(900))),
      few: (random, n) => Array.from({ length: n }, () => `c${random.below(3)}`),
      gaps: (random, n) => Array.from({ length: n }, (_, i) => (i % 3 ? `c${random.below(3)}` : null)),
      border: (random, n) => Array.from({ length: n }, () => `c${random.below(42)}`),
      many: (random, n) => Array.from({ length: n }, () => `c${random.below(n >> 1)}`),
      unique: (_, n) => Array.from({ length: n }, (_, i) => `c${i}`),
      nearlyUnique: (_, n) => Array.from({ length: n }, (_, i) => `c${i - (i % 13 === 0 ? 1 : 0)}`),
      prose: (random, n) => Array.from({ length: n }, (_, i) => `${praise[random.below(4)]} of ${i}`),
      text: (random, n) => new TextColumn(Array.from({ length: n }, () => blame[random.below(4)]!)),
      codes: (_, n) => new TextColumn(Array.from({ length: n }, (_, i) => `c${i}`)),
    };
    const names = Object.keys(cells);
    const check = (n: number, seed: number, chosen: readonly string[]) => {
      const random = new Random(seed);
      const entries = ["few", ...chosen].map((name) => [name, cells[name]!(random, n)] as const);
      const table = Table.fromColumns(new Map(entries as [string, Column][]));
      const y = Array.from({ length: n }, (_, i) => i % 2);
      const whole = treatments(tableVectorizer().fit(table, y));
      for (const { train } of new KFold({ nSplits: 3 }).split(table)) {
        const fold = table.selectRows(train);
        const target = Array.from(train, (i) => y[i]!);
        expect(treatments(tableVectorizer().fit(fold, target))).toEqual(whole);
        const sent = unpackMatrix(structuredClone(new Packer().matrix("fit", fold))) as Table;
        expect(treatments(tableVectorizer().fit(sent, target))).toEqual(whole);
      }
    };
    check(90, 1, names);
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 120 }), fc.nat(1e6), fc.subarray(names), (n, seed, chosen) =>
        check(n, seed, chosen),
      ),
      { numRuns: 30 },
    );
  });

  it("rows that are filtered are a table of their own", () => {
    const table = Table.fromRows(
      Array.from({ length: 30 }, (_, i) => ({ town: i % 3 ? "Rome" : "Oslo", x: i % 7 })),
    );
    const only = tableVectorizer().fit(table.filter(({ town }) => town === "Rome"));
    expect(only.choices[0]).toMatchObject({ treatment: "drop", reason: 'constant, "Rome"' });
  });
});

describe("text keeps its vocabulary", () => {
  const random = new Random(3);
  const texts = Array.from({ length: 200 }, () =>
    Array.from({ length: 12 }, () => `w${Math.floor(900 * random.uniform() ** 2)}`).join(" "),
  );
  const table = Table.fromColumns({ text: new TextColumn(texts) });

  it("all words, in the same columns as TfidfVectorizer", () => {
    const model = tableVectorizer().fit(table);
    const tfidf = new TfidfVectorizer().fit(texts);
    expect(tfidf.nFeatures).toBeGreaterThan(300);
    expect(model.featureNames()).toEqual(tfidf.featureNames());
    expect(model.warnings).toEqual([]);
    expect(String(model)).toContain(`${tfidf.nFeatures} of ${tfidf.nFeatures} words used`);
  });

  it("a limit that leaves words out is a warning with a code, printed and saved", () => {
    const found = new TfidfVectorizer().fit(texts).nFeatures;
    const told: string[] = [];
    const model = tableVectorizer({ maxTerms: 50 }).fit(table, undefined, {
      onWarning: (one) => told.push(one),
    });
    const message = `Of the ${found} words of "text" the 50 most frequent ones are used: maxTerms of tableVectorizer is the limit.`;
    expect(model.warnings).toEqual([{ code: "dropped-words", column: "text", message }]);
    expect(told).toEqual([message]);
    expect(String(model)).toContain(`50 of ${found} words used`);
    expect((loadModel(saveModel(model)) as unknown as FittedTableVectorizer).warnings).toEqual(
      model.warnings,
    );
    expect(String(loadModel(saveModel(model)))).toBe(String(model));
  });

  it("n-grams and rare words are chosen by parameters", () => {
    const pairs = tableVectorizer({ ngramRange: [1, 2], minDf: 2 }).fit(table);
    expect(pairs.featureNames()).toEqual(
      new TfidfVectorizer({ ngramRange: [1, 2], minDf: 2 }).fit(texts).featureNames(),
    );
  });
});

describe("categories almost as many as rows", () => {
  it("are left out with a warning, never one-hot encoded silently", () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ code: `c${i === 7 ? 6 : i}`, x: i % 7 }));
    const model = tableVectorizer().fit(Table.fromRows(rows));
    expect(model.featureNames()).toEqual(["x"]);
    expect(model.warnings).toEqual([
      {
        code: "row-names",
        column: "code",
        message:
          '"code" is left out: it names the rows: 29 different entries in 30 rows. columns: { "code": … } of tableVectorizer encodes it.',
      },
    ]);
  });
});

it("a linear model reads a table of one text column as it reads the texts", () => {
  const texts = Array.from({ length: 60 }, (_, i) => `${(i % 2 ? blame : praise)[i % 4]} item${i % 9}`);
  const y = texts.map((_, i) => (i % 2 ? "bad" : "good"));
  const table = Table.fromColumns({ review: new TextColumn(texts) });
  const one = pipeline(tableVectorizer(), new LogisticRegression()).fit(table, y);
  const other = pipeline(new TfidfVectorizer(), new LogisticRegression()).fit(texts, y);
  // Dense and sparse rows are summed in another order.
  const [p, q] = [one.predictProba(table).data, other.predictProba(texts).data];
  expect(p.every((value, e) => Math.abs(value - q[e]!) < 1e-6)).toBe(true);
});
