import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/restore-threads.js";
import { exp, log, log1pExp, sigmoid } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import {
  logSoftmaxGradientInto,
  logSoftmaxInto,
  sigmoidCrossEntropyInto,
  softmaxCrossEntropyInto,
  softmaxGradientInto,
  softmaxInto,
  squaredErrorInto,
} from "./softmax.js";
import { type Dtype, type Reals, type TensorSpace, withSpace } from "./space.js";

restoreThreads();

const dtypes: Dtype[] = ["float32", "float64"];
/** Around one and two vectors; 16,390 columns are more than a chunk has. */
const widths = [1, 2, 3, 4, 5, 7, 8, 9, 10, 33, 16390];
/**
 * Sums of up to 16,390 numbers in lanes, each rounded by 6e-8 or 1e-16, relative to a result near 1 or to a
 * logit of size 10.
 */
const tolerance = (dtype: Dtype): number => (dtype === "float32" ? 4e-6 : 1e-13);

function normal(length: number, seed: number, scale = 1): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length }, () => Math.fround(scale * random.normal()));
}

/** An unaligned copy between sevens. */
function guarded(space: TensorSpace, values: ArrayLike<number>): { x: Reals; intact: () => boolean } {
  const { length } = values;
  const whole = space.copy(new Float64Array(length + 8).fill(7));
  const x = space.part(whole, 3, length);
  x.array.set(values);
  const intact = () => whole.array.every((v, e) => (e >= 3 && e < 3 + length) || v === 7);
  return { x, intact };
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tol: number): void {
  let worst = 0;
  for (let e = 0; e < expected.length; e++) {
    const error = Math.abs(actual[e]! - expected[e]!) / (1 + Math.abs(expected[e]!));
    if (!(error <= worst)) worst = error;
  }
  expect(worst).toBeLessThan(tol);
}

/** Applies a function to every row. */
function byRows(
  x: Float64Array,
  cols: number,
  f: (row: Float64Array, i: number) => ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i * cols < x.length; i++) out.set(f(x.subarray(i * cols, (i + 1) * cols), i), i * cols);
  return out;
}

const logSumExp = (row: Float64Array): number => {
  const top = row.reduce((a, b) => Math.max(a, b));
  return top + log(row.reduce((sum, v) => sum + exp(v - top), 0));
};
const logSoftmax = (row: Float64Array): Float64Array => {
  const total = logSumExp(row);
  return row.map((v) => v - total);
};
const softmax = (row: Float64Array): Float64Array => logSoftmax(row).map(exp);
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, e) => sum + v * b[e]!, 0);

const cases = dtypes.flatMap((dtype) => widths.map((cols) => ({ dtype, cols, rows: cols > 100 ? 2 : 13 })));

