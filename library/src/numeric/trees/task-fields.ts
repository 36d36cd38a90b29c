import type { TaskInputs } from "../generated/trees.layout.js";

/** The fields of dense columns, for sparse rows. */
export const noDenseColumns = {
  x: 0,
  stride: 0,
  categories: 0,
  maxCategories: 0,
  ranks: 0,
  narrowRanks: 0,
  codeStarts: 0,
  categoryCodes: 0,
  gathered: 0,
  unsorted: 0,
  local: 0,
  localRows: 0,
} as const satisfies Partial<TaskInputs>;
export type DenseFields = Pick<TaskInputs, keyof typeof noDenseColumns>;

/** The fields of sparse columns, for dense rows. */
export const noSparseColumns = {
  sparse: 0,
  starts: 0,
  stored: 0,
  table: 0,
  zeroRanks: 0,
  rowStarts: 0,
  rowColumns: 0,
  rowRanks: 0,
  places: 0,
  columnEntries: 0,
  block: 0,
  runs: 0,
  blockSpare: 0,
  runSpare: 0,
  slots: 0,
} as const satisfies Partial<TaskInputs>;
export type SparseFields = Pick<TaskInputs, keyof typeof noSparseColumns>;
