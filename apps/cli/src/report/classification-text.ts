import type { ClassFigures, Label } from "argmax";
import { confusionHeatMap } from "../charts/heat-map.js";
import { type LineChart, lineChart } from "../charts/line-chart.js";
import { type Look, shorten } from "../charts/look.js";
import { type Column, drawTable, wrap } from "../terminal/table.js";
import type { ClassCurves, ClassificationResult } from "./classification.js";
import { type ShownCurves, shownCurves } from "./shown-curves.js";
import { block, joined, metricTable, type Plots } from "./text.js";

const UNIT = [0, 1] as const;

/** The text of an evaluation: figures, the report by class, the confusion matrix and curves. */
export function classificationText(
  result: ClassificationResult,
  settings: { readonly plots: Plots; readonly chosen: Label | undefined; readonly width: number },
  look: Look,
): string {
  const { plots, width } = settings;
  const shown = shownCurves(result, settings.chosen);
  const blocks = [metricTable(result.metrics, width, look.style), classTable(result, width, look)];
  if (plots !== "none") {
    blocks.push(confusionBlock(result, look));
    if (shown.remark !== undefined) blocks.push(wrap(shown.remark, look.width));
    blocks.push(rocBlock(shown, look));
  }
  if (plots === "all") blocks.push(precisionRecallBlock(shown, look), calibrationBlock(shown, look));
  return joined(blocks);
}

interface ClassRow extends ClassFigures {
  readonly name: string;
  readonly auc: number | undefined;
}

/** Precision, recall, F1 and AUC by class, then the means. */
export function classRows({ report, curves }: ClassificationResult): ClassRow[] {
  const aucOf = new Map(curves.map(({ label, auc }) => [label, auc]));
  const rows = report.classes.map((label) => ({
    ...report.byClass.get(label)!,
    name: String(label),
    auc: aucOf.get(label),
  }));
  return [
    ...rows,
    { ...report.macroAverage, name: "mean", auc: undefined },
    { ...report.weightedAverage, name: "weighted mean", auc: undefined },
  ];
}

const share = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));

function classTable(result: ClassificationResult, width: number, { style, unicode }: Look): string[] {
  const longest = Math.max(13, Math.floor(width / 3));
  const columns: Column<ClassRow>[] = [
    { title: "class", cell: ({ name }) => shorten(name, longest, unicode) },
    { title: "precision", align: "right", cell: ({ precision }) => share(precision) },
    { title: "recall", align: "right", cell: ({ recall }) => share(recall) },
    { title: "F1", align: "right", cell: ({ f1 }) => share(f1) },
    { title: "rows", align: "right", cell: ({ support }) => String(support), dispensable: 1 },
  ];
  if (result.positive === undefined && result.curves.length > 0)
    columns.splice(4, 0, { title: "ROC AUC", align: "right", cell: ({ auc }) => share(auc), dispensable: 2 });
  const lines = drawTable(columns, classRows(result), width, style);
  // A rule sets the means apart from the classes.
  return [...lines.slice(0, -2), lines[1]!, ...lines.slice(-2)];
}

function confusionBlock({ confusion }: ClassificationResult, look: Look): string[] {
  const map = { names: confusion.classes.map(String), counts: confusion.toArray() };
  return block("Confusion matrix", confusionHeatMap(map, look), look.style);
}

/** `of "benign": AUC 0.996`; of several curves, the legend has the numbers. */
function curveTitle(
  kind: string,
  curves: readonly ClassCurves[],
  figure: (one: ClassCurves) => string,
): string {
  const [first, second] = curves;
  return first && !second ? `${kind} of ${JSON.stringify(first.label)}: ${figure(first)}` : kind;
}

function curveBlock(
  kind: string,
  curves: readonly ClassCurves[],
  figure: (one: ClassCurves) => string,
  points: (one: ClassCurves) => { x: ArrayLike<number>; y: ArrayLike<number> },
  rest: Omit<LineChart, "series">,
  look: Look,
): string[] {
  if (curves.length === 0) return [];
  const series = curves.map((one) => ({ name: `${one.label} (${figure(one)})`, ...points(one) }));
  return block(
    shorten(curveTitle(kind, curves, figure), look.width, look.unicode),
    lineChart({ x: UNIT, y: UNIT, ...rest, series }, look),
    look.style,
  );
}

const rocBlock = ({ curves }: ShownCurves, look: Look): string[] =>
  curveBlock(
    "ROC curve",
    curves,
    ({ auc }) => `AUC ${auc.toFixed(3)}`,
    ({ roc }) => ({ x: roc.fpr, y: roc.tpr }),
    { xLabel: "false positive rate", yLabel: "true positive rate", guide: "diagonal" },
    look,
  );

const precisionRecallBlock = ({ curves }: ShownCurves, look: Look): string[] =>
  curveBlock(
    "Precision and recall",
    curves,
    ({ averagePrecision }) => `average precision ${averagePrecision.toFixed(3)}`,
    ({ precisionRecall }) => ({ x: precisionRecall.recall, y: precisionRecall.precision }),
    { xLabel: "recall", yLabel: "precision" },
    look,
  );

const calibrationBlock = ({ curves }: ShownCurves, look: Look): string[] =>
  curveBlock(
    "Calibration",
    curves.filter(({ calibration }) => calibration),
    ({ support }) => `${support} rows`,
    ({ calibration }) => ({ x: calibration!.probPred, y: calibration!.probTrue }),
    { xLabel: "predicted probability", yLabel: "proportion that is true", guide: "diagonal" },
    look,
  );