describe("softmax", () => {
  it("and its logarithm are the plain formulas, in place too", () => {
    for (const { dtype, cols, rows } of cases) {
      const values = normal(rows * cols, cols, 4);
      withSpace("test", dtype, (space) => {
        for (const [into, twin] of [
          [softmaxInto, softmax],
          [logSoftmaxInto, logSoftmax],
        ] as const) {
          const { x, intact } = guarded(space, values);
          into(space, x, cols, x);
          expectClose(x.array, byRows(values, cols, twin), tolerance(dtype));
          expect(intact()).toBe(true);
        }
      });
    }
  });

  it("stays finite for logits of any size", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        const x = space.copy([1e30, 0, -1e30, 1e4, -1e4, 0, 3e38, 3e38, 3e38]);
        const out = space.reals(9);
        softmaxInto(space, x, 3, out);
        const third = out.array[6]!;
        expect([...out.array]).toEqual([1, 0, 0, 1, 0, 0, third, third, third]);
        expect(third).toBeCloseTo(1 / 3, 6);
        logSoftmaxInto(space, x, 3, out);
        expect([...out.array.subarray(3, 6)]).toEqual([0, -2e4, -1e4]);
        expect(out.array.every(Number.isFinite)).toBe(true);
      });
    }
  });

  it("ignores logits of −∞", () => {
    withSpace("test", "float32", (space) => {
      const x = space.copy([0, -Infinity, 0, -Infinity, -Infinity]);
      softmaxInto(space, x, 5, x);
      expect([...x.array]).toEqual([0.5, 0, 0.5, 0, 0]);
    });
  });

  it("has the gradients of the plain formulas", () => {
    for (const { dtype, cols, rows } of cases) {
      const values = normal(rows * cols, cols, 2);
      const g = normal(rows * cols, cols + 1);
      const upstream = (i: number) => g.subarray(i * cols, (i + 1) * cols);
      const expectedSoftmax = byRows(values, cols, (row, i) => {
        const y = softmax(row);
        const mean = dot(y, upstream(i));
        return y.map((v, e) => v * (upstream(i)[e]! - mean));
      });
      const expectedLog = byRows(values, cols, (row, i) => {
        const total = upstream(i).reduce((a, b) => a + b, 0);
        return softmax(row).map((v, e) => upstream(i)[e]! - v * total);
      });
      withSpace("test", dtype, (space) => {
        const { x: out, intact } = guarded(space, g);
        const y = space.copy(byRows(values, cols, softmax));
        const logY = space.copy(byRows(values, cols, logSoftmax));
        softmaxGradientInto(space, y, out, cols, out);
        expectClose(out.array, expectedSoftmax, tolerance(dtype));
        logSoftmaxGradientInto(space, logY, space.copy(g), cols, out, true);
        const both = expectedSoftmax.map((v, e) => v + expectedLog[e]!);
        expectClose(out.array, both, tolerance(dtype));
        out.array.set(g);
        logSoftmaxGradientInto(space, logY, out, cols, out);
        softmaxGradientInto(space, y, space.copy(g), cols, out, true);
        expectClose(out.array, both, tolerance(dtype));
        expect(intact()).toBe(true);
      });
    }
  });
});

/** Largest difference of a gradient and the central differences of a sum of losses. */
function gradientError(
  x: Float64Array,
  gradient: ArrayLike<number>,
  sum: (x: Float64Array) => number,
): number {
  const h = 1e-5;
  let worst = 0;
  for (let e = 0; e < x.length; e++) {
    const [up, down] = [x.slice(), x.slice()];
    up[e]! += h;
    down[e]! -= h;
    worst = Math.max(worst, Math.abs((sum(up) - sum(down)) / (2 * h) - gradient[e]!));
  }
  return worst;
}

