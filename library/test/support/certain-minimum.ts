import type { MarginLoss } from "../../src/losses/loss.js";
import { add, type DD, dd, minus, over, solveSymmetric, times, value } from "./double-double.js";

/** A linear problem of one margin, small enough for arithmetic of 32 digits. */
export interface SmallProblem {
  readonly X: readonly (readonly number[])[];
  /** −1/+1 for classification losses. */
  readonly y: readonly number[];
  readonly weights: readonly number[];
  readonly loss: MarginLoss;
  /** In the form that is added to the summed loss. */
  readonly l1: number;
  readonly l2: number;
  readonly ball: { readonly norm: "l1" | "l2"; readonly radius: number } | null;
  readonly intercept: boolean;
}

/** Σ s ℓ(w·x + b, y) + l1‖w‖₁ + ½ l2‖w‖² as predictions in doubles give it, and what their rounding may change it by. */
export function objectiveOf(
  problem: SmallProblem,
  w: ArrayLike<number>,
  b: number,
): { objective: number; rounding: number } {
  const { X, y, weights, loss, l1, l2 } = problem;
  let objective = 0;
  let rounding = 0;
  X.forEach((row, i) => {
    let z = 0;
    let size = Math.abs(b);
    row.forEach((x, j) => {
      z += x * w[j]!;
      size += Math.abs(x * w[j]!);
    });
    z += b;
    const error = 4 * row.length * Number.EPSILON * size;
    const here = loss.value(z, y[i]!);
    objective += weights[i]! * here;
    const around = [z - error, z + error].map((v) => Math.abs(loss.value(v, y[i]!) - here));
    rounding += weights[i]! * Math.max(...around);
  });
  for (let j = 0; j < w.length; j++) objective += l1 * Math.abs(w[j]!) + 0.5 * l2 * w[j]! * w[j]!;
  return { objective, rounding };
}

/**
 * The lowest objective that Newton's method of 32 digits finds, on columns centred (where b is learned) and scaled: the
 * value of a model, so never below the minimum. Losses with kinks are rounded off, ever less; l1 is handled orthant by
 * orthant; a ball by a search for its multiplier.
 */
export function lowestObjective(problem: SmallProblem): number {
  const design = standardised(problem);
  if (problem.ball) return insideBall(problem, design);
  return penalised(problem, design, problem.l1, problem.l2).objective;
}

interface Design {
  /** Rows of centred, scaled entries. */
  readonly rows: readonly (readonly DD[])[];
  readonly scale: readonly number[];
}

function standardised({ X, intercept }: SmallProblem): Design {
  const d = X[0]!.length;
  const centre = Array.from({ length: d }, (_, j): DD => {
    if (!intercept) return dd(0);
    const sum = X.reduce<DD>((all, row) => add(all, dd(row[j]!)), dd(0));
    return over(sum, dd(X.length));
  });
  const moved = X.map((row) => row.map((x, j) => minus(dd(x), centre[j]!)));
  const scale = centre.map((_, j) => Math.max(...moved.map((row) => Math.abs(value(row[j]!)))));
  // A constant column leaves rounding of the 32nd digit.
  const size = centre.map((c) => Math.abs(value(c)));
  const live = scale.map((s, j) => s > 1e-25 * size[j]!);
  const rows = moved.map((row) => row.map((x, j) => (live[j] ? over(x, dd(scale[j]!)) : dd(0))));
  return { rows, scale: scale.map((s, j) => (live[j] ? s : Infinity)) };
}

interface Found {
  readonly objective: number;
  /** Coefficients of the columns as they were given. */
  readonly w: readonly number[];
}

function penalised(problem: SmallProblem, design: Design, l1: number, l2: number): Found {
  let start: readonly DD[] = Array.from({ length: design.scale.length + 1 }, () => dd(0));
  let best: Found = { objective: Infinity, w: [] };
  for (const loss of roundedOff(problem)) {
    const theta = newton(problem, loss, design, l1, l2, start);
    start = theta;
    const objective = valueAt(problem, problem.loss, design, l1, l2, theta);
    const w = design.scale.map((s, j) => value(theta[j]!) / s);
    if (objective < best.objective) best = { objective, w };
  }
  return best;
}

