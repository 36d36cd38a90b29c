/** A column of a table, by shape of the object: a list in which entries may be missing. */
export interface ColumnLike<V> {
  readonly length: number;
  /** null where an entry is missing. */
  toArray(): (V | null)[];
}

export const isColumn = (x: unknown): x is ColumnLike<unknown> =>
  typeof x === "object" &&
  x !== null &&
  typeof (x as Partial<ColumnLike<unknown>>).toArray === "function" &&
  typeof (x as Partial<ColumnLike<unknown>>).length === "number";

/** The entries of a column, or the list itself. A missing entry is null, which every reader of lists refuses. */
export const listOf = <V>(list: ArrayLike<V> | ColumnLike<V>): ArrayLike<V> =>
  isColumn(list) ? (list.toArray() as V[]) : list;
