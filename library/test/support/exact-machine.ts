/**
 * Support vector machines of a few rows, solved by trying: every row is at 0, free, or at its bound, and the right choice is
 * the one whose linear equations give an α that meets all conditions of optimality. Doubles, no tolerance to stop at.
 *
 *   minimise over α:   ½ Σ α_s α_t y_s y_t k_st − Σ α_t     subject to   0 ≤ α ≤ C   and, with a separate bias,   Σ y α = 0
 */
export interface ExactMachine {
  readonly alpha: readonly number[];
  readonly b: number;
  readonly objective: number;
}

type Bias = "separate" | "kernel";
type Place = "zero" | "free" | "bound";

/** Conditions of optimality hold up to the rounding of a dozen equations. */
const ROUNDING = 1e-9;

/** Undefined where no α meets them: rows that cannot be separated, with C infinite. */
export function exactMachine(
  kernel: readonly (readonly number[])[],
  y: readonly number[],
  { C, bias = "separate" }: { readonly C: number; readonly bias?: Bias },
): ExactMachine | undefined {
  const k = kernel.map((row) => row.map((v) => (bias === "kernel" ? 1 + v : v)));
  const places: readonly Place[] = C === Infinity ? ["zero", "free"] : ["zero", "free", "bound"];
  for (let code = 1; code < places.length ** y.length; code++) {
    const at = y.map((_, i) => places[Math.floor(code / places.length ** i) % places.length]!);
    const found = machineOf(k, y, C, bias, at);
    if (found) return found;
  }
  return undefined;
}

function machineOf(
  k: readonly (readonly number[])[],
  y: readonly number[],
  C: number,
  bias: Bias,
  at: readonly Place[],
): ExactMachine | undefined {
  const free = [...at.keys()].filter((i) => at[i] === "free");
  if (free.length === 0) return undefined;
  const alpha = at.map((place) => (place === "bound" ? C : 0));
  // y_i Σ_j y_j α_j k_ij + y_i b = 1 of free rows, and Σ y α = 0.
  const known = (i: number) => alpha.reduce((sum, a, j) => sum + y[j]! * a * k[i]![j]!, 0);
  const equations = free.map((i) => [
    ...free.map((j) => y[j]! * k[i]![j]!),
    ...(bias === "separate" ? [1] : []),
    y[i]! - known(i),
  ]);
  if (bias === "separate") {
    equations.push([...free.map((j) => y[j]!), 0, -alpha.reduce((sum, a, j) => sum + y[j]! * a, 0)]);
  }
  const solved = solve(equations);
  if (!solved) return undefined;
  free.forEach((i, e) => {
    alpha[i] = solved[e]!;
  });
  if (alpha.some((a) => a < -ROUNDING || a > C + ROUNDING)) return undefined;
  const b = bias === "separate" ? solved[free.length]! : 0;
  const margins = y.map((sign, i) => sign * (known(i) + b));
  const wrong = margins.some((m, i) =>
    at[i] === "zero" ? m < 1 - ROUNDING : at[i] === "bound" && m > 1 + ROUNDING,
  );
  if (wrong) return undefined;
  const square = alpha.reduce((sum, a, i) => sum + a * y[i]! * known(i), 0);
  const total = alpha.reduce((sum, a) => sum + a, 0);
  const inside = alpha.reduce((sum, a, i) => sum + a * y[i]!, 0);
  return { alpha, b: bias === "separate" ? b : inside, objective: 0.5 * square - total };
}

/** Gauss with the largest pivot; undefined where equations depend on each other. */
function solve(equations: readonly (readonly number[])[]): number[] | undefined {
  const rows = equations.map((row) => [...row]);
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r]![c]!) > Math.abs(rows[best]![c]!)) best = r;
    [rows[c], rows[best]] = [rows[best]!, rows[c]!];
    if (Math.abs(rows[c]![c]!) < 1e-12) return undefined;
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = rows[r]![c]! / rows[c]![c]!;
      for (let e = c; e <= n; e++) rows[r]![e]! -= factor * rows[c]![e]!;
    }
  }
  return rows.map((row, c) => row[n]! / row[c]!);
}

/** α of every row, from a model's list of support vectors. */
export function alphasOf(
  model: { readonly support: Int32Array; readonly dualCoef: { at(k: number, s: number): number } },
  rows: number,
): Float64Array {
  const alpha = new Float64Array(rows);
  for (const [s, i] of model.support.entries()) alpha[i] = Math.abs(model.dualCoef.at(0, s));
  return alpha;
}
