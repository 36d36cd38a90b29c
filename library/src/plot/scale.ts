import { log, pow } from "../core/elementary.js";

/** From numbers to places on the page. */
export interface Scale {
  (value: number): number;
  readonly low: number;
  readonly high: number;
}

/** Linear: `low` at `from`, `high` at `to`. */
export function scale([low, high]: readonly [number, number], from: number, to: number): Scale {
  const width = high - low || 1;
  const place = (value: number) => from + ((value - low) / width) * (to - from);
  return Object.assign(place, { low, high });
}

/** The range of finite numbers; something around them where they are all equal, and [0, 1] where there is none. */
export function extent(values: Iterable<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

/** The range with a margin on both sides. */
export function padded([low, high]: readonly [number, number], margin = 0.04): [number, number] {
  const edge = margin * (high - low);
  return [low - edge, high + edge];
}

/** About `count` round numbers within a range: steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / count;
  const power = pow(10, Math.floor(log(raw) / Math.LN10 + 1e-9));
  const rough = raw / power;
  const step = power * (rough < 1.5 ? 1 : rough < 3.5 ? 2 : rough < 7.5 ? 5 : 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, t) => Number(((first + t) * step).toPrecision(12)));
}

/** Numbers with the same number of decimals, as few as tell them apart. */
export function tickLabels(values: readonly number[]): string[] {
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3)) return values.map((v) => v.toExponential(1));
  const places = values.map((v) => (String(v).split(".")[1] ?? "").length);
  return values.map((v) => v.toFixed(Math.min(6, Math.max(0, ...places))).replace("-", "−"));
}
