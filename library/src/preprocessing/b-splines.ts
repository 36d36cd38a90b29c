/**
 * The knot interval of x: the last l with t[l] ≤ x < t[l + 1] among those of the base interval t[degree] … t[n], whose ends also cover what
 * is beyond them. Parity: scipy's find_interval, which takes an empty interval where the last knots coincide, and scikit-learn 1.2 with it
 * encodes the largest x as zeros.
 */
function intervalOf(knots: Float64Array, degree: number, x: number): number {
  const last = knots.length - degree - 2;
  let l = degree;
  while (l < last && (x >= knots[l + 1]! || knots[l] === knots[l + 1])) l++;
  while (l > degree && knots[l] === knots[l + 1]) l--;
  return l;
}

/**
 * Basis functions of B-splines at x, by the recursion of Cox and de Boor [de Boor 1978, chapter X]: `degree + 1` of them are not 0, and
 * the number of the first is returned. `derivative` gives their slopes instead. `out` has degree + 1 places.
 */
export function basisInto(
  knots: Float64Array,
  degree: number,
  x: number,
  derivative: boolean,
  out: Float64Array,
): number {
  const l = intervalOf(knots, degree, x);
  out.fill(0);
  if (derivative && degree === 0) return l;
  out[0] = 1;
  for (let j = 1; j <= degree; j++) {
    const isSlope = derivative && j === degree;
    // What basis n − 1 of degree j − 1 leaves to basis n − 1 and n of degree j.
    let previous = out[0]!;
    out[0] = 0;
    for (let n = 1; n <= j; n++) {
      const above = knots[l + n]!;
      const below = knots[l + n - j]!;
      const next = out[n]!;
      if (above === below) out[n] = 0;
      else {
        const share = previous / (above - below);
        out[n - 1]! += isSlope ? -j * share : share * (above - x);
        out[n] = isSlope ? j * share : share * (x - below);
      }
      previous = next;
    }
  }
  return l - degree;
}

/** Base knots with `degree` more on either side, at the distances of the first and the last two. */
export function extendedKnots(base: Float64Array, degree: number): Float64Array {
  const first = base[0]!;
  const last = base[base.length - 1]!;
  const before = base[1]! - first;
  const after = last - base[base.length - 2]!;
  return Float64Array.from([
    ...spaced(first - degree * before, first - before, degree),
    ...base,
    ...spaced(last + after, last + degree * after, degree),
  ]);
}

/** The same for a period: the distances go on as they do at the other end. */
export function periodicKnots(base: Float64Array, degree: number): Float64Array {
  const period = base[base.length - 1]! - base[0]!;
  const end = base.length - 1;
  return Float64Array.from([
    ...base.slice(end - degree, end).map((knot) => knot - period),
    ...base,
    ...base.slice(1, degree + 1).map((knot) => knot + period),
  ]);
}

/** `count` numbers from low to high, as numpy.linspace computes them. */
export function spaced(low: number, high: number, count: number): Float64Array {
  const step = count > 1 ? (high - low) / (count - 1) : 0;
  const all = Float64Array.from({ length: count }, (_, k) => k * step + low);
  if (count > 1) all[count - 1] = high;
  return all;
}
