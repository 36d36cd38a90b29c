import { identifierLikelihood, summarizeColumn } from "argmax/data";
import { pushAll } from "argmax/numeric";
import { checkTableSteps, type TableWarning, type TableWarningCode } from "argmax/table-checks";
import { readColumnOf, readTableOf } from "./library-table.js";
import { asKind, type ColumnData, columnOf, missingIn, type TableData } from "./table.js";

/** A warning about a table, and what one click does about it. */
export interface Warning {
  readonly code: TableWarningCode | "text-left-out";
  /** Null where it is about rows. */
  readonly column: string | null;
  /** A sentence. */
  readonly message: string;
  readonly fix: "ignore" | "use" | "as-category" | "as-number" | null;
}

/** Which columns are learned from, and what. */
export interface Reviewed {
  readonly features: readonly string[];
  readonly target: string | null;
  /** Columns that are not used, though nobody has given them another role. */
  readonly ignored: readonly string[];
}

/** What is wrong with the features and the target, in sentences. `onColumn` is awaited before each step. */
export async function warningsOf(
  table: TableData,
  { features, target, ignored }: Reviewed,
  onColumn: () => Promise<void>,
): Promise<Warning[]> {
  const aim = target === null ? undefined : columnOf(table, target);
  const task = aim?.kind === "number" ? "regression" : "classification";
  const found: TableWarning[] = [];
  for (const step of checkTableSteps(readTableOf(table.columns), { features, target, task })) {
    pushAll(found, step);
    await onColumn();
  }
  const isHigh = ({ severity }: TableWarning) => severity === "high";
  return [
    ...[...found.filter(isHigh), ...found.filter((one) => !isHigh(one))].map((one) => ({
      ...one,
      fix: fixOf(one, table, target),
    })),
    ...table.columns.filter(({ name }) => ignored.includes(name)).flatMap(textLeftOut),
  ];
}

function fixOf(
  { code, column: name }: TableWarning,
  table: TableData,
  target: string | null,
): Warning["fix"] {
  if (name === null) return null;
  if (name === target) return code === "few-values" ? "as-category" : null;
  if (code !== "numbers-as-text" && code !== "dates-as-text") return "ignore";
  const column = columnOf(table, name)!;
  const added = missingIn(asKind(column, "number")) - missingIn(column);
  return added <= MOST_ADDED * table.rows ? "as-number" : null;
}

/** Fraction of the cells that may become missing numbers. */
const MOST_ADDED = 0.1;

/** Text with several words can be learned from: that it is not is worth a word. */
function textLeftOut(column: ColumnData): Warning[] {
  if (column.kind !== "text") return [];
  const texts = readColumnOf(column);
  const { distinct } = summarizeColumn(texts);
  if (distinct <= 1 || identifierLikelihood(column.name, texts, distinct) !== undefined) return [];
  const message = `${JSON.stringify(column.name)} is free text and is left out: used as a feature, its words become columns.`;
  return [{ code: "text-left-out", column: column.name, message, fix: "use" }];
}
