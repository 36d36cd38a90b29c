import { ShapeError } from "../core/errors.js";

/** The names of the columns that went in: as given, as the table had them, or x0, x1, … */
export function inputNames(
  where: string,
  given: readonly string[] | undefined,
  known: readonly string[] | undefined,
  cols: number,
): readonly string[] {
  if (given === undefined) return known ?? Array.from({ length: cols }, (_, j) => `x${j}`);
  if (given.length === cols) return given;
  throw new ShapeError({
    where,
    subject: "the names",
    expected: `one a column (${cols})`,
    received: `${given.length} names`,
  });
}
