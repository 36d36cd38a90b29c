import { describe, expect, it } from "vitest";
import { AgglomerativeClustering } from "../clustering/index.js";
import { Matrix } from "../data/matrix.js";
import { decisionBoundary, explain, partialDependence } from "../inspection/index.js";
import { LinearRegression, LogisticRegression } from "../linear/index.js";
import { confusionMatrix } from "../metrics/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import {
  barPlot,
  beeswarmPlot,
  calibrationPlot,
  confusionMatrixPlot,
  decisionBoundaryPlot,
  dendrogramPlot,
  learningCurvePlot,
  partialDependencePlot,
  prPlot,
  rocPlot,
  treePlot,
} from "./index.js";

const X = Array.from({ length: 24 }, (_, i) => [i % 6, (i * 5) % 7, i % 4]);
const y = X.map(([a, b]) => a! + b! * b!);
const labels = y.map((v) => (v > 12 ? "<b> & co" : "other"));
const plane = X.map((row) => row.slice(0, 2));
const tree = new DecisionTreeRegressor({ maxDepth: 3 }).fit(X, y);
const classes = new DecisionTreeClassifier().fit(X, labels);
const line = new LogisticRegression().fit(plane, labels);
const roc = { fpr: [0, 0.5, 1], tpr: [0, 1, 1] };

const drawings: Record<string, (options: { title: string }) => string> = {
  confusionMatrixPlot: (o) => confusionMatrixPlot(confusionMatrix(labels, labels.toReversed()), o),
  rocPlot: (o) => rocPlot({ a: roc, b: { fpr: [0, 1], tpr: [0, 1] } }, o),
  prPlot: (o) => prPlot({ precision: [1, 0.5], recall: [0, 1] }, o),
  calibrationPlot: (o) => calibrationPlot({ probTrue: [0.1, 0.9], probPred: [0.2, 0.8] }, o),
  learningCurvePlot: (o) =>
    learningCurvePlot(
      {
        trainSizes: [5, 9],
        trainScores: [
          [1, 1],
          [1, 0.9],
        ],
        testScores: [
          [0.5, 0.4],
          [0.7, 0.8],
        ],
      },
      o,
    ),
  barPlot: (o) => barPlot({ names: ["a<b", "c", "d"], mean: [1, -2, 0], std: [0.1, 0.2, 0] }, o),
  "beeswarmPlot without X": (o) => beeswarmPlot(explain(tree, X), undefined, o),
  beeswarmPlot: (o) => beeswarmPlot(explain(tree, X), X, o),
  partialDependencePlot: (o) => partialDependencePlot(partialDependence(tree, X, 0, { individual: true }), o),
  "partialDependencePlot of classes": (o) => partialDependencePlot(partialDependence(classes, X, 1), o),
  "partialDependencePlot of two features": (o) =>
    partialDependencePlot(partialDependence(tree, X, [0, 1]), o),
  "decisionBoundaryPlot of classes": (o) =>
    decisionBoundaryPlot(decisionBoundary(line, plane), plane, labels, o),
  "decisionBoundaryPlot of numbers": (o) =>
    decisionBoundaryPlot(decisionBoundary(tree, X, { resolution: 9 }), undefined, undefined, o),
  dendrogramPlot: (o) =>
    dendrogramPlot(new AgglomerativeClustering().fit(X).dendrogram(), { ...o, threshold: 4 }),
  treePlot: (o) => treePlot(tree, o),
  "treePlot of classes": (o) => treePlot(classes, { ...o, maxDepth: 2, featureNames: ["a", "b<", "c"] }),
};

