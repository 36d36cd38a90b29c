/** More bars are not read. */
export const MOST = 24;
/** Nor more lines and columns of a table. */
export const MOST_LINES = 200;
export const MOST_COLUMNS = 8;
/** More classes have no panels of their own. */
export const MOST_CLASSES = 12;

/** Of many classes, the last panel says how many there are. */
export const firstOf = (k: number, classes: number): string =>
  k === MOST_CLASSES - 1 && classes > MOST_CLASSES
    ? ` The other ${classes - MOST_CLASSES} classes are not shown.`
    : "";

/** The last entries that fit into a table, with their positions, and a sentence where there are more. */
export function lastLines<T>(list: readonly T[]): {
  readonly shown: readonly { readonly at: number; readonly value: T }[];
  readonly cut: string;
} {
  const first = Math.max(0, list.length - MOST_LINES);
  return {
    shown: list.slice(first).map((value, k) => ({ at: first + k, value })),
    cut: first > 0 ? ` The last ${MOST_LINES} are listed.` : "",
  };
}
