import { CNNClassifier, Matrix, MLPClassifier } from "argmax";
import type { Files } from "./files.js";
import { fashion } from "./images.js";
import type { PublishedRow } from "./row.js";

/** Published results of neural networks. Starts are random, so that a figure is one to reach. */

/** Pixels from 0 to 1. */
function scaled(files: Files, part: "train" | "t10k") {
  const { X, y } = fashion(files, part);
  return {
    X: new Matrix(
      X.data.map((pixel) => pixel / 255),
      X.rows,
      X.cols,
    ),
    y,
  };
}

const accuracy = (files: Files, estimator: MLPClassifier | CNNClassifier): number => {
  const [train, test] = [scaled(files, "train"), scaled(files, "t10k")];
  return estimator.fit(train.X, train.y).score(test.X, test.y);
};

export const networkRows: readonly PublishedRow[] = [
  {
    data: "Fashion-MNIST",
    method: "784–100–10 network, 20 epochs: test accuracy",
    source: "Xiao et al. 2017, table 3 (scikit-learn's MLPClassifier)",
    figures: [{ name: "at least", published: 0.871, digits: 3, atLeast: true }],
    run: (files) => [accuracy(files, new MLPClassifier({ maxIter: 20 }))],
  },
  {
    data: "Fashion-MNIST",
    method: "two convolutions with pooling, 5 epochs: test accuracy",
    source: "Fashion-MNIST's own list: 0.876 to 0.916",
    figures: [{ name: "at least", published: 0.9, digits: 2, atLeast: true }],
    run: (files) => [accuracy(files, new CNNClassifier({ maxIter: 5, batchSize: 64 }))],
  },
];
