import { real, setReal } from "../shared/arrays";
import { KernelStep } from "../shared/kernel-functions.layout";
import { closeTeam, joinTeam, openTeam } from "../shared/team";
import { limitOf, noteBounds } from "./smo/bounds";
import { fillDiagonal } from "./smo/diagonal";
import { takeStart } from "./smo/given-start";
import { newtonStep } from "./smo/newton";
import { active, alpha, at, diagonal, enter, f, n, setActive, variablesPerPoint, y } from "./smo/problem";
import { cachedRow, clearBook, help } from "./smo/rows";
import { chosen, least, most, moveAndSelect, selectFall, selectOne, selectRise, TAU } from "./smo/selection";
import { shrink, unshrink } from "./smo/shrinking";
import { JOB_POINT } from "./smo.layout";

export { abandonTeam, allowSleep } from "../shared/team";

/**
 * Sequential minimal optimisation with second-order working sets and shrinking [Fan, Chen & Lin 2005; LIBSVM].
 *
 *   minimise over 0 ≤ α ≤ u:   ½ Σ_st α_s α_t y_s y_t k(x_s, x_t) + Σ_t p_t α_t    subject to   Σ_t y_t α_t = 0
 *
 * f_t = y_t ∂/∂α_t is stored instead of the gradient; an update is then
 *
 *   f ← f + (y_i Δα_i) k(x_i, ·) + (y_j Δα_j) k(x_j, ·)
 *
 * Without the constraint (`unbiased`) one variable moves at a time. Points are stored in panels of eight, feature by feature, so that
 * a kernel row needs no horizontal sums; shrunk points are moved behind the `active` ones. Kernel rows are stored as
 * 32-bit floats in the `slots` of a cache, which evicts the least recently used one.
 */

/** Steps between two attempts to shrink, if there are more points. */
const SHRINK_PERIOD: i32 = 1000;

/** Steps per point before the first Newton step on all free variables, and steps of pairs between two Newton steps. */
const PATIENCE: f64 = 4;
const NEWTON_PERIOD: f64 = 500;

/** How `solve` stopped. */
const GOING: i32 = 0;
const ENDED: i32 = 1;

/**
 * At most `steps` steps, or until the violation of optimality is below eps (`ended`), or until a row is `wanted`. Thread 0
 * solves, the others compute stretches of its kernel rows.
 */
export function smoSteps(problem: usize, steps: i32, chunk: i32): void {
  enter(problem, chunk);
  joinTeam(<usize>at.jobs);
  if (chunk > 0) {
    help();
    return;
  }
  at.wanted = -1;
  at.ended = <f64>solve(steps);
  closeTeam(<usize>at.jobs);
}

function solve(steps: i32): i32 {
  selected = false;
  const shrinking = at.shrinking != 0;
  for (let step: i32 = 0; step < steps; step++) {
    if (shrinking) at.untilShrink -= 1;
    if (shrinking && at.untilShrink <= 0) {
      at.untilShrink = <f64>min(n, SHRINK_PERIOD);
      // While no row has been evicted and most are still to be computed, shrinking would only postpone the rest of each row.
      if (at.evicted != 0 || at.iterations > <f64>n) {
        shrink();
        selected = false;
      }
    }
    const impatient = at.iterations > at.patience;
    if (impatient) at.untilNewton -= 1;
    if (impatient && at.untilNewton <= 0) {
      at.untilNewton = NEWTON_PERIOD + 2 * newtonStep();
      selected = false;
      if (at.wanted >= 0) {
        at.untilNewton = 0;
        return GOING;
      }
    }
    const moved = at.unbiased != 0 ? stepOne() : stepPair();
    if (at.wanted >= 0) return GOING;
    if (!moved) {
      if (active == n) return finish();
      // Optimal for the active points: shrunk ones may violate optimality. All are checked once before any is shrunk again.
      unshrink();
      at.untilShrink = 2;
      continue;
    }
    at.iterations += 1;
    if (at.iterations >= at.maxIter) {
      unshrink();
      if (at.unbiased != 0) selectOne();
      else selectRise();
      return finish();
    }
  }
  finish();
  return GOING;
}

