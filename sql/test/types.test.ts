import {
  type FittedClassifierPipeline,
  type FittedGaussianNB,
  type FittedKMeans,
  type FittedLogisticRegression,
  GaussianNB,
  KMeans,
  type Label,
  LogisticRegression,
  pipeline,
  SGDClassifier,
  StandardScaler,
} from "argmax";
import { expectTypeOf, it } from "vitest";
import {
  crossValidateInDatabase,
  type DatabaseRows,
  fitInDatabase,
  partialFitInDatabase,
} from "../src/index.js";

const rows = {} as DatabaseRows;

it("the model of a fit is that of the estimator", () => {
  expectTypeOf(() =>
    fitInDatabase(new KMeans({ nClusters: 2 }), rows),
  ).returns.resolves.toEqualTypeOf<FittedKMeans>();
  expectTypeOf(() =>
    fitInDatabase(pipeline(new StandardScaler(), new LogisticRegression()), rows),
  ).returns.resolves.toExtend<
    FittedClassifierPipeline<
      readonly [StandardScaler, LogisticRegression],
      FittedLogisticRegression<Label>,
      Label
    >
  >();
  expectTypeOf(() => partialFitInDatabase(new SGDClassifier(), rows)).returns.resolves.toHaveProperty(
    "classes",
  );
});

it("the models of folds are too", () => {
  const folds = () => crossValidateInDatabase(new GaussianNB(), rows, { target: "y" });
  expectTypeOf<Awaited<ReturnType<typeof folds>>["models"]>().toEqualTypeOf<
    readonly FittedGaussianNB<Label>[]
  >();
});

it("one of several estimators has one of several models", () => {
  const either = (isBayes: boolean) =>
    fitInDatabase(isBayes ? new GaussianNB() : new LogisticRegression(), rows);
  expectTypeOf(either).returns.resolves.toEqualTypeOf<
    FittedGaussianNB<Label> | FittedLogisticRegression<Label>
  >();
});
