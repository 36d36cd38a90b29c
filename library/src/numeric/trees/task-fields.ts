import type { TaskInputs } from "../generated/trees.layout.js";

/** The fields of dense columns that all trees share. */
export type ColumnFields = Pick<
  TaskInputs,
  | "x"
  | "stride"
  | "listCount"
  | "lists"
  | "categories"
  | "maxCategories"
  | "ranks"
  | "narrowRanks"
  | "codeStarts"
  | "categoryCodes"
  | "bins"
  | "binCounts"
>;

/** The buffers of a tree on dense columns. */
export type BufferFields = Pick<TaskInputs, "gathered" | "binTable" | "unsorted" | "local" | "localRows">;

/** The fields of sparse columns. */
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
