import type { FittedModel, FittedTransformer, MatrixLike, Samples } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { option, readOptions } from "../core/params/options.js";
import { integer, randomState, type TableOf } from "../core/params/params.js";
import { type LinearScores, type Structure, structureOf } from "../core/structure.js";
import { isTable } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { type CoveredScores, isCovered } from "../numeric/trees/tree-sum.js";
import { readRows } from "../structure/read-rows.js";
import { additiveScores, explainAdditive } from "./additive-explanation.js";
import { Explanation } from "./explanation.js";

import {
  featureNamesOption,
  inspectRows,
  type NamesOption,
  numbered,
  readsText,
  requireModel,
  requireNames,
} from "./inspected-rows.js";

import { explainAny } from "./kernel-shap.js";
import { explainLinear } from "./linear-explanation.js";
import { type AnyModel, type ExplainedOutput, outputsOf, scoreNames, targetNames } from "./outputs.js";
import { explainTrees } from "./tree-explanation.js";

export interface ExplainOptions extends NamesOption {
  /**
   * Rows that stand for what is not known, such as a hundred of the training rows. Trees, forests and boosted trees have counted their
   * own and take none; all other models need it.
   */
  readonly background?: Samples | undefined;
  /** Sets of features drawn per row, for models that are explained by sampling; 0: 2d + 2048. */
  readonly nSamples?: number | undefined;
  readonly randomState?: number | undefined;
}

export const explainOptions = {
  background: option<Samples>(
    "union",
    "Rows that stand for what is not known. Trees take none, all other models need it.",
    "rows as X",
    (value) => typeof value === "object",
  ),
  nSamples: integer({
    atLeast: 0,
    default: 0,
    doc: "Sets of features drawn per row, for models that are explained by sampling; 0: 2d + 2048.",
  }),
  randomState: randomState(),
  featureNames: featureNamesOption,
} satisfies TableOf<ExplainOptions>;

/**
 * Why a model computes what it does: Shapley values of the features [Shapley 1953], which with a base value sum to the output. One answer
 * for all models; how it is computed depends on the model:
 *
 *   trees, forests, bags of trees   exact, the other features as in the training rows (TreeSHAP); probabilities or predictions
 *   histogram boosting, AdaBoost    the same, of raw scores and of votes (AdaBoost of trees)
 *   linear models, discriminants    exact: w_j (x_j − mean of x_j in the background); scores or predictions
 *   naive Bayes                     exact: log P(x_j | k) less its mean in the background
 *   all others                      exact up to 12 features that differ from the background, else sampled (Kernel SHAP)
 *
 * A pipeline is explained in the features of its last step, with the names that the other steps give them: of documents, their words.
 */
export function explain(
  model: FittedModel,
  x: Samples | ArrayLike<number>,
  options: ExplainOptions = {},
): Explanation {
  const where = "explain";
  const settings = readOptions(where, explainOptions, options);
  const { background } = options;
  const { last, rows, others, names } = lastStep(where, model, x, background, options.featureNames);
  const described = structureOf(last);
  const trees = treesOf(described);
  if (trees) return treeExplanation(where, last, described, trees, rows, others, names);
  const seen = inspectRows(where, last, rows);
  const unknown = inspectRows(where, last, requireBackground(where, last, others));
  const featureNames = names ?? seen.names;
  const additive = additiveScores(described);
  if (additive && described.kind !== "undescribed") {
    const read = (given: MatrixLike) => readMatrix(where, given, { like: last, sparse: true });
    const isLinear =
      "scores" in described && described.scores.kind === "linear" && described.steps.length === 0;
    const found = isLinear
      ? explainLinear(described.scores as LinearScores, read(seen.x), read(unknown.x))
      : explainAdditive(additive, read(seen.x), read(unknown.x));
    const method = isLinear ? "linear" : "additive";
    const outputNames = namesOfScores(last as AnyModel, additive.constant.length);
    return new Explanation({ method, output: outputOf(described), outputNames, featureNames, ...found });
  }
  const outputs = outputsOf(where, last);
  const { isExact, ...found } = explainAny(where, outputs, seen, unknown, settings);
  const method = isExact ? "exactShap" : "kernelShap";
  return new Explanation({
    method,
    output: outputs.output,
    outputNames: outputs.names,
    featureNames,
    ...found,
  });
}

