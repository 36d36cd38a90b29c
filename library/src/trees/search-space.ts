import type { SearchSpace } from "../core/contract.js";

export const treeSpace: SearchSpace = {
  maxDepth: [null, 2, 3, 4, 6, 8, 12],
  minSamplesLeaf: { integers: [1, 40] },
  ccpAlpha: { log: [1e-5, 1e-1] },
};
