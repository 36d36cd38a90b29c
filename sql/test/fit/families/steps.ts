import { MaxAbsScaler, MinMaxScaler, QuantileTransformer, RobustScaler, StandardScaler } from "argmax";
import type { Sample } from "../cases.js";
import { type FitCase, numbersSample, ROUNDING, rowSamples, tailsSample } from "../cases.js";

const EXACT = "order statistics are numbers of the column";

const exact = (name: string, make: FitCase["make"], samples: readonly Sample[] = unweighted()): FitCase => ({
  name,
  make,
  samples,
  within: 0,
  because: EXACT,
});

const unweighted = () => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("an offset of 1e8", { task: "none", offset: 1e8 }),
  tailsSample("long tails, few values, equal values and gaps between them"),
];

export const steps: readonly FitCase[] = [
  {
    name: "StandardScaler",
    make: () => new StandardScaler(),
    samples: rowSamples(),
    within: 1e-10,
    because: ROUNDING,
  },
  exact("MinMaxScaler", () => new MinMaxScaler({ featureRange: [-1, 2], clip: true }), rowSamples()),
  exact("MaxAbsScaler", () => new MaxAbsScaler(), rowSamples()),
  exact("RobustScaler", () => new RobustScaler()),
  exact(
    "RobustScaler with parameters",
    () => new RobustScaler({ quantileRange: [3, 88], unitVariance: true, withCentering: false }),
  ),
  exact("QuantileTransformer", () => new QuantileTransformer({ nQuantiles: 40 })),
];
