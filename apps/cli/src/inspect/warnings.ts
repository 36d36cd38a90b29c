import type { Column, DataWarningCode, Label, Table } from "argmax";
import { maxOf } from "argmax/numeric";
import { columnsOf } from "../data/columns.js";
import { duplicateRows } from "./duplicates.js";
import { isIdentifier } from "./identifier.js";
import { leakOf } from "./leak.js";
import { type ColumnSummary, countEntries } from "./summary.js";

export type WarningKind =
  | "id-like"
  | "constant"
  | "nearly-constant"
  | "leak"
  | "rare-class"
  | "duplicates"
  | "missing"
  | "high-cardinality"
  | DataWarningCode;

export interface Warning {
  readonly kind: WarningKind;
  readonly column?: string | undefined;
  /** A sentence that starts with the column. */
  readonly message: string;
}

/** Share of one entry from which a column says almost nothing. */
const NEARLY_CONSTANT = 0.99;
const MANY_MISSING = 0.5;
/** One-hot columns from which encoders, linear models and people struggle. */
const MANY_CATEGORIES = 100;
/** Fewer rows than this are no class to learn or to test. */
const RARE = 10;
/** More distinct numbers than this are a quantity, fewer are classes. */
export const MOST_CLASSES = 20;

export interface Target {
  readonly name: string;
  readonly y: readonly Label[];
  readonly isRegression: boolean;
}

export function warningsOf(
  table: Table,
  summaries: readonly ColumnSummary[],
  target: Target | undefined,
): Warning[] {
  const columns = columnsOf(table);
  const found = columns.flatMap(([name, column], k) =>
    name === target?.name ? [] : columnWarnings(name, column, summaries[k]!, target),
  );
  const duplicates = duplicateRows(table);
  if (duplicates > 0)
    found.push({
      kind: "duplicates",
      message:
        `${duplicates} ${duplicates === 1 ? "row is" : "rows are"} equal to an earlier one: in training and test data at once, ` +
        "it makes a model look better than it is.",
    });
  const read = table.warnings.map(({ code, column, message }) => ({ kind: code, column, message }));
  return [...read, ...found, ...constantTarget(target), ...rareClasses(target)];
}

function columnWarnings(
  name: string,
  column: Column,
  summary: ColumnSummary,
  target: Target | undefined,
): Warning[] {
  const present = column.length - column.missing;
  const warn = (kind: WarningKind, message: string): Warning => ({
    kind,
    column: name,
    message: `${name} ${message}`,
  });
  if (summary.distinct <= 1)
    return [
      warn("constant", present === 0 ? "has no entry at all: leave it out." : "is constant: leave it out."),
    ];
  const found: Warning[] = [];
  if (isIdentifier(name, column, summary.distinct))
    found.push(
      warn(
        "id-like",
        "differs in every row, as an identifier does: leave it out, or the model learns rows by heart.",
      ),
    );
  const most = maxOf(countEntries(column).values());
  if (most >= NEARLY_CONSTANT * present)
    found.push(warn("nearly-constant", `has the same entry in ${percent(most / present)} of the rows.`));
  if (column.missing >= MANY_MISSING * column.length)
    found.push(warn("missing", `is missing in ${percent(column.missing / column.length)} of the rows.`));
  if (column.kind === "categorical" && column.categories.length > MANY_CATEGORIES)
    found.push(
      warn(
        "high-cardinality",
        `has ${column.categories.length} categories: encode it by the target, or group rare ones.`,
      ),
    );
  if (target !== undefined) {
    const leak = leakOf(column, target.y, target.isRegression);
    if (leak === "entries")
      found.push(
        warn(
          "leak",
          `alone predicts ${target.name} almost perfectly: is it known before ${target.name} is? If not, leave it out.`,
        ),
      );
    if (leak === "gaps")
      found.push(
        warn(
          "leak",
          `is missing or not as ${target.name} is: it is probably filled in afterwards. If so, leave it out.`,
        ),
      );
  }
  return found;
}

const percent = (share: number) => `${(100 * share).toFixed(share > 0.99 && share < 1 ? 2 : 0)}%`;

const quote = (text: string) => JSON.stringify(text.length > 30 ? `${text.slice(0, 29)}…` : text);

function constantTarget(target: Target | undefined): Warning[] {
  if (target === undefined || target.y.some((entry) => entry !== target.y[0])) return [];
  const message = `${target.name} is ${quote(String(target.y[0]))} in every row: there is nothing to learn.`;
  return [{ kind: "constant", column: target.name, message }];
}

function rareClasses(target: Target | undefined): Warning[] {
  if (target === undefined || target.isRegression) return [];
  const counts = new Map<Label, number>();
  for (const label of target.y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count < RARE)
    .slice(0, MOST_CLASSES)
    .map(([label, count]) => ({
      kind: "rare-class" as const,
      column: target.name,
      message: `${target.name} is ${quote(String(label))} in ${count} ${count === 1 ? "row" : "rows"} only: too few to learn from and to test.`,
    }));
}
