import { log } from "../core/elementary.js";
import { ParameterError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";

export {
  type ClassCriterion,
  classCriteria,
  type TargetCriterion,
  type TreeTargetCriterion,
  targetCriteria,
  treeTargetCriteria,
} from "../numeric/trees/criteria.js";

/**
 * How mixed a node is, from the weights N_k of its classes, p_k = N_k/N. All are 0 where one class is alone and greatest where
 * all are equally many; natural logarithms.
 */
export type Impurity = (weights: ArrayLike<number>) => number;

/** The weights of a node's classes as a list; the functions below have no other argument to get wrong. */
function readWeights(weights: ArrayLike<number>): number[] {
  checkList("impurity", "the weights of the classes", weights);
  return Array.from(weights);
}

function classProportions(weights: ArrayLike<number>): number[] {
  const list = readWeights(weights);
  const total = list.reduce((sum, w) => sum + w, 0);
  return list.map((w) => (total > 0 ? w / total : 0));
}

/** 1 − Σ p². */
export const gini: Impurity = (weights) => 1 - classProportions(weights).reduce((sum, p) => sum + p * p, 0);

/** −Σ p log p, the deviance or cross-entropy; divided by log 2 it is in bits. */
export const entropy: Impurity = (weights) =>
  classProportions(weights).reduce((sum, p) => (p > 0 ? sum - p * log(p) : sum), 0);

/** 1 − max p: what is misclassified when the node is given its largest class. */
export const nodeError: Impurity = (weights) => 1 - Math.max(...classProportions(weights));

const sum = (weights: ArrayLike<number>) => readWeights(weights).reduce((total, w) => total + w, 0);

/** Δi = i(P) − (N_L/N_P) i(L) − (N_R/N_P) i(R): what a split into these two gains. */
export function impurityChange(
  impurity: Impurity,
  left: ArrayLike<number>,
  right: ArrayLike<number>,
): number {
  if (typeof impurity !== "function") {
    const expected = "a function of class weights, as gini";
    throw new ParameterError({
      where: "impurityChange",
      subject: "impurity",
      expected,
      received: show(impurity),
    });
  }
  const [nl, nr] = [sum(left), sum(right)];
  const parent = Array.from(left, (w, k) => w + right[k]!);
  const n = sum(parent);
  return impurity(parent) - (nl / n) * impurity(left) - (nr / n) * impurity(right);
}

/** (N_L/N_P)(N_R/N_P)(Σ |p_L − p_R|)²: a change without an impurity behind it, for many classes. */
export function twoingChange(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const [nl, nr] = [sum(left), sum(right)];
  const [pl, pr] = [classProportions(left), classProportions(right)];
  const apart = pl.reduce((total, p, k) => total + Math.abs(p - pr[k]!), 0);
  return ((nl * nr) / (nl + nr) ** 2) * apart * apart;
}
