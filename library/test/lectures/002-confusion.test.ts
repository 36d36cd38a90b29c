import {
  binaryRates,
  columnTransformer,
  confusionMatrix,
  GaussianNB,
  NeuralClassifier,
  pipeline,
  StandardScaler,
  trainValidationTestSplit,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { dense } from "argmax/neural";
import { describe, expect, it } from "vitest";

const times = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

describe("C15 the confusion matrix of two classes", () => {
  // All four counts differ, so that any other layout shows.
  const [TN, FN, FP, TP] = [7, 2, 5, 11];
  const truth = [...times(TN + FP, 0), ...times(FN + TP, 1)];
  const predicted = [...times(TN, 0), ...times(FP, 1), ...times(FN, 0), ...times(TP, 1)];

  it("is (TN FN / FP TP) with predictions in the rows, and its transpose with the truth in the rows", () => {
    const lecture = confusionMatrix(truth, predicted, { layout: "rows-are-predictions" });
    expect(lecture.toArray()).toEqual([
      [TN, FN],
      [FP, TP],
    ]);
    expect(confusionMatrix(truth, predicted).toArray()).toEqual([
      [TN, FP],
      [FN, TP],
    ]);
    for (const layout of ["rows-are-predictions", "rows-are-truth"] as const) {
      const matrix = confusionMatrix(truth, predicted, { layout });
      expect([matrix.count(0, 0), matrix.count(1, 0), matrix.count(0, 1), matrix.count(1, 1)]).toEqual([
        TN,
        FN,
        FP,
        TP,
      ]);
    }
  });

  it("has TPR = TP/P, TNR = TN/N, FNR = FN/P = 1 − TPR and FPR = FP/N = 1 − TNR", () => {
    const { tpr, tnr, fnr, fpr } = binaryRates(truth, predicted);
    expect(tpr).toBe(11 / 13);
    expect(tnr).toBe(7 / 12);
    expect(fnr).toBeCloseTo(2 / 13, 15);
    expect(fpr).toBeCloseTo(5 / 12, 15);
    expect(fnr + tpr).toBeCloseTo(1, 15);
    expect(fpr + tnr).toBeCloseTo(1, 15);
  });

  it("exchanges the rates when the other class is the positive one", () => {
    const usual = binaryRates(truth, predicted);
    const exchanged = binaryRates(truth, predicted, { positiveLabel: 0 });
    expect([exchanged.tpr, exchanged.tnr, exchanged.fnr, exchanged.fpr]).toEqual([
      usual.tnr,
      usual.tpr,
      usual.fpr,
      usual.fnr,
    ]);
  });
});

describe("X16 confusion matrices of training, validation and test rows, several classes", async () => {
  const { X, y } = await loadDataset("penguins");
  const split = trainValidationTestSplit(X, y, { stratify: true });
  const classes = [...new Set(y)].sort();
  const K = classes.length;
  const bayes = new GaussianNB().fit(split.train.X, split.train.y);
  // Two columns in, ten hidden neurons, one output per class.
  const bill = columnTransformer({ bill: [new StandardScaler(), [0, 1]] });
  const layers = [dense(10, { activation: "sigmoid" }), dense(3, { activation: "softmax" })];
  const network = pipeline(bill, new NeuralClassifier({ layers, maxIter: 300 })).fit(
    split.train.X,
    split.train.y,
  );
  const models = { "naive Bayes": bayes, "the 2–10–3 network": network } as const;
  const names = Object.keys(models) as (keyof typeof models)[];
  const shareOf = (labels: readonly string[], label: string) =>
    labels.filter((other) => other === label).length / labels.length;

  it("70, 15 and 15 of 100 rows, each row once, and every class as often as in all rows", () => {
    const parts = [split.train, split.validation, split.test];
    const shares = [0.7, 0.15, 0.15];
    parts.forEach((part, p) => {
      // The parts have whole numbers of rows of every class: one row more or less.
      expect(Math.abs(part.y.length - shares[p]! * y.length)).toBeLessThanOrEqual(2);
      for (const label of classes)
        expect(Math.abs(shareOf(part.y, label) - shareOf(y, label))).toBeLessThan(1.5 / part.y.length);
    });
    const rows = parts.flatMap(({ indices }) => [...indices]).sort((a, b) => a - b);
    expect(rows).toEqual(y.map((_, i) => i));
  });

  it("the network has two inputs, ten hidden neurons and three outputs", () => {
    expect(network.last.nFeatures).toBe(2);
    expect(network.last.parameterCount).toBe(2 * 10 + 10 + 10 * 3 + 3);
    expect(network.score(split.test.X, split.test.y)).toBeGreaterThan(0.9);
  });

  it.each(
    names.flatMap((model) =>
      (["train", "validation", "test"] as const).map((part) => [model, part] as const),
    ),
  )(
    "%s, %s: row c, column r counts class r predicted as c; columns sum to the classes, the diagonal to the accuracy",
    (of, name) => {
      const part = split[name];
      const model = models[of];
      const predicted = model.predict(part.X);
      const lecture = confusionMatrix(part.y, predicted, {
        labels: classes,
        layout: "rows-are-predictions",
      });
      const byHand = classes.map((prediction) =>
        classes.map(
          (truth) => part.y.filter((label, i) => label === truth && predicted[i] === prediction).length,
        ),
      );
      expect(lecture.classes).toEqual(classes);
      expect(lecture.toArray()).toEqual(byHand);
      classes.forEach((label, k) => {
        const column = byHand.reduce((sum, row) => sum + row[k]!, 0);
        expect(column).toBe(part.y.filter((other) => other === label).length);
      });
      const right = classes.reduce((sum, _, k) => sum + lecture.matrix.at(k, k), 0);
      expect(right / part.y.length).toBe(model.score(part.X, part.y));
      const transposed = confusionMatrix(part.y, predicted, { labels: classes });
      for (let r = 0; r < K; r++)
        for (let c = 0; c < K; c++) expect(transposed.matrix.at(r, c)).toBe(lecture.matrix.at(c, r));
    },
  );

  it.each(names)(
    "%s: is not symmetric on the training rows, so that a transposed layout would have failed above",
    (of) => {
      const model = models[of];
      const { matrix } = confusionMatrix(split.train.y, model.predict(split.train.X));
      expect(matrix.toArray()).not.toEqual(matrix.transpose().toArray());
    },
  );
});
