import type { Workload } from "../workload.js";
import { argmax, classified, faster, sklearn, tiny } from "./contestants.js";
import { digits, documents, fiveClasses, iris } from "./data.js";

const row = classified("naive_bayes");

/** Fits, and the classes of all rows; the objective is the mean log loss on them. */
const fits: readonly Workload[] = [
  row(
    "multinomial-nb",
    "MultinomialNB, 20,000 × 50,000, 150 non-zeros a row, fit and predict",
    documents,
    "MultinomialNB",
    faster,
  ),
  row(
    "bernoulli-nb",
    "BernoulliNB, 20,000 × 50,000, 150 non-zeros a row, fit and predict",
    documents,
    "BernoulliNB",
    faster,
  ),
  row(
    "complement-nb",
    "ComplementNB, 20,000 × 50,000, 150 non-zeros a row, fit and predict",
    documents,
    "ComplementNB",
    faster,
  ),
  row(
    "gaussian-nb-200k",
    "GaussianNB, 200,000 × 50, 5 classes, fit and predict",
    fiveClasses,
    "GaussianNB",
    faster,
  ),
  row("digits-multinomial-nb", "MultinomialNB, digits, fit and predict", digits, "MultinomialNB", faster),
  row("iris-gaussian-nb", "GaussianNB, iris, fit and predict", iris, "GaussianNB", tiny),
  row("iris-bernoulli-nb", "BernoulliNB above 3 cm, iris, fit and predict", iris, "BernoulliNB", tiny, {
    ours: { binarize: 3 },
    theirs: { binarize: 3 },
  }),
];

const predictOne = (name: string): Workload => ({
  id: `predict-one-${name.toLowerCase()}`,
  title: `predict one row, ${name}, iris`,
  group: "probabilistic",
  action: "predictOne",
  data: iris,
  contestants: [argmax(name), sklearn(`naive_bayes.${name}`)],
  pledge: { seconds: 5e-6, ratio: 1 },
});

export const bayes: readonly Workload[] = [...fits, predictOne("GaussianNB"), predictOne("MultinomialNB")];