/** Reads tags, their attributes and entities; throws where XML is not well formed. */
function tagsOf(svg: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const rest = svg.replaceAll(
    /<(\/?)([a-z]+)((?: [a-z0-9:-]+="[^"<>]*")*)(\/?)>/gi,
    (_, end, name, __, empty) => {
      seen.push(name);
      if (end) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<]/);
  expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
  return seen;
}

describe.each(Object.entries(drawings))("%s", (_, draw) => {
  const svg = draw({ title: 'A "title" & <more>' });

  it("is well-formed SVG without NaN or infinite numbers", () => {
    expect(tagsOf(svg)[0]).toBe("svg");
    expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it("has a title that is escaped, and a name for screen readers", () => {
    expect(svg).toContain("<title>A &quot;title&quot; &amp; &lt;more&gt;</title>");
    expect(svg).toMatch(/role="img" aria-label="A &quot;title&quot; &amp; &lt;more&gt;\. .+"/);
  });

  it("is light or dark as the reader prefers", () => {
    expect(svg).toContain("@media(prefers-color-scheme:dark)");
  });

  it("draws within its area", () => {
    const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)!.map(Number);
    const inside = (key: string, most: number) => {
      for (const [, value] of svg.matchAll(new RegExp(` ${key}="(-?[0-9.]+)"`, "g"))) {
        expect(Number(value)).toBeGreaterThanOrEqual(0);
        expect(Number(value)).toBeLessThanOrEqual(most);
      }
    };
    for (const key of ["x", "x1", "x2", "cx"]) inside(key, width!);
    for (const key of ["y", "y1", "y2", "cy"]) inside(key, height!);
  });
});

describe("plots", () => {
  it("put numbers where they belong: a bar of half the size has half the length", () => {
    const svg = barPlot({ names: ["a", "b"], mean: [2, 1] });
    const widths = [...svg.matchAll(/width="([0-9.]+)" height="[0-9.]+" rx="2"/g)].map(([, w]) => Number(w));
    expect(widths).toHaveLength(2);
    expect(widths[0]! / widths[1]!).toBeCloseTo(2, 2);
  });

  it("of ROC curves have their areas", () => {
    expect(rocPlot(roc)).toContain("ROC curve (AUC 0.750)");
    expect(rocPlot({ forest: roc, chance: { fpr: [0, 1], tpr: [0, 1] } })).toContain("chance (AUC 0.500)");
  });

  it("have the size that is asked for", () => {
    expect(rocPlot(roc, { width: 300, height: 200 })).toContain('viewBox="0 0 300 200"');
  });

  it("of a dendrogram have a colour per cluster below the threshold", () => {
    const rows = [[0], [0.1], [5], [5.1], [9], [9.2]];
    const svg = dendrogramPlot(new AgglomerativeClustering({ nClusters: 3 }).fit(rows).dendrogram(), {
      threshold: 1,
    });
    const strokes = [...svg.matchAll(/stroke="(var\(--\w+\))" stroke-width="1.5"/g)].map(([, s]) => s);
    expect(strokes.sort()).toEqual(["var(--c0)", "var(--c1)", "var(--c2)", "var(--ink)", "var(--ink)"]);
  });

  it("remove characters that no XML may have", () => {
    expect(barPlot({ names: ["a\u0000b"], mean: [1] })).toContain(">ab<");
  });

  it("refuse what does not fit together", () => {
    expect(() => rocPlot({ fpr: [0, 1], tpr: [0] })).toThrow("fpr and tpr must be equally long");
    expect(() => rocPlot({ precision: [1], recall: [1] } as never)).toThrow(
      "rocPlot: the curve must be { fpr, tpr }",
    );
    expect(() => barPlot({ names: ["a"], mean: [1, 2] })).toThrow("names, mean and std must be equally long");
    expect(() => beeswarmPlot(explain(tree, X), [[1, 2]])).toThrow(
      "beeswarmPlot: X must be of the explained rows",
    );
    expect(() => barPlot({ names: ["a"], mean: [1] }, { width: 3 })).toThrow("width");
    expect(() => rocPlot(roc, { titel: "ROC" } as never)).toThrow("titel");
    expect(() => treePlot(tree, { featureNames: ["a"] })).toThrow("featureNames must be 3 names");
    const boundary = decisionBoundary(line, plane);
    expect(() => decisionBoundaryPlot(boundary, X)).toThrow("X must be the two columns of the plane");
    const scores = { trainSizes: [1, 2], trainScores: [[1]], testScores: [[1]] };
    expect(() => learningCurvePlot(scores)).toThrow("trainScores must be one row per size (2)");
  });

  it("of constant or single values have an area too", () => {
    const flat = new LinearRegression().fit([[1], [1]], [2, 2]);
    for (const svg of [
      partialDependencePlot(partialDependence(flat, [[1]], 0)),
      beeswarmPlot(explain(flat, [[1]], { background: new Matrix(Float64Array.of(1), 1, 1) })),
      barPlot({ names: ["a"], mean: [0] }),
    ]) {
      tagsOf(svg);
      expect(svg).not.toMatch(/NaN|Infinity/);
    }
  });
});
