import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/restore-threads.js";
import { pow } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import {
  adamStep,
  addSignInto,
  allFinite,
  axpyInto,
  momentumStep,
  penaltyInto,
  rmsPropStep,
  scaleInto,
  sgdStep,
  sumOfAbsolutes,
  sumOfSquares,
} from "./optimizer.js";
import { type Dtype, type Reals, type TensorSpace, withSpace } from "./space.js";

restoreThreads();

const dtypes: Dtype[] = ["float32", "float64"];
/** Around one vector of 4 or 2 and two of them, and around one chunk. */
const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16383, 16384, 16385, 16390];
/** A float has 24 bits; a step has fewer than ten roundings. */
const tolerance = (dtype: Dtype): number => (dtype === "float32" ? 1e-6 : 1e-14);

function normal(length: number, seed: number): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length }, () => random.normal());
}

/** A copy whose neighbours in memory are guarded: `intact` checks that they still have their values. */
function guarded(space: TensorSpace, values: ArrayLike<number>): { x: Reals; intact: () => boolean } {
  const whole = space.copy(new Float64Array(values.length + 8).fill(7));
  const x = space.part(whole, 3, values.length);
  x.array.set(values);
  const intact = () => whole.array.every((v, e) => (e >= 3 && e < 3 + values.length) || v === 7);
  return { x, intact };
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tol: number): void {
  let worst = 0;
  for (let e = 0; e < expected.length; e++) {
    worst = Math.max(worst, Math.abs(actual[e]! - expected[e]!) / (1 + Math.abs(expected[e]!)));
  }
  expect(worst).toBeLessThan(tol);
}

/**
 * Runs `work` on guarded vectors of every size and width, and compares the first vectors with those of the
 * twin.
 */
function compare(
  vectors: number,
  work: (space: TensorSpace, ...x: Reals[]) => void,
  twin: (...x: Float64Array[]) => void,
): void {
  for (const dtype of dtypes) {
    for (const n of sizes) {
      const values = Array.from({ length: vectors }, (_, v) => normal(n, 10 * v + n).map(Math.fround));
      // Averages of squares.
      for (const v of [3, 4]) values[v] = values[v]?.map(Math.abs) as Float64Array<ArrayBuffer>;
      withSpace("test", dtype, (space) => {
        const copies = values.slice(0, vectors).map((v) => guarded(space, v));
        work(space, ...copies.map(({ x }) => x));
        twin(...values);
        for (const [v, { x, intact }] of copies.entries()) {
          expectClose(x.array, values[v]!, tolerance(dtype));
          expect(intact()).toBe(true);
        }
      });
    }
  }
}

describe("steps of optimizers", () => {
  it("sgdStep moves θ by −lr·g", () => {
    compare(
      2,
      (space, theta, g) => sgdStep(space, theta!, g!, 0.1),
      (theta, g) => {
        for (let e = 0; e < g!.length; e++) theta![e]! -= 0.1 * g![e]!;
      },
    );
  });

  it.each([false, true])("momentumStep is scikit-learn's SGDOptimizer (nesterov %s)", (nesterov) => {
    const options = { learningRate: 0.1, momentum: 0.9, nesterov };
    compare(
      3,
      (space, theta, g, v) => momentumStep(space, theta!, g!, v!, options),
      (theta, g, v) => {
        for (let e = 0; e < theta!.length; e++) {
          v![e] = 0.9 * v![e]! - 0.1 * g![e]!;
          theta![e]! += nesterov ? 0.9 * v![e]! - 0.1 * g![e]! : v![e]!;
        }
      },
    );
  });

  it("adamStep is scikit-learn's AdamOptimizer, with decay where it is flagged", () => {
    const options = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 3, decay: 0.5 };
    const rate = (0.01 * Math.sqrt(1 - pow(0.999, 3))) / (1 - pow(0.9, 3));
    compare(
      4,
      (space, theta, g, m, v) => {
        const decayed = space.copy(Float64Array.from({ length: theta!.length }, (_, e) => e % 2));
        adamStep(space, theta!, g!, m!, v!, { ...options, decayed });
      },
      (theta, g, m, v) => {
        for (let e = 0; e < theta!.length; e++) {
          theta![e]! -= 0.01 * 0.5 * (e % 2) * theta![e]!;
          m![e] = 0.9 * m![e]! + (1 - 0.9) * g![e]!;
          v![e] = 0.999 * v![e]! + (1 - 0.999) * g![e]! ** 2;
          theta![e]! -= (rate * m![e]!) / (Math.sqrt(v![e]!) + 1e-8);
        }
      },
    );
  });

  it("adamStep without flags decays nothing", () => {
    const options = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 1 };
    withSpace("test", "float64", (space) => {
      const run = (more: object) => {
        const theta = space.copy([1, 2, 3]);
        adamStep(space, theta, space.zeros(3), space.zeros(3), space.zeros(3), { ...options, ...more });
        return [...theta.array];
      };
      expect(run({ decay: 0.1 })).toEqual([1, 2, 3]);
      expect(run({ decayed: space.copy([1, 1, 1]) })).toEqual([1, 2, 3]);
      expect(run({ decay: 0.1, decayed: space.copy([0, 1, 0]) })).toEqual([1, 2 - 0.001 * 2, 3]);
    });
  });

  it("rmsPropStep divides by the root of the mean square, with and without momentum", () => {
    for (const momentum of [undefined, 0.8]) {
      compare(
        5,
        (space, theta, g, velocity, s) =>
          rmsPropStep(space, theta!, g!, s!, {
            learningRate: 0.01,
            rho: 0.9,
            epsilon: 1e-7,
            ...(momentum === undefined ? {} : { momentum, velocity: velocity! }),
          }),
        (theta, g, velocity, s) => {
          for (let e = 0; e < theta!.length; e++) {
            s![e] = 0.9 * s![e]! + (1 - 0.9) * g![e]! ** 2;
            let step = g![e]! / (Math.sqrt(s![e]!) + 1e-7);
            if (momentum !== undefined) step = velocity![e] = momentum * velocity![e]! + step;
            theta![e]! -= 0.01 * step;
          }
        },
      );
    }
  });
});

