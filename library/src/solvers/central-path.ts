import { dot } from "../minimisers/vectors.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import type { RowOperator } from "../numeric/rows/row-operator.js";
import { baselineOf } from "./baseline.js";
import { isolate } from "./objective.js";
import { hingesOf, type Problem } from "./problem.js";

/** The problem of interior-point.ts as numbers: bounds, costs and signs of its variables, those of the first pieces first. */
export interface Canonical {
  readonly u: Float64Array;
  readonly c: Float64Array;
  readonly sigma: Float64Array;
  /** Row weights of the linear term; variable v belongs to row v mod rows. */
  readonly linear: Float64Array | null;
}

export function canonical(problem: Problem): Canonical {
  const { loss, y, weights, x } = problem;
  const n = x.rows;
  const { pieces, tilt } = hingesOf(loss);
  const count = pieces.length * n;
  const u = new Float64Array(count);
  const c = new Float64Array(count);
  const sigma = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    const i = v % n;
    const piece = pieces[(v - i) / n]!;
    u[v] = weights ? weights[i]! : 1;
    sigma[v] = piece.sigma(y[i]!);
    c[v] = piece.c(y[i]!);
  }
  const linear = tilt === 0 ? null : u.map((s) => s * tilt);
  return { u, c, sigma, linear };
}

/** Gaps below this fraction of the objective occur in the last few steps. */
const NEAR_THE_END = 1e-7;
/** Smallest distance of a from its bounds, which avoids divisions by 0. */
const TINY = 1e-16;
/** Smallest distance kept from the bounds, as a fraction of the step to them. */
const STAY_INSIDE = 0.9995;

/** Rounding keeps the gap above this fraction of the objective. */
const SMALLEST_GAP = 1e-11;

/** Relative rounding errors of targets. */
const ROUNDED = 32 * Number.EPSILON;

/** Number of steps without a smaller gap after which the method stops. */
const PATIENCE = 20;

/** A point of the central path: [w, b], the multipliers a, the objective and the remaining gap. */
export interface CentralPoint {
  readonly theta: Float64Array;
  readonly multipliers: Float64Array;
  readonly objective: number;
  readonly gap: number;
}

/** The iterate of the interior-point method, and its steps. */
export class CentralPath {
  readonly theta: Float64Array;
  gap = Infinity;
  primal = Infinity;
  readonly #a: Float64Array;
  readonly #v: Float64Array;
  readonly #xi: Float64Array;
  readonly #z: Float64Array;
  readonly #n: number;
  readonly #live: Int32Array;
  readonly #linear: Float64Array;
  readonly #constant: number;
  /** Steps without a smaller gap. */
  #stalled = 0;
  /** The loss of a constant, and the rounding error of the loss of a perfect fit. */
  readonly scale: number;
  readonly floor: number;

