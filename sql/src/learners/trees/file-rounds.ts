import { AbortError } from "argmax/core";
import { BlockBoosting, type BoostedTree, type RoundLosses, type RoundRows } from "argmax/sums";
import { number } from "../../expressions/expression.js";
import { openScratchFile, type ScratchFile } from "../scratch-file.js";
import type { BoostingTask } from "./boosting-task.js";

/** Rows per block that is asked for. */
const BLOCK = 20_480;

/**
 * Rounds of boosting on a file: the rows are read once, and kept as bins with their raw predictions. Its passes take no query, and memory
 * does not grow with the rows.
 */
export class FileRounds implements RoundRows<Promise<never>> {
  readonly #boosting: BlockBoosting;
  readonly #file: ScratchFile;
  readonly #task: BoostingTask;

  private constructor(task: BoostingTask, file: ScratchFile) {
    this.#task = task;
    this.#file = file;
    const { run, rows, where, loss } = task;
    const { limits, columns, begun } = run;
    const { baseline } = begun;
    const problem = { ...limits, columns, loss, quantile: 0.5, baseline, isWeighted: rows.isWeighted };
    this.#boosting = new BlockBoosting(where, problem, file);
  }

  static async open(task: BoostingTask, directory: string | undefined): Promise<FileRounds> {
    const file = await openScratchFile(directory);
    let rounds: FileRounds | undefined;
    try {
      rounds = new FileRounds(task, file);
      await rounds.#fill();
      return rounds;
    } catch (error) {
      if (rounds) rounds.close();
      else file.close();
      throw error;
    }
  }

  close(): void {
    this.#boosting.close();
    this.#file.close();
  }

  async #fill(): Promise<void> {
    const { rows, table, weight, heldOut, facts } = this.#task;
    const d = table.x.length;
    const asked = [
      ...table.x,
      rows.target!.value,
      ...(rows.isWeighted ? [weight(number(1))] : []),
      ...(heldOut ? [heldOut] : []),
    ];
    let count = 0;
    for await (const block of rows.blocks(BLOCK, asked)) {
      count += block[0]!.length;
      const flags = heldOut && block.at(-1)!;
      for (const isHeldOut of flags ? [false, true] : [false]) {
        const own = flags ? rowsOf(block, flags, isHeldOut ? 1 : 0) : block;
        const weights = rows.isWeighted ? own[d + 1] : undefined;
        this.#boosting.add({ columns: own.slice(0, d), y: own[d]!, weights }, isHeldOut);
      }
    }
    rows.passes.requireRows(count, facts.rows + facts.heldOut);
    this.#boosting.begin();
  }

  async #pause(): Promise<void> {
    const { where, rows } = this.#task;
    const { signal } = rows.passes.options;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) throw new AbortError(where, signal);
  }

  losses(): Promise<never> {
    return this.#losses() as Promise<never>;
  }

  grow(): Promise<never> {
    return this.#grow() as Promise<never>;
  }

  async #losses(): Promise<RoundLosses> {
    await this.#pause();
    return this.#boosting.losses();
  }

  async #grow(): Promise<readonly BoostedTree[]> {
    const passes = this.#boosting.grow();
    for (;;) {
      const step = passes.next();
      if (step.done) return step.value;
      await this.#pause();
    }
  }
}

/** The rows of a block with this flag. */
function rowsOf(block: readonly Float64Array[], flags: Float64Array, flag: number): Float64Array[] {
  const places = Int32Array.from(flags.keys()).filter((i) => flags[i] === flag);
  return block.map((list) => {
    const own = new Float64Array(places.length);
    for (let e = 0; e < own.length; e++) own[e] = list[places[e]!]!;
    return own;
  });
}
