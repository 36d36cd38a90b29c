import { DataError, ShapeError, show } from "../core/errors.js";

/** The names of the input columns: those given, those of the table, or x0, x1, … */
export function inputNames(
  where: string,
  given: readonly string[] | undefined,
  known: readonly string[] | undefined,
  cols: number,
): readonly string[] {
  if (given === undefined) return known ?? Array.from({ length: cols }, (_, j) => `x${j}`);
  if (!Array.isArray(given) || !given.every((name) => typeof name === "string")) {
    throw new DataError(where, "the names", "an array of strings", show(given));
  }
  if (given.length === cols) return given;
  throw new ShapeError(where, "the names", `one per column (${cols})`, `${given.length} names`);
}

/** Names made distinct by appended underscores. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    while (taken.has(own)) own += "_";
    taken.add(own);
    return own;
  });
}

/** A column in errors. */
export const columnName = (names: readonly string[] | undefined, j: number): string =>
  names ? `column ${show(names[j])}` : `column ${j} of X`;
