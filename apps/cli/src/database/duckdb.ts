import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { noDownloads, quotedPath, quotedText } from "../data/formats/duckdb.js";
import type { DataFile } from "../data/locate.js";

/** A list of texts as DuckDB reads it. */
export const listOf = (texts: readonly string[]): string => `[${texts.map(quotedText).join(", ")}]`;

export const pathsOf = (files: readonly DataFile[]): string =>
  `[${files.map(({ path }) => quotedPath(path!)).join(", ")}]`;

/** Megabytes that DuckDB wants for each thread (duckdb.org, Performance Guide, Environment). */
const PER_THREAD = 125;

/** A connection to DuckDB within a limit of memory, and what it writes beyond that. */
export interface OpenDuckdb {
  readonly connection: DuckDBConnection;
  /** For temporary files, which are removed when it is closed. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Opens a database file for reading, or one in memory. */
export async function openDuckdb(path: string | undefined, megabytes: number): Promise<OpenDuckdb> {
  const folder = await mkdtemp(join(tmpdir(), "argmax-duckdb-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const instance = await DuckDBInstance.create(path ?? ":memory:", {
      ...noDownloads,
      memory_limit: `${megabytes}MB`,
      threads: String(Math.max(1, Math.min(availableParallelism(), Math.floor(megabytes / PER_THREAD)))),
      temp_directory: folder,
      ...(path !== undefined && { access_mode: "READ_ONLY" }),
    });
    const connection = await instance.connect();
    // Dates are those of UTC, as everywhere in this program.
    await connection.run("SET TimeZone = 'UTC'");
    const close = async () => {
      connection.closeSync();
      instance.closeSync();
      await remove();
    };
    return { connection, folder, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The rows of a query, which a signal stops. */
export async function askDuckdb(
  connection: DuckDBConnection,
  sql: string,
  signal?: AbortSignal,
): Promise<unknown[][]> {
  signal?.throwIfAborted();
  const stop = () => connection.interrupt();
  signal?.addEventListener("abort", stop);
  try {
    return (await connection.runAndReadAll(sql)).getRowsJS() as unknown[][];
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
