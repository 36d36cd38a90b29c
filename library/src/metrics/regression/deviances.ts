import { DataError, ParameterError, show } from "../../core/errors.js";
import type { NumberArray } from "../../core/labels.js";
import { log } from "../../core/numbers/elementary.js";
import type { MetricOptions } from "../inputs.js";
import { mean, type Pairs, readPairs } from "./regression-inputs.js";

/** Mean deviance of Poisson counts: Σ w 2 (y log(y / ŷ) − y + ŷ) / Σ w. */
export function meanPoissonDeviance(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions = {},
): number {
  return meanDeviance("meanPoissonDeviance", yTrue, yPred, 1, poissonDeviance, options);
}

/** Mean deviance of gamma distributions: Σ w 2 (log(ŷ / y) + y / ŷ − 1) / Σ w. Errors count relative to y. */
export function meanGammaDeviance(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions = {},
): number {
  return meanDeviance("meanGammaDeviance", yTrue, yPred, 2, gammaDeviance, options);
}

/** The deviances of one entry. */
export const poissonDeviance = (y: number, mu: number): number =>
  2 * ((y === 0 ? 0 : y * log(y / mu)) - y + mu);
export const gammaDeviance = (y: number, mu: number): number => 2 * (log(mu / y) + y / mu - 1);

export function meanDeviance(
  where: string,
  yTrue: NumberArray,
  yPred: NumberArray,
  power: number,
  deviance: (y: number, mu: number) => number,
  options: MetricOptions,
): number {
  const pairs = readDeviating(where, yTrue, yPred, power, options);
  const { truth, predicted } = pairs;
  return mean(pairs, (_, i) => deviance(truth[i]!, predicted[i]!));
}

/** Numbers for which the deviance is defined. */
export function readDeviating(
  where: string,
  yTrue: NumberArray,
  yPred: NumberArray,
  power: number,
  options: MetricOptions,
): Pairs {
  if (power > 0 && power < 1) {
    const expected = "≤ 0 or ≥ 1, since there is no distribution in between";
    throw new ParameterError(where, "power", expected, show(power));
  }
  const pairs = readPairs(where, yTrue, yPred, options);
  const rules: readonly [string, Float64Array, string, (value: number) => boolean][] = [
    ["yTrue", pairs.truth, power >= 2 ? "> 0" : "≥ 0", (y) => power < 1 || (power >= 2 ? y > 0 : y >= 0)],
    ["yPred", pairs.predicted, "> 0", (y) => power === 0 || y > 0],
  ];
  for (const [subject, values, range, isFine] of rules) {
    const i = values.findIndex((value) => !isFine(value));
    if (i < 0) continue;
    const expected = `a number ${range} for power ${power}`;
    throw new DataError(where, `${subject}[${pairs.place(i)}]`, expected, show(values[i]));
  }
  return pairs;
}
