import { ParameterError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { maxOf } from "../core/numbers/extremes.js";

export type { ClassCriterion, TargetCriterion, TreeTargetCriterion } from "../numeric/trees/criteria.js";
export { classCriteria, targetCriteria, treeTargetCriteria } from "../numeric/trees/criteria.js";

/**
 * Impurity of a node from its class weights N_k, with p_k = N_k/N: 0 for a pure node, largest if all classes have the same weight.
 * Logarithms are natural.
 */
export type Impurity = (weights: ArrayLike<number>) => number;

function readWeights(weights: ArrayLike<number>): number[] {
  checkList("impurity", "class weights", weights);
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

/** 1 − max p: the error rate of predicting the most frequent class. */
export const nodeError: Impurity = (weights) => 1 - maxOf(classProportions(weights));

const sum = (weights: ArrayLike<number>) => readWeights(weights).reduce((total, w) => total + w, 0);

/** Δi = i(P) − (N_L/N_P) i(L) − (N_R/N_P) i(R): the decrease of impurity by a split. */
export function impurityChange(
  impurity: Impurity,
  left: ArrayLike<number>,
  right: ArrayLike<number>,
): number {
  if (typeof impurity !== "function") {
    const expected = "a function of class weights, such as gini";
    const received = show(impurity);
    throw new ParameterError("impurityChange", "impurity", expected, received);
  }
  const [nl, nr] = [sum(left), sum(right)];
  const parent = Array.from(left, (w, k) => w + right[k]!);
  const n = sum(parent);
  return impurity(parent) - (nl / n) * impurity(left) - (nr / n) * impurity(right);
}

/** (N_L/N_P)(N_R/N_P)(Σ |p_L − p_R|)²: the twoing criterion [Breiman et al. 1984], which is not the decrease of an impurity. */
export function twoingChange(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const [nl, nr] = [sum(left), sum(right)];
  const [pl, pr] = [classProportions(left), classProportions(right)];
  const distance = pl.reduce((total, p, k) => total + Math.abs(p - pr[k]!), 0);
  return ((nl * nr) / (nl + nr) ** 2) * distance * distance;
}
