/**
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder tridiagonalisation, then implicit QL
 * [EISPACK tred2 and tql2; Bowdler, Martin, Reinsch & Wilkinson 1968].
 * Returns eigenvalues ascending; column k of `vectors` (side × side, row-major) belongs to value k.
 */
export function symmetricEigen(
  a: Float64Array,
  side: number,
): { values: Float64Array; vectors: Float64Array } {
  const v = a.slice();
  const d = new Float64Array(side);
  const e = new Float64Array(side);
  tridiagonalise(v, d, e, side);
  diagonalise(v, d, e, side);
  return { values: d, vectors: v };
}

function tridiagonalise(v: Float64Array, d: Float64Array, e: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) d[j] = v[(n - 1) * n + j]!;
  for (let i = n - 1; i > 0; i--) {
    let scale = 0;
    let h = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(d[k]!);
    if (scale === 0) {
      e[i] = d[i - 1]!;
      for (let j = 0; j < i; j++) {
        d[j] = v[(i - 1) * n + j]!;
        v[i * n + j] = 0;
        v[j * n + i] = 0;
      }
    } else {
      for (let k = 0; k < i; k++) {
        d[k]! /= scale;
        h += d[k]! * d[k]!;
      }
      const f = d[i - 1]!;
      const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
      e[i] = scale * g;
      h -= f * g;
      d[i - 1] = f - g;
      reflect(v, d, e, n, i, h);
    }
    d[i] = h;
  }
  accumulate(v, d, n);
  e[0] = 0;
}

/** Applies the similarity transformation of step i to the leading block. */
function reflect(v: Float64Array, d: Float64Array, e: Float64Array, n: number, i: number, h: number): void {
  e.fill(0, 0, i);
  for (let j = 0; j < i; j++) {
    const f = d[j]!;
    v[j * n + i] = f;
    let g = e[j]! + v[j * n + j]! * f;
    for (let k = j + 1; k < i; k++) {
      g += v[k * n + j]! * d[k]!;
      e[k]! += v[k * n + j]! * f;
    }
    e[j] = g;
  }
  let f = 0;
  for (let j = 0; j < i; j++) {
    e[j]! /= h;
    f += e[j]! * d[j]!;
  }
  const hh = f / (h + h);
  for (let j = 0; j < i; j++) e[j]! -= hh * d[j]!;
  for (let j = 0; j < i; j++) {
    const fj = d[j]!;
    const gj = e[j]!;
    for (let k = j; k < i; k++) v[k * n + j]! -= fj * e[k]! + gj * d[k]!;
    d[j] = v[(i - 1) * n + j]!;
    v[i * n + j] = 0;
  }
}

function accumulate(v: Float64Array, d: Float64Array, n: number): void {
  for (let i = 0; i < n - 1; i++) {
    v[(n - 1) * n + i] = v[i * n + i]!;
    v[i * n + i] = 1;
    const h = d[i + 1]!;
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = v[k * n + i + 1]! / h;
      for (let j = 0; j <= i; j++) {
        let g = 0;
        for (let k = 0; k <= i; k++) g += v[k * n + i + 1]! * v[k * n + j]!;
        for (let k = 0; k <= i; k++) v[k * n + j]! -= g * d[k]!;
      }
    }
    for (let k = 0; k <= i; k++) v[k * n + i + 1] = 0;
  }
  for (let j = 0; j < n; j++) {
    d[j] = v[(n - 1) * n + j]!;
    v[(n - 1) * n + j] = 0;
  }
  v[n * n - 1] = 1;
}

function diagonalise(v: Float64Array, d: Float64Array, e: Float64Array, n: number): void {
  for (let i = 1; i < n; i++) e[i - 1] = e[i]!;
  e[n - 1] = 0;
  let f = 0;
  let largest = 0;
  for (let l = 0; l < n; l++) {
    largest = Math.max(largest, Math.abs(d[l]!) + Math.abs(e[l]!));
    let m = l;
    while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * largest) m++;
    // Each value needs two or three sweeps; thirty is EISPACK's limit.
    for (let sweep = 0; m > l && sweep < 60 && Math.abs(e[l]!) > Number.EPSILON * largest; sweep++) {
      f += implicitShift(v, d, e, n, l, m);
    }
    d[l]! += f;
    e[l] = 0;
  }
  sortAscending(v, d, n);
}

/** One implicit QL sweep on the block l … m; returns the shift taken off the diagonal. */
function implicitShift(
  v: Float64Array,
  d: Float64Array,
  e: Float64Array,
  n: number,
  l: number,
  m: number,
): number {
  const g = d[l]!;
  let p = (d[l + 1]! - g) / (2 * e[l]!);
  let r = hypot(p, 1);
  if (p < 0) r = -r;
  d[l] = e[l]! / (p + r);
  d[l + 1] = e[l]! * (p + r);
  const next = d[l + 1]!;
  const shift = g - d[l]!;
  for (let i = l + 2; i < n; i++) d[i]! -= shift;
  p = d[m]!;
  let c = 1;
  let c2 = 1;
  let c3 = 1;
  const el1 = e[l + 1]!;
  let s = 0;
  let s2 = 0;
  for (let i = m - 1; i >= l; i--) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const gi = c * e[i]!;
    const h = c * p;
    r = hypot(p, e[i]!);
    e[i + 1] = s * r;
    s = e[i]! / r;
    c = p / r;
    p = c * d[i]! - s * gi;
    d[i + 1] = h + s * (c * gi + s * d[i]!);
    for (let k = 0; k < n; k++) {
      const at = k * n + i;
      const held = v[at + 1]!;
      v[at + 1] = s * v[at]! + c * held;
      v[at] = c * v[at]! - s * held;
    }
  }
  p = (-s * s2 * c3 * el1 * e[l]!) / next;
  e[l] = s * p;
  d[l] = c * p;
  return shift;
}

/** Without Math.hypot, whose last bit differs between engines. */
function hypot(a: number, b: number): number {
  const x = Math.abs(a);
  const y = Math.abs(b);
  const large = Math.max(x, y);
  if (large === 0) return 0;
  const ratio = Math.min(x, y) / large;
  return large * Math.sqrt(1 + ratio * ratio);
}

function sortAscending(v: Float64Array, d: Float64Array, n: number): void {
  for (let i = 0; i < n - 1; i++) {
    let k = i;
    for (let j = i + 1; j < n; j++) if (d[j]! < d[k]!) k = j;
    if (k === i) continue;
    const held = d[k]!;
    d[k] = d[i]!;
    d[i] = held;
    for (let j = 0; j < n; j++) {
      const other = v[j * n + i]!;
      v[j * n + i] = v[j * n + k]!;
      v[j * n + k] = other;
    }
  }
}
