import { ParameterError, show } from "../core/errors.js";
import { invalid, type ParamSpec } from "../core/params/params.js";
import { columnNumber, type TableColumns } from "../data/table/table-columns.js";

/** Which columns may occur together on a path from the root to a leaf. */
export type InteractionCst = "pairwise" | "noInteractions" | readonly (readonly (number | string)[])[] | null;

const isColumn = (value: unknown): value is number | string =>
  typeof value === "string" || (Number.isInteger(value) && (value as number) >= 0);

export const interactionCst: ParamSpec<InteractionCst> = {
  kind: "union",
  default: null,
  doc: "Groups of columns that may interact, by number or name; unlisted columns form one more group. Or noInteractions, or pairwise.",
  choices: ["pairwise", "noInteractions"],
  expected: "“pairwise”, “noInteractions”, an array of arrays of columns, or null",
  read: (value) => {
    if (value === null || value === "pairwise" || value === "noInteractions") return value;
    if (!Array.isArray(value) || !value.every((group) => Array.isArray(group) && group.every(isColumn)))
      return invalid;
    return Object.freeze(value.map((group: (number | string)[]) => Object.freeze([...group])));
  },
};

/** Groups of column indices; null if all may interact. */
export function interactionGroups(
  where: string,
  given: InteractionCst,
  cols: number,
  table: TableColumns | undefined,
): readonly (readonly number[])[] | null {
  if (given === null) return null;
  const all = Array.from({ length: cols }, (_, j) => j);
  if (given === "noInteractions") return all.map((j) => [j]);
  if (given === "pairwise") return all.flatMap((j) => all.slice(j + 1).map((k) => [j, k]));
  const groups = given.map((group, g) => {
    if (group.length === 0) {
      throw new ParameterError(where, `interactionCst[${g}]`, "at least one column", show(group));
    }
    return group.map((key, e) => columnNumber(where, `interactionCst[${g}][${e}]`, key, cols, table));
  });
  const named = new Set(groups.flat());
  const rest = all.filter((j) => !named.has(j));
  return rest.length > 0 ? [...groups, rest] : groups;
}
