import type { Random } from "../../core/numbers/random.js";
import { binnedSplit, nodeImpurity, splitGain } from "../generated/trees.js";
import { ENTROPY, foundSplitBytes, foundSplitF64, taskBytes, taskF64 } from "../generated/trees.layout.js";
import { ArenaOwner, type F64, type I32 } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { type GrownTree, logTable, scratchFor, type TreeControls } from "./tree-plan.js";

/** A column whose values have bins: x is in bin b if edges[b − 1] < x ≤ edges[b], or it is category b. */
export interface TreeBins {
  /** Number of bins; it is also the bin of missing values. */
  readonly count: number;
  readonly edges: Float64Array;
  /** The value of each bin, if it has only one: thresholds are then midpoints of those that occur in a node. */
  readonly values: Float64Array | undefined;
  /** The code of each bin of a categorical column. */
  readonly categories: Int32Array | undefined;
}

export interface HistogramTreeProblem {
  readonly columns: readonly TreeBins[];
  /** 0: regression. */
  readonly classes: number;
  readonly controls: TreeControls;
  readonly rows: number;
  readonly isWeighted: boolean;
  /** Maximum number of leaves that are asked for at a time. */
  readonly maxWanted: number;
  /** The generator of a node, for columns and thresholds that are drawn. */
  readonly drawsOf?: ((node: number) => Random) | undefined;
}

/** What the rows of a leaf sum up to. */
export interface LeafHistograms {
  /** Per column and bin 2 + lanes doubles: rows, weight, and the weight of each class, or Σ w y. */
  readonly columns: readonly Float64Array[];
  /** Of a regression: Σ w y² (Σ w y log y with the Poisson criterion), and the least and the largest target. */
  readonly squares: number;
  readonly range: readonly [number, number];
}

/** The rule of a node that is split; `threshold` is not used with categories. */
export interface TreeRule {
  readonly feature: number;
  readonly threshold: number;
  /** Codes that go left, ascending. */
  readonly categories: Int32Array | undefined;
  readonly missingLeft: boolean;
  readonly left: number;
  readonly right: number;
}

interface Node {
  readonly depth: number;
  readonly count: number;
  readonly weight: number;
  readonly impurity: number;
  readonly values: Float64Array;
  readonly gain: number;
  /** The best split; undefined: the node stays a leaf. */
  readonly best: Omit<TreeRule, "left" | "right"> | undefined;
}

/** Rows up to which logarithms of counts come from a table on whose grid sums are exact, as in memory. */
const MOST_LOGS = 2 ** 20;

/**
 * A decision tree from histograms that others sum, for as many leaves at a time as there are. Where each value of a column has a bin of its own
 * it is the tree that `growTree` grows on the rows; with wider bins, thresholds are edges of bins.
 */
export class HistogramTree extends ArenaOwner {
  readonly #problem: HistogramTreeProblem;
  readonly #fields: Fields<keyof typeof taskF64>;
  readonly #histogram: F64;
  readonly #totals: F64;
  readonly #found: F64;
  readonly #list: I32;
  readonly #lanes: number;
  readonly #nodes: (Node | undefined)[] = [undefined];
  readonly #depths: number[] = [0];
  readonly #rules = new Map<number, TreeRule>();
  #open: number[] = [0];

