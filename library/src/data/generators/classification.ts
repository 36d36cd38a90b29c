import { ParameterError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import {
  choice,
  either,
  flag,
  integer,
  numbers,
  optional,
  type Params,
  type ParamValues,
  randomState,
  readParams,
  real,
} from "../../core/params/params.js";
import { Matrix } from "../matrix.js";
import type { ClassSample } from "./sample.js";

const unset = choice([null], { default: null, doc: "" });

export const makeClassificationParams = {
  nSamples: integer({ atLeast: 1, default: 100, doc: "Rows." }),
  nFeatures: integer({
    atLeast: 1,
    default: 20,
    doc: "Columns in all; those not named below are pure noise.",
  }),
  nInformative: integer({ atLeast: 1, default: 2, doc: "Columns that carry the classes." }),
  nRedundant: integer({
    atLeast: 0,
    default: 2,
    doc: "Random linear combinations of the informative columns.",
  }),
  nRepeated: integer({ atLeast: 0, default: 0, doc: "Copies of informative or redundant columns." }),
  nClasses: integer({ atLeast: 1, default: 2, doc: "Classes." }),
  nClustersPerClass: integer({ atLeast: 1, default: 2, doc: "Gaussian clusters of each class." }),
  weights: optional(
    numbers({ atLeast: 0, default: [], doc: "Fraction of each class; the last may be left out." }),
  ),
  flipY: real({
    atLeast: 0,
    atMost: 1,
    default: 0.01,
    doc: "Fraction of rows whose class is drawn at random.",
  }),
  classSep: real({ default: 1, doc: "Half the side of the cube whose corners are the cluster centers." }),
  hypercube: flag({ default: true, doc: "Centers on the corners of a cube; when false, of a random box." }),
  shift: either(real({ default: 0, doc: "Added to every column; null draws one shift a column." }), unset),
  scale: either(
    real({ above: 0, default: 1, doc: "Multiplies every column; null draws one factor a column." }),
    unset,
  ),
  shuffle: flag({ default: true, doc: "Put rows and columns in random order." }),
  randomState: randomState(),
};

type Given = ParamValues<typeof makeClassificationParams>;

/**
 * A classification problem of known make [Guyon 2003, the "Madelon" data]: each class is a few Gaussian clusters with
 * centers on the corners of a cube in the informative columns; the other columns are combinations, copies and noise.
 * Parity: scikit-learn's make_classification, with other random numbers.
 */
export function makeClassification(params: Params<typeof makeClassificationParams> = {}): ClassSample {
  const given = readParams("makeClassification", makeClassificationParams, params);
  checkCounts(given);
  const random = new Random(given.randomState);
  const X = Matrix.zeros(given.nSamples, given.nFeatures);
  const y = drawClusters(given, random, X);
  fillOtherColumns(given, random, X);
  flipLabels(given, random, y);
  moveColumns(given, random, X);
  if (!given.shuffle) return { X, y };
  const rows = random.permutation(given.nSamples);
  const columns = random.permutation(given.nFeatures);
  return { X: X.selectRows(rows).selectColumns(columns), y: Array.from(rows, (i) => y[i]!) };
}

function checkCounts({
  nInformative,
  nRedundant,
  nRepeated,
  nFeatures,
  nClasses,
  nClustersPerClass,
  weights,
}: Given): void {
  const where = "makeClassification";
  const used = nInformative + nRedundant + nRepeated;
  if (used > nFeatures) {
    const subject = "nInformative + nRedundant + nRepeated";
    throw new ParameterError(where, subject, `at most nFeatures (${nFeatures})`, `${used}`);
  }
  // 2⁵³ corners are more than any count of clusters.
  if (nInformative < 53 && nClasses * nClustersPerClass > 2 ** nInformative) {
    throw new ParameterError({
      where,
      subject: "nClasses × nClustersPerClass",
      expected: `at most 2^nInformative = ${2 ** nInformative} (one corner of the cube each)`,
      received: `${nClasses * nClustersPerClass}`,
    });
  }
  if (weights !== null && weights.length !== nClasses && weights.length !== nClasses - 1) {
    const expected = `${nClasses} numbers, or ${nClasses - 1} when the last class gets the rest`;
    throw new ParameterError(where, "weights", expected, `${weights.length}`);
  }
}

/** Fills the informative columns, cluster by cluster, and returns the classes. */
function drawClusters(given: Given, random: Random, X: Matrix): number[] {
  const { nSamples, nInformative, nClasses, classSep, hypercube } = given;
  const sizes = clusterSizes(given);
  const stretch = () => (hypercube ? 1 : random.uniform());
  const perColumn = Array.from({ length: nInformative }, stretch);
  const y: number[] = new Array(nSamples).fill(0);
  let row = 0;
  for (const [c, corner] of corners(sizes.length, nInformative, random).entries()) {
    const perCluster = stretch();
    const center = corner.map((bit, j) => (2 * bit - 1) * classSep * perCluster * perColumn[j]!);
    const mix = uniformMatrix(random, nInformative, nInformative);
    for (let i = 0; i < sizes[c]!; i++, row++) {
      const z = Array.from({ length: nInformative }, () => random.normal());
      multiplyInto(z, mix, X.row(row));
      for (let j = 0; j < nInformative; j++) X.data[row * X.cols + j]! += center[j]!;
      y[row] = c % nClasses;
    }
  }
  return y;
}

function clusterSizes({ nSamples, nClasses, nClustersPerClass, weights }: Given): number[] {
  const proportions = weights === null ? new Array<number>(nClasses).fill(1 / nClasses) : [...weights];
  if (proportions.length < nClasses)
    proportions.push(Math.max(0, 1 - proportions.reduce((sum, w) => sum + w, 0)));
  const clusters = nClasses * nClustersPerClass;
  const sizes = Array.from({ length: clusters }, (_, c) =>
    Math.floor((nSamples * proportions[c % nClasses]!) / nClustersPerClass),
  );
  // Proportions above 1 in sum would ask for more rows than there are; the surplus is cut from the end.
  let left = nSamples - sizes.reduce((sum, size) => sum + size, 0);
  for (let c = 0; left > 0; c = (c + 1) % clusters, left--) sizes[c]!++;
  for (let c = clusters - 1; left < 0; c--) {
    const cut = Math.min(sizes[c]!, -left);
    sizes[c]! -= cut;
    left += cut;
  }
  return sizes;
}

/** Distinct corners of the unit cube of dimension d, as rows of 0 and 1. */
function corners(count: number, d: number, random: Random): number[][] {
  const seen = new Set<string>();
  const found: number[][] = [];
  // Drawing again until a new corner comes takes ≈ log(count) tries each, even when all corners are needed.
  while (found.length < count) {
    const corner = Array.from({ length: d }, () => random.below(2));
    const key = corner.join("");
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(corner);
  }
  return found;
}

/** Redundant, repeated and useless columns, in this order after the informative ones. */
function fillOtherColumns({ nInformative, nRedundant, nRepeated }: Given, random: Random, X: Matrix): void {
  const mix = uniformMatrix(random, nInformative, nRedundant);
  const meaningful = nInformative + nRedundant;
  const copied = Array.from({ length: nRepeated }, () => random.below(meaningful));
  for (let i = 0; i < X.rows; i++) {
    const row = X.row(i);
    multiplyInto(row.slice(0, nInformative), mix, row.subarray(nInformative, meaningful));
    for (let c = 0; c < nRepeated; c++) row[meaningful + c] = row[copied[c]!]!;
    for (let j = meaningful + nRepeated; j < X.cols; j++) row[j] = random.normal();
  }
}

function flipLabels({ flipY, nClasses }: Given, random: Random, y: number[]): void {
  for (let i = 0; i < y.length; i++) if (random.uniform() < flipY) y[i] = random.below(nClasses);
}

function moveColumns({ shift, scale, classSep }: Given, random: Random, X: Matrix): void {
  const shifts = Array.from({ length: X.cols }, () => shift ?? (2 * random.uniform() - 1) * classSep);
  const scales = Array.from({ length: X.cols }, () => scale ?? 1 + 100 * random.uniform());
  for (let e = 0; e < X.data.length; e++) {
    const j = e % X.cols;
    X.data[e] = (X.data[e]! + shifts[j]!) * scales[j]!;
  }
}

function uniformMatrix(random: Random, rows: number, cols: number): Matrix {
  return new Matrix(
    Float64Array.from({ length: rows * cols }, () => 2 * random.uniform() - 1),
    rows,
    cols,
  );
}

/** out = z · A. */
function multiplyInto(z: ArrayLike<number>, a: Matrix, out: Float64Array): void {
  for (let j = 0; j < a.cols; j++) {
    let sum = 0;
    for (let l = 0; l < a.rows; l++) sum += z[l]! * a.data[l * a.cols + j]!;
    out[j] = sum;
  }
}
