import { log } from "../../core/numbers/elementary.js";
import { drawnBlock, drawnEntries } from "../generated/trees.js";
import {
  CATEGORY_BYTES,
  CLASS_BYTES,
  ENTROPY,
  foundSplitBytes,
  MISSING_BIN,
  openNodeBytes,
  type TaskInputs,
  TEAM_BYTES,
  taskBytes,
  taskF64,
} from "../generated/trees.layout.js";
import type { Arena, F64, I32 } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { lanesOf, type SeveralTargets } from "./several-targets.js";
import type { SortedColumns } from "./sorted-columns.js";
import { SparseTreeColumns } from "./sparse-tree-columns.js";

/** What trees are grown on. */
export type TreeColumns = SortedColumns | SparseTreeColumns;

/** Class indices, or targets. */
export type TreeTargets =
  | { readonly codes: Int32Array; readonly classes: number }
  | { readonly y: Float64Array }
  | SeveralTargets;

export interface TreeControls {
  /** A code of criteria.ts. */
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

/** A tree as lists, one entry per node; node 0 is the root, and children come after their parents. */
export interface GrownTree {
  /** Column of the split; −1: a leaf. */
  readonly features: Int32Array;
  readonly thresholds: Float64Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  /** Number of rows, and their weight. */
  readonly counts: Int32Array;
  readonly weights: Float64Array;
  readonly depths: Int32Array;
  readonly impurities: Float64Array;
  /** 1: a missing value goes left. */
  readonly missingLeft: Int32Array;
  /** Start in `pool` of the categories that go left (their number, then the categories); −1: a threshold. */
  readonly categoryStarts: Int32Array;
  readonly pool: Int32Array;
  /** Class proportions, or the mean (median with absoluteError) of the target: `width` numbers per node. */
  readonly values: Float64Array;
  readonly width: number;
}

/** What a tree is made of, as the kernel writes it: one entry per node. */
const integersOf = (list: () => I32) => ({
  features: list(),
  lefts: list(),
  rights: list(),
  counts: list(),
  depths: list(),
  missingLeft: list(),
  categoryStarts: list(),
});
const realsOf = (list: () => F64) => ({ thresholds: list(), impurities: list(), nodeWeights: list() });
type Integers = ReturnType<typeof integersOf>;
type Reals = ReturnType<typeof realsOf>;

/** The fields that are written one group after the other; those of the other kind of columns stay 0. */
type OtherField =
  | "entries"
  | keyof Integers
  | keyof Reals
  | keyof ReturnType<typeof targetFields>
  | keyof ReturnType<typeof weightFields>
  | keyof SortedColumns["fields"]
  | keyof ReturnType<typeof buffers>
  | KeysOf<ReturnType<SparseTreeColumns["fieldsOf"]>>;
type KeysOf<Union> = Union extends unknown ? keyof Union : never;

/** The memory in which one tree is grown: inputs, outputs and buffers of the kernel. */
export class TreePlan {
  readonly fields: Fields<keyof typeof taskF64>;
  readonly #integers: Integers;
  readonly #reals: Reals;
  readonly #values: F64;
  readonly #pool: I32;
  readonly #width: number;

