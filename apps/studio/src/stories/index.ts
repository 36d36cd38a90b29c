import { attention } from "./attention.js";
import { backPropagation } from "./back-propagation.js";
import { bagging } from "./bagging.js";
import { boosting } from "./boosting.js";
import { cascade } from "./cascade.js";
import { convolution } from "./convolution.js";
import { discriminants } from "./discriminants.js";
import { impurity } from "./impurity.js";
import { kernels } from "./kernels.js";
import { logistic } from "./logistic.js";
import { margins } from "./margins.js";
import { mixtures } from "./mixtures.js";
import { naiveBayes } from "./naive-bayes.js";
import { neurons } from "./neurons.js";
import { penalties } from "./penalties.js";
import type { Story } from "./story.js";

/** Every story, in the order of the lectures. */
export const stories: readonly Story[] = [
  logistic,
  naiveBayes,
  discriminants,
  penalties,
  margins,
  kernels,
  impurity,
  bagging,
  boosting,
  cascade,
  neurons,
  backPropagation,
  convolution,
  attention,
  mixtures,
];
