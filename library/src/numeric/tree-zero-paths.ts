import type { CsrMatrix } from "../data/csr-matrix.js";
import type { GrownTree } from "./tree-plan.js";
import { isListed } from "./tree-questions.js";

/**
 * Where sparse rows end in trees, without walking them node by node. Every node lies on one path of zeros: the one that a row takes from the
 * node on which the path begins as long as it has zeros where it is asked. Paths begin at roots, and where a row leaves another path. A row
 * leaves a path at the first node whose question one of its entries answers unlike zero; these nodes are found by the entries' columns.
 * A row costs as much as there are questions about its columns, of all trees together.
 */
export class ZeroPaths {
  /** Questions by the column that they are about: where those of each column begin, up to the last that is asked about. */
  readonly #starts: Int32Array;
  /** Of a question: its threshold, where its categories are listed (−1: none), what zero and what is missing answers (1: left). */
  readonly #thresholds: Float64Array;
  readonly #categoryStarts: Int32Array;
  readonly #pools: readonly Int32Array[];
  readonly #trees: Int32Array;
  readonly #zeroLeft: Uint8Array;
  readonly #missingLeft: Uint8Array;
  /** The path that it lies on, at which place, and the path that begins at its other child. */
  readonly #paths: Int32Array;
  readonly #places: Int32Array;
  readonly #others: Int32Array;
  /** Of a path: the leaf at its end. */
  readonly #leaves: Int32Array;
  /** The path from the root of each tree. */
  readonly #roots: Int32Array;
  /** Questions that the rows of the training set were asked, on average, in all trees. */
  readonly #steps: number;

  constructor(trees: readonly GrownTree[]) {
    const count = trees.reduce((sum, { features }) => sum + (features.length - 1) / 2, 0);
    this.#starts = questionsByColumn(trees);
    this.#thresholds = new Float64Array(count);
    this.#categoryStarts = new Int32Array(count);
    this.#pools = trees.map(({ pool }) => pool);
    this.#trees = new Int32Array(count);
    this.#zeroLeft = new Uint8Array(count);
    this.#missingLeft = new Uint8Array(count);
    this.#paths = new Int32Array(count);
    this.#places = new Int32Array(count);
    this.#others = new Int32Array(count);
    this.#leaves = new Int32Array(count + trees.length);
    this.#roots = new Int32Array(trees.length);
    this.#steps = trees.reduce((sum, tree) => sum + meanDepth(tree), 0);
    const next = this.#starts.slice();
    let paths = 0;
    for (const [t, tree] of trees.entries()) {
      this.#roots[t] = paths;
      paths = this.#divide(tree, t, paths, next);
    }
  }

  /** Numbers the paths of one tree from `first` on; gives the number after the last. */
  #divide(tree: GrownTree, t: number, first: number, next: Int32Array): number {
    const { features, thresholds, lefts, rights, missingLeft, categoryStarts, pool } = tree;
    const beginnings = [0];
    const numbers = [first];
    let paths = first + 1;
    for (let v = beginnings.pop(); v !== undefined; v = beginnings.pop()) {
      const path = numbers.pop()!;
      for (let place = 0; features[v]! >= 0; place++) {
        const question = next[features[v]!]!++;
        const start: number = categoryStarts[v]!;
        const left: boolean = start < 0 ? thresholds[v]! >= 0 : isListed(pool, start, 0);
        this.#thresholds[question] = thresholds[v]!;
        this.#categoryStarts[question] = start;
        this.#trees[question] = t;
        this.#zeroLeft[question] = left ? 1 : 0;
        this.#missingLeft[question] = missingLeft[v]!;
        this.#paths[question] = path;
        this.#places[question] = place;
        this.#others[question] = paths;
        beginnings.push(left ? rights[v]! : lefts[v]!);
        numbers.push(paths++);
        v = left ? lefts[v]! : rights[v]!;
      }
      this.#leaves[path] = v;
    }
    return paths;
  }

  /** Whether this is less work than walking the trees: a step of a walk is some times cheaper than a question here. */
  isShorter({ rows, indices }: CsrMatrix): boolean {
    const starts = this.#starts;
    let questions = 0;
    for (let e = 0; e < indices.length; e++) {
      const j = indices[e]!;
      if (j + 1 < starts.length) questions += starts[j + 1]! - starts[j]!;
    }
    return 2 * questions + rows * this.#roots.length < rows * this.#steps + 4 * indices.length;
  }

  /** Calls `use` with each row and the leaves of all trees, which it must not keep. */
  each({ rows, indptr, indices, values }: CsrMatrix, use: (i: number, leaves: Int32Array) => void): void {
    const [starts, paths, places, others] = [this.#starts, this.#paths, this.#places, this.#others];
    const [zeroLeft, ends, roots] = [this.#zeroLeft, this.#leaves, this.#roots];
    // Of a path: the row that leaves it, and the first question at which it does.
    const leaver = new Int32Array(ends.length).fill(-1);
    const exits = new Int32Array(ends.length);
    const leaves = new Int32Array(roots.length);
    for (let i = 0; i < rows; i++) {
      for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
        const j = indices[e]!;
        if (j + 1 >= starts.length) break;
        for (let question = starts[j]!; question < starts[j + 1]!; question++) {
          if (this.#answer(question, values[e]!) === zeroLeft[question]) continue;
          const path = paths[question]!;
          if (leaver[path] === i && places[exits[path]!]! < places[question]!) continue;
          leaver[path] = i;
          exits[path] = question;
        }
      }
      for (let t = 0; t < roots.length; t++) {
        let path = roots[t]!;
        while (leaver[path] === i) path = others[exits[path]!]!;
        leaves[t] = ends[path]!;
      }
      use(i, leaves);
    }
  }

  /** 1: left. */
  #answer(question: number, value: number): number {
    if (Number.isNaN(value)) return this.#missingLeft[question]!;
    const start = this.#categoryStarts[question]!;
    if (start < 0) return value <= this.#thresholds[question]! ? 1 : 0;
    return isListed(this.#pools[this.#trees[question]!]!, start, value) ? 1 : 0;
  }
}

/** Where the questions about each column begin, and the end of the last. */
function questionsByColumn(trees: readonly GrownTree[]): Int32Array {
  let last = -1;
  for (const { features } of trees)
    for (let v = 0; v < features.length; v++) last = Math.max(last, features[v]!);
  const starts = new Int32Array(last + 2);
  for (const { features } of trees) {
    for (let v = 0; v < features.length; v++) if (features[v]! >= 0) starts[features[v]! + 1]!++;
  }
  for (let j = 0; j <= last; j++) starts[j + 1]! += starts[j]!;
  return starts;
}

function meanDepth({ features, counts, depths }: GrownTree): number {
  let sum = 0;
  for (let v = 0; v < features.length; v++) if (features[v]! < 0) sum += counts[v]! * depths[v]!;
  return counts[0]! > 0 ? sum / counts[0]! : 0;
}
