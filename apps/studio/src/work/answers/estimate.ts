import { selectRows } from "argmax/data";
import { randomRows } from "../../data/read/sample.js";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { preparedEstimator, trainingRows } from "./train.js";

/** Rows of the larger of the two samples that are timed. */
const ROWS = 1000;

/**
 * How long training will take, in milliseconds per model. Each is fitted to two samples, of which one has twice the rows of the other:
 * time grows with the power of the rows that these two show. Undefined for a model that cannot be fitted to the sample.
 */
export async function estimate(
  { roles, models, folds }: Ask<"estimate">,
  { held, breathe, isStopped }: Context<"estimate">,
): Promise<Answer<"estimate">> {
  const { x, y } = trainingRows(held.table(roles.table), roles);
  const rows = randomRows(x.rows, ROWS, 1);
  const timed = async (model: (typeof models)[number], n: number) => {
    const chosen = rows.filter((_, k) => k % (rows.length / n) < 1);
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
      // The first fit also compiles.
      await timed(model, rows.length >> 2);
      const half = await timed(model, rows.length >> 1);
      const whole = await timed(model, rows.length);
      const power = Math.min(3, Math.max(0.5, Math.log2(whole / half)));
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