describe("losses", () => {
  it("softmax cross-entropy is the plain formula, weighted or not, with a gradient or without", () => {
    for (const { dtype, cols, rows } of cases) {
      const z = normal(rows * cols, cols, 3);
      const w = normal(rows, 3).map(Math.abs);
      const codes = Int32Array.from({ length: rows }, (_, i) => (7 * i + cols - 1) % cols);
      for (const weighted of [false, true]) {
        const weight = (i: number) => (weighted ? w[i]! : 1);
        const losses = codes.map(() => 0);
        const expected = Float64Array.from(losses, (_, i) => {
          const row = z.subarray(i * cols, (i + 1) * cols);
          return weight(i) * (logSumExp(row) - row[codes[i]!]!);
        });
        const slopes = byRows(z, cols, (row, i) =>
          softmax(row).map((v, e) => weight(i) * (v - (e === codes[i] ? 1 : 0))),
        );
        withSpace("test", dtype, (space) => {
          const logits = guarded(space, z);
          const out = guarded(space, new Float64Array(rows));
          const weights = weighted ? space.copy(w) : undefined;
          softmaxCrossEntropyInto(space, logits.x, cols, space.integers(codes), weights, out.x, undefined);
          expectClose(out.x.array, expected, tolerance(dtype));
          out.x.array.fill(0);
          softmaxCrossEntropyInto(space, logits.x, cols, space.integers(codes), weights, out.x, logits.x);
          expectClose(out.x.array, expected, tolerance(dtype));
          expectClose(logits.x.array, slopes, tolerance(dtype));
          expect(logits.intact() && out.intact()).toBe(true);
        });
      }
    }
  });

  it("softmax cross-entropy of a certain answer is tiny, not 0 or ∞", () => {
    withSpace("test", "float64", (space) => {
      const losses = space.reals(2);
      softmaxCrossEntropyInto(
        space,
        space.copy([30, 0, 1e5, 0]),
        2,
        space.integers([0, 1]),
        undefined,
        losses,
        undefined,
      );
      expect(losses.array[0]! / exp(-30)).toBeCloseTo(1, 2);
      expect(losses.array[1]).toBe(1e5);
    });
  });

  it("sigmoid cross-entropy is the plain formula and stable in both tails", () => {
    for (const dtype of dtypes) {
      for (const n of [1, 2, 3, 4, 5, 8, 9, 16383, 16390]) {
        const z = normal(n, n, 5);
        const t = normal(n, n + 1)
          .map((v) => sigmoid(v))
          .map(Math.fround);
        const w = normal(n, n + 2).map(Math.abs);
        withSpace("test", dtype, (space) => {
          const losses = guarded(space, z);
          const gradient = guarded(space, z);
          sigmoidCrossEntropyInto(space, space.copy(z), space.copy(t), space.copy(w), losses.x, gradient.x);
          const expected = z.map((v, i) => w[i]! * (log1pExp(v) - t[i]! * v));
          expectClose(losses.x.array, expected, tolerance(dtype));
          expectClose(
            gradient.x.array,
            z.map((v, i) => w[i]! * (sigmoid(v) - t[i]!)),
            tolerance(dtype),
          );
          sigmoidCrossEntropyInto(space, space.copy(z), space.copy(t), undefined, losses.x, undefined);
          expectClose(
            losses.x.array,
            z.map((v, i) => log1pExp(v) - t[i]! * v),
            tolerance(dtype),
          );
          expect(losses.intact() && gradient.intact()).toBe(true);
        });
      }
      withSpace("test", dtype, (space) => {
        const losses = space.reals(4);
        sigmoidCrossEntropyInto(
          space,
          space.copy([80, -80, 1e30, -1e30]),
          space.copy([1, 0, 1, 1]),
          undefined,
          losses,
          undefined,
        );
        expect(losses.array[0]! / exp(-80)).toBeCloseTo(1, 5);
        expect(losses.array[1]! / exp(-80)).toBeCloseTo(1, 5);
        expect(losses.array[2]).toBe(0);
        expect(losses.array[3]! / 1e30).toBeCloseTo(1, 6);
      });
    }
  });

  it("squared error is the plain formula", () => {
    for (const { dtype, cols, rows } of cases) {
      const z = normal(rows * cols, cols);
      const t = normal(rows * cols, cols + 1);
      const w = normal(rows, 5).map(Math.abs);
      for (const weighted of [false, true]) {
        const weight = (i: number) => (weighted ? w[i]! : 1);
        const residual = z.map((v, e) => v - t[e]!);
        withSpace("test", dtype, (space) => {
          const gradient = guarded(space, z);
          const losses = guarded(space, new Float64Array(rows));
          const weights = weighted ? space.copy(w) : undefined;
          squaredErrorInto(space, gradient.x, cols, space.copy(t), weights, losses.x, undefined);
          squaredErrorInto(space, gradient.x, cols, space.copy(t), weights, losses.x, gradient.x);
          const expected = Float64Array.from({ length: rows }, (_, i) => {
            const row = residual.subarray(i * cols, (i + 1) * cols);
            return 0.5 * weight(i) * dot(row, row);
          });
          expectClose(losses.x.array, expected, tolerance(dtype));
          const slopes = byRows(residual, cols, (row, i) => row.map((v) => weight(i) * v));
          expectClose(gradient.x.array, slopes, tolerance(dtype));
          expect(losses.intact() && gradient.intact()).toBe(true);
        });
      }
    }
  });

  it("have the gradients of their central differences", () => {
    withSpace("test", "float64", (space) => {
      const [rows, cols] = [4, 7];
      const z = normal(rows * cols, 1, 2);
      const targets = space.copy(normal(rows * cols, 2).map(sigmoid));
      const w = space.copy([1, 0.5, 2, 0]);
      const all = space.copy(normal(rows * cols, 3).map(Math.abs));
      const codes = space.integers([0, 6, 3, 2]);
      const losses = space.reals(rows * cols);
      const rowLosses = space.part(losses, 0, rows);
      const kernels: ((x: Reals, gradient?: Reals) => void)[] = [
        (x, g) => softmaxCrossEntropyInto(space, x, cols, codes, w, rowLosses, g),
        (x, g) => sigmoidCrossEntropyInto(space, x, targets, all, losses, g),
        (x, g) => squaredErrorInto(space, x, cols, targets, w, rowLosses, g),
      ];
      for (const kernel of kernels) {
        const gradient = space.reals(rows * cols);
        kernel(space.copy(z), gradient);
        const sum = (x: Float64Array) => {
          losses.array.fill(0);
          kernel(space.copy(x));
          return [...losses.array].reduce((a, b) => a + b, 0);
        };
        expect(gradientError(z, gradient.array, sum)).toBeLessThan(1e-8);
      }
    });
  });

  it("have the same bits with one thread and with four", async () => {
    const [rows, cols] = [60_001, 10];
    const values = normal(rows * cols, 1, 3);
    const run = (dtype: Dtype): Buffer =>
      withSpace("test", dtype, (space) => {
        const z = space.copy(values);
        const codes = space.integers(Int32Array.from({ length: rows }, (_, i) => i % cols));
        const losses = space.reals(rows);
        softmaxCrossEntropyInto(space, z, cols, codes, undefined, losses, z);
        logSoftmaxInto(space, z, cols, z);
        return Buffer.concat([z, losses].map(({ array }) => Buffer.from(array.slice().buffer)));
      });
    assumeCores(4);
    setThreads(1);
    const alone = dtypes.map(run);
    setThreads(4);
    withSpace("test", "float64", (space) => {
      const x = space.zeros(1_000_000);
      softmaxInto(space, x, 10, x); // starts the workers
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const [e, dtype] of dtypes.entries()) expect(run(dtype).equals(alone[e]!)).toBe(true);
  });
});

describe("softmaxCrossEntropyInto of few classes", () => {
  it.each([2, 3, 4, 5])("has the bits of each row by itself: %i classes", (cols) => {
    const rows = 11;
    withSpace("test", "float32", (space) => {
      const random = new Random(cols);
      const numbers = (n: number, scale: number) =>
        Float64Array.from({ length: n }, () => scale * random.normal());
      const logits = space.copy(numbers(rows * cols, 5));
      const weights = space.copy(numbers(rows, 1).map(Math.abs));
      const codes = space.integers(Int32Array.from({ length: rows }, () => random.below(cols)));
      for (const own of [undefined, weights]) {
        const [losses, gradient] = [space.zeros(rows), space.zeros(rows * cols)];
        softmaxCrossEntropyInto(space, logits, cols, codes, own, losses, gradient);
        const inPlace = space.copy(logits.array);
        softmaxCrossEntropyInto(space, inPlace, cols, codes, own, space.zeros(rows), inPlace);
        expect(inPlace.array).toEqual(gradient.array);
        for (let i = 0; i < rows; i++) {
          const [loss, slopes] = [space.zeros(1), space.zeros(cols)];
          const code = space.integers([codes.array[i]!]);
          const weight = own && space.part(own, i, 1);
          softmaxCrossEntropyInto(
            space,
            space.part(logits, i * cols, cols),
            cols,
            code,
            weight,
            loss,
            slopes,
          );
          expect(loss.array[0]).toBe(losses.array[i]);
          expect(Array.from(slopes.array)).toEqual(
            Array.from(gradient.array.subarray(i * cols, (i + 1) * cols)),
          );
        }
      }
    });
  });
});
