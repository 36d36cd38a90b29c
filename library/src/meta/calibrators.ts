import { exp, log, sigmoid } from "../core/numbers/elementary.js";
import { softmaxInto } from "../core/numbers/scores.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import type { Calibration } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { fitMonotone, valueAt } from "../isotonic/pool-adjacent.js";
import { fitSigmoid } from "../svm/sigmoid-calibration.js";

export type CalibrationMethod = "sigmoid" | "isotonic" | "temperature";

/** From scores, one column per class or one of two classes, to probabilities of K classes. */
export interface Calibrator {
  readonly method: CalibrationMethod;
  /** The numbers that define it, of any length. */
  readonly numbers: Float64Array;
}

/** Held-out scores with their classes. */
export interface HeldOut {
  readonly scores: Matrix<Float64Array>;
  readonly codes: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly K: number;
}

export function fitCalibrator(method: CalibrationMethod, held: HeldOut): Calibrator {
  if (method === "temperature") return { method, numbers: Float64Array.of(inverseTemperature(held)) };
  const { scores, codes, weights } = held;
  const fits = Array.from({ length: scores.cols }, (_, c) => {
    const positive = scores.cols === 1 ? 1 : c;
    const column = scores.column(c);
    return method === "sigmoid"
      ? sigmoidNumbers(
          column,
          Float64Array.from(codes, (k) => (k === positive ? 1 : -1)),
          weights,
        )
      : isotonicNumbers(
          column,
          Float64Array.from(codes, (k) => (k === positive ? 1 : 0)),
          weights,
        );
  });
  return { method, numbers: Float64Array.from(fits.flatMap((list) => Array.from(list))) };
}

function sigmoidNumbers(f: Float64Array, y: Float64Array, weights: Float64Array | undefined): number[] {
  const { a, b } = fitSigmoid(f, y, weights);
  return [a, b];
}

/** The number of knots, then their x, then their y. */
function isotonicNumbers(f: Float64Array, y: Float64Array, weights: Float64Array | undefined): number[] {
  const { x, y: values } = fitMonotone(f, y, weights, { increasing: true, yMin: 0, yMax: 1 });
  return [x.length, ...x, ...values];
}

/**
 * β = 1/T of temperature scaling [Guo et al. 2017]: minimise −Σ w log softmax(β z)ₖ over β > 0. The loss is convex in β: the zero of its
 * derivative is found by bisection.
 */
function inverseTemperature({ scores, codes, weights, K }: HeldOut): number {
  const z = logits(scores, K);
  const p = new Float64Array(K);
  const scaled = new Float64Array(K);
  const slope = (beta: number) => {
    let sum = 0;
    for (let i = 0; i < codes.length; i++) {
      for (let k = 0; k < K; k++) scaled[k] = beta * z[i * K + k]!;
      softmaxInto(scaled, 0, K, p);
      let own = -z[i * K + codes[i]!]!;
      for (let k = 0; k < K; k++) own += p[k]! * z[i * K + k]!;
      sum += (weights ? weights[i]! : 1) * own;
    }
    return sum;
  };
  // Where all rows are right, any larger β is better: the largest one keeps probabilities away from 0 and 1.
  let [low, high] = [-20, 20];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (slope(exp(middle)) < 0) low = middle;
    else high = middle;
  }
  return exp((low + high) / 2);
}

/** One column per class: the score of the first of two classes is 0. */
function logits({ data, cols, rows }: Matrix<Float64Array>, K: number): Float64Array {
  if (cols === K) return data;
  const out = new Float64Array(rows * K);
  for (let i = 0; i < rows; i++) out[i * K + 1] = data[i]!;
  return out;
}

/** Adds `weight` times the calibrated probabilities. */
export function addCalibratedInto(
  { method, numbers }: Calibrator,
  scores: Matrix<Float64Array>,
  K: number,
  weight: number,
  out: Float64Array,
): void {
  const { rows, cols } = scores;
  const p = new Float64Array(K);
  const z = method === "temperature" ? logits(scores, K).map((v) => v * numbers[0]!) : undefined;
  const calls = z ? [] : callsOf(method, numbers, cols);
  for (let i = 0; i < rows; i++) {
    if (z) softmaxInto(z.subarray(i * K, (i + 1) * K), 0, K, p);
    else rowInto(calls, scores.data, i * cols, p);
    for (let k = 0; k < K; k++) out[i * K + k]! += weight * p[k]!;
  }
}

