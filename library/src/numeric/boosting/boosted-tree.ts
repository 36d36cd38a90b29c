import type { Heap } from "../runtime/heap.js";

/** A tree that has just been grown, node by node; the children of a node lie side by side. */
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
  /** Eight 32-bit words a node: bins that go left, of splits by categories. */
  readonly sets: Int32Array;
}

/** Bytes of a node, and places in it in words of four bytes or of eight: the class of wasm/boosting/problem.ts. */
export const NODE = 152;
export const START = 0;
export const STOP = 1;
export const LEFT = 2;
export const VALUE = 5;
const GAIN = 8;
const FEATURE = 18;
const BIN = 19;
const MISSING_LEFT = 20;
const CATEGORICAL = 21;
const SETS = 30;

/** Node v of those at `nodes`, as whole numbers and as doubles. */
export function nodeRecord(
  heap: Heap,
  nodes: number,
  v: number,
): { whole: Int32Array<ArrayBufferLike>; real: Float64Array<ArrayBufferLike> } {
  const at = nodes + v * NODE;
  return {
    whole: heap.integers.subarray(at / 4, (at + NODE) / 4),
    real: heap.floats.subarray(at / 8, (at + NODE) / 8),
  };
}

export function readTree(heap: Heap, nodes: number, count: number): GrownTree {
  const tree = {
    count,
    left: new Int32Array(count),
    feature: new Int32Array(count),
    bin: new Int32Array(count),
    missingLeft: new Uint8Array(count),
    categorical: new Uint8Array(count),
    value: new Float64Array(count),
    gain: new Float64Array(count),
    rows: new Int32Array(count),
    sets: new Int32Array(8 * count),
  };
  for (let v = 0; v < count; v++) {
    const { whole, real } = nodeRecord(heap, nodes, v);
    tree.left[v] = whole[LEFT]!;
    tree.value[v] = real[VALUE]!;
    tree.rows[v] = whole[STOP]! - whole[START]!;
    if (whole[LEFT] === 0) continue;
    tree.feature[v] = whole[FEATURE]!;
    tree.bin[v] = whole[BIN]!;
    tree.missingLeft[v] = whole[MISSING_LEFT]!;
    tree.categorical[v] = whole[CATEGORICAL]!;
    tree.gain[v] = real[GAIN]!;
    if (whole[CATEGORICAL] === 1) tree.sets.set(whole.subarray(SETS, SETS + 8), 8 * v);
  }
  return tree;
}
