import type { SearchSpace } from "../core/contract.js";

export const boostingSpace: SearchSpace = {
  learningRate: { log: [0.01, 0.5] },
  maxLeafNodes: { integers: [7, 63] },
  minSamplesLeaf: { integers: [5, 60] },
  l2Regularization: [0, 0.1, 1, 10],
  maxIter: [50, 100, 200, 400],
};
