import {
  choice,
  either,
  flag,
  integer,
  numbers,
  optional,
  type ParamSpec,
  type ParamValues,
  randomState,
  real,
} from "../core/params/params.js";
import { categoricalFeatures } from "../data/table/table-columns.js";
import type { ScorerName } from "../metrics/scorers.js";
import { interactionCst } from "./hist-interactions.js";

/** An optional parameter whose default is not null. */
const nullable = <T>(spec: ParamSpec<T>): ParamSpec<T | null> => ({
  ...optional(spec),
  default: spec.default,
});

/** What both estimators can do. */
export const histFacts = { missing: true, categorical: true, step: "round", form: "ensemble" } as const;

/** The parameters that both estimators share. */
export const histParams = {
  learningRate: real({ above: 0, default: 0.1, doc: "Factor of the leaf values (shrinkage)." }),
  maxIter: integer({
    atLeast: 1,
    default: 100,
    doc: "Maximum number of rounds; each grows one tree, or one per class.",
  }),
  maxLeafNodes: nullable(
    integer({ atLeast: 2, default: 31, doc: "Maximum number of leaves per tree; null for no limit." }),
  ),
  maxDepth: optional(integer({ atLeast: 1, default: 1, doc: "Maximum depth of a tree; null for no limit." })),
  minSamplesLeaf: integer({ atLeast: 1, default: 20, doc: "Minimum number of rows per leaf." }),
  l2Regularization: real({ atLeast: 0, default: 0, doc: "L2 penalty on the leaf values." }),
  maxBins: integer({
    atLeast: 2,
    atMost: 255,
    default: 255,
    doc: "Maximum number of bins per column, not counting the bin of missing values.",
  }),
  categoricalFeatures,
  monotonicCst: optional(
    numbers({
      atLeast: -1,
      atMost: 1,
      default: [],
      doc: "Monotonicity per column: 1 increasing, −1 decreasing, 0 no constraint.",
    }),
  ),
  interactionCst,
  maxFeatures: real({
    above: 0,
    atMost: 1,
    default: 1,
    doc: "Proportion of the columns considered for each split, drawn at random.",
  }),
  earlyStopping: either(
    choice(["auto"], {
      default: "auto",
      doc: "Whether to stop when the score no longer improves; auto: with more than 10,000 rows, or with validation rows in fit.",
    }),
    flag({ default: false, doc: "" }),
  ),
  validationFraction: nullable(
    real({
      above: 0,
      below: 1,
      default: 0.1,
      doc: "Proportion of the rows held out for early stopping; null to use the training rows.",
    }),
  ),
  nIterNoChange: integer({
    atLeast: 1,
    default: 10,
    doc: "Rounds without improvement after which early stopping stops.",
  }),
  tol: real({
    atLeast: 0,
    default: 1e-7,
    doc: "Minimum increase of the score that counts as an improvement.",
  }),
  randomState: randomState(),
};
/** `scoring` is a parameter of each estimator, since the names differ. */
export type HistParams = ParamValues<typeof histParams> & { readonly scoring: "loss" | ScorerName };

/** What `trainScore` and `validationScore` are, and early stopping compares. */
export const histScoring = <N extends ScorerName>(names: readonly N[]): ParamSpec<"loss" | N> =>
  choice<readonly ("loss" | N)[]>(["loss", ...names], {
    default: "loss",
    doc: "Score that early stopping compares: minus the loss, or a metric by name (a function could not be saved).",
  });
