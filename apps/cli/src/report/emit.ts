import type { Terminal } from "../terminal/terminal.js";
import type { ClassificationResult } from "./classification.js";
import type { Metric } from "./metric.js";

/** One object per figure. */
export function emitMetrics(metrics: readonly Metric[], terminal: Terminal): void {
  for (const { name, title, value, interval } of metrics)
    terminal.emit({ type: "metric", name, title, value, ...(interval && { interval }) });
}

/** JSON has no Infinity, which is the first threshold of a ROC curve: it is null there. */
const numbers = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null));

/** Every figure, table and curve of a classifier. */
export function emitClassification(result: ClassificationResult, terminal: Terminal): void {
  const { report, confusion, curves, positive, threshold } = result;
  emitMetrics(result.metrics, terminal);
  for (const label of report.classes) terminal.emit({ type: "class", label, ...report.byClass.get(label)! });
  terminal.emit({ type: "average", kind: "macro", ...report.macroAverage });
  terminal.emit({ type: "average", kind: "weighted", ...report.weightedAverage });
  terminal.emit({
    type: "confusion",
    classes: confusion.classes,
    matrix: confusion.toArray(),
    ...(positive !== undefined && { positive }),
    ...(threshold !== undefined && { threshold }),
  });
  for (const { label, roc, auc, precisionRecall, averagePrecision, calibration } of curves) {
    const { fpr, tpr } = roc;
    const thresholds = numbers(roc.thresholds);
    terminal.emit({ type: "curve", kind: "roc", label, auc, fpr: [...fpr], tpr: [...tpr], thresholds });
    terminal.emit({
      type: "curve",
      kind: "precisionRecall",
      label,
      averagePrecision,
      precision: [...precisionRecall.precision],
      recall: [...precisionRecall.recall],
      thresholds: numbers(precisionRecall.thresholds),
    });
    if (calibration)
      terminal.emit({
        type: "curve",
        kind: "calibration",
        label,
        probTrue: [...calibration.probTrue],
        probPred: [...calibration.probPred],
        weight: [...calibration.weight],
      });
  }
}
