import { dialectNames, toSql } from "@argmax/sql";
import { ArgmaxError } from "argmax";
import { defineCommand, Failure, readChoice, UsageError } from "../command.js";
import { readNames } from "../data/options.js";
import { typesOf } from "../described-types.js";
import { inputNames, type OpenedModel, openModel } from "../model-file.js";
import { requireOther } from "../model-output.js";
import { writeWhole } from "../write-whole.js";

export const sql = defineCommand({
  description: [
    "A SELECT that computes the labels, probabilities and scores, or the values, of a model for every row of a table: preprocessing included, " +
      "nothing but SQL. Rows with gaps that the model does not take get NULL.",
  ],
  args: [{ name: "MODEL", doc: "a model file" }],
  options: {
    dialect: { type: "string", value: "NAME", doc: `The database: ${dialectNames.join(", ")}` },
    from: {
      type: "string",
      value: "SQL",
      default: "input",
      doc: "The table, or a query in parentheses, as the database reads it",
    },
    keep: { type: "string", value: "A,B", multiple: true, doc: "Columns of the table to select too" },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      doc: "Write to this file; otherwise to standard output",
    },
  },
  examples: [
    { words: "sql iris.safetensors --dialect duckdb --from flowers -o score.sql", doc: "For DuckDB" },
    {
      words: "sql iris.safetensors --dialect postgres --from garden.flowers --keep id",
      doc: "For PostgreSQL, beside the id of each row",
    },
  ],
  async run({ values, args, terminal }) {
    const [path] = args as [string];
    if (values.dialect === undefined)
      throw new UsageError(`--dialect is missing: ${dialectNames.join(", ")}.`);
    const dialect = readChoice("dialect", values.dialect, dialectNames);
    requireOther(values.output, [path]);
    const opened = await openModel(path);
    const text = `${selectOf(path, opened, { dialect, from: values.from, keep: readNames(values.keep) })}\n`;
    if (values.output === undefined) {
      terminal.emit({ type: "sql", dialect, text });
      terminal.print(text.trimEnd());
      return;
    }
    await writeWhole(values.output, text);
    terminal.emit({ type: "sql", dialect, file: values.output });
    terminal.note(`${path} → ${values.output}`);
  },
});

interface Wanted {
  readonly dialect: (typeof dialectNames)[number];
  readonly from: string;
  readonly keep: readonly string[] | undefined;
}

function selectOf(path: string, opened: OpenedModel, { dialect, from, keep }: Wanted): string {
  try {
    const made = toSql(opened.model, { dialect, columns: inputNames(opened), types: typesOf(opened.card) });
    return made.select(from, { keep });
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    throw new Failure(
      `${path}: ${error.subject} must be ${error.expected}, got ${error.received}. ${error.advice}`.trim(),
    );
  }
}
