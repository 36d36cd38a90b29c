import type { AsyncBuffer, Compressors, FileMetaData } from "hyparquet";
import { firstWhere } from "../bisection.js";
import type { Progress } from "./bytes.js";
import { cleanNames, columnOfValues } from "./columns.js";
import type { ReadTable } from "./read-csv.js";
import { sampledNote } from "./read-json.js";
import { MOST_CELLS, randomRows } from "./sample.js";

/** Parquet, column by column. */
export async function readParquet(blob: Blob, name: string, progress: Progress): Promise<ReadTable> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import("hyparquet");
  const file: AsyncBuffer = {
    byteLength: blob.size,
    slice: (start, end) => blob.slice(start, end).arrayBuffer(),
  };
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(file);
  } catch {
    throw new Error(
      `${name} begins like a Parquet file but has no readable end: it is damaged or incomplete.`,
    );
  }
  const compressors = await compressorsOf(metadata);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const rows = Number(metadata.num_rows);
  if (rows === 0 || names.length === 0) throw new Error(`${name} has no rows.`);
  const kept = Math.min(rows, Math.floor(MOST_CELLS / names.length));
  const chosen = kept < rows ? randomRows(rows, kept, 1) : undefined;
  const clean = cleanNames(names);
  const columns = [];
  for (const [j, column] of names.entries()) {
    const values = new Array<unknown>(kept).fill(null);
    await parquetRead({
      file,
      metadata,
      ...compressors,
      columns: [column],
      onChunk: ({ columnData, rowStart }) => place(values, columnData, rowStart, chosen),
    }).catch((error: Error) => {
      throw new Error(`Column “${clean[j]}” of ${name} could not be read: ${error.message}.`);
    });
    columns.push(columnOfValues(clean[j]!, values));
    progress((j + 1) / names.length);
  }
  return {
    data: { name, rows: kept, columns },
    notes: chosen === undefined ? [] : [sampledNote(rows, kept)],
  };
}

/** Puts the cells of a chunk where their rows are, or where those are in the sample. */
function place(
  out: unknown[],
  cells: ArrayLike<unknown>,
  start: number,
  chosen: Int32Array | undefined,
): void {
  if (chosen === undefined) {
    for (let i = 0; i < cells.length && start + i < out.length; i++) out[start + i] = cells[i];
    return;
  }
  const first = firstWhere(chosen.length, (e) => chosen[e]! >= start);
  for (let e = first; e < chosen.length && chosen[e]! < start + cells.length; e++)
    out[e] = cells[chosen[e]! - start];
}

/** What unpacks a file; nothing for those without compression or with Snappy, which hyparquet reads by itself. */
async function compressorsOf({ row_groups }: FileMetaData): Promise<{ compressors?: Compressors }> {
  const codecs = row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec));
  const isPlain = codecs.every((codec = "UNCOMPRESSED") => codec === "UNCOMPRESSED" || codec === "SNAPPY");
  if (isPlain) return {};
  const { compressors } = await import("hyparquet-compressors");
  return { compressors };
}
