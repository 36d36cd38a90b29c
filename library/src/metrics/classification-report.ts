import type { Label, Labels } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { readOptions } from "../core/params/options.js";
import { integer, type TableOf } from "../core/params/params.js";
import { Printed } from "../core/text/printing.js";
import { accuracyScore } from "./accuracy.js";
import type { MetricOptions } from "./inputs.js";
import { perClassOptions, precisionRecallF1 } from "./precision-recall.js";

export interface ClassificationReportOptions extends MetricOptions {
  /** What 0 / 0 counts as, e.g. the precision of a class that is never predicted. */
  readonly zeroDivision?: 0 | 1 | undefined;
  /** Decimals of the printed figures. */
  readonly digits?: number | undefined;
}

const reportOptions = {
  ...perClassOptions,
  digits: integer({ atLeast: 0, atMost: 20, default: 2, doc: "Decimals of the printed figures." }),
} satisfies TableOf<ClassificationReportOptions>;

/** The figures of a class, or their mean. */
export interface ClassFigures {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Weight of the true entries. */
  readonly support: number;
}

/** Precision, recall and F1 per class and on average. Prints as scikit-learn's text. */
export class ClassificationReport<L extends Label> extends Printed {
  constructor(
    readonly classes: readonly L[],
    readonly byClass: ReadonlyMap<L, ClassFigures>,
    readonly accuracy: number,
    /** The mean over the classes. */
    readonly macroAverage: ClassFigures,
    /** The mean over the classes, weighted by their support. */
    readonly weightedAverage: ClassFigures,
    /** Decimals of the printed figures. */
    readonly digits: number,
  ) {
    super();
  }

  toString(): string {
    const { digits, classes, byClass, accuracy, macroAverage, weightedAverage } = this;
    const width = maxOf(
      classes.map((label) => String(label).length),
      Math.max(12, digits),
    );
    const line = (name: string, cells: readonly string[]) =>
      `${name.padStart(width)} ${cells.map((cell) => ` ${cell.padStart(9)}`).join("")}`;
    const figures = (name: string, { precision, recall, f1, support }: ClassFigures) =>
      line(name, [...[precision, recall, f1].map((v) => fixed(v, digits)), String(support)]);
    return [
      line("", ["precision", "recall", "f1-score", "support"]),
      "",
      ...classes.map((label) => figures(String(label), byClass.get(label)!)),
      "",
      line("accuracy", ["", "", fixed(accuracy, digits), String(macroAverage.support)]),
      figures("macro avg", macroAverage),
      figures("weighted avg", weightedAverage),
      "",
    ].join("\n");
  }

  toJSON(): object {
    const { byClass, accuracy, macroAverage, weightedAverage } = this;
    return { byClass: Object.fromEntries(byClass), accuracy, macroAverage, weightedAverage };
  }
}

/** Rounded half to even, as Python does; toFixed rounds half up. Only odd multiples of 2^−(digits + 1) are halves. */
function fixed(value: number, digits: number): string {
  const halves = value * 2 ** (digits + 1);
  if (!Number.isInteger(halves) || halves % 2 === 0) return value.toFixed(digits);
  const nearby = [value - 2 ** -30, value + 2 ** -30].map((v) => v.toFixed(digits));
  return nearby.find((text) => Number(text.at(-1)) % 2 === 0) ?? nearby[0]!;
}

/** Precision, recall, F1 and support of every class, and their means. */
export function classificationReport<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: ClassificationReportOptions = {},
): ClassificationReport<L> {
  const where = "classificationReport";
  const { digits, zeroDivision } = readOptions(where, reportOptions, options);
  const { sampleWeight } = options;
  const { classes, ...figures } = precisionRecallF1(yTrue, yPred, { sampleWeight, zeroDivision });
  const { support } = figures;
  const total = support.reduce((sum, v) => sum + v, 0);
  const mean = (weight: (k: number) => number): ClassFigures => {
    const of = (list: Float64Array) => list.reduce((sum, v, k) => sum + weight(k) * v, 0);
    return {
      precision: of(figures.precision),
      recall: of(figures.recall),
      f1: of(figures.f1),
      support: total,
    };
  };
  const byClass = new Map(
    classes.map((label, k) => [
      label,
      {
        precision: figures.precision[k]!,
        recall: figures.recall[k]!,
        f1: figures.f1[k]!,
        support: support[k]!,
      },
    ]),
  );
  return new ClassificationReport(
    classes,
    byClass,
    accuracyScore(yTrue, yPred, { sampleWeight }),
    mean(() => 1 / classes.length),
    mean((k) => support[k]! / total),
    digits,
  );
}
