import { GaussianNB, HistGradientBoostingRegressor, KMeans, LogisticRegression, Ridge } from "argmax";

export const COLUMNS = 20;
export const CLUSTERS = 8;
export const ROUNDS = 50;

/** The columns that a task reads. */
export const features: readonly string[] = Array.from({ length: COLUMNS }, (_, j) => `x${j}`);

export const tasks = {
  logistic: { title: "logistic regression", target: "label", make: () => new LogisticRegression() },
  ridge: { title: "ridge regression", target: "y", make: () => new Ridge() },
  bayes: { title: "Gaussian naive Bayes", target: "label", make: () => new GaussianNB() },
  kmeans: {
    title: `k-means, ${CLUSTERS} clusters`,
    target: undefined,
    make: () => new KMeans({ nClusters: CLUSTERS, nInit: 1 }),
  },
  boosting: {
    title: `boosting, ${ROUNDS} rounds`,
    target: "y",
    make: () => new HistGradientBoostingRegressor({ maxIter: ROUNDS, earlyStopping: false }),
  },
} as const satisfies Record<string, { title: string; target: string | undefined; make(): object }>;

export type TaskName = keyof typeof tasks;
export const taskNames = Object.keys(tasks) as TaskName[];
