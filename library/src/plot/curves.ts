import type { MatrixLike } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { shortNumber } from "../core/text/printing.js";
import { readMatrix } from "../data/input.js";
import { type PlotOptions, readPlotOptions } from "./figure.js";
import { linePlot } from "./line-plot.js";

/** What `rocCurve` returns. */
export interface RocPoints {
  readonly fpr: ArrayLike<number>;
  readonly tpr: ArrayLike<number>;
}

/** What `precisionRecallCurve` returns. */
export interface PrecisionRecallPoints {
  readonly precision: ArrayLike<number>;
  readonly recall: ArrayLike<number>;
}

/** What `calibrationCurve` returns. */
export interface CalibrationPoints {
  readonly probTrue: ArrayLike<number>;
  readonly probPred: ArrayLike<number>;
}

/** One curve, or several by name. */
export type Curves<C> = C | Readonly<Record<string, C>>;

const UNIT = [0, 1] as const;

/** Curves by their names; a single one has none. */
function namedCurves<K extends string>(
  where: string,
  given: Curves<Readonly<Record<K, ArrayLike<number>>>>,
  keys: readonly [K, K],
) {
  type Curve = Readonly<Record<K, ArrayLike<number>>>;
  const isCurve = (curve: unknown): curve is Curve =>
    curve !== null && typeof curve === "object" && keys.every((key) => isArrayLike((curve as Curve)[key]));
  const list: [string, unknown][] = isCurve(given) ? [["", given]] : Object.entries(given ?? {});
  return list.map(([name, curve]) => {
    if (!isCurve(curve)) {
      const expected = `{ ${keys.join(", ")} }, or an object of such curves by name`;
      throw new DataError(where, "the curve", expected, show(curve));
    }
    const a = curve[keys[0]];
    const b = curve[keys[1]];
    if (a.length === b.length && a.length > 0) return { name, a, b };
    const subject = `${keys[0]} and ${keys[1]}`;
    throw new ShapeError({
      where,
      subject,
      expected: "equally long, with a point at least",
      received: `${a.length} and ${b.length}`,
    });
  });
}

/** The area under a line through points, by trapezoids. `auc` of the metrics brings checks of its input, and a plot is small without. */
function areaUnder(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let area = 0;
  for (let p = 1; p < x.length; p++) area += ((x[p]! - x[p - 1]!) * (y[p]! + y[p - 1]!)) / 2;
  return Math.abs(area);
}

/** ROC curves with their areas: `rocPlot(rocCurve(y, scores))`, or several by name. */
export function rocPlot(curves: Curves<RocPoints>, options: PlotOptions = {}): string {
  const size = readPlotOptions("rocPlot", options, { title: "ROC curve", width: 420, height: 420 });
  const series = namedCurves("rocPlot", curves, ["fpr", "tpr"]).map(({ name, a, b }) => {
    const area = areaUnder(a, b).toFixed(3);
    return { name: `${name} (AUC ${area})`.trim(), x: a, y: b };
  });
  const summary = series.map(({ name }) => name).join(", ");
  const title = series.length === 1 && options.title === undefined ? `ROC curve ${summary}` : size.title;
  const labels = { xLabel: "False positive rate", yLabel: "True positive rate" };
  return linePlot({ ...size, title, summary, series, ...labels, x: UNIT, y: [0, 1.02], diagonal: true });
}

/** Precision against recall, in steps: `prPlot(precisionRecallCurve(y, scores))`, or several by name. */
export function prPlot(curves: Curves<PrecisionRecallPoints>, options: PlotOptions = {}): string {
  const size = readPlotOptions("prPlot", options, { title: "Precision and recall", width: 420, height: 420 });
  const series = namedCurves("prPlot", curves, ["recall", "precision"]).map(({ name, a, b }) => {
    // Steps are drawn by ascending recall; thresholds ascend the other way.
    const isDescending = a[0]! > a[a.length - 1]!;
    const ascending = (list: ArrayLike<number>) => (isDescending ? Array.from(list).reverse() : list);
    return { name, x: ascending(a), y: ascending(b), steps: true };
  });
  const summary = `Precision against recall${series.length > 1 ? ` of ${series.map(({ name }) => name).join(", ")}` : ""}`;
  return linePlot({ ...size, summary, series, xLabel: "Recall", yLabel: "Precision", x: UNIT, y: [0, 1.02] });
}

/** How often what was predicted with a probability is true: `calibrationPlot(calibrationCurve(y, p))`, or several by name. */
export function calibrationPlot(curves: Curves<CalibrationPoints>, options: PlotOptions = {}): string {
  const size = readPlotOptions("calibrationPlot", options, { title: "Calibration", width: 420, height: 420 });
  const series = namedCurves("calibrationPlot", curves, ["probPred", "probTrue"]).map(({ name, a, b }) => ({
    name,
    x: a,
    y: b,
    dots: true,
  }));
  const labels = { xLabel: "Predicted probability", yLabel: "Proportion that is true" };
  const summary = "Points on the diagonal are calibrated";
  return linePlot({ ...size, summary, series, ...labels, x: UNIT, y: [0, 1.02], diagonal: true });
}

/** Scores by the number of training rows: one row of scores per size, one column per fold. */
export interface LearningCurvePoints {
  readonly trainSizes: ArrayLike<number>;
  readonly trainScores: MatrixLike;
  readonly testScores: MatrixLike;
}

/** Mean scores over folds with bands of one standard deviation. */
export function learningCurvePlot(curve: LearningCurvePoints, options: PlotOptions = {}): string {
  const where = "learningCurvePlot";
  const size = readPlotOptions(where, options, { title: "Learning curve" });
  const { trainSizes } = curve;
  const series = (["trainScores", "testScores"] as const).map((key) => {
    const scores = readMatrix(where, curve[key], {});
    if (scores.rows !== trainSizes.length) {
      throw new ShapeError(where, key, `one row per size (${trainSizes.length})`, `${scores.rows} rows`);
    }
    const rows = Array.from({ length: scores.rows }, (_, p) => scores.row(p));
    const y = rows.map((row) => row.reduce((sum, v) => sum + v, 0) / row.length);
    const band = rows.map((row, p) =>
      Math.sqrt(row.reduce((sum, v) => sum + (v - y[p]!) ** 2, 0) / row.length),
    );
    return {
      name: key === "trainScores" ? "training rows" : "held-out rows",
      x: trainSizes,
      y,
      band,
      dots: true,
    };
  });
  const last = series.map(({ name, y }) => `${name} ${shortNumber(y.at(-1)!)}`).join(", ");
  const summary = `Scores with all rows: ${last}`;
  return linePlot({ ...size, summary, series, xLabel: "Training rows", yLabel: "Score" });
}