describe("vectors", () => {
  it("axpyInto, scaleInto and addSignInto change exactly their vector", () => {
    compare(
      3,
      (space, x, y, z) => {
        axpyInto(space, 0.3, x!, y!);
        addSignInto(space, 0.2, x!, z!);
        scaleInto(space, -1.5, x!);
      },
      (x, y, z) => {
        x!.forEach((value, e) => {
          y![e]! += 0.3 * value;
          z![e]! += 0.2 * Math.sign(value);
          x![e] = -1.5 * value;
        });
      },
    );
    withSpace("test", "float32", (space) => {
      const out = space.copy([5, 5, 5]);
      addSignInto(space, 1, space.copy([0, -0, -3]), out);
      expect([...out.array]).toEqual([5, 5, 4]);
    });
  });

  it("penaltyInto adds a·x and returns what sumOfSquares returns", () => {
    compare(
      2,
      (space, x, y) => {
        expect(penaltyInto(space, 0.3, x!, y!)).toBe(sumOfSquares(space, x!));
      },
      (x, y) => {
        for (const [e, value] of x!.entries()) y![e]! += 0.3 * value;
      },
    );
  });

  it("sumOfSquares and sumOfAbsolutes add in doubles for floats too", () => {
    for (const dtype of dtypes) {
      for (const n of sizes) {
        const values = normal(n, n).map(Math.fround);
        withSpace("test", dtype, (space) => {
          const { x } = guarded(space, values);
          const squares = values.reduce((sum, v) => sum + v * v, 0);
          const absolutes = values.reduce((sum, v) => sum + Math.abs(v), 0);
          expect(sumOfSquares(space, x)).toBeCloseTo(squares, 8);
          expect(sumOfAbsolutes(space, x)).toBeCloseTo(absolutes, 8);
        });
      }
    }
    withSpace("test", "float32", (space) => {
      expect(sumOfSquares(space, space.copy([3e30, 4e30]))).toBeCloseTo(2.5e61, -55);
      expect(sumOfSquares(space, space.copy([]))).toBe(0);
    });
  });

  it("allFinite finds NaN and ±∞ wherever they are", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const n of [1, 5, 20000]) {
          const { x } = guarded(space, new Float64Array(n).fill(3e38));
          expect(allFinite(space, x)).toBe(true);
          for (const bad of [Number.NaN, Infinity, -Infinity]) {
            for (const where of [0, n >> 1, n - 1]) {
              x.array[where] = bad;
              expect(allFinite(space, x)).toBe(false);
              x.array[where] = 0;
            }
          }
        }
      });
    }
  });

  it("the number of threads changes no bit", async () => {
    assumeCores(4);
    const n = 1_000_003;
    const values = normal(n, 1);
    const run = (dtype: Dtype) =>
      withSpace("test", dtype, (space) => {
        const [theta, g, m, v] = [0.5, 1, 0.1, 0.01].map((scale) => space.copy(values.map((x) => scale * x)));
        const options = { learningRate: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
        const squares = v!.array;
        for (let e = 0; e < n; e++) squares[e]! **= 2;
        for (let step = 1; step < 4; step++) adamStep(space, theta!, g!, m!, v!, { ...options, step });
        const bytes = Buffer.from(theta!.array.slice().buffer);
        return { bytes, sum: sumOfSquares(space, theta!) };
      });
    setThreads(1);
    const alone = dtypes.map(run);
    setThreads(4);
    run("float64"); // starts the workers
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const [e, dtype] of dtypes.entries()) {
      const shared = run(dtype);
      expect(shared.bytes.equals(alone[e]!.bytes)).toBe(true);
      expect(shared.sum).toBe(alone[e]!.sum);
    }
  });
});
