import { type LinearScores, linearScoresOf, type Structure, structureOf } from "argmax/structure";
import type { Bar, Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { extremes, largest } from "./bars.js";
import { firstOf, MOST, MOST_CLASSES } from "./limits.js";

/** Weights of columns, per class or pair of classes. */
export function weights(model: object, about: About): Panel[] {
  const structure = structureOf(model);
  const scores = weightsOf(structure);
  // Log-probabilities of naive Bayes compare within a class only: `words` shows their ratios.
  if (scores === undefined || scores.coef.cols !== about.names.length || "topFeatures" in model) return [];
  const { data, rows, cols } = scores.coef;
  const outputs = outputNames(structure, rows, about);
  return Array.from({ length: Math.min(rows, MOST_CLASSES) }, (_, k) => {
    const own = data.subarray(k * cols, (k + 1) * cols);
    const bars = about.names.map((name, j): Bar => ({ name, value: own[j]! }));
    const of = outputs[k] ?? String(k);
    const intercept = own.reduce((sum, w, j) => sum - w * (scores.origin?.[j] ?? 0), scores.intercept[k]!);
    const isCut = bars.length > MOST;
    const which = isCut ? `The largest for and against ${of}, of ${bars.length}. ` : "";
    return {
      kind: "bars",
      title: `Weights for ${of}`,
      note: `${which}${unitsOf(about)} Intercept ${Number(intercept.toPrecision(4))}.${firstOf(k, rows)}`.trim(),
      bars: isCut ? extremes(bars) : largest(bars),
    };
  });
}

/** Scores that are linear in the columns that a model reads; undefined for others. */
export const weightsOf = (structure: Structure): LinearScores | undefined =>
  "scores" in structure && structure.steps.length === 0 ? linearScoresOf(structure.scores) : undefined;

/** What each row of weights is for: the target, the second of two classes, each of several, or each pair. */
function outputNames(structure: Structure, rows: number, { classes, target }: About): readonly string[] {
  if (rows === 1) return [classes[1] ?? target];
  const arePairs = structure.kind === "classifier" && structure.decision.kind === "pairs";
  return arePairs ? classes.flatMap((a, k) => classes.slice(k + 1).map((b) => `${a} against ${b}`)) : classes;
}
