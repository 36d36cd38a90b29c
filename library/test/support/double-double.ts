/**
 * Numbers of about 32 digits as unevaluated sums of two doubles [Dekker 1971]: slow, and certain where doubles cancel.
 */
export type DD = readonly [high: number, low: number];

export const dd = (v: number): DD => [v, 0];
const ZERO: DD = [0, 0];

function quickTwoSum(a: number, b: number): DD {
  const s = a + b;
  return [s, b - (s - a)];
}

function twoSum(a: number, b: number): DD {
  const s = a + b;
  const v = s - a;
  return [s, a - (s - v) + (b - v)];
}

function split(a: number): DD {
  const t = 134217729 * a;
  const high = t - (t - a);
  return [high, a - high];
}

function twoProduct(a: number, b: number): DD {
  const p = a * b;
  const [ah, al] = split(a);
  const [bh, bl] = split(b);
  return [p, ah * bh - p + ah * bl + al * bh + al * bl];
}

export function add(a: DD, b: DD): DD {
  const [s, e] = twoSum(a[0], b[0]);
  return quickTwoSum(s, e + a[1] + b[1]);
}

export const negated = (a: DD): DD => [-a[0], -a[1]];
export const minus = (a: DD, b: DD): DD => add(a, negated(b));

export function times(a: DD, b: DD): DD {
  const [p, e] = twoProduct(a[0], b[0]);
  return quickTwoSum(p, e + a[0] * b[1] + a[1] * b[0]);
}

export function over(a: DD, b: DD): DD {
  const q = a[0] / b[0];
  const r = minus(a, times(b, dd(q)));
  return add(dd(q), dd(r[0] / b[0]));
}

export function root(a: DD): DD {
  if (!(a[0] > 0)) return ZERO;
  const x = Math.sqrt(a[0]);
  const r = minus(a, times(dd(x), dd(x)));
  return add(dd(x), dd(r[0] / (2 * x)));
}

export const value = (a: DD): number => a[0] + a[1];

/**
 * A⁻¹ b for a symmetric positive semidefinite A, by Cholesky of A scaled to unit diagonal. Coordinates whose pivot is below
 * `floor` are left out: the solution is 0 there.
 */
export function solveSymmetric(a: readonly (readonly DD[])[], b: readonly DD[], floor = 1e-24): DD[] {
  const n = b.length;
  const scale = a.map((row, i) => (value(row[i]!) > 0 ? over(dd(1), root(row[i]!)) : ZERO));
  const lower: DD[][] = [];
  const kept: boolean[] = [];
  for (let i = 0; i < n; i++) {
    const row: DD[] = [];
    for (let j = 0; j <= i; j++) {
      let sum = times(times(a[i]![j]!, scale[i]!), scale[j]!);
      for (let k = 0; k < j; k++) sum = minus(sum, times(row[k]!, lower[j]?.[k] ?? row[k]!));
      if (j < i) row.push(kept[j] ? over(sum, lower[j]![j]!) : ZERO);
      else {
        kept.push(value(sum) > floor);
        row.push(kept[i] ? root(sum) : dd(1));
      }
    }
    lower.push(row);
  }
  const x: DD[] = [];
  for (let i = 0; i < n; i++) {
    let sum = times(b[i]!, scale[i]!);
    for (let k = 0; k < i; k++) sum = minus(sum, times(lower[i]![k]!, x[k]!));
    x.push(kept[i] ? over(sum, lower[i]![i]!) : ZERO);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < n; k++) sum = minus(sum, times(lower[k]![i]!, x[k]!));
    x[i] = kept[i] ? over(sum, lower[i]![i]!) : ZERO;
  }
  return x.map((v, i) => times(v, scale[i]!));
}
