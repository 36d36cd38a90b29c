import { log } from "../core/elementary.js";
import type { Matrix } from "../data/matrix.js";
import { Arena, type F64, type I32 } from "./arena.js";
import { treesKernels } from "./families.js";
import type { Heap } from "./heap.js";
import { parallel, threads } from "./threads.js";

/** The columns of X in order, once for all nodes and all trees that are grown on them. The caller closes them. */
export class SortedColumns {
  readonly rows: number;
  readonly cols: number;
  readonly arena: Arena;
  readonly x: F64;
  readonly entries: F64;
  readonly categories: I32;
  /** The most categories a column has. */
  readonly mostCategories: number;

  /** False: `entries` lists the rows once, in no order, which is enough for thresholds that are drawn. */
  readonly sorted: boolean;

  /** `categories` has the number of categories of a column of whole numbers 0, 1, …, and 0 for a column of numbers. */
  constructor(where: string, x: Matrix, categories: Int32Array, drawsThresholds: boolean) {
    const { rows, cols, data } = x;
    this.rows = rows;
    this.cols = cols;
    this.mostCategories = categories.reduce((most, count) => Math.max(most, count), 0);
    this.sorted = !drawsThresholds || this.mostCategories > 0;
    this.arena = new Arena(where);
    try {
      const { arena } = this;
      this.x = arena.f64(rows * cols);
      transposeInto(data, rows, cols, this.x.array);
      this.categories = arena.copyI32(categories);
      this.entries = arena.f64(this.sorted ? rows * cols : rows);
      if (this.sorted) this.#sort();
      else listInto(this.entries, arena.heap, rows);
    } catch (error) {
      this.arena.close();
      throw error;
    }
  }

  close(): void {
    this.arena.close();
  }

  #sort(): void {
    const { rows, cols } = this;
    const scratch = new Arena(this.arena.where);
    try {
      const list = scratch.i32(rows);
      for (let i = 0; i < rows; i++) list.array[i] = i;
      // Two lists of pairs and a table of counts, for as many columns at a time as there are threads.
      const bytes = 32 * rows + 8192;
      const together = Math.min(cols, threads());
      const work = scratch.f64((together * bytes) / 8);
      for (let from = 0; from < cols; from += together) {
        const count = Math.min(together, cols - from);
        const x = this.x.ptr + from * rows * 8;
        const categories = this.categories.ptr + from * 4;
        const out = this.entries.ptr + from * rows * 8;
        const args = [x, rows, list.ptr, rows, categories, work.ptr, bytes, out];
        parallel(scratch.heap, treesKernels, "sortChunk", args, count, 60 * rows * count);
      }
    } finally {
      scratch.close();
    }
  }
}

/** Entries of rank 0 for all rows. */
function listInto(entries: F64, heap: Heap, rows: number): void {
  const words = heap.integers.subarray(entries.ptr / 4, entries.ptr / 4 + 2 * rows);
  for (let i = 0; i < rows; i++) {
    words[2 * i] = i;
    words[2 * i + 1] = 0;
  }
}

/** Columns of a row-major matrix, by tiles that fit the cache. */
function transposeInto(
  data: Float64Array,
  rows: number,
  cols: number,
  out: Float64Array<ArrayBufferLike>,
): void {
  const TILE = 64;
  for (let i0 = 0; i0 < rows; i0 += TILE) {
    const i1 = Math.min(rows, i0 + TILE);
    for (let j = 0; j < cols; j++) for (let i = i0; i < i1; i++) out[j * rows + i] = data[i * cols + j]!;
  }
}

/** What is learned: classes of rows, or numbers. */
export type TreeTargets =
  | { readonly codes: Int32Array; readonly classes: number }
  | { readonly y: Float64Array };

export interface TreeControls {
  /** As numbered in kernels/trees/task.ts. */
  readonly criterion: number;
  readonly maxDepth: number;
  readonly minSplit: number;
  readonly minLeaf: number;
  readonly minWeight: number;
  readonly minDecrease: number;
  readonly maxFeatures: number;
  /** 0: no limit, and depth first. */
  readonly maxLeaves: number;
  readonly random: boolean;
  /** A 32-bit number other than 0. */
  readonly seed: number;
}

/** A tree as lists, one entry a node; node 0 is the root, and children come after their parents. */
export interface GrownTree {
  /** Column that is asked about; −1: a leaf. */
  readonly features: Int32Array;
  readonly thresholds: Float64Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  /** Rows, and their weight. */
  readonly counts: Int32Array;
  readonly weights: Float64Array;
  readonly depths: Int32Array;
  readonly impurities: Float64Array;
  /** 1: a missing value goes left. */
  readonly missingLeft: Int32Array;
  /** Where the categories that go left are listed in `pool` (how many, then which); −1: a threshold. */
  readonly categoryStarts: Int32Array;
  readonly pool: Int32Array;
  /** Shares of the classes, or the mean: `width` numbers a node. */
  readonly values: Float64Array;
  readonly width: number;
}

