import type { SearchSpace } from "../core/contract.js";

export const neighborsSpace: SearchSpace = {
  nNeighbors: { integers: [1, 40] },
  weights: ["uniform", "distance"],
  p: [1, 2],
};
