/**
 * The binary SVMs of a model, here and in LIBSVM's files.
 *
 *   here     classes are sorted; two classes: one SVM, positive for the second; more: one per pair, positive for the first
 *   LIBSVM   classes are in the order of their first training rows; one SVM per pair, positive for the first
 */

/** [positive class, negative class] of each binary SVM here. */
export function classPairs(K: number): readonly (readonly [number, number])[] {
  if (K === 2) return [[1, 0]];
  const pairs: [number, number][] = [];
  for (let a = 0; a < K; a++) for (let b = a + 1; b < K; b++) pairs.push([a, b]);
  return pairs;
}

/** A binary SVM as LIBSVM stores it. */
export interface LibsvmPair {
  /** −1 where LIBSVM's is positive for the opposite class. */
  readonly sign: 1 | -1;
  /** The positions of its two classes in the file, low < high. */
  readonly low: number;
  readonly high: number;
  /** Its index among LIBSVM's binary SVMs. */
  readonly index: number;
}

/** `places[k]` is the position of class k in the file. */
export function libsvmPair(
  [positive, negative]: readonly [number, number],
  places: readonly number[],
): LibsvmPair {
  const [p, n] = [places[positive]!, places[negative]!];
  const [low, high] = [Math.min(p, n), Math.max(p, n)];
  return { sign: p < n ? 1 : -1, low, high, index: pairIndex(low, high, places.length) };
}

/** The index of the pair low < high of K classes in the order (0, 1), (0, 2), …, (1, 2), … */
export const pairIndex = (low: number, high: number, K: number): number =>
  low * K - (low * (low + 1)) / 2 + high - low - 1;
