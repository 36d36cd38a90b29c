import type { Label } from "argmax";
import { UsageError } from "../command.js";
import type { ClassCurves, ClassificationResult } from "./classification.js";
import { listed } from "./opened-model.js";

/** More curves in one chart cannot be told apart. */
const MOST = 5;

/** The curves of a chart, and how they were chosen. */
export interface ShownCurves {
  readonly curves: readonly ClassCurves[];
  readonly remark: string | undefined;
}

/** Of two classes whose names do not say which one is to be found. */
function unsaid(classes: readonly Label[], positive: Label | undefined): string | undefined {
  if (positive !== undefined) return undefined;
  const [a, b] = classes.map((label) => JSON.stringify(label));
  return `Neither ${a} nor ${b} is known to be the positive class: F1 and average precision are means of both. --positive ${String(classes[1])} is about one of them.`;
}

/** The class that was asked for; all of a few classes; of many those with the smallest areas. */
export function shownCurves(
  { classes, curves, positive }: ClassificationResult,
  chosen: Label | undefined,
): ShownCurves {
  if (chosen !== undefined) {
    if (positive !== undefined)
      throw new UsageError("--class is for models of more than two classes; --positive is for two.");
    const own = curves.filter(({ label }) => label === chosen);
    if (own.length > 0 || curves.length === 0) return { curves: own, remark: undefined };
    throw new UsageError(
      `--class ${JSON.stringify(chosen)} has no rows in the data, which has ${listed(curves.map(({ label }) => label))}.`,
    );
  }
  if (curves.length <= MOST)
    return { curves, remark: classes.length === 2 ? unsaid(classes, positive) : undefined };
  const worst = curves.toSorted((a, b) => a.auc - b.auc).slice(0, MOST);
  const remark = `Of ${curves.length} classes, the curves of the ${MOST} with the smallest areas are drawn; --class picks another one.`;
  return { curves: worst, remark };
}