  constructor(
    arena: Arena,
    columns: TreeColumns,
    rows: number,
    targets: TreeTargets,
    weights: Float64Array | undefined,
    controls: TreeControls,
    team: number,
    poolFactor: number,
  ) {
    const sparse = columns instanceof SparseTreeColumns;
    const several = "several" in targets;
    const classes = several ? targets.outputs : "codes" in targets ? targets.classes : 0;
    const lanes = several ? lanesOf(classes) : classes;
    this.#width = Math.max(1, classes);
    const capacity = nodesFor(rows, controls);
    this.#integers = integersOf(() => arena.i32(capacity));
    this.#reals = realsOf(() => arena.f64(capacity));
    this.#values = arena.f64(capacity * this.#width);
    const maxCategories = sparse ? 0 : columns.categories.most;
    // A split lists at most as many categories as it has rows.
    const poolSize = maxCategories > 0 ? poolFactor * (9 * rows + 64) : 1;
    this.#pool = arena.i32(poolSize);
    const scratchBytes = scratchFor(maxCategories, lanes, several || classes > 2 ? classes : 0);
    const openBytes = openNodeBytes + (controls.maxLeaves > 0 ? foundSplitBytes : 0);
    this.fields = new Fields(arena.zeros(taskBytes / 8), taskF64);
    const inputs: Omit<TaskInputs, OtherField> = {
      criterion: controls.criterion,
      maxDepth: Math.min(controls.maxDepth, 2 ** 31 - 1),
      minSplit: controls.minSplit,
      minLeaf: controls.minLeaf,
      minWeight: controls.minWeight,
      minDecrease: controls.minDecrease,
      maxFeatures: controls.maxFeatures,
      maxLeaves: controls.maxLeaves,
      random: controls.random ? 1 : 0,
      seed: controls.seed,
      rows,
      columns: columns.cols,
      classes,
      // One more, since values are read in pairs.
      spare: arena.f64(team * rows + 1).ptr,
      logs: controls.criterion === ENTROPY && weights === undefined ? logTable(arena, rows) : 0,
      side: arena.i32(Math.ceil(columns.rows / 4)).ptr,
      values: this.#values.ptr,
      width: this.#width,
      pool: this.#pool.ptr,
      poolSize,
      frontier: arena.f64((openBytes / 8) * (rows + 3)).ptr,
      found: arena.f64((foundSplitBytes / 8) * (sparse ? 2 : columns.cols)).ptr,
      totals: arena.f64(Math.max(2, several ? lanes + 1 : classes)).ptr,
      scratch: arena.zeros((team * scratchBytes) / 8).ptr,
      scratchBytes,
      order: arena.i32(columns.cols).ptr,
      jobs: arena.zeros(TEAM_BYTES / 8).ptr,
    };
    this.fields.write(inputs);
    this.#writeRows(arena, targets, weights, rows);
    this.#writeColumns(arena, columns, rows, controls.maxFeatures, several ? lanes : 1);
  }

  #writeRows(arena: Arena, targets: TreeTargets, weights: Float64Array | undefined, rows: number): void {
    this.fields.write(targetFields(arena, targets));
    this.fields.write(weightFields(arena, weights, rows));
  }

