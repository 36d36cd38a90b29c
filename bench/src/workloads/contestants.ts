import type { DataSpec } from "../data/spec.js";
import type { Contestant, Workload } from "../workload.js";

/**
 * Estimators run with their defaults unless a parameter is named; scikit-learn's limit of iterations is raised where its
 * default stops before convergence. Where scikit-learn has several solvers for the problem, all that make sense run, and
 * the fastest one that gets there counts.
 */

export const argmax = (call: string, params: object = {}): Contestant => ({
  side: "argmax",
  call,
  params: { ...params },
});

export const sklearn = (call: string, params: object = {}, label?: string): Contestant => ({
  side: "scikit-learn",
  call,
  params: { ...params },
  ...(label === undefined ? {} : { label }),
});

export const xgboost = (call: string, params: object): Contestant => ({
  side: "XGBoost",
  call: `xgboost.${call}`,
  params: { ...params },
});

export const logistic = (solver: string, params: object = {}): Contestant =>
  sklearn("linear_model.LogisticRegression", { solver, max_iter: 10_000, ...params }, solver);

export const mlLogistic = (params: object, label: string): Contestant => ({
  side: "ml.js",
  call: "ml-logistic-regression",
  params: { ...params },
  label,
  once: true,
});

export const mlLinear: Contestant = {
  side: "ml.js",
  call: "ml-regression-multivariate-linear",
  params: { statistics: false },
  once: true,
};

/** A package of npm, once. */
export const npmPackage = (call: string, params: object): Contestant => ({
  side: "ml.js",
  call,
  params: { ...params },
  once: true,
});

/** LIBSVM as an npm package, which keeps no objective. */
export const libsvmJs = (params: object): Contestant => ({
  side: "ml.js",
  call: "libsvm-js",
  params: { ...params },
  once: true,
});

/** A network by TensorFlow.js: with layers of its own names, on one of its backends. */
export const tensorflow = (call: string, params: object, label: string, once = false): Contestant => ({
  side: "TensorFlow.js",
  call,
  params: { ...params },
  label,
  once,
});

/** A network by PyTorch, as information. */
export const pytorch = (call: string, params: object): Contestant => ({
  side: "PyTorch",
  call: `torch.${call}`,
  params: { ...params },
  information: true,
});

/** "At least as fast, at an objective no worse." */
export const faster = { ratio: 1, objective: 1e-6 } as const;
/** Fits of a hundred rows: what is measured is the cost of getting going. */
export const tiny = { ratio: 10, objective: 1e-6 } as const;

/** Rows of classifiers of the same name in a module of scikit-learn: a fit, and the classes of all rows. */
export const classified =
  (module: string) =>
  (
    id: string,
    title: string,
    data: DataSpec,
    name: string,
    pledge: Workload["pledge"],
    params: { readonly ours?: object; readonly theirs?: object } = {},
  ): Workload => ({
    id,
    title,
    group: "probabilistic",
    action: "classify",
    data,
    contestants: [argmax(name, params.ours), sklearn(`${module}.${name}`, params.theirs)],
    pledge,
  });
