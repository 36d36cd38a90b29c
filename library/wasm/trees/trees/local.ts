import { setReal } from "../../shared/arrays";
import {
  codeOf,
  codes,
  several,
  stride,
  targetLanes,
  targetOf,
  targets,
  useAllRows,
  useCopies,
  weightOf,
  weights,
  x,
} from "./data";
import { entryAt, rowOf } from "./entries";
import { targetsOf } from "./several";
import { columns, task } from "./task";

/**
 * Small nodes of unsorted rows: the rows, scattered over X, are copied to one buffer that stays in the cache while the subtree is grown.
 * Rows are renumbered there; the original numbers are not needed afterwards.
 */

// Range of the compact node; empty if there is none.
let first: i32 = 0;
let last: i32 = 0;

/** Called before the first node of a tree. */
export function resetCompactNode(): void {
  first = 0;
  last = 0;
}

/** Copies the rows of a node to the buffer if they are few enough; switches back to all rows for a node outside the compact subtree. */
export function compactNode(from: i32, to: i32): void {
  if (first <= from && to <= last) return;
  if (last > first) useAllRows();
  first = last = 0;
  const count = to - from;
  if (count > <i32>task.localRows || count < MIN_ROWS) return;
  gatherRows(from, count);
  first = from;
  last = to;
}

/** For fewer rows the copy costs more than it saves. */
const MIN_ROWS: i32 = 8;

function gatherRows(from: i32, count: i32): void {
  const near = <usize>task.local;
  const nearTargets = near + ((<usize>columns * <usize>count) << 3);
  const nearWeights = nearTargets + ((<usize>count * targetLanes) << 3);
  const nearCodes = nearWeights + ((<usize>count) << 3);
  const end = entryAt(0, from + count);
  let to = near;
  for (let c: i32 = 0; c < columns; c++) {
    const values = x + ((<usize>c * stride) << 3);
    for (let entry = entryAt(0, from); entry < end; entry += 8, to += 8)
      store<f64>(to, load<f64>(values + (rowOf(entry) << 3)));
  }
  for (let e: i32 = 0; e < count; e++) {
    const entry = entryAt(0, from + e);
    const row = rowOf(entry);
    if (several) memory.copy(nearTargets + <usize>e * (targetLanes << 3), targetsOf(row), targetLanes << 3);
    else if (targets != 0) setReal(nearTargets, e, targetOf(row));
    if (weights != 0) setReal(nearWeights, e, weightOf(row));
    if (codes != 0) store<u16>(nearCodes + ((<usize>e) << 1), <u16>codeOf(row));
    store<u32>(entry, <u32>e);
  }
  const ownCodes = codes != 0 ? nearCodes : 0;
  const ownTargets = targets != 0 ? nearTargets : 0;
  useCopies(near, <usize>count, ownCodes, ownTargets, weights != 0 ? nearWeights : 0);
}
