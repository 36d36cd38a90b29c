import { type Label, type LoadedModel, type Samples, structureOf } from "argmax";

/** Two probabilities that are closer may be in another order than the scores behind them: the model itself must decide. */
const CLOSEST = 1e-9;

const isByProbability = new WeakMap<LoadedModel, boolean>();

/** Labels and probabilities, one row per row and one column per class. */
export interface ClassScores {
  readonly labels: readonly Label[];
  readonly probabilities: ArrayLike<number>;
}

/**
 * Labels and probabilities of a classifier, without computing twice what both are made of: X goes through the steps of a pipeline
 * once, and where labels follow from probabilities, these are computed only. Labels are always those of `predict`.
 */
export function classScores(model: LoadedModel, x: Samples): ClassScores {
  const { steps } = model as { steps?: readonly LoadedModel[] };
  if (Array.isArray(steps) && steps.length > 1) {
    let z = x;
    for (const step of steps.slice(0, -1) as LoadedModel[]) z = step.transform!(z);
    return classScores(steps.at(-1) as LoadedModel, z);
  }
  const probabilities = model.predictProba!(x).data;
  const labels = follows(model) ? mostProbable(model.classes!, probabilities) : undefined;
  return { labels: labels ?? (model.predict!(x) as Label[]), probabilities };
}

/** Links from scores to probabilities by which the largest score has the largest probability. */
const increasing: readonly string[] = ["identity", "sigmoid", "softmax", "oneVsRest", "clip"];

/**
 * Whether the label is the class with the largest probability, or with the largest score of which the probability is an increasing
 * function. Others (thresholds, votes, support vector machines) may predict another class than the most probable one.
 */
function follows(model: LoadedModel): boolean {
  let known = isByProbability.get(model);
  if (known === undefined) {
    const structure = structureOf(model);
    const { decision, link } =
      structure.kind === "classifier" ? structure : { decision: undefined, link: null };
    known =
      decision?.kind === "probabilities" ||
      (decision?.kind === "scores" && increasing.includes(link?.kind ?? ""));
    isByProbability.set(model, known);
  }
  return known;
}

/** The class of the largest probability per row; undefined if two are too close in any row. */
function mostProbable(classes: readonly Label[], p: ArrayLike<number>): Label[] | undefined {
  const K = classes.length;
  const labels = new Array<Label>(p.length / K);
  for (let i = 0; i < labels.length; i++) {
    let [best, next, k] = [-1, -1, 0];
    for (let c = 0; c < K; c++) {
      const value = p[i * K + c]!;
      if (value > best) {
        next = best;
        best = value;
        k = c;
      } else if (value > next) next = value;
    }
    if (!(best - next > CLOSEST)) return undefined;
    labels[i] = classes[k]!;
  }
  return labels;
}
