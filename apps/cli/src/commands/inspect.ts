import type { Label, Table, Column as TableColumn } from "argmax";
import { defineCommand } from "../command.js";
import { columnsOf } from "../data/columns.js";
import { loadTable } from "../data/load.js";
import { listed } from "../data/nearest.js";
import { readSourceOptions, sourceOptions } from "../data/options.js";
import { splitTarget } from "../data/target.js";
import { type ColumnSummary, sparkline, summarise } from "../inspect/summary.js";
import { MOST_CLASSES, type Target, type Warning, warningsOf } from "../inspect/warnings.js";
import { type Column, drawTable, wrap } from "../table.js";
import type { Terminal } from "../terminal.js";

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
    const asked = values.target ?? loaded.target;
    const split = asked === undefined ? undefined : splitTarget(loaded, asked);
    for (const remark of [...loaded.remarks, ...(split?.remarks ?? [])]) terminal.note(remark);
    const table = split === undefined ? loaded.table : loaded.table.dropMissing([split.target]);
    const target = split && targetOf(split.target, table, split.y);
    const summaries = columnsOf(table).map(([name, column]) => summarise(name, column));
    const warnings = warningsOf(table, summaries, target);

    terminal.emit({
      type: "table",
      name: loaded.name,
      rows: table.rows,
      columns: table.cols,
      target: target?.name ?? null,
    });
    for (const summary of summaries) terminal.emit({ type: "column", ...summary });
    for (const warning of warnings) terminal.emit({ type: "warning", ...warning });
    print(terminal, loaded.name, table, summaries, warnings, target?.name);
  },
});

/** Numbers of many values are a quantity; everything else is a class. */
function targetOf(name: string, table: Table, y: readonly Label[]): Target {
  const { kind } = table.column(name) as TableColumn;
  const isRegression = (kind === "numeric" || kind === "date") && new Set(y).size > MOST_CLASSES;
  return { name, y, isRegression };
}

function print(
  terminal: Terminal,
  name: string,
  table: Table,
  summaries: readonly ColumnSummary[],
  warnings: readonly Warning[],
  target: string | undefined,
): void {
  const { style, width } = terminal;
  terminal.print(`${style.bold(name)}  ${table.rows.toLocaleString("en")} rows × ${table.cols} columns\n`);
  terminal.print(drawTable(columnsFor(table.rows, target), summaries, width, style).join("\n"));
  if (warnings.length === 0) {
    terminal.print("\nNothing to warn of.");
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
  const byKind = new Map<string, Warning[]>();
  for (const warning of warnings) byKind.set(warning.kind, [...(byKind.get(warning.kind) ?? []), warning]);
  return [...byKind.values()].flatMap((group) => {
    if (group.length <= MOST_ALONE) return group.map(({ message }) => message);
    const others = group.slice(1).map(({ column }) => column ?? "");
    return [`${group[0]!.message} The same holds for ${others.length} more: ${listed(others)}.`];
  });
}

function columnsFor(rows: number, target: string | undefined): Column<ColumnSummary>[] {
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

function valuesOf({ min, median, max, top }: ColumnSummary): string {
  if (top !== undefined)
    return top
      .map(({ value, count }) => `${shortened(value.replaceAll(/\s+/g, " "), 18)} ${count}`)
      .join(", ");
  return min === undefined ? "none" : `${short(min)} … ${short(median!)} … ${short(max!)}`;
}

/** Five digits tell the size of a number. */
const short = (value: number | string): string =>
  typeof value === "string" ? value : String(Number.isInteger(value) ? value : Number(value.toPrecision(5)));
