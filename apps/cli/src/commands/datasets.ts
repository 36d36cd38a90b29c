import { csvDatasetNames, datasetNames, loadCsv, loadDataset } from "argmax/datasets";
import { defineCommand } from "../command.js";
import { loadIncluded } from "../data/included.js";
import { type Column, drawTable } from "../terminal/table.js";

interface Entry {
  readonly name: string;
  readonly task: string;
  readonly rows: number;
  readonly columns: number;
  readonly target: string;
  readonly licence: string;
  readonly description: string;
  readonly source: string;
}

export const datasets = defineCommand({
  description: [
    "Every command that reads data takes these names in place of a file, and knows their target. A file of the same name comes first.",
  ],
  options: {},
  examples: [
    { words: "datasets", doc: "All of them" },
    { words: "datasets --json", doc: "With descriptions and sources, for scripts" },
  ],
  async run({ terminal, program }) {
    const entries = await Promise.all([...datasetNames, ...csvDatasetNames].map(entryOf));
    for (const entry of entries) terminal.emit({ type: "dataset", ...entry });
    terminal.print(drawTable(columns, entries, terminal.width, terminal.style).join("\n"));
    terminal.print(`\nTry one: ${program} inspect penguins`);
  },
});

async function entryOf(name: string): Promise<Entry> {
  const csvName = csvDatasetNames.find((one) => one === name);
  const known =
    csvName === undefined ? await loadDataset(name as (typeof datasetNames)[number]) : await loadCsv(csvName);
  const { table } = await loadIncluded(name);
  const { task, targetName: target, licence, description, source } = known;
  return { name, task, rows: table.rows, columns: table.cols, target, licence, description, source };
}

const columns: Column<Entry>[] = [
  { title: "name", cell: ({ name }) => name, paint: (text, _, __, style) => style.bold(text) },
  { title: "task", cell: ({ task }) => task },
  { title: "rows", align: "right", cell: ({ rows }) => String(rows) },
  { title: "columns", align: "right", cell: ({ columns }) => String(columns) },
  { title: "target", cell: ({ target }) => target },
  { title: "licence", cell: ({ licence }) => licence.split(/[;,]| with /)[0]!, dispensable: 2 },
  { title: "what it is", cell: ({ description }) => description.split(/[.:]/)[0]!, dispensable: 3 },
];
