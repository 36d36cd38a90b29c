import type { CsrMatrix } from "../../data/csr-matrix.js";
import type { Arena, F64, I32 } from "../runtime/arena.js";

/** Compressed sparse rows in the arena. */
export interface PlacedRows {
  readonly rows: number;
  readonly indptr: I32;
  readonly indices: I32;
  readonly values: F64;
}

export const placedRows = (arena: Arena, { rows, indptr, indices, values }: CsrMatrix): PlacedRows => ({
  rows,
  indptr: arena.copyI32(indptr),
  indices: arena.copyI32(indices),
  values: arena.copy(values),
});
