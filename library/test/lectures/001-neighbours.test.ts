import { KNeighborsClassifier, KNeighborsRegressor, Matrix, makeBlobs, NearestCentroid } from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

describe("B1 the first learning algorithm: k-nearest neighbours", () => {
  it("needs no training: a model is its rows, and one neighbour returns their labels", async () => {
    const { X, y } = await loadDataset("wine");
    const model = new KNeighborsClassifier({ nNeighbors: 1 }).fit(X, y);
    expect(model.predict(X)).toEqual(y);
    expect(model.nSamples).toBe(178);
  });

  it("predicts numbers by the mean of the neighbours' targets", () => {
    const model = new KNeighborsRegressor({ nNeighbors: 2 }).fit([[0], [1], [4]], [10, 20, 60]);
    expect(Array.from(model.predict([[0.4], [3]]))).toEqual([15, 40]);
  });

  it("with all rows as neighbours predicts the most frequent class everywhere, and the mean of all targets", () => {
    const X = [[0], [1], [2], [3], [10]];
    expect(
      new KNeighborsClassifier({ nNeighbors: 5 }).fit(X, ["a", "b", "b", "b", "a"]).predict([[-9], [99]]),
    ).toEqual(["b", "b"]);
    const model = new KNeighborsRegressor({ nNeighbors: 5 }).fit(X, [1, 2, 3, 4, 5]);
    expect(Array.from(model.predict([[-9], [99]]))).toEqual([3, 3]);
  });
});

describe("C7 a new sample belongs to the class of the majority of its neighbours", () => {
  const neighbours = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1.1],
    [0, 9],
  ];
  const classes = ["red", "red", "blue", "blue", "blue"];

  it("counts by hand", () => {
    const votes = (k: number) =>
      new KNeighborsClassifier({ nNeighbors: k }).fit(neighbours, classes).predictProba([[0.1, 0.1]]);
    expect(votes(1).toArray()).toEqual([[0, 1]]);
    expect(votes(3).toArray()).toEqual([[1 / 3, 2 / 3]]);
    expect(votes(4).toArray()).toEqual([[0.5, 0.5]]);
    expect(votes(5).toArray()).toEqual([[0.6, 0.4]]);
  });

  it("with one neighbour every point takes the class of the nearest row: cells whose walls are half-way between rows", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 1 }).fit(
      [
        [0, 0],
        [4, 0],
      ],
      ["left", "right"],
    );
    expect(
      model.predict([
        [1.999, 5],
        [2.001, -5],
      ]),
    ).toEqual(["left", "right"]);
  });

  it("more neighbours make the boundary smoother: fewer errors on noisy classes", () => {
    const draw = (seed: number) =>
      makeBlobs({ nSamples: 400, centers: 2, clusterStd: 3, centerBox: [-3, 3], randomState: seed });
    const [train, test] = [draw(1), draw(1)];
    const noise = new Matrix(
      test.X.data.map((v, e) => v + 1.3 * Math.sin(7 * e)),
      400,
      2,
    );
    const score = (k: number) =>
      new KNeighborsClassifier({ nNeighbors: k }).fit(train.X, train.y).score(noise, test.y);
    expect(score(25)).toBeGreaterThan(score(1));
  });

  it("and one mean per class is the coarsest of such classifiers", async () => {
    const { X, y } = await loadDataset("iris");
    const { centroids } = new NearestCentroid().fit(X, y);
    expect(Array.from(centroids.row(0), (v) => +v.toFixed(3))).toEqual([5.006, 3.428, 1.462, 0.246]);
  });
});
