import type { SearchSpace } from "../core/contract.js";

export const networkSpace: SearchSpace = {
  hiddenLayerSizes: [[32], [64], [128], [64, 64]],
  alpha: { log: [1e-6, 1e-1] },
  learningRateInit: { log: [3e-4, 1e-2] },
};
