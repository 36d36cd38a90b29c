import { GaussianNB } from "argmax";
import { classSamples, type FitCase, ROUNDING } from "../cases.js";

export const bayes: readonly FitCase[] = [
  {
    name: "GaussianNB",
    make: () => new GaussianNB(),
    samples: classSamples(),
    within: 1e-10,
    because: ROUNDING,
  },
];
