/**
 * A cascade of models: a stage answers the rows of which it is sure, positive from `high` on and negative below `low`, and passes the others
 * on. The last stage answers all that reach it. A row pays for every stage that it visits.
 */
export interface Stage {
  /** Scores of the class of interest, of every row. */
  readonly position: Float64Array;
  readonly low: number;
  readonly high: number;
  /** Per row. */
  readonly cost: number;
}

interface CascadeResult {
  /** The stage that answers, of every row. */
  readonly stageOf: Uint8Array;
  readonly decided: Uint8Array;
  readonly stages: readonly { readonly rows: number; readonly wrong: number }[];
  readonly error: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly cost: number;
}

export function runCascade(
  stages: readonly Stage[],
  threshold: number,
  isPositive: Uint8Array,
): CascadeResult {
  const n = isPositive.length;
  const stageOf = new Uint8Array(n);
  const decided = new Uint8Array(n);
  const tally = stages.map(() => ({ rows: 0, wrong: 0 }));
  let [cost, falsePositives, falseNegatives] = [0, 0, 0];
  const last = stages.length - 1;
  for (let e = 0; e < n; e++) {
    let s = 0;
    for (; s < last; s++) {
      const { position, low, high } = stages[s]!;
      cost += stages[s]!.cost;
      if (position[e]! >= high || position[e]! < low) break;
    }
    const { position, high } = stages[s]!;
    if (s === last) cost += stages[s]!.cost;
    const answer = position[e]! >= (s === last ? threshold : high) ? 1 : 0;
    stageOf[e] = s;
    decided[e] = answer;
    tally[s]!.rows++;
    if (answer === isPositive[e]) continue;
    tally[s]!.wrong++;
    if (answer === 1) falsePositives++;
    else falseNegatives++;
  }
  const error = n === 0 ? 0 : (falsePositives + falseNegatives) / n;
  return { stageOf, decided, stages: tally, error, falsePositives, falseNegatives, cost: n ? cost / n : 0 };
}

/** Thresholds of the first stage that are tried: from 0 to 1 in these many steps. */
const STEPS = 40;
const FOLDS = 5;

interface Setting {
  readonly low: number;
  readonly high: number;
  readonly cost: number;
  readonly error: number;
}

/** Every pair of thresholds of the first stage, by sums over bins of its scores: what each pair would cost, and its error. */
class Sweep {
  /** Per fold and bin: rows, negatives, positives, mistakes and cost of the later stages. */
  readonly #sums: readonly Float64Array[];
  readonly #n: number[];

  constructor(
    private readonly stages: readonly Stage[],
    threshold: number,
    isPositive: Uint8Array,
  ) {
    const [first, ...rest] = stages;
    const n = isPositive.length;
    const { decided, stageOf } = runCascade(rest, threshold, isPositive);
    const costs = rest.map((_, s) => rest.slice(0, s + 1).reduce((sum, { cost }) => sum + cost, 0));
    this.#sums = Array.from({ length: FOLDS }, () => new Float64Array(5 * (STEPS + 2)));
    this.#n = new Array(FOLDS).fill(0);
    for (let e = 0; e < n; e++) {
      const sums = this.#sums[e % FOLDS]!;
      this.#n[e % FOLDS]!++;
      // Position 1 has a bin of its own: `high` may be 1.
      const at = 5 * (Math.min(STEPS, Math.floor(first!.position[e]! * STEPS + 1e-12)) + 1);
      sums[at]!++;
      sums[at + 1]! += 1 - isPositive[e]!;
      sums[at + 2]! += isPositive[e]!;
      sums[at + 3]! += decided[e] === isPositive[e] ? 0 : 1;
      sums[at + 4]! += costs[stageOf[e]!]!;
    }
    for (const sums of this.#sums) for (let k = 5; k < sums.length; k++) sums[k]! += sums[k - 5]!;
  }

  /** Sums of mistakes and costs of the pair (a, b) / STEPS over the folds that are wanted. */
  at(a: number, b: number, wanted: (fold: number) => boolean): { error: number; cost: number; n: number } {
    let [error, cost, n] = [0, 0, 0];
    for (const [f, sums] of this.#sums.entries()) {
      if (!wanted(f)) continue;
      const below = 5 * a;
      const upTo = 5 * b;
      const end = sums.length - 5;
      error += sums[below + 2]! + (sums[end + 1]! - sums[upTo + 1]!) + (sums[upTo + 3]! - sums[below + 3]!);
      cost += this.stages[0]!.cost * this.#n[f]! + (sums[upTo + 4]! - sums[below + 4]!);
      n += this.#n[f]!;
    }
    return { error, cost, n };
  }
}

/** The least error that each cost can buy, from the least cost on. */
export function frontier(stages: readonly Stage[], threshold: number, isPositive: Uint8Array): Setting[] {
  const sweep = new Sweep(stages, threshold, isPositive);
  const all: Setting[] = [];
  for (let a = 0; a <= STEPS; a++)
    for (let b = a; b <= STEPS; b++) {
      const { error, cost, n } = sweep.at(a, b, () => true);
      all.push({ low: a / STEPS, high: b / STEPS, cost: cost / n, error: error / n });
    }
  all.sort((one, other) => one.cost - other.cost || one.error - other.error);
  const out: Setting[] = [];
  for (const setting of all)
    if (out.length === 0 || setting.error < out.at(-1)!.error - 1e-12) out.push(setting);
  return out;
}

interface BestSetting extends Setting {
  readonly honest: { readonly error: number; readonly cost: number };
}

/**
 * The thresholds of the first stage with the least error within a budget per row; undefined if no pair keeps to it. `honest` is what
 * pairs give that are chosen on four fifths of the rows and judged on the last, each in turn.
 */
export function bestWithin(
  stages: readonly Stage[],
  threshold: number,
  isPositive: Uint8Array,
  budget: number,
): BestSetting | undefined {
  const sweep = new Sweep(stages, threshold, isPositive);
  const choose = (wanted: (fold: number) => boolean) => {
    let best: { a: number; b: number; error: number; cost: number; n: number } | undefined;
    for (let a = 0; a <= STEPS; a++)
      for (let b = a; b <= STEPS; b++) {
        const found = sweep.at(a, b, wanted);
        if (found.n === 0 || found.cost / found.n > budget * (1 + 1e-12)) continue;
        const better = best === undefined || found.error < best.error;
        if (better || (found.error === best!.error && found.cost < best!.cost)) best = { a, b, ...found };
      }
    return best;
  };
  const best = choose(() => true);
  if (best === undefined) return undefined;
  const { a, b, error, cost, n } = best;
  const honest = { error: 0, cost: 0 };
  for (let f = 0; f < FOLDS; f++) {
    const chosen = choose((fold) => fold !== f) ?? best;
    const judged = sweep.at(chosen.a, chosen.b, (fold) => fold === f);
    honest.error += judged.error / n;
    honest.cost += judged.cost / n;
  }
  return { low: a / STEPS, high: b / STEPS, error: error / n, cost: cost / n, honest };
}
