import type { Label } from "argmax";
import { calibrationPlot, confusionMatrixPlot, prPlot, rocPlot } from "argmax/plot";
import type { ClassCurves, ClassificationResult } from "./classification.js";
import { classRows } from "./classification-text.js";
import { metricBlock } from "./metric-block.js";
import { htmlTable, legendNames, type PageBlock, withoutTitle } from "./page.js";
import { shownCurves } from "./shown-curves.js";

/** Points of a curve in a page: more are not visible and make the file large. */
const MOST_POINTS = 400;

export function classificationBlocks(result: ClassificationResult, chosen: Label | undefined): PageBlock[] {
  const { curves, remark } = shownCurves(result, chosen);
  const blocks = [metricBlock(result.metrics), classBlock(result), confusionBlock(result)];
  if (curves.length === 0) return blocks;
  const of = curves.length === 1 ? ` of ${curves[0]!.label}` : "";
  const which = remark === undefined ? "" : ` ${remark}`;
  blocks.push(rocBlock(curves, of, which), precisionRecallBlock(curves, of));
  const calibrated = curves.filter(({ calibration }) => calibration);
  if (calibrated.length > 0) blocks.push(calibrationBlock(calibrated, of));
  return blocks;
}

function classBlock(result: ClassificationResult): PageBlock {
  const share = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));
  type Row = ReturnType<typeof classRows>[number];
  const html = htmlTable<Row>(
    [
      { title: "class", class: "name strong", cell: ({ name }) => name },
      { title: "precision", class: "number", cell: ({ precision }) => share(precision) },
      { title: "recall", class: "number", cell: ({ recall }) => share(recall) },
      { title: "F1", class: "number", cell: ({ f1 }) => share(f1) },
      ...(result.positive === undefined && result.curves.length > 0
        ? [{ title: "ROC AUC", class: "number" as const, cell: ({ auc }: Row) => share(auc) }]
        : []),
      { title: "rows", class: "number", cell: ({ support }) => String(support) },
    ],
    classRows(result),
  );
  const text =
    "Precision: the fraction of the rows predicted as the class that belong to it. Recall: the fraction of the rows of the class that are found. F1: their harmonic mean.";
  return { title: "Classes", text, html, wide: true };
}

const confusionBlock = ({ confusion }: ClassificationResult): PageBlock => ({
  title: "Confusion matrix",
  text: "Each row is a true class, each column a predicted one; the diagonal is right. Darker cells hold more of their row.",
  html: withoutTitle(confusionMatrixPlot(confusion, { title: "" })),
  wide: confusion.classes.length > 10,
});

/** Curves by name, or one alone. */
function named<C>(curves: readonly ClassCurves[], curveOf: (one: ClassCurves) => C): C | Record<string, C> {
  if (curves.length === 1) return curveOf(curves[0]!);
  const names = legendNames(curves.map(({ label }) => String(label)));
  return Object.fromEntries(curves.map((one, c) => [names[c]!, curveOf(one)]));
}

/** Every so many points of a long curve, the last one always. */
function thin(values: Float64Array): Float64Array {
  const every = Math.ceil(values.length / MOST_POINTS);
  return every <= 1 ? values : values.filter((_, p) => p % every === 0 || p === values.length - 1);
}

const rocBlock = (curves: readonly ClassCurves[], of: string, which: string): PageBlock => ({
  title: `ROC curve${of}${curves.length === 1 ? `: AUC ${curves[0]!.auc.toFixed(3)}` : ""}`,
  text: `The fraction of the class that is found, against the fraction of other rows that are mistaken for it, for every threshold. The dashed line is chance; the upper left corner is perfect.${which}`,
  html: withoutTitle(
    rocPlot(
      named(curves, ({ roc }) => ({ fpr: thin(roc.fpr), tpr: thin(roc.tpr) })),
      { title: "" },
    ),
  ),
});

const precisionRecallBlock = (curves: readonly ClassCurves[], of: string): PageBlock => ({
  title: `Precision and recall${of}${curves.length === 1 ? `: average precision ${curves[0]!.averagePrecision.toFixed(3)}` : ""}`,
  text: "How many of the found rows are right, against the fraction of the class that is found, for every threshold. It is more informative than ROC where the class is rare.",
  html: withoutTitle(
    prPlot(
      named(curves, ({ precisionRecall: { precision, recall } }) => ({
        precision: thin(precision),
        recall: thin(recall),
      })),
      { title: "" },
    ),
  ),
});

const calibrationBlock = (curves: readonly ClassCurves[], of: string): PageBlock => ({
  title: `Calibration${of}`,
  text: "How often rows are of the class, against the probability that was predicted for it, in ten bins. On the dashed line, probabilities can be taken literally.",
  html: withoutTitle(
    calibrationPlot(
      named(curves, ({ calibration }) => calibration!),
      { title: "" },
    ),
  ),
});
