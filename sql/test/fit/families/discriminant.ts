import { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "argmax";
import { classSamples, type FitCase, numbersSample } from "../cases.js";

const SUMS = "scatters of sums in another order, and solutions of equations in them";

const two = () => numbersSample("two classes", { classes: 2 });
const weights = () => numbersSample("weights", { weighted: true });
const far = () => numbersSample("an offset of 1e8", { offset: 1e8 });

const linear = (
  name: string,
  params: ConstructorParameters<typeof LinearDiscriminantAnalysis>[0],
): FitCase => ({
  name: `LinearDiscriminantAnalysis ${name}`,
  make: () => new LinearDiscriminantAnalysis(params),
  samples: classSamples(),
  within: 1e-7,
  because: SUMS,
});

export const discriminant: readonly FitCase[] = [
  linear("by svd", { storeCovariance: true }),
  linear("by lsqr", { solver: "lsqr", shrinkage: 0.25 }),
  linear("by eigen", { solver: "eigen" }),
  linear("shrunk as Ledoit and Wolf would", { solver: "eigen", shrinkage: "auto" }),
  {
    name: "LinearDiscriminantAnalysis with parameters",
    make: () =>
      new LinearDiscriminantAnalysis({ nComponents: 1, priors: [0.2, 0.3, 0.5], classWeight: "balanced" }),
    samples: [numbersSample("numbers"), weights(), far()],
    within: 1e-7,
    because: SUMS,
  },
  {
    name: "QuadraticDiscriminantAnalysis",
    make: () => new QuadraticDiscriminantAnalysis({ storeCovariance: true }),
    samples: classSamples(),
    within: 1e-7,
    because: SUMS,
  },
  {
    name: "QuadraticDiscriminantAnalysis with one covariance",
    make: () =>
      new QuadraticDiscriminantAnalysis({ tiedCovariance: true, regParam: 0.1, classWeight: "balanced" }),
    samples: [two(), weights(), far()],
    within: 1e-7,
    because: SUMS,
  },
];
