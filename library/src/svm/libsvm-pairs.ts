/**
 * Which machine tells which two classes apart.
 *
 * Here classes are sorted, and two of them have one machine that is positive for the second, more a machine for every pair,
 * positive for its first. LIBSVM's classes are in the order in which training met them, and every pair of them has a machine
 * that is positive for its first.
 */

/** Our machines: [positive class, negative class]. */
export function machinePairs(K: number): readonly (readonly [number, number])[] {
  if (K === 2) return [[1, 0]];
  const pairs: [number, number][] = [];
  for (let a = 0; a < K; a++) for (let b = a + 1; b < K; b++) pairs.push([a, b]);
  return pairs;
}

/** One of our machines as LIBSVM has it. */
export interface FileSide {
  /** −1 where LIBSVM's is positive for the other class. */
  readonly sign: 1 | -1;
  /** Its two classes by their place in the file, low < high. */
  readonly low: number;
  readonly high: number;
  /** Its number among LIBSVM's machines. */
  readonly index: number;
}

/** `places[k]` is where the file has our class k. */
export function fileSide(
  [positive, negative]: readonly [number, number],
  places: readonly number[],
): FileSide {
  const [p, n] = [places[positive]!, places[negative]!];
  const [low, high] = [Math.min(p, n), Math.max(p, n)];
  return { sign: p < n ? 1 : -1, low, high, index: pairIndex(low, high, places.length) };
}

/** The number of a pair of K classes, low < high, among (0, 1), (0, 2), …, (1, 2), … */
export const pairIndex = (low: number, high: number, K: number): number =>
  low * K - (low * (low + 1)) / 2 + high - low - 1;
