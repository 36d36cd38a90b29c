// The worker is a file, so these tests use what the build wrote.

import { describe, expect, it } from "vitest";
import {
  background,
  CNNClassifier,
  DecisionTreeClassifier,
  GridSearch,
  LogisticRegression,
  MultiOutputClassifier,
  pipeline,
  Table,
  TfidfVectorizer,
  VotingClassifier,
} from "../../dist/index.js";

describe("what is made of other estimators takes in the background what it takes here", () => {
  const images = {
    data: Float64Array.from({ length: 20 * 36 }, (_, e) => Math.sin(e) * (e % 72 < 36 ? 1 : 0.1)),
    rows: 20,
    height: 4,
    width: 9,
    channels: 1,
  };
  const labels = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "loud" : "quiet"));
  const cnn = new CNNClassifier({ maxIter: 1, poolSize: 1 });

  it("images with their size, in fits, folds and searches", async () => {
    expect((await background(cnn).fit(images, labels)).summary).toContain("4 × 9 × 1");
    const there = await background(cnn).crossValidate(images, labels, { cv: 2, returnModels: true });
    for (const { summary } of there.models) expect(summary).toContain("4 × 9 × 1");
    const grid = new GridSearch({ estimator: cnn, grid: { batchSize: [8] }, cv: 2 });
    expect((await background(grid).fit(images, labels)).bestModel.summary).toContain("4 × 9 × 1");
    const votes = await background(new VotingClassifier({ estimators: { cnn } })).fit(images, labels);
    expect((votes.members["cnn"] as unknown as { summary: string }).summary).toContain("4 × 9 × 1");
  });

  it("documents", async () => {
    const documents = labels.map((label, i) => `${label} words ${i % 3 === 0 ? "of" : "and"} more`);
    const estimator = pipeline(new TfidfVectorizer(), new LogisticRegression());
    const votes = new VotingClassifier({ estimators: { estimator } });
    const there = await background(votes).fit(documents, labels);
    expect(there.predict(documents)).toEqual(votes.fit(documents, labels).predict(documents));
  });

  it("rows of labels, and tables of them", async () => {
    const X = labels.map((_, i) => [i % 2, i % 5]);
    const estimator = new MultiOutputClassifier({ estimator: new DecisionTreeClassifier() });
    const text = labels.map((_, i) => [i % 2 === 0 ? "a" : "b", i % 5 > 2 ? "x" : "y"]);
    const numbers = labels.map((_, i) => [i % 2, i % 5 > 2 ? 3 : 4]);
    for (const Y of [text, numbers]) {
      const there = await background(estimator).fit(X, Y as string[][]);
      expect(there.predict(X)).toEqual(Y);
    }
    const named = Table.fromColumns({ letter: text.map(([a]) => a!), end: text.map(([, b]) => b!) });
    const there = await background(estimator).fit(X, named);
    expect(there.targetNames).toEqual(["letter", "end"]);
    expect(there.predict(X)).toEqual(text);
  });
});
