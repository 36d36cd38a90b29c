import {
  AdaBoostClassifier,
  DecisionStump,
  DecisionTreeClassifier,
  FittedAdaBoostClassifier,
  type FittedClassifier,
  FittedDecisionStump,
  FittedDecisionTreeClassifier,
} from "argmax";
import { ParameterError } from "argmax/core";
import { maxOf } from "argmax/numeric";
import {
  adaBoostReport,
  BoostingRecord,
  classCriteria,
  controlsOf,
  type Ending,
  exp,
  type GrownTree,
  HistogramTree,
  log,
  type MemberInput,
  namesColumns,
  pruned,
  Random,
  reseeded,
  Tree,
} from "argmax/sums";
import {
  call,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../../expressions/expression.js";
import { learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { type BoostingFacts, boostingFacts } from "./boosting-facts.js";
import { requireAllColumns } from "./decision-trees.js";
import { goesLeft, type TreeSource } from "./leaf-sums.js";
import { SummedStumps } from "./stumps.js";
import { growTogether, MOST_LEAVES, treeTask } from "./tree-task.js";

/**
 * AdaBoost without a weight per row: the weights of a round follow from the start weights and the members so far, as an expression of the row.
 * The histograms of a member have its weighted error too. A round is one pass for stumps, and one per level for trees.
 */

/** A fitted member, and what boosting needs of it. */
interface FoundMember {
  readonly member: FittedClassifier;
  /** Weighted error rate. */
  readonly error: number;
  /** A row's answer as an expression: `leafValue` gives the value where this class is predicted. */
  readonly answer: (leafValue: (place: number) => Expression) => Expression;
}

interface MemberSource {
  readonly reads: MemberInput;
  /** The next member, for weights that sum to about 1. */
  next(weight: Expression, round: number): Promise<FoundMember>;
  close(): void;
}

/** The index of the largest; of equal ones the first. */
const largest = (values: Float64Array): number => values.indexOf(maxOf(values));

async function stumpSource(
  rows: TrainingRows,
  stump: DecisionStump,
  facts: BoostingFacts,
): Promise<MemberSource> {
  const stumps = await SummedStumps.open(rows, stump, facts.rows);
  const { classes } = rows.target!;
  return {
    reads: "numbers",
    close: () => stumps.close(),
    next: async (weight, round) => {
      const { split, error } = await rows.stage(`stump ${round}`, () => stumps.best(weight));
      const member = new FittedDecisionStump(stump.params, classes, rows.x.length, split);
      const { feature, threshold, answers } = member;
      return {
        member,
        error,
        answer: (leafValue) => {
          const [left, right] = answers.map(leafValue) as [Expression, Expression];
          return feature < 0 ? left : when(compare(rows.x[feature]!, "<=", number(threshold)), left, right);
        },
      };
    },
  };
}

async function treeSource(
  rows: TrainingRows,
  estimator: DecisionTreeClassifier,
  seed: number,
): Promise<MemberSource> {
  const { where } = rows;
  requireAllColumns(where, estimator.params);
  const code = classCriteria[estimator.params.criterion];
  const { table, facts, source } = await treeTask(rows, estimator.params, code);
  const isTable = rows.namesIn !== undefined;
  const hasText = isTable && rows.features.some(({ given }) => given?.type === "text");
  const reads = hasText || (isTable && namesColumns(estimator)) ? "tables" : "numbers";
  const random = new Random(seed);
  return {
    reads,
    close: () => {},
    next: async (weight, round) => {
      const { params } = reseeded(estimator, () => random.uint32());
      const size = { rows: facts.rows, cols: source.x.length };
      const problem = {
        columns: source.columns.bins,
        classes: source.classes,
        controls: controlsOf(where, params, code, size, 1),
        rows: facts.rows,
        isWeighted: true,
        maxWanted: MOST_LEAVES,
      };
      const grown = await rows.stage(`tree ${round}`, async () => {
        const tree = new HistogramTree(where, problem);
        try {
          await growTogether(rows, [{ tree, source: { ...source, weight } }]);
          return pruned(tree.grown(), params.ccpAlpha);
        } finally {
          tree.close();
        }
      });
      const tree = new Tree(grown, source.x.length, reads === "tables" ? table.table : undefined);
      const state = { id: DecisionTreeClassifier.id, params, tree };
      return {
        member: new FittedDecisionTreeClassifier(state, rows.target!.classes),
        error: errorOf(grown),
        answer: (leafValue) => answerOf(source, grown, leafValue),
      };
    },
  };
}

const proportions = ({ values, width }: GrownTree, node: number): Float64Array =>
  values.subarray(node * width, (node + 1) * width);

/** Weighted error rate on the rows that a tree was grown on. */
function errorOf(tree: GrownTree): number {
  let wrong = 0;
  for (const [node, feature] of tree.features.entries()) {
    if (feature >= 0) continue;
    const own = proportions(tree, node);
    const answer = largest(own);
    for (const [k, p] of own.entries()) if (k !== answer) wrong += p * tree.weights[node]!;
  }
  return wrong / tree.weights[0]!;
}

function answerOf(source: TreeSource, tree: GrownTree, leafValue: (place: number) => Expression): Expression {
  const below = (node: number): Expression => {
    const feature = tree.features[node]!;
    if (feature < 0) return leafValue(largest(proportions(tree, node)));
    const start = tree.categoryStarts[node]!;
    const rule = {
      feature,
      threshold: tree.thresholds[node]!,
      categories: start < 0 ? undefined : tree.pool.slice(start + 1, start + 1 + tree.pool[start]!),
      missingLeft: tree.missingLeft[node] === 1,
    };
    return when(goesLeft(source, rule), below(tree.lefts[node]!), below(tree.rights[node]!));
  };
  return below(0);
}

/** Lower bound of row weights, as in memory. */
const LEAST = 2 ** -52;

/** ln(1 − e + e exp(vote)): what an update multiplies the sum of the weights by. */
const growthOf = (error: number, vote: number): number => vote + log(error + (1 - error) * exp(-vote));

/** The members that work in a database; others are named. */
async function sourceOf(
  rows: TrainingRows,
  { estimator, randomState }: AdaBoostClassifier["params"],
  facts: BoostingFacts,
): Promise<MemberSource> {
  const { where } = rows;
  const type = (estimator as object).constructor as { readonly id?: string; readonly name: string };
  if ((type as unknown) !== DecisionStump && (type as unknown) !== DecisionTreeClassifier) {
    const advice = "Fit it in memory to a sample of the rows.";
    const expected = "a DecisionStump or a DecisionTreeClassifier in a database";
    throw new ParameterError(where, "estimator", expected, type.id ?? type.name, advice);
  }
  const weak = estimator as unknown as DecisionStump | DecisionTreeClassifier;
  if (weak.params.classWeight !== null) {
    const received = JSON.stringify(weak.params.classWeight);
    const advice = "Give classWeight to AdaBoostClassifier.";
    throw new ParameterError(where, "classWeight of the estimator", "null in a database", received, advice);
  }
  return weak instanceof DecisionStump ? stumpSource(rows, weak, facts) : treeSource(rows, weak, randomState);
}

async function learn({ params }: AdaBoostClassifier, rows: TrainingRows) {
  const { where, passes } = rows;
  const { classes, value } = rows.target!;
  const facts = await boostingFacts(rows, undefined);
  const source = await sourceOf(rows, params, facts);
  const record = new BoostingRecord<FittedClassifier>({ ...params, where, classes: classes.length });
  const start = divide(rows.weight, number(facts.total));
  const votes: Expression[] = [];
  let scale = 0;
  let ending: Ending = "all rounds";
  try {
    for (let t = 0; t < params.nEstimators; t++) {
      const grown = call("exp", subtract(sum(votes), number(scale)));
      const weight = t === 0 ? start : call("greatest", number(LEAST), multiply(start, grown));
      const { member, error, answer } = await source.next(shared(weight), t);
      const vote = record.add(member, error);
      if (vote === undefined) {
        ending = "no better than chance";
        break;
      }
      passes.report(t + 1, record.loss);
      if (error <= 0) {
        ending = "perfect member";
        break;
      }
      const wrong = (k: number) => when(compare(value, "=", number(k)), number(0), number(vote));
      votes.push(answer(wrong));
      scale += growthOf(error, vote);
    }
  } finally {
    source.close();
  }
  const known = { nFeatures: rows.x.length, featureNamesIn: rows.namesIn, reads: source.reads };
  const report = adaBoostReport(record.boosted, classes.length, ending);
  return new FittedAdaBoostClassifier(params, classes, known, record.boosted, report);
}

export const adaBoostLearners = [learner(AdaBoostClassifier, learn, { gaps: true, manyPasses: true })];
