import { describe, expect, it } from "vitest";
import { exp, log } from "../core/numbers/elementary.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { softmax } from "../losses/losses.js";
import { newton, proximal, type SgdOptions, sgd } from "./index.js";
import type { Solution } from "./objective.js";
import type { Problem } from "./problem.js";
import type { AnySolver, SolverStep } from "./solver.js";

const [n, d, K] = [90, 5, 3];
const random = new Random(5);
const x = Matrix.zeros(n, d);
// A few zeros, so that sparse rows skip something.
for (let e = 0; e < n * d; e++) x.data[e] = e % 7 === 0 ? 0 : random.normal();
const y = Float64Array.from({ length: n }, (_, i) => {
  const z = x.at(i, 0) - x.at(i, 1) + 0.5 * random.normal();
  return z < -0.7 ? 0 : z < 0.7 ? 1 : 2;
});
const weights = Float64Array.from({ length: n }, () => 0.5 + random.uniform());

const problem = (options: Partial<Problem> = {}): Problem => ({
  where: "test",
  x,
  y,
  weights,
  loss: softmax(),
  outputs: K,
  intercept: true,
  l1: 0,
  l2: 0.05 * n,
  ball: null,
  maxIter: 2000,
  tol: 1e-8,
  randomState: 0,
  ...options,
});

function last(solver: AnySolver, p: Problem): Solution & { steps: SolverStep[] } {
  const run = solver.minimise(p);
  const steps: SolverStep[] = [];
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return { ...step.value, steps };
    steps.push(step.value);
  }
}

/** The rule by hand: rows in order, batches averaged, the cumulative l1 penalty of Tsuruoka et al. or sign(w). */
function byHand(p: Problem, epochs: number, eta: number, options: SgdOptions): Float64Array {
  const { batchSize: batch = 1, average, l1Update } = options;
  const blocks = p.reference ? K - 1 : K;
  const total = p.weights!.reduce((sum, s) => sum + s, 0);
  const [l1, l2] = [p.l1 / total, p.l2 / total];
  const theta = new Float64Array(blocks * (d + 1));
  const mean = theta.slice();
  const cut = new Float64Array(theta.length);
  let [u, steps] = [0, 0];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let start = 0; start < n; start += batch) {
      const rows = Array.from({ length: Math.min(batch, n - start) }, (_, e) => start + e);
      const gradient = new Float64Array(theta.length);
      for (const i of rows) {
        const z = Array.from({ length: K }, (_, k) => {
          if (k >= blocks) return 0;
          let sum = theta[k * (d + 1) + d]!;
          for (let j = 0; j < d; j++) sum += theta[k * (d + 1) + j]! * x.at(i, j);
          return sum;
        });
        const sum = z.reduce((all, v) => all + exp(v), 0);
        for (let k = 0; k < blocks; k++) {
          const r = (p.weights![i]! * (exp(z[k]!) / sum - (y[i] === k ? 1 : 0))) / rows.length;
          for (let j = 0; j < d; j++) gradient[k * (d + 1) + j]! += r * x.at(i, j);
          gradient[k * (d + 1) + d]! += p.intercept ? r : 0;
        }
      }
      u += eta * l1;
      for (let e = 0; e < theta.length; e++) {
        if (e % (d + 1) === d) {
          theta[e]! -= eta * gradient[e]!;
          continue;
        }
        const w = theta[e]! * (1 - eta * l2) - eta * gradient[e]!;
        if (l1Update === "subgradient") {
          theta[e] = w - eta * l1 * Math.sign(theta[e]!);
          continue;
        }
        const kept = w > 0 ? Math.max(0, w - (u + cut[e]!)) : Math.min(0, w + (u - cut[e]!));
        theta[e] = l1 > 0 ? kept : w;
        if (l1 > 0) cut[e]! += kept - w;
      }
      steps++;
      for (let e = 0; e < theta.length; e++) mean[e]! += (theta[e]! - mean[e]!) / steps;
    }
  }
  return average === true ? mean : theta;
}

const sparse = { x: CsrMatrix.fromDense(x), intercept: false };
const cases: [string, Partial<Problem>, SgdOptions][] = [
  ["one row per step", {}, {}],
  ["batches", {}, { batchSize: 7 }],
  ["averaged", {}, { average: true }],
  ["without a penalty", { l2: 0 }, {}],
  ["l1", { l1: 0.02 * n, l2: 0 }, {}],
  ["plain l1", { l1: 0.02 * n, l2: 0 }, { l1Update: "subgradient" }],
  ["plain elastic net, averaged", { l1: 0.02 * n }, { l1Update: "subgradient", average: true }],
  ["plain l1 on sparse rows", { ...sparse, l1: 0.02 * n }, { l1Update: "subgradient", batchSize: 3 }],
  ["elastic net in batches, averaged", { l1: 0.02 * n }, { batchSize: 4, average: true }],
  ["a reference class", { reference: true }, {}],
  ["without intercepts", { intercept: false }, {}],
  ["sparse rows", sparse, {}],
  ["sparse rows in batches, averaged", sparse, { batchSize: 3, average: true }],
];

describe("stochastic descent on softmax", () => {
  it.each(cases)("is the rule by hand: %s", (_, given, options) => {
    const p = problem({ ...given, maxIter: 2 });
    const eta0 = 0.1;
    const { theta } = last(sgd({ learningRate: "constant", eta0, shuffle: false, ...options }), p);
    const expected = byHand(p, 2, eta0, options);
    // Some hundred steps of numbers of order 1.
    for (let e = 0; e < theta.length; e++) expect(Math.abs(theta[e]! - expected[e]!)).toBeLessThan(1e-12);
  });

  it("reports the mean loss of an epoch, each row before its own step", () => {
    const p = problem({ maxIter: 1 });
    const { steps } = last(sgd({ learningRate: "constant", eta0: 1e-12, shuffle: false }), p);
    // A step of 1e-12 moves nothing: every class has probability 1/3.
    expect(steps[0]!.objective).toBeCloseTo(log(3), 9);
  });

  it.each([
    ["l2", {}],
    ["reference", { reference: true }],
    ["elastic net", { l1: 0.02 * n }],
  ] as const)("comes to the minimum that Newton finds: %s", (_, given) => {
    const p = problem(given);
    const exact = last("l1" in given ? proximal() : newton(), { ...p, tol: 1e-8 });
    const solution = last(sgd({ learningRate: "optimal" }), { ...p, tol: 1e-6, maxIter: 5000 });
    expect(solution.converged).toBe(true);
    expect(solution.objective).toBeGreaterThanOrEqual(exact.objective * (1 - 1e-12));
    // It stops when the mean loss of five epochs improves by less than 1e-6; steps of 1/(α t) are then about 1e-3.
    expect(solution.objective).toBeLessThan(exact.objective * (1 + 1e-3));
  });

  it("says so when its steps diverge", () => {
    const huge = {
      x: new Matrix(
        x.data.map((v) => 1e8 * v),
        n,
        d,
      ),
      l2: 0,
    };
    const { converged, theta } = last(sgd({ learningRate: "constant", eta0: 1e300 }), problem(huge));
    expect(converged).toBe(false);
    expect(theta.every(Number.isFinite)).toBe(true);
  });
});
