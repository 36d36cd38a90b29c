import type { Task } from "../protocol.js";
import { type EstimatorCode, layerFactories } from "./estimator-code.js";
import { access, comment, literal, objectKey, typeKey } from "./quoting.js";

/** A feature as the code declares it. */
export interface CodeColumn {
  readonly name: string;
  readonly kind: "number" | "category" | "text";
  /** An entry for the example; null if all are missing. */
  readonly example: number | string | null;
}

interface CodeParts {
  /** Of the files: `stem.ts` reads `stem.rows.json` and writes `stem.safetensors`. */
  readonly stem: string;
  readonly estimator: EstimatorCode;
  /** Name of its class. */
  readonly model: string;
  readonly task: Task;
  readonly target: string | null;
  readonly classes: readonly string[];
  readonly columns: readonly CodeColumn[];
}

/** More classes make a type that no editor can show. */
const MOST_IN_UNION = 100;

/** A program that trains a model on rows of a file, saves it, and predicts. Its columns and rows are typed. */
export function typescriptOf(parts: CodeParts): string {
  const { stem, estimator, task, target, columns } = parts;
  const hasCategories = columns.some(({ kind }) => kind === "category");
  const supervised = task !== "clustering" && target !== null;
  return [
    `// ${comment(sentence(parts))}`,
    "// npm install argmax, and put the file of rows beside this one.",
    `// Node 22.18 and later run it as it is: node ${stem}.ts`,
    `import { readFileSync, writeFileSync } from "node:fs";`,
    ...importLines(parts),
    "",
    "/** What the model predicts from. */",
    "export interface Row {",
    ...columns.map(
      ({ name, kind }) => `  readonly ${typeKey(name)}: ${kind === "number" ? "number" : "string"} | null;`,
    ),
    "}",
    "",
    ...(supervised ? targetType(parts) : []),
    ...(hasCategories ? categoryFunction : []),
    "/** Rows as the columns that the model was trained on. */",
    "const tableOf = (rows: readonly Row[]) =>",
    "  Table.fromColumns(",
    "    new Map<string, Column>([",
    ...columns.map((column) => `      [${literal(column.name)}, ${columnCode(column)}],`),
    "    ]),",
    "  );",
    "",
    `const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");`,
    `const rows: readonly ${supervised ? "TrainingRow" : "Row"}[] = JSON.parse(read(${literal(`./${stem}.rows.json`)}));`,
    "",
    `const estimator = ${estimator.text};`,
    "",
    "const X = tableOf(rows);",
    ...fitLines(parts),
    "",
    "export const predict = (given: readonly Row[]) => model.predict(tableOf(given));",
    "",
    ...saveLines(parts),
    "",
    "console.log(",
    "  predict([",
    "    {",
    ...columns.map(
      ({ name, example }) =>
        `      ${objectKey(name)}: ${typeof example === "string" ? literal(example) : numberCode(example)},`,
    ),
    "    },",
    "  ]),",
    ");",
    "",
  ].join("\n");
}

function importLines({ estimator, columns }: CodeParts): string[] {
  const kinds = new Set(columns.map(({ kind }) => kind));
  const imports = [
    ...estimator.imports.filter((name) => !layerFactories.has(name)),
    ...(kinds.has("category") ? ["CategoricalColumn"] : []),
    ...(kinds.has("number") ? ["NumericColumn"] : []),
    ...(kinds.has("text") ? ["TextColumn"] : []),
    "modelCard",
    "saveModel",
    "Table",
    "type Column",
  ];
  const names = [...new Set(imports)].sort(byName);
  const layers = [...new Set(estimator.imports.filter((name) => layerFactories.has(name)))].sort(byName);
  return [
    `import {\n${names.map((name) => `  ${name},`).join("\n")}\n} from "argmax";`,
    ...(layers.length > 0 ? [`import { ${layers.join(", ")} } from "argmax/neural";`] : []),
  ];
}

/** In the order of editors: capital letters as small ones, types by their names. */
function byName(a: string, b: string): number {
  const plain = (name: string) => name.replace("type ", "").toLowerCase();
  return plain(a) < plain(b) ? -1 : 1;
}

function sentence({ task, target, columns, model }: CodeParts): string {
  const from = columns.length > 4 ? `${columns.length} columns` : columns.map(({ name }) => name).join(", ");
  const what = task === "clustering" || target === null ? "Finds clusters in" : `Predicts ${target} from`;
  return `${what} ${from} with ${model}.`;
}

const isCapped = (classes: readonly string[]): boolean => classes.length > MOST_IN_UNION;

function targetType({ task, target, classes }: CodeParts): string[] {
  const name = typeKey(target!);
  const row = `/** A row to learn from. */\nexport type TrainingRow = Row & { readonly ${name}: ${task === "regression" ? "number" : "Label"} };`;
  if (task === "regression") return [row, ""];
  const union = isCapped(classes) ? "string" : classes.map(literal).join(" | ");
  return [`export type Label = ${union};`, "", row, ""];
}

const categoryFunction = [
  "/** Categories in the order of their characters; −1 is missing. */",
  "function category(values: readonly (string | null)[]): CategoricalColumn {",
  "  const known = [...new Set(values.filter((value) => value !== null))].sort();",
  "  const codes = new Map(known.map((value, code) => [value, code]));",
  "  return new CategoricalColumn(",
  "    Int32Array.from(values, (value) => (value === null ? -1 : codes.get(value)!)),",
  "    known,",
  "  );",
  "}",
  "",
];

function columnCode({ name, kind }: CodeColumn): string {
  const cell = access("row", name);
  if (kind === "number") return `new NumericColumn(Float64Array.from(rows, (row) => ${cell} ?? Number.NaN))`;
  if (kind === "text") return `new TextColumn(rows.map((row) => ${cell}))`;
  return `category(rows.map((row) => ${cell}))`;
}

function fitLines({ task, target }: CodeParts): string[] {
  if (task === "clustering" || target === null) return ["export const model = estimator.fit(X);"];
  const cell = access("row", target);
  const y =
    task === "regression" ? `Float64Array.from(rows, (row) => ${cell})` : `rows.map((row) => ${cell})`;
  return [`const y = ${y};`, "export const model = estimator.fit(X, y);"];
}

function saveLines({ stem, task, target }: CodeParts): string[] {
  const options =
    task === "clustering" || target === null
      ? ""
      : `, { target: ${literal(target)}, task: ${literal(task)} }`;
  return [
    "// The model as a file: loadModel of argmax reads it, `argmax serve` answers requests with it.",
    `const file = new URL(${literal(`./${stem}.safetensors`)}, import.meta.url);`,
    `writeFileSync(file, saveModel(model, { card: modelCard(X${options}) }));`,
  ];
}

const numberCode = (value: number | null): string =>
  value === null || Number.isNaN(value) ? "null" : String(value);
