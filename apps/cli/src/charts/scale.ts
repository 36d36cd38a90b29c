import { maxOf } from "argmax/numeric";
/** The range of an axis. */
export type Range = readonly [number, number];

/** The range of numbers; a constant gets room on both sides, so that it is drawn in the middle. */
export function rangeOf(values: Iterable<number>): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  const room = low === 0 ? 1 : Math.abs(low) / 2;
  return [low - room, high + room];
}

/** Steps of axes are 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** Round numbers within the range, `most` at the most and two at least where the range allows it. */
export function ticks([low, high]: Range, most: number): number[] {
  const rough = (high - low) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const step of [...STEPS, 20, 50].map((factor) => factor * power)) {
    if (step < rough * 0.5) continue;
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    // + 0 turns −0 into 0.
    if (last - first + 1 <= most)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, t) => (first + t) * step + 0);
  }
  return [];
}

/** The ticks as text, all with as many decimals as their distance needs. */
export function tickTexts(values: readonly number[]): string[] {
  const largest = maxOf(values.map(Math.abs), 0);
  const step = values.length > 1 ? Math.abs(values[1]! - values[0]!) : largest;
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3))
    return values.map((v) => (v === 0 ? "0" : v.toExponential(1).replace("e+", "e")));
  const decimals = step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0;
  return values.map((v) => v.toFixed(decimals));
}
