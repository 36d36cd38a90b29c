import { expect } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { structureOf } from "../../../src/core/structure.js";
import { CsrMatrix, Matrix, Table } from "../../../src/data/index.js";
import { evaluate } from "../../../src/structure/index.js";
import { problem } from "../data.js";
import { type AnyModel, type Check, capabilities, type Numbers, type Subject } from "../subject.js";

/** Sums in another order round differently; networks predict in 32 bits. */
const toleranceOf = (model: AnyModel): number => ("dtype" in model ? 2e-4 : 1e-9);

/** Estimators whose models are not described, and why: everything else has a structure. */
export const undescribed: Readonly<Record<string, string>> = {
  AgglomerativeClustering: "clusters of its training rows only",
  DBSCAN: "clusters of its training rows only",
  HashingVectorizer: "hashes of terms",
  KNNImputer: "neighbours among the training rows",
  NearestNeighbors: "distances to training rows",
  SplineTransformer: "splines",
  NeuralClassifier: "layers such as batch normalisation",
  CNNClassifier: "convolution",
  ViTClassifier: "attention",
  TransformerClassifier: "attention",
};

export const structureChecks: readonly Check[] = [
  {
    claim: "has a structure that computes the same answers",
    run: (subject) => {
      const { X, y } = problem(subject);
      compare(subject, subject.make().fit(X, y), X);
    },
  },
  {
    claim: "has a structure that computes the same answers for two classes",
    applies: ({ task, multiclass }) => task === "classification" && multiclass,
    run: (subject) => {
      const { X, y } = problem(subject);
      const two = y!.map((label) => (label === "cow" ? "bee" : label));
      compare(subject, subject.make().fit(X, two), X);
    },
  },
  {
    claim: "has a structure that computes the same answers for sparse rows",
    applies: ({ sparse, input }) => sparse && input !== "text",
    run: (subject) => {
      const { X, y } = problem(subject);
      const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
      compare(subject, subject.make().fit(sparse, y), sparse);
    },
  },
  {
    claim: "has a structure that computes the same answers with missing values",
    applies: ({ missing }) => missing,
    run: (subject) => {
      const { X, y } = problem(subject);
      const gaps = X.map((row, i) => row.map((value, j) => ((i + 2 * j) % 7 === 0 ? Number.NaN : value)));
      compare(subject, subject.make().fit(gaps, y), gaps);
    },
  },
  {
    claim:
      "has a structure that computes the same answers for a table with categories and gaps, in any order of columns",
    applies: ({ categorical, missing }) => categorical && missing,
    run: (subject) => {
      const { X, y } = problem(subject);
      const city = (i: number) => ["Oslo", "Rome", null, "Bonn"][(i * i) % 4]!;
      const rows = X.map((row, i) => ({
        a: i % 9 === 4 ? null : row[0]!,
        city: city(i),
        flag: i % 3 === 0,
        b: row.at(-1)!,
      }));
      const table = Table.fromRows(rows);
      const turned = Table.fromRows(rows.map(({ a, b, city, flag }) => ({ flag, b, city, a })));
      const model = fitted(subject, table, y);
      // Means of text, and dates, are refused.
      if (model === undefined) return;
      compare(subject, model, table);
      compare(subject, model, turned);
    },
  },
];

function fitted(subject: Subject, table: Table, y: unknown): AnyModel | undefined {
  try {
    return subject.make().fit(table, y);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

function compare(subject: Subject, model: AnyModel, X: unknown): void {
  const structure = structureOf(model);
  const hidden = reasonOf(structure);
  if (hidden !== undefined) {
    expect(Object.keys(undescribed)).toContain(subject.type.id);
    expect(hidden.length).toBeGreaterThan(10);
    return;
  }
  const within = toleranceOf(model);
  const found = evaluate(structure, X as never);
  if (model.transform && !model.predict) close(dense(model.transform(X)), found.columns!, within);
  else if (model.transform && found.columns) close(dense(model.transform(X)), found.columns, within);
  if (model.decisionFunction) close(model.decisionFunction(X), found.margins!, within);
  if (model.predictProba) close(model.predictProba(X), found.probabilities!, within);
  if (model.scoreSamples)
    close({ data: model.scoreSamples(X), rows: 60, cols: 1 }, asColumn(found.densities!), within);
  if (!model.predict) return;
  if (structure.kind === "regressor") close(values(model.predict(X)), found.values!, within);
  else expect(Array.from(model.predict(X))).toEqual(found.labels);
  const { task } = capabilities(subject);
  expect(task === "classification").toBe(structure.kind === "classifier");
}

/** Why a structure, or a part of it, is not described. */
function reasonOf(part: unknown): string | undefined {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return undefined;
  const { kind, reason } = part as { kind?: string; reason?: string };
  if (kind === "undescribed") return reason;
  for (const inner of Object.values(part)) {
    const found = reasonOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

const dense = (rows: Numbers & { toDense?(): Numbers }): Numbers => rows.toDense?.() ?? rows;
const asColumn = (data: Float64Array): Numbers => ({ data, rows: data.length, cols: 1 });
const values = (y: ArrayLike<unknown> | Numbers): Numbers =>
  "rows" in y ? y : asColumn(Float64Array.from(y as ArrayLike<number>));

function close(expected: Numbers, found: Numbers, within: number): void {
  expect([found.rows, found.cols]).toEqual([expected.rows, expected.cols]);
  const scale = expected.data.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1);
  for (let e = 0; e < expected.data.length; e++) {
    const [a, b] = [expected.data[e]!, found.data[e]!];
    if (!(Math.abs(a - b) <= within * scale || Object.is(a, b))) expect(b, `entry ${e}`).toBe(a);
  }
}
