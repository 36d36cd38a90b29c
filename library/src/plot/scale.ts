import { DataError, ParameterError, show } from "../core/errors.js";
import { maxOf } from "../core/numbers/extremes.js";

/** From values to places along an axis. */
export interface Scale {
  (value: number): number;
  /** The value at a place. */
  readonly invert: (place: number) => number;
  /** The values at its two ends. */
  readonly range: readonly [number, number];
}

/** The first value of the range is placed at `from`, the second at `to`. */
export function linearScale(range: readonly [number, number], from: number, to: number): Scale {
  const where = "linearScale";
  const isRange = Array.isArray(range) && range.length === 2 && range.every(isNumber);
  if (!isRange) throw new ParameterError(where, "range", "two numbers", show(range));
  for (const [subject, place] of Object.entries({ from, to })) checkNumber(where, subject, place);
  const [low, high] = range;
  const width = high - low || 1;
  const place = (value: number) => from + ((value - low) / width) * (to - from);
  const invert = (at: number) => low + ((at - from) / (to - from || 1)) * width;
  return Object.assign(place, { invert, range });
}

/**
 * The smallest and the largest of the finite values, with a margin beyond both as a proportion of their distance. Equal values get
 * room around them; without a value it is [0, 1].
 */
export function extent(values: Iterable<number>, margin = 0): [number, number] {
  const where = "extent";
  if (typeof values?.[Symbol.iterator] !== "function")
    throw new DataError(where, "values", "numbers", show(values));
  checkNumber(where, "margin", margin);
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const edge = low < high ? margin * (high - low) : Math.abs(low) * 0.1 || 0.5;
  return [low - edge, high + edge];
}

/** The round numbers of a range, no more than `most` steps of 1, 2 or 5 times a power of ten apart. */
export function ticks(low: number, high: number, most = 8): number[] {
  const where = "ticks";
  for (const [subject, end] of Object.entries({ low, high })) checkNumber(where, subject, end);
  if (!(most >= 1)) throw new ParameterError(where, "most", "a number ≥ 1", show(most));
  const span = high - low;
  if (!(span > 0 && span < Infinity)) return [low];
  // The power of ten below: decimal text is the same on every engine, logarithms are not.
  const power = Number(`1e${(span / most).toExponential().split("e")[1]}`);
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= most)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Multiples of the step, without the digits that rounding adds.
  return Array.from({ length: last - first + 1 }, (_, t) => Number(((first + t) * step).toPrecision(12)));
}

/** The texts of ticks, all with the same number of decimals, as few as tell them apart. */
export function tickLabels(values: readonly number[]): string[] {
  if (!(Array.isArray(values) && values.every(isNumber)))
    throw new DataError("tickLabels", "values", "an array of numbers", show(values));
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const isFar = largest >= 1e6 || (largest > 0 && largest < 1e-3);
  const plain = values.map((value) => (isFar ? value.toExponential() : String(value)));
  const places = plain.map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0);
  const decimals = Math.min(6, maxOf(places, 0));
  return values.map((value) => {
    if (isFar && value === 0) return "0";
    return (isFar ? value.toExponential(decimals) : value.toFixed(decimals)).replaceAll("-", "−");
  });
}

const isNumber = (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value);

function checkNumber(where: string, subject: string, value: unknown): void {
  if (!isNumber(value)) throw new ParameterError(where, subject, "a number", show(value));
}
