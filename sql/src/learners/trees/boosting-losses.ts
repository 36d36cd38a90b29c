import { ParameterError } from "argmax/core";
import type { BoostingLoss } from "argmax/sums";
import { decay, exponential, logarithm, logOnePlus } from "../../compile/functions.js";
import {
  add,
  call,
  compare,
  divide,
  type Expression,
  largestOf,
  multiply,
  negative,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../../expressions/expression.js";

/** Loss of a row, with its derivatives by each raw prediction; see wasm/trees/boosting/gradients.ts for the formulas. */
export interface RowLoss {
  readonly loss: Expression;
  readonly gradients: readonly Expression[];
  /** A number where the loss has the same curvature everywhere. */
  readonly hessians: readonly Expression[];
}

const one = number(1);
const half = number(0.5);

/** Throws for losses whose leaves are quantiles: no sums of rows say them. */
export function requireSummableLoss(where: string, loss: BoostingLoss): void {
  if (loss !== "absoluteError" && loss !== "quantile") return;
  const advice =
    "Leaves of this loss are quantiles of their rows: fit it in memory to a sample, or take another loss.";
  throw new ParameterError(
    where,
    "loss",
    "squaredError, poisson or gamma in a database",
    JSON.stringify(loss),
    advice,
  );
}

export function rowLoss(kind: BoostingLoss, given: readonly Expression[], y: Expression): RowLoss {
  if (given.length > 1) return softmaxLoss(given, y);
  const z = shared(given[0]!);
  switch (kind) {
    case "poisson": {
      const e = shared(exponential(z));
      return { loss: subtract(e, multiply(y, z)), gradients: [subtract(e, y)], hessians: [e] };
    }
    case "gamma": {
      const e = shared(multiply(y, exponential(negative(z))));
      return { loss: add(z, e), gradients: [subtract(one, e)], hessians: [e] };
    }
    case "logLoss": {
      const e = shared(decay(negative(call("abs", z))));
      const inverse = shared(divide(one, add(one, e)));
      const p = multiply(when(compare(z, ">=", number(0)), one, e), inverse);
      const positive = when(compare(z, ">", number(0)), z, number(0));
      return {
        loss: add(subtract(positive, multiply(y, z)), logOnePlus(e)),
        gradients: [subtract(p, y)],
        hessians: [multiply(multiply(e, inverse), inverse)],
      };
    }
    default: {
      const g = shared(subtract(z, y));
      return { loss: multiply(multiply(g, g), half), gradients: [g], hessians: [one] };
    }
  }
}

/** Log loss of K classes; y is the place of the class. */
function softmaxLoss(given: readonly Expression[], y: Expression): RowLoss {
  const z = given.map(shared);
  const top = largestOf(z);
  const e = z.map((one) => shared(decay(subtract(one, top))));
  const total = shared(sum(e));
  const isClass = e.map((_, k) => shared(when(compare(y, "=", number(k)), one, number(0))));
  const own = sum(z.map((one, k) => multiply(isClass[k]!, one)));
  return {
    loss: add(subtract(top, own), logarithm(total)),
    gradients: e.map((one, k) => subtract(divide(one, total), isClass[k]!)),
    // (Σ − e)/Σ instead of 1 − p, which cancels where p rounds to 1.
    hessians: e.map((one) => multiply(divide(one, total), divide(subtract(total, one), total))),
  };
}
