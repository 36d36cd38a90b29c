import { GaussianNB, pipeline, StandardScaler } from "argmax";
import { classSamples, type FitCase, ROUNDING } from "../cases.js";

export const composites: readonly FitCase[] = [
  {
    name: "pipeline(StandardScaler, GaussianNB)",
    make: () => pipeline(new StandardScaler(), new GaussianNB()),
    samples: classSamples(),
    within: 1e-8,
    because: ROUNDING,
  },
];
