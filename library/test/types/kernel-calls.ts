/**
 * Calls of kernels that do not compile: a missing, misspelled or swapped argument, or a kernel of another kind. Nothing here runs.
 */
import { factor } from "../../src/numeric/generated/cholesky.js";
import { combineChunk } from "../../src/numeric/generated/glm.js";
import { gatherRows } from "../../src/numeric/generated/tensor-shapes.js";
import type { F64 } from "../../src/numeric/runtime/arena.js";
import type { Heap } from "../../src/numeric/runtime/heap.js";
import { parallel } from "../../src/numeric/runtime/threads.js";
import type { TensorSpace } from "../../src/numeric/tensors/space.js";

export function kernelCalls(heap: Heap, space: TensorSpace, x: F64, r: F64, out: F64): void {
  const [n, d, chunkRows] = [100, 3, 64];
  const given = { x: x.ptr, r: r.at(2), out: out.ptr, n, d };
  parallel(heap, combineChunk({ ...given, chunkRows }), 2, n);
  // 0: there is no such vector.
  parallel(heap, combineChunk({ ...given, chunkRows, r: 0 }), 2, n);

  // @ts-expect-error: an argument is missing.
  combineChunk(given);
  // @ts-expect-error: no kernel has this argument.
  combineChunk({ x: x.ptr, r: r.ptr, out: out.ptr, n, d, chunkRows, rows: n });
  // @ts-expect-error: a count is not an address: x and n are swapped.
  combineChunk({ x: n, n: x.ptr, d, r: r.ptr, out: out.ptr, chunkRows });
  // @ts-expect-error: neither is the sum of an address and a count, which `F64.at` returns.
  combineChunk({ ...given, chunkRows, r: r.ptr + 16 });
  // @ts-expect-error: arguments have names.
  combineChunk(x.ptr, n, d, r.ptr, out.ptr, chunkRows);

  heap.call(factor({ a: x.ptr, n, floor: 0, lift: 0, result: out.ptr }));
  // @ts-expect-error: a kernel of chunks is not called once.
  heap.call(combineChunk({ ...given, chunkRows }));
  // @ts-expect-error: a kernel without chunks is not run in parallel.
  parallel(heap, factor({ a: x.ptr, n, floor: 0, lift: 0, result: out.ptr }), 2, n);

  const rows = { table: x.ptr, cols: d, indices: r.ptr, rows: n, out: out.ptr, chunkRows };
  space.parallel(gatherRows(rows), 2, n);
  // @ts-expect-error: the width of the numbers is that of a space.
  parallel(heap, gatherRows(rows), 2, n);
  // @ts-expect-error: this kernel has one width only.
  space.parallel(combineChunk({ ...given, chunkRows }), 2, n);
}