/** The fields of kernels/trees/task.ts, in their order. */
const fieldNames = [
  "rows",
  "columns",
  "classes",
  "criterion",
  "entries",
  "spare",
  "x",
  "stride",
  "codes",
  "targets",
  "weights",
  "side",
  "logs",
  "categories",
  "maxDepth",
  "minSplit",
  "minLeaf",
  "minWeight",
  "minDecrease",
  "maxFeatures",
  "maxLeaves",
  "random",
  "listed",
  "held",
  "local",
  "localRows",
  "seed",
  "totalWeight",
  "features",
  "lefts",
  "rights",
  "counts",
  "depths",
  "missingLeft",
  "categoryStarts",
  "thresholds",
  "impurities",
  "nodeWeights",
  "values",
  "width",
  "pool",
  "poolSize",
  "poolUsed",
  "frontier",
  "found",
  "totals",
  "scratch",
  "scratchBytes",
  "order",
  "jobs",
  "nodes",
  "leaves",
  "overflow",
] as const;
type FieldName = (typeof fieldNames)[number];

const MOST_THREADS = 8;
/** Doubles of a waiting node, of a column's best split. */
const WAITING = 12;
const FOUND = 8;

/** One tree on all rows; threads share the columns of large nodes. */
export function growTree(
  where: string,
  columns: SortedColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
): GrownTree {
  // A pool that was too small is made larger, and the tree grown again.
  for (let room = 1; ; room *= 4) {
    const tree = tryGrow(where, columns, targets, weights, controls, room);
    if (tree !== null) return tree;
  }
}

function tryGrow(
  where: string,
  columns: SortedColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
  room: number,
): GrownTree | null {
  const arena = new Arena(where);
  try {
    const { rows, cols } = columns;
    const team = Math.min(threads(), MOST_THREADS, cols);
    const plan = new TreePlan(arena, columns, rows, targets, weights, controls, team, room);
    // Parts of columns move: a tree has its own.
    const entries = arena.f64(columns.entries.length);
    entries.array.set(columns.entries.array);
    plan.write({ entries: entries.ptr });
    const operations = rows * cols * 200;
    parallel(arena.heap, treesKernels, "growShared", [plan.fields.ptr, team], team, operations);
    return plan.result();
  } finally {
    arena.close();
  }
}

/** The memory of one tree that grows. */
export class TreePlan {
  readonly fields: F64;
  readonly #lists: Readonly<
    Record<"features" | "lefts" | "rights" | "counts" | "depths" | "missingLeft" | "categoryStarts", I32>
  >;
  readonly #thresholds: F64;
  readonly #impurities: F64;
  readonly #weights: F64;
  readonly #values: F64;
  readonly #pool: I32;
  readonly #width: number;

