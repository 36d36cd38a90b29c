import { selectRows } from "argmax/data";
import { randomRows } from "../../data/read/sample.js";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { scoresOf } from "./grid.js";
import { preparedEstimator, type TrainingRows, trainingRows } from "./train.js";

/** Rows of the first sample; each later one has twice as many. */
const FIRST = 500;
/** The last sample is the first that takes this many milliseconds: cheap models are timed near their full size. */
const ENOUGH = 300;
/** Shorter timings are taken twice: the shorter one was disturbed less. */
const SHORT = 150;
/** Samples whose times are compared differ by two doublings: less than that is lost in the noise. */
const APART = 2;

/** Points of the picture and rows whose answers are kept, which are predicted and scored as well. */
const OTHERS = 150 ** 2 + 2000;

/** Milliseconds of the parts of a training. */
interface Times {
  /** With the choice of its rows. */
  readonly fit: number;
  /** Labels of as many rows as were learned from. */
  readonly predict: number;
  /** Their scores. */
  readonly score: number;
}

/**
 * How long training will take, in milliseconds per model. Each is fitted to samples, each twice as large as the one before: time grows with
 * the power of the rows that the last ones show. Null for a model that cannot be fitted to a sample.
 */
export async function estimate(
  { roles, models, folds }: Ask<"estimate">,
  { held, breathe, isStopped }: Context<"estimate">,
): Promise<Answer<"estimate">> {
  const data = trainingRows(held.table(roles.table), roles);
  const isMeasured = roles.task !== "clustering";
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
    // The first fit also compiles.
    await timed(model, data, rows);
    for (;;) {
      await breathe();
      if (isStopped()) throw new Error("stopped");
      let time = await timed(model, data, rows);
      if (sum(time) < SHORT || (times.length > 0 && sum(time) > 4 * sum(times.at(-1)!)))
        time = least(time, await timed(model, data, rows));
      times.push(time);
      if (rows === data.x.rows || sum(time) > ENOUGH) break;
      rows = Math.min(2 * rows, data.x.rows);
    }
    const more = data.x.rows / rows;
    const fit = grown(times, "fit", 0.5, 3);
    const predict = grown(times, "predict", 1, 2);
    const score = grown(times, "score", 1, 2);
    // Per row that a model of all rows predicts.
    const each = {
      predict: (predict.last / rows) * more ** (predict.power - 1),
      score: (score.last / rows) * more ** (score.power - 1),
    };
    const whole =
      fit.last * more ** fit.power +
      each.predict * data.x.rows +
      OTHERS * (score.last > 0 ? each.score : each.predict);
    if (!isMeasured) return whole;
    // Each fold is fitted without its own rows, which are then predicted.
    const rest = (folds - 1) / folds;
    const fitted = folds * fit.last * (rest * more) ** fit.power;
    return whole + fitted + (each.predict + each.score) * data.x.rows;
  }
}

const sum = ({ fit, predict, score }: Times): number => fit + predict + score;

const least = (a: Times, b: Times): Times => ({
  fit: Math.min(a.fit, b.fit),
  predict: Math.min(a.predict, b.predict),
  score: Math.min(a.score, b.score),
});

/** The time of the largest sample, and the power of the rows by which it grows. */
function grown(times: readonly Times[], part: keyof Times, least: number, most: number) {
  const last = times.at(-1)![part];
  const steps = Math.min(APART, times.length - 1);
  const before = times.at(-1 - steps)![part];
  const power = steps === 0 || before <= 0 ? 1 : Math.log2(last / before) / steps;
  return { last, power: Math.min(most, Math.max(least, power)) };
}

async function timed(
  model: Ask<"estimate">["models"][number],
  { x, y }: TrainingRows,
  n: number,
): Promise<Times> {
  const chosen = randomRows(x.rows, n, 1);
  const estimator = await preparedEstimator(model, x);
  const start = performance.now();
  const part = selectRows(x, chosen);
  const truth = y && Array.from(chosen, (i) => y[i]!);
  const fitted = estimator.fit(part, truth);
  const afterFit = performance.now();
  fitted.predict?.(part);
  const afterPredict = performance.now();
  const isScored = fitted.classes !== undefined && scoresOf(fitted, part) !== undefined;
  const score = isScored ? performance.now() - afterPredict : 0;
  return { fit: afterFit - start, predict: afterPredict - afterFit, score };
}
