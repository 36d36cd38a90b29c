import type { FittedClassifier, FittedModel, MatrixLike } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { MemberRows } from "./member-rows.js";

/** A fitted classifier, with scores or without. */
export type ClassifierMember<L extends Label = Label> = FittedClassifier<L> & {
  predictProba?(x: MatrixLike): Matrix;
  predictLogProba?(x: MatrixLike): Matrix;
  decisionFunction?(x: MatrixLike): Matrix;
};

/** Whether a restored model is a classifier of these classes, or of some of them. */
export const isClassifierOf =
  (classes: readonly Label[]) =>
  (model: FittedModel): boolean =>
    (model as Partial<ClassifierMember>).classes?.every((label) => classes.includes(label)) ?? false;

/** Adds `weight` times a member's probabilities, or for `byLabels` and members without any: `weight` for the class that it predicts. */
export function addVotesInto<L extends Label>(
  model: ClassifierMember<L>,
  x: MemberRows,
  classes: readonly L[],
  weight: number,
  byLabels: boolean,
  out: Float64Array,
): void {
  const K = classes.length;
  const index = new Map(classes.map((label, k) => [label, k]));
  if (!byLabels && model.predictProba) {
    const places = model.classes.map((label) => index.get(label)!);
    const { data } = model.predictProba(x);
    for (let i = 0, e = 0; i < x.rows; i++)
      for (let c = 0; c < places.length; c++, e++) out[i * K + places[c]!]! += weight * data[e]!;
    return;
  }
  model.predict(x).forEach((label, i) => {
    out[i * K + index.get(label)!]! += weight;
  });
}
