import {
  LinearRegression,
  LinearSVC,
  LogisticRegression,
  meanSquaredError,
  parseSvmlight,
  StandardScaler,
  type SvmlightData,
} from "argmax";
import { type Files, parseCsv } from "./files.js";
import type { PublishedRow } from "./row.js";

/** Published results of linear models. */

interface Plane {
  readonly coef: { readonly data: ArrayLike<number> };
}

/** penalty(w) + Σᵢ loss(yᵢ w·xᵢ): LIBLINEAR's objectives with C = 1 and no bias. */
function objective(
  { X, y }: SvmlightData,
  { coef }: Plane,
  penalty: (w: readonly number[]) => number,
  loss: (margin: number) => number,
): number {
  const w = Array.from(coef.data);
  let total = penalty(w);
  for (let i = 0; i < X.rows; i++) {
    let z = 0;
    for (let e = X.indptr[i]!; e < X.indptr[i + 1]!; e++) z += X.values[e]! * w[X.indices[e]!]!;
    total += loss(y[i]! * z);
  }
  return total;
}

const half = (w: readonly number[]) => w.reduce((total, v) => total + 0.5 * v * v, 0);
const absolute = (w: readonly number[]) => w.reduce((total, v) => total + Math.abs(v), 0);
const hinge = (m: number) => Math.max(0, 1 - m);
const squaredHinge = (m: number) => Math.max(0, 1 - m) ** 2;
const logLoss = (m: number) => (m > 0 ? Math.log1p(Math.exp(-m)) : Math.log1p(Math.exp(m)) - m);

/** Six printed digits of an objective near 100, and the side on which the last of 16,281 rows falls, need a minimum. */
const precise = { C: 1, fitIntercept: false, tol: 1e-7, maxIter: 100_000 } as const;

function heartObjectives(files: Files): readonly number[] {
  const data = parseSvmlight(files.text("libsvm/heart_scale"));
  const { X, y } = data;
  const svc = (params: object) => new LinearSVC({ ...precise, ...params }).fit(X, y);
  const logistic = (penalty: "l1" | "l2") => new LogisticRegression({ ...precise, penalty }).fit(X, y);
  return [
    objective(data, svc({ loss: "squaredHinge" }), half, squaredHinge),
    objective(data, svc({ loss: "hinge" }), half, hinge),
    objective(data, logistic("l2"), half, logLoss),
    objective(data, logistic("l1"), absolute, logLoss),
    objective(data, svc({ loss: "squaredHinge", penalty: "l1" }), absolute, squaredHinge),
  ];
}

/** The figure is that of the minimum: LIBLINEAR's default tolerance of 0.01 gives 84.9518 %. */
function adultAccuracy(files: Files): readonly number[] {
  const train = parseSvmlight(files.text("libsvm/a9a"), { cols: 123 });
  const test = parseSvmlight(files.text("libsvm/a9a.t"), { cols: 123 });
  const model = new LogisticRegression(precise).fit(train.X, train.y);
  return [100 * model.score(test.X, test.y)];
}

const prostateInputs = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"] as const;

/** Inputs standardised over all 97 men with the divisor n − 1, then least squares on the 67 training rows. */
function prostate(files: Files): readonly number[] {
  const rows = parseCsv(files.text("esl-prostate/prostate.csv"));
  const raw = rows.map((row) => prostateInputs.map((name) => Number(row[name])));
  const scaled = new StandardScaler().fitTransform(raw);
  const shrink = Math.sqrt((rows.length - 1) / rows.length);
  const X = raw.map((_, i) => prostateInputs.map((_, j) => scaled.data[i * scaled.cols + j]! * shrink));
  const y = rows.map((row) => Number(row.lpsa));
  const part = (train: boolean) =>
    rows.flatMap((row, i) => (row.train?.startsWith("T") === train ? [i] : []));
  const model = new LinearRegression().fit(
    part(true).map((i) => X[i]!),
    part(true).map((i) => y[i]!),
  );
  const predicted = model.predict(part(false).map((i) => X[i]!));
  const truth = part(false).map((i) => y[i]!);
  return [model.intercept, ...model.coef, meanSquaredError(truth, predicted)];
}

const heartDiseaseInputs = ["sbp", "tobacco", "ldl", "famhist", "obesity", "alcohol", "age"] as const;

function heartDisease(files: Files): readonly number[] {
  const rows = parseCsv(files.text("esl-saheart/SAheart.csv"));
  const X = rows.map((row) =>
    heartDiseaseInputs.map((name) =>
      name === "famhist" ? (row[name] === "Present" ? 1 : 0) : Number(row[name]),
    ),
  );
  const y = rows.map((row) => Number(row.chd));
  const model = new LogisticRegression({ penalty: "none" }).fit(X, y);
  return [model.intercept[0]!, ...model.coef.data];
}

const figures = (names: readonly string[], published: readonly number[], digits: number) =>
  names.map((name, i) => ({ name, published: published[i]!, digits }));

export const linearRows: readonly PublishedRow[] = [
  {
    data: "heart_scale",
    method: "linear classifiers, no bias, C = 1: objective",
    source: "LIBLINEAR",
    figures: [
      { name: "squared hinge, L2", published: 121.134724, digits: 6 },
      {
        name: "hinge, L2",
        published: 96.498056,
        digits: 6,
        tolerance: 2.3e-4,
        note: "LIBLINEAR prints the dual's value where its limit of 1,000 passes stops it, 2·10⁻⁶ below the minimum 96.498278",
      },
      { name: "logistic, L2", published: 98.2268, digits: 6 },
      { name: "logistic, L1", published: 102.667828, digits: 6 },
      { name: "squared hinge, L1", published: 123.365632, digits: 6 },
    ],
    run: heartObjectives,
  },
  {
    data: "a9a → a9a.t",
    method: "L2 logistic, no bias, C = 1: test accuracy, %",
    source: "LIBLINEAR",
    figures: [{ name: "accuracy", published: 84.9886, digits: 4 }],
    run: adultAccuracy,
  },
  {
    data: "prostate",
    method: "least squares on standardised inputs: coefficients, test error",
    source: "ESL, table 3.3",
    figures: figures(
      ["intercept", ...prostateInputs, "test MSE"],
      [2.465, 0.68, 0.263, -0.141, 0.21, 0.305, -0.288, -0.021, 0.267, 0.521],
      3,
    ),
    run: prostate,
  },
  {
    data: "South African heart disease",
    method: "logistic, unpenalised: coefficients",
    source: "ESL, table 4.2",
    figures: figures(
      ["intercept", ...heartDiseaseInputs],
      [-4.13, 0.006, 0.08, 0.185, 0.939, -0.035, 0.001, 0.043],
      3,
    ),
    run: heartDisease,
  },
];
