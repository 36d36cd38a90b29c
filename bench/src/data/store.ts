import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { StoredData } from "../workload.js";
import { type Generated, generate } from "./generate.js";
import type { DataSpec } from "./spec.js";

// Change this when the output of generate.ts changes, so that old files are no longer used.
const FORMAT = 1;

/** The files of a set, made on first use. The description is written last: it exists only if all files do. */
export async function stored(folder: string, spec: DataSpec): Promise<StoredData> {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ FORMAT, spec });
  const stem = join(folder, createHash("sha256").update(text).digest("hex").slice(0, 16));
  const description = `${stem}.json`;
  if (!existsSync(description)) {
    const data = save(stem, await generate(spec));
    writeFileSync(`${description}.part`, JSON.stringify(data));
    renameSync(`${description}.part`, description);
  }
  return located(folder, JSON.parse(readFileSync(description, "utf8")) as StoredData);
}

/** Descriptions name files without their folder, so that the cache can move; contestants get whole paths. */
function located(folder: string, data: StoredData): StoredData {
  const at = (name: string) => join(folder, name);
  const { dense, sparse, texts, csv } = data;
  return {
    ...data,
    y: at(data.y),
    ...(texts ? { texts: at(texts) } : {}),
    ...(csv ? { csv: at(csv) } : {}),
    ...(dense ? { dense: at(dense) } : {}),
    ...(sparse
      ? {
          sparse: {
            indptr: at(sparse.indptr),
            indices: at(sparse.indices),
            values: at(sparse.values),
          },
        }
      : {}),
  };
}

function save(stem: string, data: Generated): StoredData {
  const put = (name: string, values: Int32Array | Float64Array): string => {
    const path = `${stem}.${name}`;
    writeFileSync(path, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return basename(path);
  };
  const { rows, cols, classes, targets, dense, sparse, texts, csv, y } = data;
  const written = texts ? putTexts(stem, texts) : csv ? putCsv(stem, csv) : undefined;
  const parts = [y, ...(dense ? [dense] : []), ...(sparse ? Object.values(sparse) : [])];
  return {
    rows,
    cols,
    classes,
    ...(targets ? { targets } : {}),
    bytes: parts.reduce((total, part) => total + part.byteLength, written?.bytes ?? 0),
    y: put("y", y),
    ...(written ? { [csv ? "csv" : "texts"]: written.file } : {}),
    ...(dense ? { dense: put("X", dense) } : {}),
    ...(sparse
      ? {
          sparse: {
            indptr: put("indptr", sparse.indptr),
            indices: put("indices", sparse.indices),
            values: put("values", sparse.values),
          },
        }
      : {}),
  };
}

/** Documents as a JSON list; their bytes are those of the documents alone. */
function putCsv(stem: string, csv: string): { file: string; bytes: number } {
  writeFileSync(`${stem}.csv`, csv);
  return { file: basename(`${stem}.csv`), bytes: Buffer.byteLength(csv) };
}

function putTexts(stem: string, texts: readonly string[]): { file: string; bytes: number } {
  writeFileSync(`${stem}.texts.json`, JSON.stringify(texts));
  const bytes = texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
  return { file: basename(`${stem}.texts.json`), bytes };
}

export const readTexts = (path: string): string[] => JSON.parse(readFileSync(path, "utf8")) as string[];

/** The bytes of a file in a buffer of their own, so that doubles are aligned. */
function bytesOf(path: string): ArrayBuffer {
  const file = readFileSync(path);
  const whole = file.byteOffset === 0 && file.byteLength === file.buffer.byteLength;
  return (
    whole ? file.buffer : file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  ) as ArrayBuffer;
}

export const readDoubles = (path: string): Float64Array<ArrayBuffer> => new Float64Array(bytesOf(path));
export const readIntegers = (path: string): Int32Array<ArrayBuffer> => new Int32Array(bytesOf(path));

export function writeDoubles(path: string, values: Iterable<number>): void {
  const doubles = Float64Array.from(values);
  writeFileSync(path, new Uint8Array(doubles.buffer));
}
