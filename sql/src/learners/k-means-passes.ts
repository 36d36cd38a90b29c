import type { Matrix } from "argmax";
import { AbortError } from "argmax/core";
import { BlockMeans, frameAround } from "argmax/sums";
import {
  choose,
  compare,
  type Expression,
  leastOf,
  multiply,
  number,
  shared,
  subtract,
  sum,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { type Sample, SampleKeeper } from "./samples.js";
import { openScratchFile, type ScratchFile } from "./scratch-file.js";

/** Sums over the rows that are nearest to each centre. */
export interface Assigned {
  /** Σ w. */
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  /** Σ w u, where u is x less the shift of the columns. */
  readonly offsets: readonly Float64Array[];
  /** Σ w ‖x − c‖², over all rows; 0 where it was not asked for. */
  readonly inertia: number;
}

/** Lloyd's algorithm, an iteration per query. */
export class QueriedMeans {
  readonly #rows: TrainingRows;
  readonly #u: readonly Expression[];

  /** `shift`: a point near the rows, so that sums keep their digits. */
  constructor(rows: TrainingRows, shift: Float64Array) {
    this.#rows = rows;
    this.#u = rows.x.map((x, j) => shared(subtract(x, number(shift[j]!))));
  }

  async assign(centres: Matrix): Promise<Assigned> {
    const rows = this.#rows;
    const { label, distance } = this.#nearest(centres);
    const aggregates = [rows.weight, rows.weighted(distance), ...this.#u.map((u) => rows.weighted(u))].map(
      sumOf,
    );
    const groups = await rows.sums({ groupBy: [{ of: label, type: "number" }], aggregates });
    const weights = new Float64Array(centres.rows);
    const counts = new Float64Array(centres.rows);
    const offsets = Array.from(weights, () => new Float64Array(centres.cols));
    let inertia = 0;
    for (const { keys, count, values } of groups) {
      const k = Number(keys[0]);
      weights[k] = values[0]!;
      counts[k] = count;
      inertia += values[1]!;
      offsets[k] = values.slice(2);
    }
    return { weights, counts, offsets, inertia };
  }

  /** Gives each centre without rows the row that is farthest from its own one, and takes it away there, as a fit in memory does. */
  async refill(centres: Matrix, found: Assigned): Promise<void> {
    const empty = [...found.weights.keys()].filter((k) => found.weights[k] === 0);
    if (empty.length === 0) return;
    const { label, distance } = this.#nearest(centres);
    const rows = this.#rows;
    const most = empty.length + centres.rows;
    const farthest = await rows.first(most, [...this.#u, rows.weight, label], {
      orderBy: subtract(number(0), distance),
    });
    if (farthest === undefined) return;
    const [weights, labels] = [farthest.at(-2)!, farthest.at(-1)!];
    let at = 0;
    for (const k of empty) {
      while (at < labels.length && found.counts[labels[at]!]! < 2) at++;
      if (at === labels.length) return;
      const own = labels[at]!;
      found.counts[own]!--;
      found.counts[k] = 1;
      found.weights[own]! -= weights[at]!;
      found.weights[k] = weights[at]!;
      for (let j = 0; j < centres.cols; j++) {
        const value = weights[at]! * farthest[j]![at]!;
        found.offsets[k]![j] = value;
        found.offsets[own]![j]! -= value;
      }
      at++;
    }
  }

  /** The squared distance to the nearest centre, and its place: the first of equally near ones. */
  #nearest(centres: Matrix): { readonly label: Expression; readonly distance: Expression } {
    const { x } = this.#rows;
    const squares = Array.from({ length: centres.rows }, (_, k) => {
      const r = x.map((e, j) => shared(subtract(e, number(centres.at(k, j)))));
      return shared(sum(r.map((e) => multiply(e, e))));
    });
    const distance = leastOf(squares);
    const places = squares.map((own, k) => ({ test: compare(own, "=", distance), value: number(k) }));
    return { label: shared(choose(places)), distance };
  }
}

/** Rows per block that is asked for. */
const BLOCK = 20_480;

/** What is known of rows once they are in a file. */
export interface FiledRows {
  readonly count: number;
  /** Σ (x − mean)² over all columns, whatever the weights. */
  readonly square: number;
  readonly sample: Sample;
}

/** The same by the kernels of a fit in memory, on rows that are read once and kept in a file. */
export class FileMeans {
  readonly #file: ScratchFile;
  readonly #means: BlockMeans;
  readonly #rows: TrainingRows;

  private constructor(rows: TrainingRows, k: number, file: ScratchFile) {
    this.#rows = rows;
    this.#file = file;
    this.#means = new BlockMeans(rows.where, file, rows.x.length, k, rows.isWeighted);
  }

  /** `mean`: of all rows. */
  static async open(rows: TrainingRows, k: number, mean: Float64Array, directory: string | undefined) {
    const file = await openScratchFile(directory);
    let means: FileMeans | undefined;
    try {
      means = new FileMeans(rows, k, file);
      return { means, ...(await means.#fill(mean)) };
    } catch (error) {
      if (means) means.close();
      else file.close();
      throw error;
    }
  }

  async #fill(mean: Float64Array): Promise<FiledRows> {
    const rows = this.#rows;
    const d = rows.x.length;
    const asked = rows.isWeighted ? [...rows.x, rows.weight] : rows.x;
    const [lowest, highest] = [new Float64Array(d).fill(Infinity), new Float64Array(d).fill(-Infinity)];
    const kept = new SampleKeeper(asked.length, d, rows.passes.rows);
    let square = 0;
    for await (const block of rows.blocks(BLOCK, asked)) {
      const columns = block.slice(0, d);
      this.#means.add(columns, rows.isWeighted ? block[d] : undefined);
      kept.add(block);
      for (const [j, column] of columns.entries()) {
        const centre = mean[j]!;
        let [low, high] = [lowest[j]!, highest[j]!];
        for (let i = 0; i < column.length; i++) {
          const value = column[i]!;
          if (value < low) low = value;
          if (value > high) high = value;
          square += (value - centre) * (value - centre);
        }
        lowest[j] = low;
        highest[j] = high;
      }
    }
    const count = this.#means.rows;
    if (rows.isWhole) rows.passes.requireRows(count, rows.passes.rows);
    this.#means.begin(frameAround(mean, lowest, highest));
    return { count, square, sample: kept.sample(rows.isWeighted) };
  }

  /** Σ w and Σ w u per centre; the inertia only if it is asked for. */
  async assign(centres: Matrix, measured: boolean): Promise<Assigned> {
    const { where, passes } = this.#rows;
    const steps = this.#means.assign(centres.data, measured);
    for (let block = 0; ; block++) {
      const step = steps.next();
      if (step.done) return assignedOf(step.value.sums, centres.rows, step.value.inertia);
      if (block % BLOCKS_PER_PAUSE !== 0) continue;
      await new Promise((resolve) => setImmediate(resolve));
      const { signal } = passes.options;
      if (signal?.aborted) throw new AbortError(where, signal);
    }
  }

  close(): void {
    this.#means.close();
    this.#file.close();
  }
}

/** Blocks between two looks at the signal. */
const BLOCKS_PER_PAUSE = 4;

function assignedOf(sums: Float64Array, k: number, inertia: number): Assigned {
  const side = sums.length / k;
  const weights = Float64Array.from({ length: k }, (_, c) => sums[c * side + side - 1]!);
  const offsets = Array.from(weights, (_, c) => sums.slice(c * side, (c + 1) * side - 1));
  return { weights, counts: weights.slice(), offsets, inertia };
}
