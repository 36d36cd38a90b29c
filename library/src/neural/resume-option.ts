import { option } from "../core/params/options.js";
import type { FittedNetwork } from "./fitted-network.js";

/** The option of `fit` that continues the training of a model. */
export const resume = option<FittedNetwork>(
  "model",
  "A model whose training goes on.",
  "a fitted network",
  (value) => value !== null && typeof value === "object" && "training" in value && "network" in value,
);
