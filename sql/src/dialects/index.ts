import { clickhouse } from "./clickhouse.js";
import { duckdb } from "./duckdb.js";
import { postgres } from "./postgres.js";

export const dialects = { duckdb, postgres, clickhouse } as const;
export type DialectName = keyof typeof dialects;
export const dialectNames = Object.keys(dialects) as DialectName[];
