import type { FitCase } from "../cases.js";
import { bayes } from "./bayes.js";
import { clusters } from "./clusters.js";
import { composites } from "./composites.js";
import { decomposition } from "./decomposition.js";
import { discriminant } from "./discriminant.js";
import { dummies } from "./dummies.js";
import { hostile } from "./hostile.js";
import { linear } from "./linear.js";
import { steps } from "./steps.js";
import { trees } from "./trees.js";

/** Every estimator that learns in a database. */
export const families: Readonly<Record<string, readonly FitCase[]>> = {
  steps,
  bayes,
  discriminant,
  dummies,
  decomposition,
  linear,
  clusters,
  composites,
  trees,
  hostile,
};
