import { real, setReal } from "../../shared/arrays";
import { panelDots } from "../../shared/kernel-functions";
import { axpyRow } from "../../shared/rows";
import { isLow, isUp, noteBounds } from "./bounds";
import { alpha, at, d, f, n, upper, variablesPerPoint, x, y } from "./problem";
import { pointInto } from "./rows";

/** Starts from a given α near the solution, for the kernel a x·y + c on dense points: `slope` is a; w and point have d doubles. */
export function takeStart(slope: f64, w: usize, point: usize): void {
  let sum: f64 = 0;
  for (let v: i32 = 0; v < variablesPerPoint * n; v++) sum += real(y, v) * real(alpha, v);
  balance(sum);
  startState(slope, w, point);
}

/** Makes Σ y α = 0: the excess is subtracted from free variables first. */
function balance(sum: f64): void {
  for (let round: i32 = 0; round < 2 && sum != 0; round++) {
    for (let v: i32 = 0; v < variablesPerPoint * n && sum != 0; v++) {
      if (round == 0 && !(isUp(v) && isLow(v))) continue;
      const old = real(alpha, v);
      const next = min(max(old - real(y, v) * sum, 0), real(upper, v));
      setReal(alpha, v, next);
      sum += real(y, v) * (next - old);
    }
  }
}

/** f and the objective at α. */
function startState(slope: f64, w: usize, point: usize): void {
  memory.fill(w, 0, (<usize>d) << 3);
  for (let t: i32 = 0; t < n; t++) {
    let weight: f64 = 0;
    for (let h: i32 = 0; h < variablesPerPoint; h++) weight += real(y, h * n + t) * real(alpha, h * n + t);
    if (weight == 0) continue;
    pointInto(t, point);
    axpyRow(weight, point, w, d);
  }
  const dots = <usize>at.work;
  panelDots(w, d, x, 0, n, dots);
  const linear = <usize>at.linearTerm;
  for (let v: i32 = 0; v < variablesPerPoint * n; v++) {
    setReal(f, v, slope * real(dots, v % n) + real(linear, v));
    at.objective += 0.5 * real(y, v) * real(alpha, v) * (real(f, v) + real(linear, v));
    noteBounds(v);
  }
}
