import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import { sparseAt } from "../rows/sparse-at.js";
import type { GrownTree } from "./tree-plan.js";

/** The leaf of row i. */
export function leafOfRow(tree: GrownTree, x: Design, i: number): number {
  const { features } = tree;
  let k = 0;
  if (x instanceof CsrMatrix) {
    for (let j = features[0]!; j >= 0; j = features[k]!) k = childOf(tree, k, sparseAt(x, i, j));
    return k;
  }
  const at = i * x.cols;
  for (let j = features[0]!; j >= 0; j = features[k]!) k = childOf(tree, k, x.data[at + j]!);
  return k;
}

function childOf(
  { thresholds, lefts, rights, missingLeft, categoryStarts, pool }: GrownTree,
  k: number,
  value: number,
): number {
  const start = categoryStarts[k]!;
  const left = Number.isNaN(value)
    ? missingLeft[k] === 1
    : start >= 0
      ? isListed(pool, start, value)
      : value <= thresholds[k]!;
  return left ? lefts[k]! : rights[k]!;
}

/** Whether a category is in the list at `start`: its length, then the categories, ascending. */
export const isListed = (pool: Int32Array, start: number, category: number): boolean =>
  isInRange(pool, start + 1, start + pool[start]!, category);

/** Whether a category is among the ascending entries first … last. */
export function isInRange(pool: Int32Array, first: number, last: number, category: number): boolean {
  let low = first;
  let high = last;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = pool[middle]!;
    if (value === category) return true;
    if (value < category) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