/** Stores the violation. */
function finish(): i32 {
  at.up = most;
  at.low = least;
  return ENDED;
}

/** Whether `chosen`, `most` and `least` are up to date with f. */
let selected: bool = false;

/** Whether two variables could be moved. */
function stepPair(): bool {
  if (!selected) selectRise();
  selected = false;
  const i = chosen;
  if (i < 0 || most + least < at.eps) return false;
  const rowI = cachedRow(i % n, -1);
  if (rowI == 0) return false;
  const j = selectFall(i, rowI);
  if (j < 0) return false;
  const rowJ = cachedRow(j % n, i % n);
  if (rowJ == 0) return false;
  movePair(i, j, rowI, rowJ);
  return true;
}

/** The optimal α_i, α_j with all others fixed, and the update of f. */
function movePair(i: i32, j: i32, rowI: usize, rowJ: usize): void {
  const ti = i % n;
  const tj = j % n;
  const yi = real(y, i);
  const yj = real(y, j);
  const oldI = real(alpha, i);
  const oldJ = real(alpha, j);
  const kij = <f64>load<f32>(rowI + ((<usize>tj) << 2));
  let curve = real(diagonal, ti) + real(diagonal, tj) - 2 * kij;
  if (curve <= 0) curve = TAU;
  // Moving s along (y_i, −y_j) keeps Σ y α.
  const slope = real(f, i) - real(f, j);
  let move = -slope / curve;
  const roomI = yi > 0 ? limitOf(i) - oldI : oldI;
  const roomJ = yj > 0 ? oldJ : limitOf(j) - oldJ;
  move = min(move, min(roomI, roomJ));
  at.objective += move * (slope + 0.5 * move * curve);
  // Variables at a bound are set to it exactly.
  setReal(alpha, i, move == roomI ? (yi > 0 ? limitOf(i) : 0) : oldI + yi * move);
  setReal(alpha, j, move == roomJ ? (yj > 0 ? 0 : limitOf(j)) : oldJ - yj * move);
  noteBounds(i);
  noteBounds(j);
  moveAndSelect(move, rowI, rowJ);
  selected = true;
}

/** Whether one variable could be moved, where the kernel includes the bias. */
function stepOne(): bool {
  selectOne();
  const i = chosen;
  if (i < 0 || most < at.eps) return false;
  const ti = i % n;
  const row = cachedRow(ti, -1);
  if (row == 0) return false;
  const old = real(alpha, i);
  const limit = limitOf(i);
  const curve = max(real(diagonal, ti), TAU);
  const target = old - (real(y, i) * real(f, i)) / curve;
  const next = min(max(target, 0), limit);
  const move = real(y, i) * (next - old);
  at.objective += move * (real(f, i) + 0.5 * move * curve);
  setReal(alpha, i, next);
  noteBounds(i);
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    const out = f + ((<usize>(h * n)) << 3);
    for (let t: i32 = 0; t < active; t++) {
      setReal(out, t, real(out, t) + move * <f64>load<f32>(row + ((<usize>t) << 2)));
    }
  }
  return true;
}

/** Before every call of `smoSteps`. */
export function smoOpen(problem: usize): void {
  enter(problem, 0);
  openTeam(<usize>at.jobs);
}

/**
 * Initialises the state of the solver: f, norms, diagonal (unless rows are computed in JavaScript), cache. α is 0, or given
 * with the linear kernel (`started`).
 */
export function smoStart(problem: usize): void {
  enter(problem, 0);
  setActive(n);
  at.untilShrink = <f64>min(n, SHRINK_PERIOD);
  at.patience = PATIENCE * <f64>n;
  clearBook();
  memory.copy(f, <usize>at.linearTerm, (<usize>(variablesPerPoint * n)) << 3);
  for (let v: i32 = 0; v < variablesPerPoint * n; v++) noteBounds(v);
  for (let t: i32 = 0; t < n; t++) setReal(<usize>at.place, t, <f64>t);
  if (at.length == 0) return;
  fillDiagonal();
  if (at.started == 0) return;
  at.patience = 0;
  takeStart(changetype<KernelStep>(<usize>at.program).a, <usize>at.newton, <usize>at.jobs + JOB_POINT);
}
