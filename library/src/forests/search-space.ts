import type { SearchSpace } from "../core/contract.js";

export const forestSpace: SearchSpace = {
  nEstimators: [100, 200, 400],
  maxFeatures: ["sqrt", "log2", 0.3, 0.6, 1],
  minSamplesLeaf: { integers: [1, 20] },
  maxDepth: [null, 4, 8, 16],
};
