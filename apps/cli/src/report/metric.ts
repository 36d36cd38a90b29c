import { bootstrap, type Interval, type WeightedFigure } from "./intervals.js";
import type { Pace } from "./pace.js";

/** A figure of a model on data. */
export interface Metric {
  /** For programs, as the library's functions: `balancedAccuracy`. */
  readonly name: string;
  /** For people: `balanced accuracy`. */
  readonly title: string;
  readonly value: number;
  readonly interval?: Interval | undefined;
  /** What it means, in a few words. */
  readonly note: string;
}

/** A metric whose interval is computed by the bootstrap. */
export interface MetricPlan {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly figure: WeightedFigure;
}

/** The values of metrics on all rows, with their intervals. `groups`: rows are drawn within each. */
export async function measure(
  plans: readonly MetricPlan[],
  groups: ArrayLike<number>,
  { resamples, seed, pace }: { readonly resamples: number; readonly seed: number; readonly pace: Pace },
): Promise<Metric[]> {
  const ones = new Float64Array(groups.length).fill(1);
  const intervals = await bootstrap(
    plans.map(({ figure }) => figure),
    groups,
    resamples,
    seed,
    pace,
  );
  return plans.map(({ figure, ...rest }, m) => ({ ...rest, value: figure(ones), interval: intervals[m] }));
}

/** Three decimals; large and small numbers by four significant digits. */
export function formatNumber(value: number): string {
  // Sums in another order differ in the last bits, and should read the same.
  const size = Math.abs(Number(value.toPrecision(12)));
  if (size === 0) return "0.000";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2).replace("e+", "e").replace("-", "−");
  const text =
    size >= 1000
      ? size.toFixed(0)
      : size >= 100
        ? size.toFixed(1)
        : size >= 10
          ? size.toFixed(2)
          : size.toFixed(3);
  return value < 0 ? `−${text}` : text;
}

export const formatInterval = (interval: Interval | undefined): string =>
  interval ? `${formatNumber(interval.low)}–${formatNumber(interval.high)}` : "";
