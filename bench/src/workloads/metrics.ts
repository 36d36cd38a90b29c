import type { Workload } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

export const metrics: readonly Workload[] = [
  {
    id: "roc-auc",
    title: "area under the ROC curve, 1,000,000 scores",
    group: "kernel",
    action: "ranking",
    data: { kind: "classification", rows: 1_000_000, cols: 2, classes: 2, seed: 21 },
    contestants: [argmax("rocAucScore"), sklearn("metrics.roc_auc_score")],
    pledge: { ratio: 1, objective: 1e-12 },
  },
];
