import { type CsrMatrix, Matrix } from "argmax";
import type { Job, Measurement } from "../workload.js";
import { timeFits } from "./measure.js";

/** The first four fifths of the rows are learned from, the others judge. */
export const learnedRows = (rows: number): number => Math.floor(0.8 * rows);

/** Error of predictions: the error rate, or squared errors over those of the mean (1 − R²). */
export function heldOutError(truth: ArrayLike<number>, answers: ArrayLike<number>, classes: number): number {
  const y = Array.from(truth);
  if (classes > 0) return y.filter((k, i) => k !== answers[i]).length / y.length;
  const mean = y.reduce((sum, v) => sum + v, 0) / y.length;
  const of = (at: (i: number) => number) => y.reduce((sum, v, i) => sum + (v - at(i)) ** 2, 0);
  return of((i) => answers[i]!) / of(() => mean);
}

/** Predictions of several targets are a matrix. */
type Answers = ArrayLike<number> | Matrix;

interface Judged {
  fit(x: Matrix | CsrMatrix, y: ArrayLike<number> | Matrix): { predict(x: Matrix | CsrMatrix): Answers };
}

/** The mean over the targets of their errors. */
function meanError(truth: Int32Array | Float64Array, answers: Answers, classes: number): number {
  if (!(answers instanceof Matrix)) return heldOutError(truth, answers, classes);
  const { rows, cols } = answers;
  const wanted = new Matrix(Float64Array.from(truth), rows, cols);
  const errors = Array.from({ length: cols }, (_, t) =>
    heldOutError(wanted.column(t), answers.column(t), classes),
  );
  return errors.reduce((sum, error) => sum + error, 0) / cols;
}

/** A fit, or its predictions for the held-out rows; both are judged by their error on these. */
export function heldOut(
  job: Job,
  X: Matrix | CsrMatrix,
  y: Int32Array | Float64Array,
  estimator: Judged,
): Omit<Measurement, "version"> {
  const { rows } = X;
  const { classes, targets = 1 } = job.data;
  const cut = learnedRows(rows);
  const part = (from: number, to: number) =>
    X.selectRows(Int32Array.from({ length: to - from }, (_, i) => from + i));
  const [train, test] = [part(0, cut), part(cut, rows)];
  const error = (answers: Answers) => meanError(y.subarray(cut * targets), answers, classes);
  const first = y.slice(0, cut * targets);
  const learned = targets > 1 ? new Matrix(Float64Array.from(first), cut, targets) : first;
  if (job.action === "heldOutPredict") {
    const model = estimator.fit(train, learned);
    const { result, ...times } = timeFits(() => model.predict(test), job);
    return { ...times, checksum: error(result) };
  }
  const { result, ...times } = timeFits(() => estimator.fit(train, learned), job);
  return { ...times, checksum: error(result.predict(test)) };
}
