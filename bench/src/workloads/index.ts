import type { Workload } from "../workload.js";
import { bayes } from "./bayes.js";
import { boosting } from "./boosting.js";
import { classification, stochastic } from "./classification.js";
import { clusterings } from "./clusters.js";
import { discriminant } from "./discriminant.js";
import { ensembles } from "./ensembles.js";
import { kernelMethods } from "./kernel-methods.js";
import { kernels } from "./kernels.js";
import { kit } from "./kit.js";
import { machines } from "./machines.js";
import { metrics } from "./metrics.js";
import { neighbors } from "./neighbors.js";
import { networks } from "./networks.js";
import { regression } from "./regression.js";
import { latency, small } from "./small.js";
import { tables } from "./tables.js";
import { text } from "./text.js";
import { trees } from "./trees.js";

/** Every row of the benchmark, in the order of the table. */
export const workloads: readonly Workload[] = [
  ...classification,
  ...stochastic,
  ...regression,
  ...small,
  ...bayes,
  ...discriminant,
  ...text,
  ...tables,
  ...machines,
  ...kernelMethods,
  ...trees,
  ...ensembles,
  ...boosting,
  ...neighbors,
  ...clusterings,
  ...networks,
  ...kit,
  ...latency,
  ...metrics,
  ...kernels,
];