  constructor(
    arena: Arena,
    columns: SortedColumns,
    rows: number,
    targets: TreeTargets,
    weights: Float64Array | undefined,
    controls: TreeControls,
    team: number,
    room: number,
  ) {
    const { cols, mostCategories } = columns;
    const classes = "codes" in targets ? targets.classes : 0;
    const width = Math.max(1, classes);
    this.#width = width;
    const capacity = nodesFor(rows, controls);
    const list = () => arena.i32(capacity);
    this.#lists = {
      features: list(),
      lefts: list(),
      rights: list(),
      counts: list(),
      depths: list(),
      missingLeft: list(),
      categoryStarts: list(),
    };
    this.#thresholds = arena.f64(capacity);
    this.#impurities = arena.f64(capacity);
    this.#weights = arena.f64(capacity);
    this.#values = arena.f64(capacity * width);
    const poolSize = mostCategories > 0 ? room * (8 * rows + mostCategories + 64) : 1;
    this.#pool = arena.i32(poolSize);
    const categorical = Math.min(mostCategories, rows);
    const scratchBytes = 16 * Math.max(width, 2) + 48 * (categorical + 1);
    this.fields = arena.zeros(fieldNames.length);
    const { features, lefts, rights, counts, depths, missingLeft, categoryStarts } = this.#lists;
    this.write({
      rows,
      columns: cols,
      classes,
      criterion: controls.criterion,
      // One more: values are looked at two at a time.
      spare: arena.f64(team * rows + 1).ptr,
      x: columns.x.ptr,
      stride: columns.rows,
      codes: "codes" in targets ? codesInto(arena, targets.codes) : 0,
      logs: controls.criterion === ENTROPY && weights === undefined ? logTable(arena, rows) : 0,
      targets: "y" in targets ? arena.copy(targets.y).ptr : 0,
      weights: weights ? arena.copy(weights).ptr : 0,
      side: arena.i32(Math.ceil(columns.rows / 4)).ptr,
      categories: columns.categories.ptr,
      maxDepth: Math.min(controls.maxDepth, 2 ** 31 - 1),
      minSplit: controls.minSplit,
      minLeaf: controls.minLeaf,
      minWeight: controls.minWeight,
      minDecrease: controls.minDecrease,
      maxFeatures: controls.maxFeatures,
      maxLeaves: controls.maxLeaves,
      random: controls.random ? 1 : 0,
      ...(columns.sorted ? {} : listRoom(arena, rows, cols, controls.maxFeatures)),
      seed: controls.seed,
      totalWeight: weights ? weights.reduce((sum, w) => sum + w, 0) : rows,
      features: features.ptr,
      lefts: lefts.ptr,
      rights: rights.ptr,
      counts: counts.ptr,
      depths: depths.ptr,
      missingLeft: missingLeft.ptr,
      categoryStarts: categoryStarts.ptr,
      thresholds: this.#thresholds.ptr,
      impurities: this.#impurities.ptr,
      nodeWeights: this.#weights.ptr,
      values: this.#values.ptr,
      width,
      pool: this.#pool.ptr,
      poolSize,
      frontier: arena.f64(WAITING * (rows + 3)).ptr,
      found: arena.f64(FOUND * cols).ptr,
      totals: arena.f64(Math.max(2, classes)).ptr,
      scratch: arena.f64((team * scratchBytes) / 8).ptr,
      scratchBytes,
      order: arena.i32(cols).ptr,
      jobs: arena.zeros(32).ptr,
    });
  }

  write(values: Partial<Record<FieldName, number>>): void {
    for (const [name, value] of Object.entries(values))
      this.fields.array[fieldNames.indexOf(name as FieldName)] = value;
  }

  #read(name: FieldName): number {
    return this.fields.array[fieldNames.indexOf(name)]!;
  }

  /** The tree, or null if its pool of categories was too small. */
  result(): GrownTree | null {
    if (this.#read("overflow") !== 0) return null;
    const nodes = this.#read("nodes");
    const { features, lefts, rights, counts, depths, missingLeft, categoryStarts } = this.#lists;
    const integers = (list: I32) => list.array.slice(0, nodes);
    const reals = (list: F64, count = nodes) => list.array.slice(0, count);
    return {
      features: integers(features),
      thresholds: reals(this.#thresholds),
      lefts: integers(lefts),
      rights: integers(rights),
      counts: integers(counts),
      weights: reals(this.#weights),
      depths: integers(depths),
      impurities: reals(this.#impurities),
      missingLeft: integers(missingLeft),
      categoryStarts: integers(categoryStarts),
      pool: this.#pool.array.slice(0, this.#read("poolUsed")),
      values: reals(this.#values, nodes * this.#width),
      width: this.#width,
    };
  }
}

/** Most numbers of X that are brought together for small nodes, most rows, and looks at a column for which that pays. */
const LOCAL_NUMBERS = 16384;
const LOCAL_ROWS = 512;
const LOCAL_LOOKS = 12;

/** What a tree that is grown on a list needs besides; see kernels/trees/local.ts. */
function listRoom(
  arena: Arena,
  rows: number,
  cols: number,
  maxFeatures: number,
): Partial<Record<FieldName, number>> {
  const pays = cols <= LOCAL_LOOKS * maxFeatures;
  const localRows = pays ? Math.min(rows, LOCAL_ROWS, Math.floor(LOCAL_NUMBERS / cols)) : 0;
  return {
    listed: 1,
    held: arena.f64(2 * rows + 2).ptr,
    local: arena.f64(localRows * (cols + 3)).ptr,
    localRows,
  };
}

/** ENTROPY of kernels/trees/task.ts. */
const ENTROPY = 1;

/** Classes as 16-bit numbers. */
function codesInto(arena: Arena, codes: Int32Array): number {
  const words = arena.i32(Math.ceil(codes.length / 2));
  const half = new Uint16Array(words.array.buffer, words.ptr, codes.length);
  half.set(codes);
  return words.ptr;
}

/** w log w for w = 0 … n. */
function logTable(arena: Arena, n: number): number {
  const table = arena.f64(n + 1);
  const { array } = table;
  array[0] = 0;
  for (let w = 1; w <= n; w++) array[w] = w * log(w);
  return table.ptr;
}

/** The most nodes that a tree under these controls can have. */
function nodesFor(rows: number, { maxDepth, minLeaf, maxLeaves }: TreeControls): number {
  let leaves = Math.max(1, Math.floor(rows / Math.max(1, minLeaf)));
  if (maxDepth < 31) leaves = Math.min(leaves, 2 ** maxDepth);
  if (maxLeaves > 0) leaves = Math.min(leaves, maxLeaves);
  return 2 * leaves - 1;
}
