import { StandardScaler } from "argmax";
import { type FitCase, ROUNDING, rowSamples } from "../cases.js";

export const steps: readonly FitCase[] = [
  {
    name: "StandardScaler",
    make: () => new StandardScaler(),
    samples: rowSamples(),
    within: 1e-10,
    because: ROUNDING,
  },
];
