import type { DataSpec } from "../data/spec.js";
import { workloadsWith } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

const targets = (rows: number, seed: number): DataSpec => ({
  kind: "regression",
  rows,
  cols: 20,
  informative: 20,
  seed,
});

// scikit-learn's default γ is 1/columns.
const ridge = [
  argmax("KernelRidge", { alpha: 1, gamma: "auto" }),
  sklearn("kernel_ridge.KernelRidge", { alpha: 1, kernel: "rbf" }),
];

const sample = 100;
const mapped = [
  argmax("pipeline", {
    steps: [
      ["Nystroem", { gamma: "auto", nComponents: sample }],
      ["LogisticRegression", {}],
    ],
  }),
  sklearn("pipeline.make_pipeline", {
    steps: [
      ["kernel_approximation.Nystroem", { n_components: sample, random_state: 0 }],
      ["linear_model.LogisticRegression", { max_iter: 10_000 }],
    ],
  }),
];

/** Kernelised linear methods. */
export const kernelMethods = workloadsWith({ group: "machines", pledge: { ratio: 1, objective: 1e-9 } }, [
  {
    id: "kernel-ridge",
    title: "KernelRidge, rbf, 3,000 × 20",
    action: "kernelRidge",
    data: targets(3000, 31),
    contestants: ridge,
  },
  {
    id: "kernel-ridge-predict",
    title: "KernelRidge, rbf, of 3,000 rows: 20,000 rows",
    action: "kernelRidgePredict",
    data: targets(20_000, 32),
    contestants: ridge,
  },
  {
    id: "nystroem-logistic",
    title: "Nystroem(100) + LogisticRegression, 200,000 × 20",
    action: "mapped",
    data: { kind: "classification", rows: 200_000, cols: 20, classes: 2, seed: 33 },
    contestants: mapped,
    // Both draw their own sample of rows, which span different subspaces.
    pledge: { ratio: 1, objective: 2e-2 },
    note: "Two samples of 100 rows: log losses differ by what they span.",
  },
]);
