import {
  type BoostedTree,
  HistogramGrowth,
  HistTrees,
  hessianBits,
  histogramPlace,
  integerScales,
  type RoundLosses,
  type RoundRows,
} from "argmax/sums";
import { treeScores } from "../../compile/trees.js";
import {
  add,
  call,
  compare,
  type Expression,
  isNull,
  multiply,
  nothing,
  number,
  shared,
  when,
} from "../../expressions/expression.js";
import { type Aggregate, type SumGroup, type SumQuery, sumOf } from "../../expressions/sums.js";
import { binOf, leftCondition } from "./bins.js";
import { type RowLoss, rowLoss } from "./boosting-losses.js";
import type { BoostingTask } from "./boosting-task.js";

/** Leaves whose histograms are asked for in one pass. */
const MOST_LEAVES = 64;

/**
 * Rounds of boosting by queries alone: raw predictions are computed by all trees so far, histograms by a group per leaf and bin. Gradients are
 * rounded to integers, whose sums do not depend on the order of the rows.
 */
export class QueriedRounds implements RoundRows<Promise<never>> {
  readonly #task: BoostingTask;
  readonly #bins: readonly Expression[];
  readonly #growths: readonly HistogramGrowth[];
  readonly #trees: BoostedTree[] = [];
  #seed: number;
  #row: RowLoss;
  #largest: readonly (readonly [gradient: number, hessian: number])[] = [];