type Smooth = Pick<MarginLoss, "value" | "derivative" | "curvature">;

/** The loss itself, or ever sharper smooth ones: a kink becomes a parabola of width μ. */
function roundedOff({ loss, y }: SmallProblem): readonly Smooth[] {
  const size = Math.max(...y.map((v) => Math.abs(v - y[0]!)), 1e-300);
  const kinked = ["hinge", "absolute", "quantile", "epsilonInsensitive"].includes(loss.name);
  if (!kinked) return [loss];
  const unit = loss.name === "hinge" ? 1 : size;
  return Array.from({ length: 14 }, (_, k) => smoothed(loss, unit * 10 ** (2 - k)));
}

/** max(0, t) as 0, t²/2μ, t − μ/2; every kinked loss is a sum of such hinges. */
function smoothed(loss: MarginLoss, mu: number): Smooth {
  const p = loss.param;
  const hinges: readonly (readonly [
    weight: number,
    sign: (y: number) => number,
    at: (y: number) => number,
  ])[] = {
    hinge: [[1, (y: number) => -y, () => 1]],
    absolute: [
      [1, () => 1, (y: number) => -y],
      [1, () => -1, (y: number) => y],
    ],
    quantile: [
      [1 - p, () => 1, (y: number) => -y],
      [p, () => -1, (y: number) => y],
    ],
    epsilonInsensitive: [
      [1, () => 1, (y: number) => -y - p],
      [1, () => -1, (y: number) => y - p],
    ],
  }[loss.name as "hinge"] as never;
  const sum = (term: (t: number, sign: number) => number) => (z: number, y: number) =>
    hinges.reduce((all, [weight, sign, at]) => all + weight * term(sign(y) * z + at(y), sign(y)), 0);
  return {
    value: sum((t) => (t <= 0 ? 0 : t < mu ? (t * t) / (2 * mu) : t - mu / 2)),
    derivative: sum((t, sign) => sign * (t <= 0 ? 0 : t < mu ? t / mu : 1)),
    curvature: sum((t, sign) => (t > 0 && t < mu ? (sign * sign) / mu : 0)),
  };
}

function marginsOf(design: Design, theta: readonly DD[]): number[] {
  const d = design.scale.length;
  return design.rows.map((row) =>
    value(row.reduce<DD>((sum, x, j) => add(sum, times(x, theta[j]!)), theta[d]!)),
  );
}

function valueAt(
  { y, weights }: SmallProblem,
  loss: Smooth,
  design: Design,
  l1: number,
  l2: number,
  theta: readonly DD[],
): number {
  const z = marginsOf(design, theta);
  let sum = z.reduce((all, zi, i) => all + weights[i]! * loss.value(zi, y[i]!), 0);
  design.scale.forEach((s, j) => {
    const w = value(theta[j]!) / s;
    sum += l1 * Math.abs(w) + 0.5 * l2 * w * w;
  });
  return sum;
}

