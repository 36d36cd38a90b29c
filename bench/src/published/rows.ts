import { kernelRows } from "./kernel-rows.js";
import { linearRows } from "./linear-rows.js";
import { neighborRows } from "./neighbor-rows.js";
import { networkRows } from "./network-rows.js";
import { probabilisticRows } from "./probabilistic-rows.js";
import type { PublishedRow } from "./row.js";
import { treeRows } from "./tree-rows.js";

/** Every published result that the library reproduces. */
export const publishedRows: readonly PublishedRow[] = [
  ...linearRows,
  ...probabilisticRows,
  ...neighborRows,
  ...kernelRows,
  ...treeRows,
  ...networkRows,
];
