import type { Progress } from "argmax/core";
import { maxOf } from "argmax/numeric";
import type { Aggregate } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** Sums that an algorithm waits for: what a minimiser yields where kernels would answer at once. */
export class Ask {
  /** `use` takes the sums, and returns what the algorithm is told. */
  constructor(
    readonly aggregates: readonly Aggregate[],
    readonly use: (sums: Float64Array) => unknown,
  ) {}
}

/** An algorithm that asks for sums and reports its steps. */
export type Asking<R> = Generator<Progress | Ask, R, unknown>;

/** Runs algorithms side by side: what they wait for at the same time is one pass over the rows. */
export async function runTogether<R>(
  rows: TrainingRows,
  runs: readonly Asking<R>[],
  scale = 1,
): Promise<R[]> {
  const states = runs.map((run) => new Running(run));
  try {
    for (;;) {
      for (const state of states) state.advance();
      const waiting = states.flatMap(({ ask }) => (ask ? [ask] : []));
      if (waiting.length === 0) return states.map(({ result }) => result!);
      const step = maxOf(states.map(({ step }) => step?.iteration ?? 0));
      const objectives = states.map(({ step }) => step?.objective);
      if (step > 0) rows.passes.report(step, total(objectives, scale));
      const answers = await rows.several(waiting.map(({ aggregates }) => ({ groupBy: [], aggregates })));
      let next = 0;
      for (const state of states) {
        if (state.ask === undefined) continue;
        const [group] = answers[next++]!;
        state.answer(group?.values ?? new Float64Array(state.ask.aggregates.length));
      }
    }
  } finally {
    for (const run of runs) run.return(undefined as never);
  }
}

function total(objectives: readonly (number | undefined)[], scale: number): number | undefined {
  let sum = 0;
  for (const value of objectives) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum * scale;
}

class Running<R> {
  ask: Ask | undefined;
  step: Progress | undefined;
  result: R | undefined;
  readonly #run: Asking<R>;
  #told: unknown;
  #done = false;

  constructor(run: Asking<R>) {
    this.#run = run;
  }

  /** To the next question, or to the end. */
  advance(): void {
    while (!this.#done && this.ask === undefined) {
      const next = this.#run.next(this.#told);
      if (next.done) {
        this.#done = true;
        this.result = next.value;
      } else if (next.value instanceof Ask) this.ask = next.value;
      else this.step = next.value;
    }
  }

  answer(sums: Float64Array): void {
    this.#told = this.ask!.use(sums);
    this.ask = undefined;
  }
}
