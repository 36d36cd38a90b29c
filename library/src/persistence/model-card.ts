import { DataError, FormatError, show } from "../core/errors.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import type { Json } from "../core/state/state.js";
import { textEncoder } from "../core/text/utf8-coders.js";
import { type AnyTable, isTable } from "../data/feature-names-in.js";
import type { Cell, Column } from "../data/table/column.js";
import { crc32 } from "./crc32.js";
import { parse, stringify } from "./json.js";
import { checkBytes, decodeSafetensors } from "./safetensors.js";

export const inputKinds = ["numeric", "categorical", "boolean", "date", "text"] as const;
export type InputKind = (typeof inputKinds)[number];

/** A column that a model was trained on. */
export interface InputColumn {
  readonly name: string;
  readonly kind: InputKind;
  /** Whether entries were missing. */
  readonly missing: boolean;
  /** The categories seen, if they are at most MOST_CATEGORIES. */
  readonly categories?: readonly string[] | undefined;
  /** The range of the numbers seen. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** An entry of the first row that has all of them, or else of the column; a date as ISO text. */
  readonly example?: string | number | boolean | undefined;
}

/** What a model file says about itself beside the model: what it predicts, and from which columns. */
export interface ModelCard {
  readonly target?: string | undefined;
  readonly task?: "classification" | "regression" | undefined;
  readonly rows?: number | undefined;
  readonly inputs: readonly InputColumn[];
}

export type CardOptions = Pick<ModelCard, "target" | "task">;

export const cardOptions = {
  target: option<string>(
    "string",
    "The column that is predicted.",
    "text",
    (value) => typeof value === "string",
  ),
  task: option<"classification" | "regression">(
    "string",
    "What is predicted: classes or numbers.",
    '"classification" or "regression"',
    (value) => value === "classification" || value === "regression",
  ),
} satisfies TableOf<CardOptions>;

/** More are not listed: nobody would choose from so long a list. */
const MOST_CATEGORIES = 1000;

/** The card of a model trained on the columns of a table, the target not among them. */
export function modelCard(x: AnyTable, options: CardOptions = {}): ModelCard {
  const where = "modelCard";
  const { target, task } = readOptions(where, cardOptions, options);
  if (!isTable(x)) throw new DataError(where, "X", "a Table", show(x));
  const columns = x.columnNames.map((name) => [name, x.column(name)] as const);
  const rows = columns[0]?.[1].length ?? 0;
  const whole = wholeRow(
    columns.map(([, column]) => column),
    rows,
  );
  return {
    ...(target !== undefined && { target }),
    ...(task !== undefined && { task }),
    rows,
    inputs: columns.map(([name, column]) => describe(name, column, whole)),
  };
}

/** The first row without missing entries; undefined if there is none. */
function wholeRow(columns: readonly Column[], rows: number): number | undefined {
  for (let i = 0; i < rows; i++) if (columns.every((column) => column.at(i) !== null)) return i;
  return undefined;
}

const plain = (cell: Cell): string | number | boolean => (cell instanceof Date ? cell.toISOString() : cell);

function describe(name: string, column: Column, whole: number | undefined): InputColumn {
  let example: Cell | null = whole === undefined ? null : column.at(whole);
  for (let i = 0; example === null && i < column.length; i++) example = column.at(i);
  const categories = column.kind === "categorical" ? column.categories : undefined;
  return {
    name,
    kind: column.kind,
    missing: column.missing > 0,
    ...(categories && categories.length <= MOST_CATEGORIES && { categories: [...categories] }),
    ...(column.kind === "numeric" && rangeOf(column.values)),
    ...(example !== null && { example: plain(example) }),
  };
}

function rangeOf(values: Float64Array): { min: number; max: number } | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : undefined;
}

/** The entries of a file's metadata that hold the card: its text and a checksum. */
export function cardMetadata(where: string, card: ModelCard): Record<string, string> {
  // Absent entries are left out, as JSON does.
  const text = stringify(where, JSON.parse(JSON.stringify(readCard(where, card))) as Json);
  return { card: text, cardCrc32: checksum(text) };
}

const checksum = (text: string): string => crc32(textEncoder().encode(text)).toString(16).padStart(8, "0");

/** The card in a model file; undefined if the model was saved without one. */
export function loadModelCard(bytes: Uint8Array | ArrayBuffer): ModelCard | undefined {
  const where = "loadModelCard";
  const { metadata } = decodeSafetensors(where, checkBytes(where, bytes));
  if (!Object.hasOwn(metadata, "card")) return undefined;
  const text = metadata["card"]!;
  if (metadata["cardCrc32"] !== checksum(text)) {
    const subject = "the checksum of the card";
    const received = show(metadata["cardCrc32"]);
    throw new FormatError(where, subject, checksum(text), received, "The file is damaged.");
  }
  return readCard(where, parse(where, text));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks every entry: a file may come from anywhere. Unknown entries are left out. */
function readCard(where: string, given: unknown): ModelCard {
  function fail(subject: string, expected: string, received: unknown): never {
    throw new FormatError(where, subject, expected, show(received));
  }
  if (!isObject(given)) return fail("the card", "an object", given);
  const { target, task, rows, inputs } = given;
  if (target !== undefined && typeof target !== "string") fail("the card's target", "text", target);
  if (task !== undefined && task !== "classification" && task !== "regression")
    fail("the card's task", "classification or regression", task);
  if (rows !== undefined && !(Number.isSafeInteger(rows) && (rows as number) >= 0))
    fail("the card's rows", "an integer ≥ 0", rows);
  if (!Array.isArray(inputs)) return fail("the card's inputs", "a list", inputs);
  const names = new Set<unknown>();
  const read = inputs.map((input: unknown): InputColumn => {
    if (!isObject(input)) return fail("an input of the card", "an object", input);
    const { name, kind, missing, categories, min, max, example } = input;
    if (typeof name !== "string" || names.has(name))
      fail("the names of the card's inputs", "distinct texts", name);
    names.add(name);
    if (!inputKinds.includes(kind as InputKind)) fail(`kind of ${show(name)}`, inputKinds.join(", "), kind);
    if (typeof missing !== "boolean") fail(`missing of ${show(name)}`, "true or false", missing);
    if (
      categories !== undefined &&
      !(Array.isArray(categories) && categories.every((one) => typeof one === "string"))
    )
      fail(`categories of ${show(name)}`, "a list of texts", categories);
    for (const bound of [min, max])
      if (bound !== undefined && typeof bound !== "number") fail(`range of ${show(name)}`, "numbers", bound);
    if (example !== undefined && !["string", "number", "boolean"].includes(typeof example))
      fail(`example of ${show(name)}`, "a cell", example);
    return present({ name, kind, missing, categories, min, max, example } as InputColumn);
  });
  return present({ target, task, rows: rows as number | undefined, inputs: read });
}

/** Without entries that are undefined. */
const present = <T extends object>(entries: T): T =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T;
