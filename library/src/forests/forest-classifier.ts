import type { FitOptions, FittedClassifier, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, type ParamValues } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import { openColumns } from "../data/table-columns.js";
import { classificationSet } from "../data/training-set.js";
import { logShares } from "../ensembles/class-proportions.js";
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
  const opened = openColumns(where, x);
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
    restored: (share: number) => share,
    score: (shares: Float64Array) => accuracyOf(shares, codes, classes.length, weights),
  };
  return yield* forestSteps(task, (state) => fitted({ state, classes }));
}

/** Share of the rows whose largest share is their own class; rows that no tree has left out are not counted; undefined if all are. */
function accuracyOf(
  shares: Float64Array,
  codes: Int32Array,
  K: number,
  weights: Float64Array | undefined,
): number | undefined {
  let right = 0;
  let all = 0;
  for (let i = 0; i < codes.length; i++) {
    if (Number.isNaN(shares[i * K]!)) continue;
    const w = weights ? weights[i]! : 1;
    all += w;
    if (largest(shares, i * K, K) === codes[i]) right += w;
  }
  return all > 0 ? right / all : undefined;
}

function largest(list: Float64Array, at: number, K: number): number {
  let best = 0;
  for (let k = 1; k < K; k++) if (list[at + k]! > list[at + best]!) best = k;
  return best;
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
  implements FittedClassifier<L>
{
  readonly classes: readonly L[];

  constructor({ state, classes }: ClassForest<L>) {
    super(state);
    this.classes = classes;
  }

  /** Mean over the trees of the shares of the classes in each row's leaf. */
  predictProba(x: MatrixLike): Matrix {
    const means = this.means(`${this.learned.id}.predictProba`, x);
    const K = this.classes.length;
    return new Matrix(means, means.length / K, K);
  }

  predictLogProba(x: MatrixLike): Matrix {
    return logShares(this.predictProba(x));
  }

  /** The likeliest class. */
  predict(x: MatrixLike): L[] {
    const means = this.means(`${this.learned.id}.predict`, x);
    const K = this.classes.length;
    const labels = new Array<L>(means.length / K);
    for (let i = 0; i < labels.length; i++) labels[i] = this.classes[largest(means, i * K, K)]!;
    return labels;
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({ classes: [...this.classes] });
  }
}
