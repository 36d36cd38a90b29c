import { nodeBytes, nodeF64, nodeI32, nodeI64, SET_WORDS } from "../generated/boosting.layout.js";
import type { Heap } from "../runtime/heap.js";

/** A tree as the kernels grow it; the right child of a node follows the left one. */
export interface GrownTree {
  readonly count: number;
  /** Left child of each node, 0 for a leaf. */
  readonly left: Int32Array;
  readonly feature: Int32Array;
  readonly bin: Int32Array;
  readonly missingLeft: Uint8Array;
  readonly categorical: Uint8Array;
  readonly value: Float64Array;
  readonly gain: Float64Array;
  readonly rows: Int32Array;
  /** SET_WORDS 32-bit words per node: the bins that go left at a categorical split. */
  readonly sets: Int32Array;
}

/** Offset of the set of a node, in 32-bit words. */
const SET = 2 * nodeI64.set0;

/** Node v, as 32-bit integers and as doubles. */
export function nodeRecord(
  heap: Heap,
  nodes: number,
  v: number,
): { whole: Int32Array<ArrayBufferLike>; real: Float64Array<ArrayBufferLike> } {
  const at = nodes + v * nodeBytes;
  return {
    whole: heap.integers.subarray(at / 4, (at + nodeBytes) / 4),
    real: heap.floats.subarray(at / 8, (at + nodeBytes) / 8),
  };
}

/** The bins that go left at a categorical split, from its integers. */
export const nodeSet = (whole: Int32Array<ArrayBufferLike>): Int32Array<ArrayBufferLike> =>
  whole.subarray(SET, SET + SET_WORDS);

export function readTree(heap: Heap, nodes: number, count: number): GrownTree {
  const numbers = Int32Array.from({ length: count }, (_, v) => v);
  const left = numbers.map((v) => nodeRecord(heap, nodes, v).whole[nodeI32.left]!);
  return readNodes(heap, nodes, numbers, left);
}

/** A tree of some of the nodes in memory, in another order; `left`: children in this order. */
export function readNodes(
  heap: Heap,
  nodes: number,
  numbers: ArrayLike<number>,
  left: Int32Array,
): GrownTree {
  const count = numbers.length;
  const tree = {
    count,
    left,
    feature: new Int32Array(count),
    bin: new Int32Array(count),
    missingLeft: new Uint8Array(count),
    categorical: new Uint8Array(count),
    value: new Float64Array(count),
    gain: new Float64Array(count),
    rows: new Int32Array(count),
    sets: new Int32Array(SET_WORDS * count),
  };
  for (let v = 0; v < count; v++) {
    const { whole, real } = nodeRecord(heap, nodes, numbers[v]!);
    tree.value[v] = real[nodeF64.value]!;
    tree.rows[v] = whole[nodeI32.stop]! - whole[nodeI32.start]!;
    if (left[v] === 0) continue;
    tree.feature[v] = whole[nodeI32.feature]!;
    tree.bin[v] = whole[nodeI32.bin]!;
    tree.missingLeft[v] = whole[nodeI32.missingLeft]!;
    tree.categorical[v] = whole[nodeI32.categorical]!;
    tree.gain[v] = real[nodeF64.gain]!;
    if (whole[nodeI32.categorical] === 1) tree.sets.set(nodeSet(whole), SET_WORDS * v);
  }
  return tree;
}
