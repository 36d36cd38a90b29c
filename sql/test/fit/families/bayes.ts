import {
  BernoulliNB,
  betaPrior,
  CategoricalNB,
  ComplementNB,
  GaussianNB,
  MixedNB,
  MultinomialNB,
} from "argmax";
import { classSamples, countsSample, type FitCase, numbersSample, ROUNDING } from "../cases.js";

const counts = () => [
  countsSample("two classes", { classes: 2 }),
  countsSample("three classes"),
  countsSample("weights", { weighted: true }),
];

const codes = () => [...counts(), countsSample("booleans as labels", { labels: "boolean", classes: 2 })];

export const bayes: readonly FitCase[] = [
  {
    name: "GaussianNB",
    make: () => new GaussianNB(),
    samples: classSamples(),
    within: 1e-10,
    because: ROUNDING,
  },
  {
    name: "GaussianNB with priors and balanced classes",
    make: () => new GaussianNB({ priors: [0.2, 0.3, 0.5], classWeight: "balanced", varSmoothing: 1e-3 }),
    samples: [numbersSample("numbers"), numbersSample("weights", { weighted: true })],
    within: 1e-10,
    because: ROUNDING,
  },
  {
    name: "MultinomialNB",
    make: () => new MultinomialNB(),
    samples: counts(),
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "MultinomialNB with parameters",
    make: () => new MultinomialNB({ alpha: [0.5, 1, 2], fitPrior: false, classWeight: "balanced" }),
    samples: [
      countsSample("counts"),
      countsSample("whole numbers as labels", { labels: "number", weighted: true }),
    ],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "ComplementNB",
    make: () => new ComplementNB({ norm: true, alpha: 0.25 }),
    samples: counts(),
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "BernoulliNB",
    make: () => new BernoulliNB({ binarize: 1, alpha: betaPrior(2, 3) }),
    samples: counts(),
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "BernoulliNB below 0",
    make: () => new BernoulliNB({ binarize: -0.5, classPrior: [0.5, 0.25, 0.25] }),
    samples: [numbersSample("numbers"), numbersSample("weights", { weighted: true })],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "BernoulliNB of bits",
    make: () => new BernoulliNB({ binarize: null }),
    samples: [countsSample("bits", { most: 1 })],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "CategoricalNB",
    make: () => new CategoricalNB(),
    samples: codes(),
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "CategoricalNB with parameters",
    make: () => new CategoricalNB({ alpha: 0.5, minCategories: [9, 2, 3], classPrior: [0.5, 0.25, 0.25] }),
    samples: [countsSample("counts"), countsSample("weights", { weighted: true })],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "MixedNB",
    make: () =>
      new MixedNB({
        blocks: [
          { model: "categorical", columns: [2], minCategories: 8 },
          { model: "bernoulli", columns: [0], binarize: 1 },
        ],
        classWeight: "balanced",
      }),
    samples: [...counts(), countsSample("gaussian rest", { seed: 5 })],
    within: 1e-10,
    because: ROUNDING,
  },
];