/** The trees whose sum a model is, if its columns are those of X. */
function treesOf(described: Structure): CoveredScores | undefined {
  if (described.kind !== "classifier" && described.kind !== "regressor") return undefined;
  const { scores, steps } = described;
  return scores.kind === "trees" && steps.length === 0 && isCovered(scores) ? scores : undefined;
}

/** What the scores of a model are: before a link they are neither probabilities nor predictions. */
function outputOf(described: Structure): ExplainedOutput {
  if (described.kind === "classifier") return described.link?.kind === "identity" ? "probability" : "score";
  return described.kind === "regressor" && described.link === "identity" ? "prediction" : "score";
}

function treeExplanation(
  where: string,
  model: FittedModel,
  described: Structure,
  trees: CoveredScores,
  x: Samples,
  background: Samples | undefined,
  names: readonly string[] | undefined,
): Explanation {
  if (background !== undefined) {
    const expected = "absent for trees, which have counted the training rows of their nodes";
    throw new ParameterError(where, "background", expected, "rows");
  }
  const inputs = "inputs" in described ? described.inputs : { count: model.nFeatures };
  const rows = readRows(where, { inputs, scores: trees }, x as MatrixLike);
  return new Explanation({
    method: "treeShap",
    output: outputOf(described),
    outputNames: namesOfScores(model as AnyModel, trees.baseline.length),
    featureNames: names ?? model.featureNamesIn ?? numbered(rows.cols),
    ...explainTrees(where, trees, rows),
  });
}

/** One score is that of the second of two classes; else there is one per class or target. */
function namesOfScores(model: AnyModel, count: number): readonly Label[] {
  if (!model.classes) return targetNames(model);
  return count === 1 ? scoreNames(model.classes) : model.classes;
}

function requireBackground(where: string, model: FittedModel, given: Samples | undefined): Samples {
  if (given !== undefined) return given;
  const advice = "Pass some of the training rows: explain(model, x, { background: X }).";
  throw new ParameterError(where, "background", `given for ${model.constructor.name}`, "nothing", advice);
}

interface LastStep {
  readonly last: FittedModel;
  readonly rows: Samples;
  readonly others: Samples | undefined;
  /** The names that the steps of a pipeline give to the features of the last one. */
  readonly names: readonly string[] | undefined;
}

/** The model itself with its rows; of a search, the best model; of a pipeline, the last step and what reaches it. */
function lastStep(
  where: string,
  model: FittedModel,
  x: Samples | ArrayLike<number>,
  background: Samples | undefined,
  given?: readonly string[] | undefined,
): LastStep {
  requireModel(where, model);
  const { bestModel, steps } = model as { bestModel?: FittedModel; steps?: readonly FittedModel[] };
  if (bestModel !== undefined) return lastStep(where, bestModel, x, background, given);
  if (given) requireNames(where, given, model.nFeatures);
  if (!Array.isArray(steps)) {
    const rows = isTable(x) ? x : inspectRows(where, model, x).x;
    return { last: model, rows, others: background, names: given };
  }
  let rows: Samples = isTable(x) || readsText(x) ? (x as Samples) : inspectRows(where, model, x).x;
  let others = background;
  let names: readonly string[] | undefined = given ?? model.featureNamesIn ?? numbered(model.nFeatures);
  for (const step of steps.slice(0, -1) as FittedTransformer<Samples>[]) {
    rows = step.transform(rows);
    if (others !== undefined) others = step.transform(others);
    names = namesAfter(step, names);
  }
  return { ...lastStep(where, steps.at(-1)!, rows, others), names };
}

/** The names of a transformer's outputs: its own, those of its inputs if it has a name for none and keeps their number. */
function namesAfter(step: FittedModel, names: readonly string[] | undefined): readonly string[] | undefined {
  const { featureNames, featureNamesOut } = step as {
    featureNames?: (input?: readonly string[]) => readonly string[];
    featureNamesOut?: readonly string[];
  };
  if (typeof featureNames === "function") return featureNames.call(step, names);
  return featureNamesOut;
}
