import type {
  FitOptions,
  FittedProbabilisticClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, type ParamValues } from "../core/params.js";
import { argmax, logProbabilities, predictedClasses } from "../core/scores.js";
import { type ModelState, StateReader } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import { openTable } from "../data/table-columns.js";
import { classificationSet } from "../data/training-set.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { treeRows } from "../trees/growth.js";
import { type ClassCriterion, classCriteria } from "../trees/impurities.js";
import {
  type DrawsRows,
  FittedForest,
  type ForestState,
  forestParams,
  forestSteps,
  readTrees,
} from "./forest.js";

const criteria = Object.keys(classCriteria) as [ClassCriterion, ...ClassCriterion[]];

/** The params table of forests of classifiers. */
export function classForestParams(draws: DrawsRows) {
  const shared = forestParams(draws);
  return {
    criterion: choice(criteria, {
      default: "gini",
      doc: "What a split lowers; deviance is another name for entropy.",
    }),
    ...shared,
    maxFeatures: { ...shared.maxFeatures, default: "sqrt" as const },
    classWeight: classWeight(),
  };
}

/** What a forest of classifiers has learned. */
export interface ClassForest<L extends Label> {
  readonly state: ForestState;
  readonly classes: readonly L[];
}

/** Everything that forests of classifiers do to learn, tree by tree; `fitted` makes their model. */
export function* classForestSteps<L extends Label, M>(
  id: string,
  where: string,
  params: ParamValues<ReturnType<typeof classForestParams>>,
  splitter: "best" | "random",
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
  fitted: (forest: ClassForest<L>) => M,
): Generator<Step<M>, M, void> {
  const opened = openTable(where, x);
  const rules = { sparse: true, missing: true };
  const set = classificationSet(where, opened.x, y, options, rules, params.classWeight);
  const { codes, classes, weights } = set;
  const task = {
    id,
    where,
    params,
    splitter,
    criterion: classCriteria[params.criterion],
    rows: treeRows(where, set.x, opened, params.categoricalFeatures),
    targets: { codes, classes: classes.length },
    weights,
    restored: (proportion: number) => proportion,
    score: (proportions: Float64Array) => accuracyOf(proportions, codes, classes.length, weights),
  };
  return yield* forestSteps(task, (state) => fitted({ state, classes }));
}

/** Proportion of the rows whose largest class proportion is that of their own class. Rows that every tree has drawn are not counted; undefined if all rows are such. */
function accuracyOf(
  proportions: Float64Array,
  codes: Int32Array,
  K: number,
  weights: Float64Array | undefined,
): number | undefined {
  let right = 0;
  let all = 0;
  for (let i = 0; i < codes.length; i++) {
    if (Number.isNaN(proportions[i * K]!)) continue;
    const w = weights ? weights[i]! : 1;
    all += w;
    if (argmax(proportions, i * K, K) === codes[i]) right += w;
  }
  return all > 0 ? right / all : undefined;
}

/** Rebuilds what `toState` of a forest of classifiers wrote. */
export function restoreClassForest(state: ModelState): ClassForest<Label> {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const trees = readTrees(reader, classes.length);
  const oobScore = state.values["oobScore"] === undefined ? undefined : reader.number("oobScore");
  return { state: { id: state.kind, params: state.params, trees, oobScore }, classes };
}

export class FittedForestClassifier<L extends Label = Label>
  extends FittedForest
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];

  constructor({ state, classes }: ClassForest<L>) {
    super(state);
    this.classes = classes;
  }

  /** Mean over the trees of the class proportions in each row's leaf. */
  predictProba(x: MatrixLike): Matrix {
    const means = this.means(`${this.learned.id}.predictProba`, x);
    const K = this.classes.length;
    return new Matrix(means, means.length / K, K);
  }

  /** Logarithms of `predictProba`; −Infinity for a class that no tree has in the row's leaf. */
  predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.predictProba(x);
    return new Matrix(logProbabilities(data, cols), rows, cols);
  }

  /** The most probable class, the first of equal ones. */
  predict(x: MatrixLike): L[] {
    const means = this.means(`${this.learned.id}.predict`, x);
    return predictedClasses(this.classes, means, this.classes.length);
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({ classes: [...this.classes] });
  }
}
