import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, libsvmJs, sklearn } from "./contestants.js";
import { iris } from "./data.js";

const classes = (rows: number, cols: number, count: number, seed: number): DataSpec => ({
  kind: "classification",
  rows,
  cols,
  classes: count,
  seed,
});

interface MachineParams {
  readonly C?: number;
  readonly kernel?: string;
  readonly degree?: number;
  readonly coef0?: number;
}

const npmKernels: Readonly<Record<string, string>> = { linear: "LINEAR", poly: "POLYNOMIAL", rbf: "RBF" };

const machine = (
  id: string,
  title: string,
  data: DataSpec,
  params: MachineParams,
  name: "SVC" | "SVR" = "SVC",
): Workload => {
  const { C = 1, kernel = "rbf", coef0 = 0 } = params;
  const npm = libsvmJs({ cost: C, kernel: npmKernels[kernel]!, coef0 });
  return {
    id,
    title,
    group: "machines",
    action: "support",
    data,
    contestants: [argmax(name, params), sklearn(`svm.${name}`, params), npm],
    // Both stop at a violation of 1e-3 of the optimality conditions: objectives then agree to about that over their size.
    pledge: { ratio: 1, objective: 1e-6 },
  };
};

const predict = (workload: Workload, ratio: number): Workload => ({
  ...workload,
  action: "supportPredict",
  pledge: { ratio },
});

/** One row at a time. Of the npm package only fits are measured. */
const predictOne = (workload: Workload, ratio: number): Workload => ({
  ...workload,
  action: "predictOne",
  contestants: workload.contestants.filter(({ side }) => side !== "ml.js"),
  pledge: { ratio },
});

/** Support vector machines against LIBSVM, by their dual objectives. */
export const machines: readonly Workload[] = [
  machine("svc-10k", "SVC, rbf, 10,000 × 20", classes(10_000, 20, 2, 21), {}),
  machine("svc-15k", "SVC, rbf, C = 10, 15,000 × 16", classes(15_000, 16, 2, 22), { C: 10 }),
  machine("svc-4k-5", "SVC, rbf, 4,000 × 20, 5 classes", classes(4000, 20, 5, 23), {}),
  machine("svc-6k-6", "SVC, rbf, 6,000 × 36, 6 classes", classes(6000, 36, 6, 26), {}),
  machine("svc-poly", "SVC, cubic, 4,000 × 20", classes(4000, 20, 2, 24), { kernel: "poly", coef0: 1 }),
  machine("svc-linear", "SVC, linear kernel, 4,000 × 20", classes(4000, 20, 2, 24), { kernel: "linear" }),
  machine(
    "svr-4k",
    "SVR, rbf, 4,000 × 20",
    { kind: "regression", rows: 4000, cols: 20, informative: 20, seed: 25 },
    {},
    "SVR",
  ),
  {
    ...machine("iris-svc", "SVC, rbf, iris", iris, {}),
    group: "iris",
    pledge: { ratio: 2, objective: 1e-6 },
  },
  predict(machine("svc-predict", "SVC, rbf: classes of 20,000 rows", classes(20_000, 20, 2, 27), {}), 1),
  predict(machine("svc-predict-5", "SVC, rbf, 5 classes: of 4,000 rows", classes(4000, 20, 5, 23), {}), 1),
  predictOne(machine("svc-one", "SVC, rbf, iris: the class of one row", iris, {}), 5),
];
