import { maxOf } from "argmax/numeric";
import type { TableData } from "../table.js";
import { bytesOf, type Progress } from "./bytes.js";
import { cleanNames, columnOfValues } from "./columns.js";
import { decoded, encodingOf } from "./encoding.js";
import { jsonFault } from "./json-fault.js";
import type { ReadTable } from "./read-csv.js";
import { MOST_CELLS, randomRows } from "./sample.js";

/** A text may not be longer than this in browsers. */
const MOST_BYTES = 500 * 2 ** 20;

/** A list of objects or of lists, an object of lists (one per column), or one object per line. */
export async function readJson(blob: Blob, name: string, progress: Progress): Promise<ReadTable> {
  if (blob.size > MOST_BYTES)
    throw new Error(`${name} is too large for JSON: convert it to CSV or Parquet, or load a part of it.`);
  const bytes = await bytesOf(blob, (share) => progress(0.5 * share));
  const read = tableOfJson(decoded(bytes, encodingOf(bytes)), name);
  progress(1);
  return read;
}

function tableOfJson(text: string, name: string): ReadTable {
  const first = text.search(/\S/);
  const isLines = text[first] === "{" && !isWhole(text);
  const { names, columns, rows } = isLines ? ofRows(parsedLines(text), "Line") : ofValue(parsed(text));
  if (rows === 0 || names.length === 0) throw new Error(`${name} has no rows.`);
  const most = Math.floor(MOST_CELLS / names.length);
  const chosen = rows > most ? randomRows(rows, most, 1) : undefined;
  const clean = cleanNames(names);
  const data: TableData = {
    name,
    rows: chosen?.length ?? rows,
    columns: columns.map((values, j) =>
      columnOfValues(clean[j]!, chosen === undefined ? values : Array.from(chosen, (i) => values[i])),
    ),
  };
  return { data, notes: chosen === undefined ? [] : [sampledNote(rows, chosen.length)] };
}

export const sampledNote = (rows: number, kept: number): string =>
  `The file has ${rows.toLocaleString("en")} rows, more than this page can hold: ${kept.toLocaleString("en")} of them, drawn at random, are shown and learned from.`;

interface Cells {
  readonly names: readonly string[];
  /** A list of cells per name. */
  readonly columns: readonly (readonly unknown[])[];
  readonly rows: number;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const before = text.slice(0, jsonFault(text)).split("\n");
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    throw new Error(`This is not valid JSON in ${place}: correct the file and load it again.`);
  }
}

function parsedLines(text: string): unknown[] {
  const rows: unknown[] = [];
  for (const [k, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line));
    } catch {
      throw new Error(`Line ${k + 1} is not valid JSON: correct the file and load it again.`);
    }
  }
  return rows;
}

function ofValue(value: unknown): Cells {
  if (Array.isArray(value)) return value.every(Array.isArray) ? ofLists(value) : ofRows(value, "Row");
  const entries = Object.entries(isObject(value) ? value : {});
  const [only] = entries;
  // { "data": [ … ] }
  if (entries.length === 1 && Array.isArray(only![1]) && only![1].every(isObject))
    return ofRows(only![1], "Row");
  const longest = maxOf(
    entries.map(([, list]) => (Array.isArray(list) ? list.length : 0)),
    0,
  );
  for (const [column, list] of entries) {
    if (!Array.isArray(list))
      throw new Error(
        `“${shortened(column)}” is not a list: use a list of objects, or an object with a list per column.`,
      );
    if (list.length !== longest)
      throw new Error(
        `Column “${shortened(column)}” has ${list.length} cells where others have ${longest}: all need the same number.`,
      );
  }
  return {
    names: entries.map(([column]) => column),
    columns: entries.map(([, list]) => list as unknown[]),
    rows: longest,
  };
}

/** The first list has the names if it is all text. */
function ofLists(lists: readonly (readonly unknown[])[]): Cells {
  const [first = []] = lists;
  const hasNames = first.length > 0 && first.every((cell) => typeof cell === "string");
  const rows = hasNames ? lists.slice(1) : lists;
  const bad = rows.findIndex((row) => row.length !== first.length);
  if (bad >= 0)
    throw new Error(
      `Row ${bad + 1 + Number(hasNames)} has ${rows[bad]!.length} cells where the first has ${first.length}: all need the same number.`,
    );
  return {
    names: hasNames ? (first as string[]) : first.map((_, j) => `column${j + 1}`),
    columns: first.map((_, j) => rows.map((row) => row[j])),
    rows: rows.length,
  };
}

/** Keys that a row does not have are missing cells. */
function ofRows(rows: readonly unknown[], word: string): Cells {
  const cells = new Map<string, unknown[]>();
  for (const [i, row] of rows.entries()) {
    if (!isObject(row))
      throw new Error(
        `${word} ${i + 1} is not an object: every row needs its cells by name, as {"age": 31}.`,
      );
    for (const [column, value] of Object.entries(row)) {
      let list = cells.get(column);
      if (list === undefined) {
        list = new Array<unknown>(rows.length).fill(null);
        cells.set(column, list);
      }
      list[i] = value;
    }
  }
  return { names: [...cells.keys()], columns: [...cells.values()], rows: rows.length };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
