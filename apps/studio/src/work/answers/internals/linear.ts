import type { Bar, Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { extremes, largest } from "./bars.js";
import { firstOf, MOST, MOST_CLASSES } from "./limits.js";
import { type Parts, part } from "./parts.js";

/** Weights of columns, per class. */
export function weights(model: Parts, about: About): Panel[] {
  const { classes, names, target } = about;
  const coef = part(model, "coef");
  const intercept = part(model, "intercept");
  if (coef === undefined) return [];
  const table = coef instanceof Float64Array ? { data: coef, rows: 1, cols: coef.length } : coef;
  if (table.cols !== names.length) return [];
  const bias = typeof intercept === "number" ? [intercept] : Array.from(intercept ?? []);
  return Array.from({ length: Math.min(table.rows, MOST_CLASSES) }, (_, k) => {
    const bars = names.map((name, j): Bar => ({ name, value: table.data[k * table.cols + j]! }));
    const of = table.rows > 1 ? (classes[k] ?? String(k)) : (classes[1] ?? target);
    const offset = bias[k] === undefined ? "" : ` Intercept ${Number(bias[k]!.toPrecision(4))}.`;
    const isCut = bars.length > MOST;
    const which = isCut ? `The largest for and against ${of}, of ${bars.length}. ` : "";
    return {
      kind: "bars",
      title: `Weights for ${of}`,
      note: `${which}${unitsOf(about)}${offset}${firstOf(k, table.rows)}`.trim(),
      bars: isCut ? extremes(bars) : largest(bars),
    };
  });
}
