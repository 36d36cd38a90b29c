import type { Arena } from "../runtime/arena.js";

/** Which columns a node may be split by. */
export interface ColumnRestrictions {
  /** Groups of columns that may interact; null: all. */
  readonly groups: readonly (readonly number[])[] | null;
  /** Proportion of the columns considered for each split, drawn by `seed`. */
  readonly maxFeatures: number;
  /** A 32-bit number other than 0. */
  readonly seed: number;
}

/** The fields of wasm/trees/boosting/allowed.ts, for d columns. */
export function restrictions(arena: Arena, d: number, { groups, maxFeatures, seed }: ColumnRestrictions) {
  const restricted = groups !== null || maxFeatures !== 1;
  const lists = groups ?? [];
  const starts = new Int32Array(lists.length + 1);
  for (const [g, list] of lists.entries()) starts[g + 1] = starts[g]! + list.length;
  return {
    restricted: restricted ? 1 : 0,
    groupStarts: arena.copyI32(starts).ptr,
    groupMembers: arena.copyI32(lists.flat()).ptr,
    groupCount: lists.length,
    maxFeatures,
    seed,
    allowed: arena.i32(restricted ? Math.ceil((2 * d) / 4) : 0).ptr,
  };
}
