import type { Bar } from "../../protocol.js";
import { MOST } from "./limits.js";

/** The bars that matter, the largest first. */
export const largest = (bars: readonly Bar[]): Bar[] =>
  [...bars].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST);

/** As many of the largest as of the smallest, from the largest down. */
export function extremes(bars: readonly Bar[]): Bar[] {
  const sorted = [...bars].sort((a, b) => b.value - a.value);
  return [...sorted.slice(0, MOST / 2), ...sorted.slice(-MOST / 2)];
}
