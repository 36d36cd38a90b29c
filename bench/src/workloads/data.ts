import type { DataSpec } from "../data/spec.js";

export const tall: DataSpec = { kind: "classification", rows: 100_000, cols: 50, classes: 2, seed: 1 };
export const long: DataSpec = { kind: "classification", rows: 1_000_000, cols: 20, classes: 2, seed: 2 };
export const tenClasses: DataSpec = { kind: "classification", rows: 20_000, cols: 100, classes: 10, seed: 3 };
export const fewMatter: DataSpec = {
  kind: "classification",
  rows: 20_000,
  cols: 100,
  classes: 2,
  informative: 20,
  seed: 4,
};
export const longRegression: DataSpec = {
  kind: "regression",
  rows: 200_000,
  cols: 100,
  informative: 100,
  seed: 5,
};
export const tenTargets: DataSpec = { ...longRegression, targets: 10, seed: 9 };
export const square: DataSpec = { kind: "regression", rows: 2000, cols: 2000, informative: 50, seed: 6 };
export const wide: DataSpec = { kind: "regression", rows: 300, cols: 10_000, informative: 30, seed: 7 };
export const documents: DataSpec = { kind: "documents", rows: 20_000, cols: 50_000, nonZeros: 150, seed: 8 };
export const iris: DataSpec = { kind: "included", name: "iris", target: "class" };
export const irisNumbers: DataSpec = { kind: "included", name: "iris", target: "lastColumn" };
export const digits: DataSpec = { kind: "included", name: "digits", target: "class" };

export const fiveClasses: DataSpec = {
  kind: "classification",
  rows: 200_000,
  cols: 50,
  classes: 5,
  seed: 12,
};
