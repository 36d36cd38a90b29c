import { DummyClassifier, DummyRegressor } from "argmax";
import { classSamples, type FitCase, mixedSample, numberSamples, ROUNDING } from "../cases.js";

const gaps = (task: "classification" | "regression") => ({
  ...mixedSample("gaps", { task }),
  features: ["size", "open"],
});

export const dummies: readonly FitCase[] = [
  {
    name: "DummyClassifier",
    make: () => new DummyClassifier(),
    samples: [...classSamples(), gaps("classification")],
    within: 1e-12,
    because: ROUNDING,
  },
  ...(["mean", "median", "quantile"] as const).map((strategy) => ({
    name: `DummyRegressor, ${strategy}`,
    make: () => new DummyRegressor({ strategy, quantile: 0.3 }),
    samples: [...numberSamples(), gaps("regression")],
    within: 1e-12,
    because: ROUNDING,
  })),
];
