import { selectRows } from "argmax/data";
import { randomRows } from "../../data/read/sample.js";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { preparedEstimator, trainingRows } from "./train.js";

/** Rows of the larger of the two samples that are timed, and how many times fewer the other has. */
const ROWS = 2000;
const FEWER = 4;

/**
 * How long training will take, in milliseconds per model. Each is fitted to two samples: time grows with the power of the rows that these
 * two show. Null for a model that cannot be fitted to a sample.
 */
export async function estimate(
  { roles, models, folds }: Ask<"estimate">,
  { held, breathe, isStopped }: Context<"estimate">,
): Promise<Answer<"estimate">> {
  const { x, y } = trainingRows(held.table(roles.table), roles);
  const rows = randomRows(x.rows, ROWS, 1);
  const timed = async (model: (typeof models)[number], n: number) => {
    const chosen = rows.filter((_, k) => k % Math.round(rows.length / n) === 0);
    const part = selectRows(x, chosen);
    const truth = y && Array.from(chosen, (i) => y[i]!);
    const estimator = await preparedEstimator(model, part);
    const start = performance.now();
    estimator.fit(part, truth);
    return performance.now() - start;
  };
  const out: (number | null)[] = [];
  for (const model of models) {
    try {
      // The first fit also compiles; the shortest of several was disturbed least.
      let small = Infinity;
      for (let k = 0; k < 3; k++) small = Math.min(small, await timed(model, rows.length / FEWER));
      const whole = await timed(model, rows.length);
      const power = Math.min(3, Math.max(0.5, Math.log(whole / small) / Math.log(FEWER)));
      // A fit to all rows, and one per fold.
      const fit = whole * (x.rows / rows.length) ** power;
      out.push(fit * (1 + folds * ((folds - 1) / folds) ** power));
    } catch {
      out.push(null);
    }
    await breathe();
    if (isStopped()) throw new Error("stopped");
  }
  return out;
}