  constructor(task: BoostingTask) {
    this.#task = task;
    const { run, table, facts } = task;
    this.#bins = run.columns.map((column, j) => binOf(table.x[j]!, column));
    this.#seed = run.limits.seed;
    this.#growths = Array.from(
      run.begun.baseline,
      () =>
        new HistogramGrowth(task.where, {
          ...run.limits,
          columns: run.columns,
          rows: facts.rows,
          threads: 1,
          maxWanted: MOST_LEAVES,
        }),
    );
    this.#row = this.#rowLoss();
  }

  close(): void {
    for (const growth of this.#growths) growth.close();
  }

  losses(): Promise<never> {
    return this.#losses() as Promise<never>;
  }

  grow(): Promise<never> {
    return this.#grow() as Promise<never>;
  }

  async #losses(): Promise<RoundLosses> {
    const { rows, facts, heldOut, weight } = this.#task;
    this.#row = this.#rowLoss();
    const { loss, gradients, hessians } = this.#row;
    const aggregates: Aggregate[] = [
      sumOf(weight(loss)),
      ...gradients.map((g): Aggregate => ({ kind: "max", of: call("abs", g) })),
      ...hessians.map((h): Aggregate => ({ kind: "max", of: h })),
    ];
    const groups = await rows.sums({ groupBy: [{ of: heldOut ?? number(0), type: "number" }], aggregates });
    const train = groups.find(({ keys }) => keys[0] !== 1)!.values;
    const held = groups.find(({ keys }) => keys[0] === 1)?.values;
    const K = gradients.length;
    this.#largest = Array.from({ length: K }, (_, k) => [train[1 + k]!, train[1 + K + k]!]);
    return {
      train: train[0]! / facts.total,
      validation: held ? held[0]! / facts.heldOutTotal : null,
      maxAbsGradient: this.#most(0),
    };
  }

  /** The largest |gradient| (0) or hessian (1) of all scores. */
  #most(place: 0 | 1): number {
    return this.#largest.reduce((most, own) => Math.max(most, own[place]), 0);
  }

  /** Loss and weighted derivatives with the trees so far. */
  #rowLoss(): RowLoss {
    const { run, table, loss, weight, rows } = this.#task;
    const { columns, begun } = run;
    const { baseline } = begun;
    const trees = HistTrees.of(columns, baseline.length, this.#trees);
    const codes = columns.map(({ categorical, edges }) => (categorical ? edges : null));
    const given = { kind: "trees", trees: trees.lists(), divisor: 1, baseline, codes } as const;
    const z = this.#trees.length > 0 ? treeScores(given, table.features) : Array.from(baseline, number);
    const own = rowLoss(loss, z, rows.target!.value);
    return {
      loss: own.loss,
      gradients: own.gradients.map((g) => shared(weight(g))),
      hessians: own.hessians.map((h) => shared(weight(h))),
    };
  }

  async #grow(): Promise<readonly BoostedTree[]> {
    const { rows, run } = this.#task;
    const round = JSON.stringify([this.#trees.length, this.#seed, run.limits]);
    const { grown, seed } = await rows.stage(`boosting ${round}`, () => this.#grown());
    this.#seed = seed;
    for (const tree of grown) this.#trees.push(tree);
    return grown;
  }

  async #grown(): Promise<{ readonly grown: readonly BoostedTree[]; readonly seed: number }> {
    const { facts, run } = this.#task;
    const scales = integerScales(facts.rows, this.#most(0), this.#most(1));
    // As many bits for hessians as for gradients: sums that others add up have no row count beside them.
    const fine = integerScales(facts.rows, this.#most(1), this.#most(1)).gradientScale;
    const grown: BoostedTree[] = [];
    const together = run.limits.maxFeatures < 1 ? 1 : this.#growths.length;
    for (let first = 0; first < this.#growths.length; first += together) {
      const turn = this.#growths.slice(first, first + together);
      for (const growth of turn) growth.begin(scales, this.#seed);
      while (turn.some(({ wanted }) => wanted.length > 0)) {
        await this.#sumHistograms(turn, first, scales, fine);
        for (const growth of turn) if (growth.wanted.length > 0) growth.search();
      }
      this.#seed = turn.at(-1)!.seed;
      for (const growth of turn) grown.push(growth.tree());
    }
    return { grown, seed: this.#seed };
  }

  async #sumHistograms(
    growths: readonly HistogramGrowth[],
    first: number,
    scales: { readonly gradientScale: number; readonly hessianScale: number },
    fine: number,
  ): Promise<void> {
    const { rows } = this.#task;
    const asked = growths.flatMap((growth, e) =>
      growth.wanted.length > 0 ? this.#queries(growth, first + e, scales.gradientScale, fine) : [],
    );
    const answers = await rows.several(asked);
    let at = 0;
    for (const growth of growths) {
      if (growth.wanted.length === 0) continue;
      const own = answers.slice(at, at + this.#bins.length);
      at += own.length;
      this.#give(growth, own, scales.hessianScale, fine);
    }
  }

  /** A query per column: groups of wanted leaves and bins. */
  #queries(growth: HistogramGrowth, k: number, gradientScale: number, hessianScale: number): SumQuery[] {
    const { heldOut } = this.#task;
    const gradient = this.#row.gradients[k]!;
    const hessian = this.#row.hessians[k]!;
    const inLeaf = this.#leafOf(growth);
    const leaf = shared(heldOut ? when(compare(heldOut, "=", number(1)), nothing, inLeaf) : inLeaf);
    const aggregates = [
      sumOf(rounded(gradient, gradientScale)),
      ...(isConstant(hessian) ? [] : [sumOf(rounded(hessian, hessianScale))]),
    ];
    // Other rows have no bin: it takes most of the time.
    return this.#bins.map((bin) => ({
      groupBy: [leaf, when(isNull(leaf), nothing, bin)].map((of) => ({ of, type: "number" as const })),
      aggregates,
    }));
  }

  /** The place of a row's leaf among the wanted ones; NULL for others. */
  #leafOf(growth: HistogramGrowth): Expression {
    const { run } = this.#task;
    const places = new Map(growth.wanted.map(({ node }, w) => [node, w]));
    const below = (v: number): Expression => {
      const split = growth.split(v);
      if (split === undefined) {
        const place = places.get(v);
        return place === undefined ? nothing : number(place);
      }
      const { feature, bin, missingLeft, set, left } = split;
      const [a, b] = [below(left), below(left + 1)];
      if (a.kind === "null" && b.kind === "null") return nothing;
      const goesLeft = leftCondition(this.#task.table.x[feature]!, run.columns[feature]!, {
        bin,
        missingLeft,
        set,
      });
      return when(goesLeft, a, b);
    };
    return below(0);
  }

  /** Writes the sums of leaves and bins to the histograms of the tree. */
  #give(growth: HistogramGrowth, answers: readonly SumGroup[][], hessianScale: number, fine: number): void {
    const { facts } = this.#task;
    const shift = BigInt(hessianBits(facts.rows));
    const [, constant] = this.#largest[0]!;
    const histograms = growth.wanted.map(({ slot }) => growth.histogram(slot).fill(0n));
    for (const [j, groups] of answers.entries())
      for (const { keys, count, values } of groups) {
        if (keys[0] === null || keys[0] === undefined) continue;
        const at = histogramPlace(j, Number(keys[1]));
        const histogram = histograms[Number(keys[0])]!;
        const hessian =
          values.length > 1
            ? values[1]! * (hessianScale / fine)
            : count * Math.round(constant * hessianScale);
        histogram[at] = BigInt(Math.round(values[0]!));
        histogram[at + 1] = (BigInt(count) << shift) + BigInt(Math.round(hessian));
      }
  }
}

const isConstant = (e: Expression): boolean => e.kind === "number";

/** The nearest integer of a multiple. */
const rounded = (e: Expression, scale: number): Expression =>
  call("floor", add(multiply(e, number(scale)), number(0.5)));
