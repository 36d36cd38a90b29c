import { oneOf } from "../../core/errors.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import type { Optimizer } from "./optimizers.js";
import { optimizerNames, readOptimizer } from "./parts-from-json.js";

/** Names of optimisers with their defaults, or one with its own settings. */
export type OptimizerLike = "sgd" | "adam" | "adamW" | "rmsProp" | "lbfgs" | Optimizer;

/** `fullBatch`: whether L-BFGS may be chosen, which computes on all rows at once. */
export const optimizerSpec = (fullBatch: boolean, usual: OptimizerLike): ParamSpec<OptimizerLike> => {
  const names = optimizerNames.filter((name) => fullBatch || name !== "lbfgs");
  return {
    kind: "optimizer",
    default: usual,
    doc: `How gradients become steps: a name, or an optimizer with its own settings, as optimizers.adam({ learningRate: 0.01 }).`,
    expected: `${oneOf(names)}, or an optimizer such as optimizers.adam({ learningRate: 0.01 })`,
    choices: names,
    read: (value) => {
      const name = names.find((known) => known === value);
      const own = name ?? readOptimizer(value);
      if (own === undefined || (typeof own === "object" && !names.includes(own.name))) return invalid;
      return own as OptimizerLike;
    },
  };
};
