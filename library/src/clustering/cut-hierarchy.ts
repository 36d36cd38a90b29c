import type { Hierarchy } from "../numeric/clustering/linkage.js";

/**
 * Labels of the k clusters that are left when the last k − 1 merges are undone. Their numbers are those of scikit-learn, which keeps
 * the clusters in a binary heap, the newest first, and numbers them by their places in it.
 */
export function cutHierarchy({ children, counts }: Hierarchy, k: number): Int32Array {
  const n = counts.length + 1;
  const labels = new Int32Array(n);
  if (n === 1) return labels;
  // Negative numbers: the newest cluster is the smallest.
  const heap = [-(2 * n - 2)];
  for (let cut = 1; cut < k; cut++) {
    const merge = -heap[0]! - n;
    push(heap, -children[2 * merge]!);
    replaceLeast(heap, -children[2 * merge + 1]!);
  }
  heap.forEach((node, label) => {
    for (const row of rowsOf(children, n, -node)) labels[row] = label;
  });
  return labels;
}

/** All rows below a node. */
export function rowsOf(children: Int32Array, n: number, node: number): number[] {
  const rows: number[] = [];
  const open = [node];
  while (open.length > 0) {
    const at = open.pop()!;
    if (at < n) rows.push(at);
    else open.push(children[2 * (at - n) + 1]!, children[2 * (at - n)]!);
  }
  return rows;
}

/** Python's heapq.heappush. */
function push(heap: number[], value: number): void {
  heap.push(value);
  rise(heap, 0, heap.length - 1);
}

/** heapq.heappushpop where the least of the heap is below the value: takes it out. */
function replaceLeast(heap: number[], value: number): void {
  if (!(heap[0]! < value)) return;
  heap[0] = value;
  sink(heap);
}

function rise(heap: number[], start: number, from: number): void {
  const value = heap[from]!;
  let at = from;
  while (at > start) {
    const parent = (at - 1) >> 1;
    if (!(value < heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = value;
}

/** heapq's _siftup: moves the smaller child up to the end, then the value back to its place. */
function sink(heap: number[]): void {
  const value = heap[0]!;
  let at = 0;
  let child = 1;
  while (child < heap.length) {
    const right = child + 1;
    if (right < heap.length && !(heap[child]! < heap[right]!)) child = right;
    heap[at] = heap[child]!;
    at = child;
    child = 2 * at + 1;
  }
  heap[at] = value;
  rise(heap, 0, at);
}
