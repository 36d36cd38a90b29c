import { checkTable, summarizeColumn, type Table } from "argmax";
import { maxOf } from "argmax/numeric";
import { defineCommand } from "../command.js";
import { columnsOf, isoText } from "../data/columns.js";
import { loadTable } from "../data/load.js";
import { requireNames } from "../data/names.js";
import { listed } from "../data/nearest.js";
import { readSourceOptions, sourceOptions } from "../data/options.js";
import { type Column, drawTable, wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";

export const inspect = defineCommand({
  description: [
    "Per column: its kind, missing and distinct entries, range or most frequent entries. Then warnings in words: columns that are like " +
      "identifiers, constant, mostly missing or leak the target, rare classes, duplicate rows, dates and numbers that are read as text.",
  ],
  args: [{ name: "DATA", doc: "a file, a glob, a database, an included dataset, or - for standard input" }],
  options: {
    target: {
      type: "string",
      short: "t",
      value: "COL",
      doc: "The column to predict, for warnings about leaks and rare classes",
    },
    ...sourceOptions,
  },
  examples: [
    { words: "inspect titanic.csv --target survived", doc: "Which columns help, and which must be left out" },
    { words: "inspect penguins --json", doc: "An included dataset, for scripts" },
  ],
  async run({ values, args, terminal, signal }) {
    const loaded = await loadTable(args[0]!, readSourceOptions(values, signal));
    const { table } = loaded;
    const target = values.target ?? loaded.target;
    if (target !== undefined) requireNames(loaded.name, [target], table.columnNames);
    for (const remark of loaded.remarks) terminal.note(remark);
    const summaries = columnsOf(table).map(summaryOf);
    const warnings = warningsOf(table, target);

    terminal.emit({
      type: "table",
      name: loaded.name,
      rows: table.rows,
      columns: table.cols,
      target: target ?? null,
    });
    for (const summary of summaries) terminal.emit({ type: "column", ...summary });
    for (const warning of warnings) terminal.emit({ type: "warning", ...warning });
    print(terminal, loaded.name, table, summaries, warnings, target);
  },
});

/** What a column holds, in figures. */
interface ColumnFigures {
  readonly name: string;
  readonly kind: string;
  readonly missing: number;
  readonly distinct: number;
  /** Of numbers and dates. */
  readonly min?: number | string | undefined;
  readonly median?: number | string | undefined;
  readonly max?: number | string | undefined;
  /** The most frequent entries of other kinds, with their counts. */
  readonly top?: readonly { readonly value: string; readonly count: number }[] | undefined;
  /** Counts of equal intervals from min to max. */
  readonly histogram?: readonly number[] | undefined;
}

function summaryOf([name, column]: ReturnType<typeof columnsOf>[number]): ColumnFigures {
  const { kind } = column;
  const { missing, distinct, range, top } = summarizeColumn(column, { bins: 8, top: 3 });
  const show = (value: number) => (kind === "date" ? isoText(new Date(value)) : value);
  if (top !== null || range === null) return { name, kind, missing, distinct, ...(top !== null && { top }) };
  const { min, median, max, histogram } = range;
  return { name, kind, missing, distinct, min: show(min), median: show(median), max: show(max), histogram };
}

interface Warning {
  readonly code: string;
  readonly column: string | null;
  readonly message: string;
}

/** How columns were read, and what is wrong with them. */
function warningsOf(table: Table, target: string | undefined): Warning[] {
  const found: Warning[] = checkTable(table, { target });
  const isFound = ({ code, column }: Warning) =>
    found.some((other) => other.code === code && other.column === column);
  return [...table.warnings.filter((warning) => !isFound(warning)), ...found];
}

function print(
  terminal: Terminal,
  name: string,
  table: Table,
  summaries: readonly ColumnFigures[],
  warnings: readonly Warning[],
  target: string | undefined,
): void {
  const { style, width } = terminal;
  terminal.print(`${style.bold(name)}  ${table.rows.toLocaleString("en")} rows × ${table.cols} columns\n`);
  terminal.print(drawTable(columnsFor(table.rows, target), summaries, width, style).join("\n"));
  if (warnings.length === 0) {
    terminal.print("\nNo warnings.");
    return;
  }
  terminal.print("\nWarnings:");
  for (const message of grouped(warnings)) {
    const [first, ...rest] = wrap(message, Math.min(width, 110) - 4);
    terminal.print([`  • ${first}`, ...rest.map((line) => `    ${line}`)].join("\n"));
  }
}

/** More columns with the same trouble than this are named together. */
const MOST_ALONE = 4;

function grouped(warnings: readonly Warning[]): string[] {
  const byCode = new Map<string, Warning[]>();
  for (const warning of warnings) byCode.set(warning.code, [...(byCode.get(warning.code) ?? []), warning]);
  return [...byCode.values()].flatMap((group) => {
    if (group.length <= MOST_ALONE) return group.map(({ message }) => message);
    const others = group.slice(1).map(({ column }) => column ?? "");
    return [`${group[0]!.message} The same holds for ${others.length} more: ${listed(others)}.`];
  });
}

function columnsFor(rows: number, target: string | undefined): Column<ColumnFigures>[] {
  return [
    {
      title: "column",
      cell: ({ name }) => (name === target ? `${shortened(name)} (target)` : shortened(name)),
      paint: (text, { name }, _, style) => (name === target ? style.bold(text) : text),
    },
    { title: "kind", cell: ({ kind }) => kind },
    { title: "missing", align: "right", cell: ({ missing }) => (missing === 0 ? "" : share(missing, rows)) },
    { title: "distinct", align: "right", cell: ({ distinct }) => String(distinct) },
    {
      title: "shape",
      cell: ({ histogram }) => (histogram === undefined ? "" : sparkline(histogram)),
      dispensable: 1,
      paint: (text, _, __, style) => style.accent(text),
    },
    { title: "values", cell: valuesOf, dispensable: 2 },
  ];
}

const share = (count: number, rows: number) =>
  `${((100 * count) / rows).toFixed(count * 1000 < rows ? 2 : 1)}%`;

const shortened = (text: string, most = 28) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function valuesOf({ min, median, max, top }: ColumnFigures): string {
  if (top !== undefined)
    return top
      .map(({ value, count }) => `${shortened(value.replaceAll(/\s+/g, " "), 18)} ${count}`)
      .join(", ");
  return min === undefined ? "none" : `${short(min)} … ${short(median!)} … ${short(max!)}`;
}

/** Five digits tell the size of a number. */
const short = (value: number | string): string =>
  typeof value === "string" ? value : String(Number.isInteger(value) ? value : Number(value.toPrecision(5)));

const BLOCKS = "▁▂▃▄▅▆▇█";

/** `▁▃▇█▅▂▁▁`: heights by the largest count; a count above zero is always visible. */
function sparkline(counts: readonly number[]): string {
  const most = maxOf(counts);
  return counts
    .map((count) => (count === 0 ? " " : BLOCKS[Math.ceil((count / most) * BLOCKS.length) - 1]))
    .join("");
}
