import { integer, real, setInteger, setReal } from "../../shared/arrays";
import { dotRow } from "../../shared/rows";
import { isLow, isUp, noteBounds } from "./bounds";
import { active, alpha, at, diagonal, f, n, upper, variablesPerPoint, y } from "./problem";
import { cachedRow } from "./rows";

/**
 * A Newton step on all free variables: steps of pairs converge slowly where the kernel matrix is nearly singular (above all
 * the linear kernel).
 *
 *   minimise over δ:   ½ δᵀKδ + fᵀδ    subject to   1ᵀδ = 0,      δ = Δ(y α) of the free variables, K their kernel matrix
 *
 * A variable that reaches a bound is fixed there, and the step continues with the others: an active-set method on so few
 * variables that a new factorisation costs less than a few dozen steps of pairs.
 */

/** Added to the diagonal, relative to its largest entry: kernel values have 24 bits. */
const RIDGE: f64 = 1e-7;

// In the work area: the kernel matrix, its factor, and vectors.
let matrix: usize = 0;
let factor: usize = 0;
let who: usize = 0;
let alive: usize = 0;
let gradient: usize = 0;
let total: usize = 0;
let delta: usize = 0;
let ones: usize = 0;
/** Maximum number of variables, and bytes per row of their matrix. */
let most: i32 = 0;
let side: usize = 0;

// @inline
function rowOf(base: usize, a: i32): usize {
  return base + <usize>a * side;
}

function enterNewton(): void {
  most = <i32>at.newtonMost;
  side = (<usize>most) << 3;
  matrix = <usize>at.newton;
  factor = matrix + <usize>most * side;
  gradient = factor + <usize>most * side;
  total = gradient + side;
  delta = total + side;
  ones = delta + side;
  who = ones + side;
  alive = who + side;
}

/**
 * The two variables of a point in regression cannot both be positive at the optimum: their minimum is subtracted from both, which
 * does not change predictions and does not increase the objective.
 */
function net(): void {
  const linear = <usize>at.linearTerm;
  for (let t: i32 = 0; t < active; t++) {
    const both = min(real(alpha, t), real(alpha, n + t));
    if (!(both > 0)) continue;
    setReal(alpha, t, real(alpha, t) - both);
    setReal(alpha, n + t, real(alpha, n + t) - both);
    noteBounds(t);
    noteBounds(n + t);
    at.objective -= both * (real(y, t) * real(linear, t) + real(y, n + t) * real(linear, n + t));
  }
}

/** The free variables among the active ones; −1 if there are too many. */
function collect(): i32 {
  if (variablesPerPoint == 2) net();
  let count: i32 = 0;
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    for (let t: i32 = 0; t < active; t++) {
      const v = h * n + t;
      if (!(isUp(v) && isLow(v))) continue;
      if (count == most) return -1;
      setInteger(who, count++, v);
    }
  }
  return count;
}

/** Kernel values of the free variables; false if JavaScript must compute a row first. */
function fillMatrix(count: i32): bool {
  for (let a: i32 = 0; a < count; a++) {
    const t = integer(who, a) % n;
    const row = cachedRow(t, -1);
    if (row == 0) return false;
    for (let b: i32 = 0; b < count; b++) {
      setReal(rowOf(matrix, a), b, <f64>load<f32>(row + ((<usize>(integer(who, b) % n)) << 2)));
    }
    setReal(rowOf(matrix, a), a, real(diagonal, t));
  }
  return true;
}

/** L Lᵀ of the matrix of the variables not yet fixed, with `ridge` added to its diagonal; false if it is not positive definite. */
function decompose(m: i32, ridge: f64): bool {
  for (let a: i32 = 0; a < m; a++) {
    const row = rowOf(factor, a);
    const from = rowOf(matrix, integer(alive, a));
    for (let b: i32 = 0; b < a; b++) {
      const other = rowOf(factor, b);
      setReal(row, b, (real(from, integer(alive, b)) - dotRow(row, other, b)) / real(other, b));
    }
    const pivot = real(from, integer(alive, a)) + ridge - dotRow(row, row, a);
    if (!(pivot > 0.1 * ridge)) return false;
    setReal(row, a, Math.sqrt(pivot));
  }
  return true;
}

/** b ← (L Lᵀ)⁻¹ b. */
function solveInPlace(b: usize, m: i32): void {
  for (let a: i32 = 0; a < m; a++) {
    const row = rowOf(factor, a);
    setReal(b, a, (real(b, a) - dotRow(row, b, a)) / real(row, a));
  }
  for (let a = m - 1; a >= 0; a--) {
    const row = rowOf(factor, a);
    const value = real(b, a) / real(row, a);
    setReal(b, a, value);
    for (let c: i32 = 0; c < a; c++) setReal(b, c, real(b, c) - real(row, c) * value);
  }
}

