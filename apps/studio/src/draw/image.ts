import type { NumberColumn } from "../data/table.js";
import { mix, type Theme } from "./colors.js";
import { type Pixels, pixels } from "./pixels.js";

/** Ink on paper: 0 is the ground, the largest value of the table is the ink. */
export function drawImage(columns: readonly NumberColumn[], row: number, most: number, theme: Theme): Pixels {
  const side = Math.sqrt(columns.length);
  const out = pixels(side, side, theme.ground);
  for (const [k, { values }] of columns.entries()) {
    const color = mix(theme.ground, theme.ink, Math.min(1, Math.max(0, (values[row] || 0) / most)));
    out.data.set(color, 4 * k);
  }
  return out;
}
