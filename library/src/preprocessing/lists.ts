import type { StateReader } from "../core/state/state.js";

/** Lists one after the other, as a saved model stores them. */
export const joinedLists = (lists: readonly Float64Array[]): Float64Array =>
  Float64Array.from(lists.flatMap((list) => [...list]));

/** The inverse: copies of consecutive pieces, of these lengths. */
export function cutLists(all: Float64Array, lengths: ArrayLike<number>): Float64Array[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return all.slice(at - length, at);
  });
}

/** As many lists of one length. */
export const evenLists = (all: Float64Array, count: number): Float64Array[] =>
  cutLists(all, new Array<number>(count).fill(all.length / count));

/** Whether a value is ascending numbers of columns, `least` or more. */
export const areColumns =
  (nFeatures: number, least = 0) =>
  (value: unknown): value is readonly number[] =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every((j, k) => Number.isInteger(j) && j < nFeatures && j > (k === 0 ? -1 : value[k - 1]));

/** Lists of a saved model, each finite and ascending. */
export function requireAscending(
  reader: StateReader,
  name: string,
  lists: readonly Float64Array[],
): readonly Float64Array[] {
  const ascend = lists.every((list) =>
    list.every((value, k) => Number.isFinite(value) && (k === 0 || value >= list[k - 1]!)),
  );
  if (!ascend || lists.length === 0) reader.fail(name, "finite and ascending", "something else");
  return lists;
}