  /** One group after the other: an object with spreads takes longer than the tree of a hundred rows. */
  #writeColumns(arena: Arena, columns: TreeColumns, rows: number, maxFeatures: number, lanes: number): void {
    const { fields } = this;
    fields.writePointers(this.#integers);
    fields.writePointers(this.#reals);
    if (columns instanceof SparseTreeColumns) {
      fields.write(columns.fieldsOf(arena, rows));
      return;
    }
    fields.write(columns.fields);
    fields.write(buffers(arena, columns, rows, maxFeatures, lanes));
  }

  /** Copies the entries of the rows that the tree is grown on: those with a count, or all. */
  fill(arena: Arena, columns: TreeColumns, rows: number, counts: Int32Array | undefined): void {
    const { heap } = arena;
    const dense = !(columns instanceof SparseTreeColumns);
    const lists = dense ? columns.listCount : 1;
    const entries = arena.f64(rows * (dense && columns.bins.any ? lists + 1 : lists));
    const list = counts ? arena.copyI32(counts) : undefined;
    if (list)
      heap.call(
        drawnEntries({
          all: columns.entries.ptr,
          n: columns.rows,
          counts: list.ptr,
          lists,
          drawn: rows,
          out: entries.ptr,
        }),
      );
    else entries.array.set(columns.entries.array);
    this.fields.set("entries", entries.ptr);
    if (dense) return;
    if (columns.ownEntries)
      heap.call(drawnBlock({ task: this.fields.ptr, columns: columns.cols, counts: list?.ptr ?? 0 }));
    else columns.placesInto(counts, this.fields.get("places"));
  }

  /** The tree, or null if its pool of categories was too small. */
  result(): GrownTree | null {
    if (this.fields.get("overflow") !== 0) return null;
    const nodes = this.fields.get("nodes");
    const { features, lefts, rights, counts, depths, missingLeft, categoryStarts } = this.#integers;
    const { thresholds, impurities, nodeWeights } = this.#reals;
    const integers = ({ array }: I32) => array.slice(0, nodes);
    const reals = ({ array }: F64) => array.slice(0, nodes);
    return {
      features: integers(features),
      lefts: integers(lefts),
      rights: integers(rights),
      counts: integers(counts),
      depths: integers(depths),
      missingLeft: integers(missingLeft),
      categoryStarts: integers(categoryStarts),
      thresholds: reals(thresholds),
      impurities: reals(impurities),
      weights: reals(nodeWeights),
      pool: this.#pool.array.slice(0, this.fields.get("poolUsed")),
      values: this.#values.array.slice(0, nodes * this.#width),
      width: this.#width,
    };
  }
}

/** Bytes of a thread's scratch: class weights, and the records of wasm/trees/trees/categories.ts. */
export function scratchFor(maxCategories: number, lanes: number, perCategory: number): number {
  const counts = CLASS_BYTES * Math.max(lanes, 2);
  return counts + maxCategories * (CATEGORY_BYTES + 8 * perCategory) + 8 * Math.ceil((maxCategories + 1) / 2);
}

/** Limits of the buffer of wasm/trees/trees/local.ts: numbers, rows, and columns per considered column for which the copy pays off. */
const LOCAL_NUMBERS = 65_536;
const LOCAL_ROWS = 2048;
const LOCAL_COLUMNS_PER_FEATURE = 12;

/** The buffers of a tree; `lanes` numbers per target. */
function buffers(arena: Arena, columns: SortedColumns, rows: number, maxFeatures: number, lanes: number) {
  const { cols, sorted, categories, bins } = columns;
  const gathers = !sorted || categories.most > 0 || bins.any;
  const pays = !sorted && cols <= LOCAL_COLUMNS_PER_FEATURE * maxFeatures;
  const localRows = pays ? Math.min(rows, LOCAL_ROWS, Math.floor(LOCAL_NUMBERS / cols)) : 0;
  return {
    gathered: gathers ? arena.f64((1 + lanes) * (rows + 1)).ptr : 0,
    binTable: bins.any ? arena.i32(MISSING_BIN + 1).ptr : 0,
    unsorted: sorted ? 0 : 1,
    local: localRows > 0 ? arena.f64(localRows * (cols + lanes + 2)).ptr : 0,
    localRows,
  };
}

const weightFields = (arena: Arena, weights: Float64Array | undefined, rows: number) => ({
  weights: weights ? arena.copy(weights).ptr : 0,
  totalWeight: weights ? weights.reduce((sum, w) => sum + w, 0) : rows,
});

function targetFields(arena: Arena, targets: TreeTargets) {
  if ("codes" in targets) return { codes: codesInto(arena, targets.codes), targets: 0, several: 0 };
  const several = "several" in targets;
  return {
    codes: 0,
    targets: arena.copy(several ? targets.several : targets.y).ptr,
    several: several ? 1 : 0,
  };
}

/** Class indices as 16-bit numbers. */
function codesInto(arena: Arena, codes: Int32Array): number {
  const narrow = arena.u16(codes.length);
  narrow.array.set(codes);
  return narrow.ptr;
}

/**
 * w log w for w = 0 … n, rounded to a grid on which all sums up to n log n are exact, so that scores do not depend on the order of rows
 * and equally good splits have equal scores.
 */
export function logTable(arena: Arena, n: number): number {
  const table = arena.f64(n + 1);
  const { array } = table;
  const most = n * log(Math.max(2, n));
  let grid = 2 ** -52;
  while (grid * 2 ** 52 < most) grid *= 2;
  array[0] = 0;
  for (let w = 1; w <= n; w++) array[w] = Math.round((w * log(w)) / grid) * grid;
  return table.ptr;
}

/** The maximum number of nodes of a tree under these controls. */
function nodesFor(rows: number, { maxDepth, minLeaf, maxLeaves }: TreeControls): number {
  let leaves = Math.max(1, Math.floor(rows / Math.max(1, minLeaf)));
  if (maxDepth < 31) leaves = Math.min(leaves, 2 ** maxDepth);
  if (maxLeaves > 0) leaves = Math.min(leaves, maxLeaves);
  return 2 * leaves - 1;
}