function newton(
  problem: SmallProblem,
  loss: Smooth,
  design: Design,
  l1: number,
  l2: number,
  start: readonly DD[],
): readonly DD[] {
  const { y, weights, intercept } = problem;
  const d = design.scale.length;
  const majorant = loss === problem.loss ? problem.loss.majorant : undefined;
  let theta = start;
  let reached = valueAt(problem, loss, design, l1, l2, theta);
  for (let step = 0, quiet = 0; step < 200 && quiet < 3; step++) {
    const z = marginsOf(design, theta);
    const r = z.map((zi, i) => weights[i]! * loss.derivative(zi, y[i]!));
    // A row's fraction of a majorising curvature keeps steps finite where the loss is straight; it shrinks as they settle.
    const straight = majorant && step % 2 === 0 ? majorant : loss.curvature;
    const h = z.map((zi, i) => weights[i]! * straight(zi, y[i]!));
    const gradient = Array.from({ length: d + 1 }, (_, j) =>
      design.rows.reduce<DD>((sum, row, i) => add(sum, times(dd(r[i]!), j < d ? row[j]! : dd(1))), dd(0)),
    );
    const signs = design.scale.map((s, j) => {
      gradient[j] = add(gradient[j]!, times(dd(l2 / s / s), theta[j]!));
      const w = value(theta[j]!);
      if (w !== 0) return Math.sign(w);
      return Math.abs(value(gradient[j]!)) > l1 / s ? -Math.sign(value(gradient[j]!)) : 0;
    });
    const free = signs.flatMap((sign, j) =>
      design.scale[j]! < Infinity && (l1 === 0 || sign !== 0) ? [j] : [],
    );
    if (intercept) free.push(d);
    const entry = (i: number, j: number) => (j < d ? design.rows[i]![j]! : dd(1));
    const matrix = free.map((a) =>
      free.map((b) => {
        let sum = dd(a === b && a < d ? l2 / design.scale[a]! ** 2 : 0);
        for (let i = 0; i < h.length; i++) {
          if (h[i]! > 0) sum = add(sum, times(times(dd(h[i]!), entry(i, a)), entry(i, b)));
        }
        return sum;
      }),
    );
    const right = free.map((j) =>
      j < d ? add(gradient[j]!, dd((l1 * signs[j]!) / design.scale[j]!)) : gradient[d]!,
    );
    const direction = solveSymmetric(matrix, right);
    let next: readonly DD[] = theta;
    let lower = Infinity;
    for (let t = 1; t > 1e-12; t *= t > 0.1 ? 0.5 : 0.1) {
      next = moved(theta, free, direction, t, l1 > 0 ? signs : null);
      lower = valueAt(problem, loss, design, l1, l2, next);
      if (lower < reached) break;
    }
    quiet = lower < reached - 1e-14 * Math.abs(reached) ? 0 : quiet + 1;
    if (lower <= reached) {
      theta = next;
      reached = lower;
    }
  }
  return theta;
}

/** θ − t·p on the free coordinates; with l1 a coefficient that would leave its orthant stops at 0. */
function moved(
  theta: readonly DD[],
  free: readonly number[],
  direction: readonly DD[],
  t: number,
  signs: readonly number[] | null,
): readonly DD[] {
  const next = theta.slice();
  free.forEach((j, e) => {
    const to = minus(theta[j]!, times(dd(t), direction[e]!));
    const leaves = signs !== null && j < signs.length && value(to) * signs[j]! < 0;
    next[j] = leaves ? dd(0) : to;
  });
  return next;
}

/** By bisection on the multiplier: the penalised minimum whose norm is the radius. */
function insideBall(problem: SmallProblem, design: Design): number {
  const { ball, l1, l2 } = problem;
  const norm = (w: readonly number[]) =>
    ball!.norm === "l1" ? w.reduce((sum, v) => sum + Math.abs(v), 0) : Math.hypot(...w);
  const at = (lambda: number) =>
    penalised(
      problem,
      design,
      l1 + (ball!.norm === "l1" ? lambda : 0),
      l2 + (ball!.norm === "l2" ? lambda : 0),
    );
  const plain = ({ w, objective }: Found, lambda: number) =>
    objective - (ball!.norm === "l1" ? lambda * norm(w) : 0.5 * lambda * norm(w) ** 2);
  const free = at(0);
  if (norm(free.w) <= ball!.radius) return free.objective;
  let [low, high] = [0, 1e-8];
  while (norm(at(high).w) > ball!.radius && high < 1e40) [low, high] = [high, high * 100];
  for (let k = 0; k < 60; k++) {
    const middle = low > 0 ? Math.sqrt(low * high) : high / 100;
    if (norm(at(middle).w) > ball!.radius) low = middle;
    else high = middle;
  }
  return plain(at(high), high);
}