/** δ of the variables not yet fixed. */
function direction(m: i32): void {
  for (let a: i32 = 0; a < m; a++) {
    setReal(delta, a, -real(gradient, integer(alive, a)));
    setReal(ones, a, 1);
  }
  solveInPlace(delta, m);
  if (at.unbiased != 0) return;
  solveInPlace(ones, m);
  let sum: f64 = 0;
  let weight: f64 = 0;
  for (let a: i32 = 0; a < m; a++) {
    sum += real(delta, a);
    weight += real(ones, a);
  }
  const shift = sum / weight;
  let left: f64 = 0;
  for (let a: i32 = 0; a < m; a++) {
    setReal(delta, a, real(delta, a) - shift * real(ones, a));
    left += real(delta, a);
  }
  // If the matrix is nearly singular, the rounding error of the sum exceeds that of its terms.
  for (let a: i32 = 0; a < m; a++) setReal(delta, a, real(delta, a) - left / <f64>m);
}

/** The largest step of y α of variable v in the direction of `change`. */
function roomFor(v: i32, change: f64): f64 {
  return change > 0 == real(y, v) > 0 ? real(upper, v) - real(alpha, v) : real(alpha, v);
}

/** Moves along δ to the first bound; returns the variable that reached it, or −1. */
function advance(m: i32): i32 {
  let length: f64 = 1;
  let hit: i32 = -1;
  for (let a: i32 = 0; a < m; a++) {
    const change = real(delta, a);
    const room = roomFor(integer(who, integer(alive, a)), change);
    if (Math.abs(change) * length > room) {
      length = room / Math.abs(change);
      hit = a;
    }
  }
  let fall: f64 = 0;
  for (let a: i32 = 0; a < m; a++) fall += real(gradient, integer(alive, a)) * real(delta, a);
  for (let a: i32 = 0; a < m; a++) {
    const place = integer(alive, a);
    const v = integer(who, place);
    const change = length * real(delta, a);
    const rises = change > 0 == real(y, v) > 0;
    const next = a == hit ? (rises ? real(upper, v) : 0) : real(alpha, v) + real(y, v) * change;
    setReal(alpha, v, min(max(next, 0), real(upper, v)));
    setReal(total, place, real(total, place) + change);
    for (let b: i32 = 0; b < m; b++) {
      const other = integer(alive, b);
      setReal(gradient, other, real(gradient, other) + change * real(rowOf(matrix, place), other));
    }
  }
  // The objective is quadratic: its mean derivative is that at the midpoint.
  for (let a: i32 = 0; a < m; a++) fall += real(gradient, integer(alive, a)) * real(delta, a);
  at.objective += 0.5 * length * fall;
  return hit;
}

/** Updates f for the variables that have changed. */
function update(count: i32): void {
  for (let a: i32 = 0; a < count; a++) {
    const v = integer(who, a);
    noteBounds(v);
    const move = real(total, a);
    if (move == 0) continue;
    const row = cachedRow(v % n, -1);
    for (let h: i32 = 0; h < variablesPerPoint; h++) {
      const out = f + ((<usize>(h * n)) << 3);
      for (let t: i32 = 0; t < active; t++)
        setReal(out, t, real(out, t) + move * <f64>load<f32>(row + ((<usize>t) << 2)));
    }
  }
}

/** Minimises the objective over the free variables. Returns the cost in steps of pairs, 0 if nothing changed. */
export function newtonStep(): f64 {
  enterNewton();
  const count = collect();
  const slots = <i32>at.slots;
  if (count < 2 || (slots < n && count + 2 > slots)) return 0;
  // If JavaScript must compute a row, the step restarts when the row is available: no slot may be evicted meanwhile.
  if (!fillMatrix(count)) return 0;
  let largest: f64 = 0;
  for (let a: i32 = 0; a < count; a++) {
    setInteger(alive, a, a);
    setReal(gradient, a, real(f, integer(who, a)));
    setReal(total, a, 0);
    largest = max(largest, real(rowOf(matrix, a), a));
  }
  let m = count;
  let operations: f64 = 0;
  while (m > 1 && decompose(m, RIDGE * largest)) {
    operations += (<f64>m * <f64>m * <f64>m) / 3;
    direction(m);
    const hit = advance(m);
    if (hit < 0) break;
    m--;
    for (let a = hit; a < m; a++) setInteger(alive, a, integer(alive, a + 1));
  }
  update(count);
  operations += 2 * <f64>count * <f64>(active * variablesPerPoint);
  return 1 + operations / (12 * <f64>(active * variablesPerPoint));
}