  constructor(where: string, problem: HistogramTreeProblem) {
    super(where);
    const { arena } = this;
    this.#problem = problem;
    const { classes, columns, controls, rows, isWeighted } = problem;
    this.#lanes = Math.max(1, classes);
    try {
      const most = columns.reduce((m, { count }) => Math.max(m, count + 1), 0);
      const scratchBytes = scratchFor(most, this.#lanes, classes > 2 ? classes : 0);
      this.#histogram = arena.f64(most * (2 + this.#lanes));
      this.#totals = arena.f64(Math.max(2, classes));
      this.#found = arena.zeros(foundSplitBytes / 8);
      this.#list = arena.i32(most + 1);
      this.#fields = new Fields(arena.zeros(taskBytes / 8), taskF64);
      const counts = controls.criterion === ENTROPY && !isWeighted && rows <= MOST_LOGS;
      this.#fields.write({
        classes,
        criterion: controls.criterion,
        minLeaf: controls.minLeaf,
        minWeight: controls.minWeight,
        totals: this.#totals.ptr,
        scratch: arena.zeros(scratchBytes / 8).ptr,
        scratchBytes,
        maxCategories: most,
        seed: 1,
        logs: counts ? logTable(arena, rows) : 0,
      });
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Leaves whose histograms are needed next; none: the tree is grown. */
  get wanted(): readonly number[] {
    return this.#open.slice(0, this.#problem.maxWanted);
  }

  /** How rows move from a node to its children; undefined for a leaf. */
  rule(node: number): TreeRule | undefined {
    return this.#rules.get(node);
  }

  /** The histograms of the wanted leaves, in their order. */
  give(histograms: readonly LeafHistograms[]): void {
    const wanted = this.wanted;
    for (const [e, node] of wanted.entries()) this.#nodes[node] = this.#searched(node, histograms[e]!);
    this.#open = this.#open.slice(wanted.length);
    const { maxLeaves } = this.#problem.controls;
    if (maxLeaves === 0) for (const node of wanted) this.#split(node);
    else if (this.#open.length === 0) for (const node of this.#replayed(maxLeaves).next) this.#split(node);
  }

  #split(node: number): void {
    const { best, depth } = this.#nodes[node]!;
    if (best === undefined) return;
    const left = this.#nodes.length;
    this.#nodes.push(undefined, undefined);
    this.#depths.push(depth + 1, depth + 1);
    this.#rules.set(node, { ...best, left, right: left + 1 });
    this.#open.push(left, left + 1);
  }

  /** Splits in the order of their gains, as far as children are known, and the leaves that come next. */
  #replayed(maxLeaves: number): { readonly splits: readonly number[]; readonly next: readonly number[] } {
    const splits: number[] = [];
    const queue: number[] = [];
    const push = (node: number) => {
      if (this.#nodes[node]!.best !== undefined) queue.push(node);
    };
    push(0);
    while (queue.length > 0 && splits.length + 1 < maxLeaves) {
      // Of ties the older, which comes first.
      let best = 0;
      for (let e = 1; e < queue.length; e++)
        if (this.#nodes[queue[e]!]!.gain > this.#nodes[queue[best]!]!.gain) best = e;
      const rule = this.#rules.get(queue[best]!);
      if (rule === undefined) {
        const order = queue.slice().sort((a, b) => this.#nodes[b]!.gain - this.#nodes[a]!.gain);
        const next = order.filter((node) => !this.#rules.has(node));
        return { splits, next: next.slice(0, maxLeaves - splits.length - 1) };
      }
      splits.push(queue.splice(best, 1)[0]!);
      push(rule.left);
      push(rule.right);
    }
    return { splits, next: [] };
  }

  #searched(node: number, { columns, squares, range }: LeafHistograms): Node {
    const { classes, controls } = this.#problem;
    const depth = this.#depths[node]!;
    const lanes = this.#lanes;
    const sums = new Float64Array(2 + lanes);
    columns[0]!.forEach((value, e) => {
      sums[e % sums.length]! += value;
    });
    const [count, weight] = [sums[0]!, sums[1]!];
    const totals = this.#totals.array;
    totals.set(sums.subarray(2));
    if (classes === 0) totals[1] = squares;
    if (node === 0) this.#fields.set("totalWeight", weight);
    const { heap } = this.arena;
    const isEqual = classes === 0 && range[0] === range[1] ? 1 : 0;
    const impurity = heap.call(nodeImpurity({ at: this.#fields.ptr, weight, isEqual }));
    const values = sums.subarray(2).map((sum) => sum / weight);
    const leaf = { depth, count, weight, impurity, values, gain: 0, best: undefined };
    const { minLeaf, minSplit, maxDepth, minWeight, minDecrease } = controls;
    const isOpen =
      depth < maxDepth &&
      count >= minSplit &&
      count >= 2 * minLeaf &&
      weight >= 2 * minWeight &&
      impurity > PURE;
    const found = isOpen ? this.#bestSplit(node, columns, count, weight) : undefined;
    if (found === undefined) return leaf;
    const gain = heap.call(splitGain({ at: this.#fields.ptr, score: found.score, weight }));
    return minDecrease > 0 && gain < minDecrease ? leaf : { ...leaf, gain, best: found.rule };
  }

  /** Ties go to the first column; of columns that are drawn, more than asked for only while none of them has a split. */
  #bestSplit(node: number, columns: readonly Float64Array[], nodeRows: number, weight: number) {
    const { drawsOf, controls } = this.#problem;
    const random = drawsOf?.(node);
    const isDrawn = random !== undefined && (controls.random || controls.maxFeatures < columns.length);
    const order = isDrawn ? random.permutation(columns.length) : columns.keys();
    let best: FoundRule | undefined;
    let considered = 0;
    for (const j of order) {
      if (isDrawn && considered++ >= controls.maxFeatures && best !== undefined) break;
      const found = this.#columnSplit(j, columns[j]!, nodeRows, weight, controls.random ? random : undefined);
      if (found !== undefined && found.score > (best?.score ?? -Infinity)) best = found;
    }
    return best;
  }

  /** The best split of a column, or the one at a random threshold. */
  #columnSplit(
    feature: number,
    histogram: Float64Array,
    nodeRows: number,
    weight: number,
    random: Random | undefined,
  ): FoundRule | undefined {
    const column = this.#problem.columns[feature]!;
    const record = 2 + this.#lanes;
    const low = random && !column.categories ? drawnBin(column, histogram, record, random) : null;
    if (low === undefined) return undefined;
    const own = low === null ? histogram : joinedBins(histogram, record, low);
    this.#histogram.array.set(own);
    this.arena.heap.call(
      binnedSplit({
        at: this.#fields.ptr,
        histogram: this.#histogram.ptr,
        bins: own.length / record - 1,
        lanes: this.#lanes,
        isCategorical: column.categories ? 1 : 0,
        nodeRows,
        weight,
        out: this.#found.ptr,
        list: this.#list.ptr,
      }),
    );
    const found = this.#found.array;
    const score = found[foundSplitF64.score]!;
    if (found[foundSplitF64.place]! < 0 || !(score > -Infinity)) return undefined;
    return { score, rule: this.#ruleOf(feature, histogram, weight, low ?? found[foundSplitF64.low]!) };
  }

  /** The split that was found last. */
  #ruleOf(feature: number, histogram: Float64Array, weight: number, low: number): NonNullable<Node["best"]> {
    const { categories, values, edges, count } = this.#problem.columns[feature]!;
    const found = this.#found.array;
    const record = 2 + this.#lanes;
    const list = this.#list.array;
    const codes = categories && Int32Array.from(list.subarray(1, 1 + list[0]!), (b) => categories[b]!).sort();
    let high = low + 1;
    while (high < count && histogram[high * record] === 0) high++;
    const isLeft = (b: number) => (categories ? list.subarray(1, 1 + list[0]!).includes(b) : b <= low);
    let leftWeight = 0;
    for (let b = 0; b < count; b++) if (isLeft(b)) leftWeight += histogram[b * record + 1]!;
    const anyMissing = found[foundSplitF64.anyMissing] === 1;
    return {
      feature,
      threshold: categories
        ? 0
        : high === count
          ? Number.MAX_VALUE
          : values
            ? midpoint(values[low]!, values[high]!)
            : edges[low]!,
      categories: codes,
      // Without missing values in fit, those in predict go to the heavier side.
      missingLeft: anyMissing ? found[foundSplitF64.missingLeft] === 1 : leftWeight > weight - leftWeight,
    };
  }

  /** The tree: nodes in preorder, or in the order of splits if leaves are limited. */
  grown(): GrownTree {
    const { classes, controls } = this.#problem;
    const order = controls.maxLeaves > 0 ? this.#bestFirst(controls.maxLeaves) : this.#preorder();
    const n = order.length;
    const place = new Map(order.map((node, k) => [node, k]));
    const pool: number[] = [];
    const width = Math.max(1, classes);
    const tree: GrownTree = {
      features: new Int32Array(n).fill(-1),
      thresholds: new Float64Array(n),
      lefts: new Int32Array(n).fill(-1),
      rights: new Int32Array(n).fill(-1),
      counts: new Int32Array(n),
      weights: new Float64Array(n),
      depths: new Int32Array(n),
      impurities: new Float64Array(n),
      missingLeft: new Int32Array(n),
      categoryStarts: new Int32Array(n).fill(-1),
      pool: new Int32Array(),
      values: new Float64Array(n * width),
      width,
    };
    for (const [k, own] of order.entries()) {
      const node = this.#nodes[own]!;
      tree.counts[k] = node.count;
      tree.weights[k] = node.weight;
      tree.depths[k] = node.depth;
      tree.impurities[k] = node.impurity;
      tree.values.set(node.values, k * width);
      const rule = this.#rules.get(own);
      if (rule === undefined || !place.has(rule.left)) continue;
      tree.features[k] = rule.feature;
      tree.thresholds[k] = rule.threshold;
      tree.lefts[k] = place.get(rule.left)!;
      tree.rights[k] = place.get(rule.right)!;
      tree.missingLeft[k] = rule.missingLeft ? 1 : 0;
    }
    // Categories are listed in the order of splits.
    for (const own of controls.maxLeaves > 0 ? this.#replayed(controls.maxLeaves).splits : order) {
      const categories = this.#rules.get(own)?.categories;
      if (categories === undefined) continue;
      tree.categoryStarts[place.get(own)!] = pool.length;
      pool.push(categories.length);
      for (const code of categories) pool.push(code);
    }
    return { ...tree, pool: Int32Array.from(pool) };
  }

  #preorder(): number[] {
    const order: number[] = [];
    const stack = [0];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      order.push(node);
      const rule = this.#rules.get(node);
      if (rule) stack.push(rule.right, rule.left);
    }
    return order;
  }

  #bestFirst(maxLeaves: number): number[] {
    const order = [0];
    for (const node of this.#replayed(maxLeaves).splits) {
      const { left, right } = this.#rules.get(node)!;
      order.push(left, right);
    }
    return order;
  }
}

/** Nodes with a smaller impurity are pure up to rounding; see wasm/trees/trees/node.ts. */
const PURE = 2 ** -52;

function midpoint(low: number, high: number): number {
  const middle = low + 0.5 * (high - low);
  // There is no double between two neighbours; the lower one goes left.
  return middle < high ? middle : low;
}

interface FoundRule {
  readonly score: number;
  readonly rule: NonNullable<Node["best"]>;
}

/** The last bin on the left of a threshold that is drawn between the least and the largest value of a node; undefined for a constant column. */
function drawnBin(
  { count, values, edges }: TreeBins,
  histogram: Float64Array,
  record: number,
  random: Random,
): number | undefined {
  let [first, last] = [0, count - 1];
  while (first < count && histogram[first * record] === 0) first++;
  while (last > first && histogram[last * record] === 0) last--;
  if (first >= last) return undefined;
  // The edge above a bin stands for values that are not known; the last bin has none.
  const numberOf = (b: number) => (values ? values[b]! : edges[Math.min(b, edges.length - 1)]!);
  const threshold = numberOf(first) + random.uniform() * (numberOf(last) - numberOf(first));
  let low = first;
  while (low + 1 < last && numberOf(low + 1) <= threshold) low++;
  return low;
}

/** A histogram of two bins: those up to `low`, and the others; and that of missing values. */
function joinedBins(histogram: Float64Array, record: number, low: number): Float64Array {
  const out = new Float64Array(3 * record);
  const last = histogram.length / record - 1;
  histogram.forEach((value, e) => {
    const b = Math.floor(e / record);
    out[(b === last ? 2 : b <= low ? 0 : 1) * record + (e % record)]! += value;
  });
  return out;
}
