import { selectRows } from "argmax/data";
import { modelCard } from "argmax/persistence";
import { randomRows } from "../../data/read/sample.js";
import { preparedEstimator } from "../build-estimator.js";
import { type Estimator, estimatorClass } from "../estimators.js";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { scoresOf } from "./pictures/grid.js";
import { type TrainingRows, trainingRows } from "./train.js";

/** Rows of the first sample; each later one has twice as many. */
const FIRST = 500;
/** The last sample is the first that takes this many milliseconds: all of a model take about four times as long, and somebody waits for them. */
const ENOUGH = 80;
/** Shorter timings are repeated: the shortest one was disturbed least. */
const SHORT = 160;
const REPEATS = 2;
/** Timings that grow by more than this when the rows double are repeated once more. */
const JUMP = 4;

/** Points of the picture and rows whose answers are kept, which are predicted and scored as well. */
const OTHERS = 150 ** 2 + 2000;

/** Milliseconds of the parts of a training. */
interface Times {
  readonly rows: number;
  /** With the choice of its rows. */
  readonly fit: number;
  /** Labels of as many rows as were learned from. */
  readonly predict: number;
  /** Their scores. */
  readonly score: number;
}

/**
 * How long training will take, in milliseconds per model. Each is fitted to samples, each twice as large as the one before: time grows as
 * the last ones show. Null for a model that cannot be fitted to a sample.
 */
export async function estimate(
  { roles, models, folds, measured }: Ask<"estimate">,
  { held, breathe, isStopped }: Context<"estimate">,
): Promise<Answer<"estimate">> {
  const start = performance.now();
  const data = trainingRows(held.table(roles.table), roles);
  modelCard(data.x);
  // What every model takes, however cheap it is.
  const preparation = performance.now() - start;
  const isMeasured = roles.task !== "clustering";
  const samples = new Map<number, Int32Array>();
  const sample = (n: number): Sample => {
    const rows = samples.get(n) ?? randomRows(data.x.rows, n, 1);
    samples.set(n, rows);
    return { data, rows };
  };
  const out: (number | null)[] = [];
  for (const model of models) {
    try {
      out.push(await timeOf(model));
    } catch {
      if (isStopped()) throw new Error("stopped");
      out.push(null);
    }
  }
  return out;

  async function timeOf(model: (typeof models)[number]): Promise<number> {
    const times: Times[] = [];
    let rows = Math.min(FIRST, data.x.rows);
    const estimator = await preparedEstimator(model, data.x);
    // The first fit also compiles.
    timed(estimator, sample(rows));
    for (;;) {
      await breathe();
      if (isStopped()) throw new Error("stopped");
      let time = timed(estimator, sample(rows));
      const before = times.length === 0 ? Infinity : sum(times.at(-1)!);
      for (let k = 1; sum(time) < SHORT && (k < REPEATS || (k === REPEATS && sum(time) > JUMP * before)); k++)
        time = least(time, timed(estimator, sample(rows)));
      times.push(time);
      if (rows === data.x.rows || sum(time) > ENOUGH) break;
      rows = Math.min(2 * rows, data.x.rows);
    }
    const all = data.x.rows;
    const { fitPower: lowest = 0 } = (await estimatorClass(model.estimator)).capabilities;
    const fit = growth(times, "fit", lowest, 3);
    // Per row that a model of all rows answers.
    const predict = growth(times, "predict", lowest, 2)(all) / all;
    const score = growth(times, "score", lowest, 2)(all) / all;
    const whole = preparation + fit(all) + predict * all + OTHERS * (score > 0 ? score : predict);
    // Each fold is fitted without its own rows, which are then answered.
    if (!isMeasured) return whole;
    return whole + measured * (fit((all * (folds - 1)) / folds) + ((predict + score) * all) / folds);
  }
}

/**
 * Milliseconds by rows: a power of them, at least `lowest` and at most `most`, where both of the last doublings took more than twice the time, and otherwise a line,
 * since what every fit costs weighs most in small samples. The smaller power counts: a timing that was disturbed is in one of them.
 */
function growth(times: readonly Times[], part: Exclude<keyof Times, "rows">, lowest: number, most: number) {
  const [first, middle, last] = times.slice(-3);
  const end = times.at(-1)!;
  const start = first ?? end;
  const seen =
    last === undefined ? 1 : Math.min(powerOf(first!, middle!, part), powerOf(middle!, last, part));
  const power = Math.max(lowest, seen);
  if (power > 1) return (wanted: number) => end[part] * (wanted / end.rows) ** Math.min(most, power);
  if (start === end) return (wanted: number) => (end[part] * wanted) / end.rows;
  const slope = Math.max(0, end[part] - start[part]) / (end.rows - start.rows);
  return (wanted: number) => Math.max(0, end[part] + slope * (wanted - end.rows));
}

const powerOf = (a: Times, b: Times, part: Exclude<keyof Times, "rows">): number =>
  a[part] > 0 && b[part] > 0 ? Math.log(b[part] / a[part]) / Math.log(b.rows / a.rows) : 1;

const sum = ({ fit, predict, score }: Times): number => fit + predict + score;

const least = (a: Times, b: Times): Times => ({
  rows: a.rows,
  fit: Math.min(a.fit, b.fit),
  predict: Math.min(a.predict, b.predict),
  score: Math.min(a.score, b.score),
});

/** Rows of the table. */
interface Sample {
  readonly data: TrainingRows;
  readonly rows: Int32Array;
}

function timed(estimator: Estimator, { data: { x, y }, rows }: Sample): Times {
  const start = performance.now();
  const part = selectRows(x, rows);
  const truth = y && Array.from(rows, (i) => y[i]!);
  const fitted = estimator.fit(part, truth);
  const afterFit = performance.now();
  fitted.predict?.(part);
  const afterPredict = performance.now();
  const isScored = fitted.classes !== undefined && scoresOf(fitted, part) !== undefined;
  const score = isScored ? performance.now() - afterPredict : 0;
  return { rows: rows.length, fit: afterFit - start, predict: afterPredict - afterFit, score };
}
