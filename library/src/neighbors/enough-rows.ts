import { DataError } from "../core/errors.js";

/** Throws if there are fewer rows than neighbours. */
export function requireRows(where: string, nNeighbors: number, rows: number): void {
  if (nNeighbors <= rows) return;
  throw new DataError({
    where,
    subject: "nNeighbors",
    expected: `at most the number of rows (${rows})`,
    received: `${nNeighbors}`,
  });
}