  constructor(
    private readonly problem: Problem,
    private readonly rows: RowOperator,
    private readonly form: Canonical,
  ) {
    const count = form.c.length;
    this.#n = rows.rows;
    this.theta = new Float64Array(rows.cols + 1);
    this.#z = new Float64Array(this.#n);
    this.#linear = new Float64Array(rows.cols + 1);
    if (form.linear) rows.combineInto(form.linear, this.#linear);
    if (!problem.intercept) this.#linear[rows.cols] = 0;
    this.#constant = form.linear ? dot(form.linear, problem.y) : 0;
    // Rows without weight have no variable.
    this.#live = Int32Array.from({ length: count }, (_, v) => v).filter((v) => form.u[v]! > 0);
    this.scale = baselineOf(problem)?.objective ?? this.#n;
    this.floor = ROUNDED * form.u.reduce((sum, u, v) => sum + u * Math.abs(form.c[v]!), 0);
    this.#a = form.u.map((u) => 0.5 * u);
    const sizes = form.c.map(Math.abs);
    const spread = median(sizes) || sizes.reduce((most, size) => Math.max(most, size), 0) || 1;
    this.#v = new Float64Array(count).fill(spread);
    this.#xi = new Float64Array(count).fill(spread);
    for (const v of this.#live) {
      const r = form.c[v]!;
      if (r > 0) this.#xi[v]! += r;
      else this.#v[v]! -= r;
    }
    this.#measure();
  }

  point(): CentralPoint {
    const { theta, primal: objective, gap } = this;
    return { theta: theta.slice(), multipliers: this.#a.slice(), objective, gap };
  }

  done(tol: number): boolean {
    const share = Math.max(tol * tol, SMALLEST_GAP);
    return this.gap <= Math.max(share * Math.max(Math.abs(this.primal), 1e-12 * this.scale), this.floor);
  }

  /** One predictor–corrector step; false if rounding prevents further progress. */
  step(): boolean {
    const mu = this.#complementarity() / (2 * this.#live.length);
    const { weights, factor } = this.#factorise();
    const affine = this.#solve(factor, weights, 0, null);
    const reach = this.#reach(affine, 1);
    const ahead = this.#complementarityAfter(affine, reach) / (2 * this.#live.length);
    const ratio = ahead / mu;
    const full = this.#solve(factor, weights, ratio * ratio * ratio * mu, affine);
    const step = Math.min(1, STAY_INSIDE * this.#reach(full, 1 / STAY_INSIDE));
    if (!(step > 1e-10) || !full.theta.every(Number.isFinite)) return false;
    const before = { theta: this.theta.slice(), gap: this.gap, primal: this.primal };
    for (let e = 0; e < this.theta.length; e++) this.theta[e]! += step * full.theta[e]!;
    for (const v of this.#live) {
      this.#a[v] = Math.min(
        Math.max(this.#a[v]! + step * full.a[v]!, TINY * this.form.u[v]!),
        (1 - TINY) * this.form.u[v]!,
      );
      this.#v[v] = Math.max(this.#v[v]! + step * full.v[v]!, Number.MIN_VALUE);
      this.#xi[v] = Math.max(this.#xi[v]! + step * full.xi[v]!, Number.MIN_VALUE);
    }
    this.#measure();
    this.#stalled = this.gap < 0.9 * before.gap ? 0 : this.#stalled + 1;
    if (this.#stalled > PATIENCE) return false;
    // Early on the gap may rise, since the start is not feasible. Near the end a rise means that rounding errors dominate,
    // and the previous point is the best one.
    if (this.gap <= 2 * before.gap || before.gap > NEAR_THE_END * Math.abs(before.primal))
      return Number.isFinite(this.gap);
    this.theta.set(before.theta);
    this.gap = before.gap;
    this.primal = before.primal;
    return false;
  }

  /** Objective and gap at the current point: the primal at θ, the dual bound from complementarity. */
  #measure(): void {
    const { form } = this;
    this.rows.marginsInto(this.theta, this.#z);
    let loss = 0;
    let slackness = 0;
    for (const v of this.#live) {
      const r = form.c[v]! - form.sigma[v]! * this.#z[v % this.#n]!;
      loss += form.u[v]! * Math.max(0, r);
      slackness += form.u[v]! * Math.max(0, r) - this.#a[v]! * r;
    }
    let square = 0;
    for (let j = 0; j < this.rows.cols; j++) square += this.theta[j]! * this.theta[j]!;
    this.primal = 0.5 * this.problem.l2 * square + loss + dot(this.#linear, this.theta) - this.#constant;
    const residual = this.#stationarity();
    // Σ max(…) − a r bounds the gap once l2·w = Σ a σ x holds; the effect of the remaining residual is added.
    this.gap = Math.max(0, slackness) + Math.abs(dot(residual, this.theta));
  }

  /** l2 w + l − Σ a σ [x, 1]. */
  #stationarity(): Float64Array {
    const { form, problem, rows } = this;
    const pull = new Float64Array(this.#n);
    for (const v of this.#live) pull[v % this.#n]! += this.#a[v]! * form.sigma[v]!;
    const out = new Float64Array(rows.cols + 1);
    rows.combineInto(pull, out);
    for (let e = 0; e < out.length; e++) {
      out[e] = (e < rows.cols ? problem.l2 * this.theta[e]! : 0) + this.#linear[e]! - out[e]!;
    }
    if (!problem.intercept) out[rows.cols] = 0;
    return out;
  }

  #factorise(): { weights: Float64Array; factor: CholeskyFactor } {
    const { form, problem, rows } = this;
    const weights = new Float64Array(form.c.length);
    const perRow = new Float64Array(this.#n);
    for (const v of this.#live) {
      const d = this.#v[v]! / this.#a[v]! + this.#xi[v]! / (form.u[v]! - this.#a[v]!);
      weights[v] = 1 / d;
      perRow[v % this.#n]! += weights[v]!;
    }
    const side = rows.cols + 1;
    const matrix = new Float64Array(side * side);
    rows.gramInto(perRow, matrix);
    for (let j = 0; j < rows.cols; j++) matrix[j * side + j]! += problem.l2;
    if (!problem.intercept) isolate(matrix, side, rows.cols);
    return { weights, factor: cholesky(matrix, side) };
  }

  /** The Newton direction towards complementarity μ; `second` adds Mehrotra's correction. */
  #solve(factor: CholeskyFactor, weights: Float64Array, mu: number, second: Direction | null): Direction {
    const { form, rows, problem } = this;
    const count = form.c.length;
    const e = new Float64Array(count);
    const pull = new Float64Array(this.#n);
    for (const v of this.#live) {
      const a = this.#a[v]!;
      const room = form.u[v]! - a;
      const r = form.c[v]! - form.sigma[v]! * this.#z[v % this.#n]! - this.#xi[v]! + this.#v[v]!;
      const lowTarget = mu - (second ? second.a[v]! * second.v[v]! : 0);
      const highTarget = mu + (second ? second.a[v]! * second.xi[v]! : 0);
      e[v] = r + lowTarget / a - this.#v[v]! - highTarget / room + this.#xi[v]!;
      pull[v % this.#n]! += form.sigma[v]! * weights[v]! * e[v]!;
    }
    const right = new Float64Array(rows.cols + 1);
    rows.combineInto(pull, right);
    const residual = this.#stationarity();
    for (let j = 0; j < right.length; j++) right[j]! -= residual[j]!;
    if (!problem.intercept) right[rows.cols] = 0;
    const theta = new Float64Array(right.length);
    choleskySolveInto(factor, right, theta);
    if (!problem.intercept) theta[rows.cols] = 0;
    const dz = new Float64Array(this.#n);
    rows.marginsInto(theta, dz);
    return this.#expand(theta, dz, e, weights, mu, second);
  }

  #expand(
    theta: Float64Array,
    dz: Float64Array,
    e: Float64Array,
    weights: Float64Array,
    mu: number,
    second: Direction | null,
  ): Direction {
    const { form } = this;
    const count = e.length;
    const direction = {
      theta,
      a: new Float64Array(count),
      v: new Float64Array(count),
      xi: new Float64Array(count),
    };
    for (const v of this.#live) {
      const a = this.#a[v]!;
      const room = form.u[v]! - a;
      const da = weights[v]! * (e[v]! - form.sigma[v]! * dz[v % this.#n]!);
      const lowTarget = mu - (second ? second.a[v]! * second.v[v]! : 0);
      const highTarget = mu + (second ? second.a[v]! * second.xi[v]! : 0);
      direction.a[v] = da;
      direction.v[v] = (lowTarget - this.#v[v]! * da) / a - this.#v[v]!;
      direction.xi[v] = (highTarget + this.#xi[v]! * da) / room - this.#xi[v]!;
    }
    return direction;
  }

  /** The largest step along the direction, at most `limit`, before a variable reaches its bound. */
  #reach(direction: Direction, limit: number): number {
    let reach = limit;
    for (const v of this.#live) {
      const da = direction.a[v]!;
      if (da < 0) reach = Math.min(reach, -this.#a[v]! / da);
      else if (da > 0) reach = Math.min(reach, (this.form.u[v]! - this.#a[v]!) / da);
      if (direction.v[v]! < 0) reach = Math.min(reach, -this.#v[v]! / direction.v[v]!);
      if (direction.xi[v]! < 0) reach = Math.min(reach, -this.#xi[v]! / direction.xi[v]!);
    }
    return reach;
  }

  #complementarity(): number {
    let sum = 0;
    for (const v of this.#live)
      sum += this.#a[v]! * this.#v[v]! + (this.form.u[v]! - this.#a[v]!) * this.#xi[v]!;
    return sum;
  }

  #complementarityAfter(d: Direction, t: number): number {
    let sum = 0;
    for (const v of this.#live) {
      const a = this.#a[v]! + t * d.a[v]!;
      sum += a * (this.#v[v]! + t * d.v[v]!) + (this.form.u[v]! - a) * (this.#xi[v]! + t * d.xi[v]!);
    }
    return sum;
  }
}

interface Direction {
  readonly theta: Float64Array;
  readonly a: Float64Array;
  readonly v: Float64Array;
  readonly xi: Float64Array;
}

function median(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length >> 1]!;
}