/** Probabilities of one class against the rest, divided by their sum; equal ones where all are 0. */
function rowInto(
  calls: readonly ((f: number) => number)[],
  data: Float64Array,
  at: number,
  out: Float64Array,
): void {
  if (calls.length === 1) {
    out[1] = calls[0]!(data[at]!);
    out[0] = 1 - out[1]!;
    return;
  }
  let sum = 0;
  for (let k = 0; k < out.length; k++) {
    out[k] = calls[k]!(data[at + k]!);
    sum += out[k]!;
  }
  for (let k = 0; k < out.length; k++) out[k] = sum > 0 ? out[k]! / sum : 1 / out.length;
}

/** Curves of a saved calibrator: per column the number of knots, then their x, then their y. */
function curvesOf(numbers: Float64Array, cols: number): { x: Float64Array; y: Float64Array }[] {
  let at = 0;
  return Array.from({ length: cols }, () => {
    const [start, count] = [at + 1, numbers[at]!];
    at = start + 2 * count;
    return { x: numbers.slice(start, start + count), y: numbers.slice(start + count, at) };
  });
}

/** A calibrator of K classes as a structure has it. */
export function calibrationOf({ method, numbers }: Calibrator, K: number): Calibration["curve"] {
  const cols = K === 2 ? 1 : K;
  if (method === "temperature") return { kind: "temperature", beta: numbers[0]! };
  if (method === "isotonic") return { kind: "curves", curves: curvesOf(numbers, cols) };
  return { kind: "sigmoid", sigmoids: { data: numbers, rows: cols, cols: 2 } };
}

function callsOf(method: CalibrationMethod, numbers: Float64Array, cols: number): ((f: number) => number)[] {
  if (method !== "sigmoid") return curvesOf(numbers, cols).map((curve) => (f: number) => valueAt(curve, f));
  return Array.from({ length: cols }, (_, c) => {
    const [a, b] = [numbers[2 * c]!, numbers[2 * c + 1]!];
    return (f: number) => sigmoid(-(a * f + b));
  });
}

/** Probabilities below this are read as this: the logarithm of 0 has no place among scores. */
const SMALLEST = 2 ** -52;
export const logScore = (p: number): number => log(Math.max(p, SMALLEST));

/** The calibrators as tensors. */
export function calibratorsState(calibrators: readonly Calibrator[]): ModelState["tensors"] {
  const all = calibrators.flatMap(({ numbers }) => Array.from(numbers));
  const lengths = Int32Array.from(calibrators, ({ numbers }) => numbers.length);
  return {
    calibrators: { shape: [all.length], data: Float64Array.from(all) },
    calibratorLengths: { shape: [lengths.length], data: lengths },
  };
}

/** The inverse of `calibratorsState` for M calibrators of scores with `cols` columns. */
export function readCalibrators(
  reader: StateReader,
  method: CalibrationMethod,
  M: number,
  cols: number,
): Calibrator[] {
  const lengths = reader.integers("calibratorLengths", [M]);
  const all = reader.floats("calibrators", [-1]);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.some((length) => length < 1) || total !== all.length || !all.every(Number.isFinite))
    reader.fail("calibrators", "finite numbers, as many as their lengths say", "others");
  let at = 0;
  return Array.from(lengths, (length) => {
    const numbers = all.slice(at, at + length);
    at += length;
    if (!isWhole(method, numbers, cols)) reader.fail("calibrators", `those of ${cols} columns`, "others");
    return { method, numbers };
  });
}

function isWhole(method: CalibrationMethod, numbers: Float64Array, cols: number): boolean {
  if (method === "temperature") return numbers.length === 1 && numbers[0]! > 0;
  if (method === "sigmoid") return numbers.length === 2 * cols;
  let at = 0;
  for (let c = 0; c < cols; c++) {
    const count = numbers[at] ?? 0;
    if (!Number.isInteger(count) || count < 1) return false;
    const x = numbers.subarray(at + 1, at + 1 + count);
    if (x.some((v, e) => e > 0 && !(v > x[e - 1]!))) return false;
    at += 1 + 2 * count;
  }
  return at === numbers.length;
}
