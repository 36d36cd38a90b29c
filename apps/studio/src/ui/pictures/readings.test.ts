import { describe, expect, test } from "vitest";
import type { Grid } from "../../work/protocol.js";
import { answerText, crosshairText, readingAt } from "./readings.js";

const view = {
  axes: ["billLength", "flipperLength"] as const,
  x: [30, 62] as const,
  y: [168, 235] as const,
  n: 2,
  row: null,
};
const grid: Grid = {
  view,
  task: "classification",
  scale: "probability",
  classes: 3,
  // From the top: the largest y comes first.
  winner: Uint8Array.of(0, 1, 2, 0),
  lead: Uint8Array.of(255, 182, 0, 128),
  value: null,
  margin: null,
};
const classes = ["Adelie", "Chinstrap", "Gentoo"];

describe("what a crosshair reads", () => {
  test("the values of the place with as many digits as a step, and the probability of the winner", () => {
    const at = [0.44, 0.5] as const;
    expect(crosshairText(view, at, "Chinstrap 0.81")).toBe(
      "billLength 44.1, flipperLength 202: Chinstrap 0.81",
    );
    expect(crosshairText({ ...view, x: [0, 0.01], y: [-5e6, 5e6] }, at, null)).toBe(
      "billLength 0.0044, flipperLength 0",
    );
  });

  test("the cell at the place, y upwards", () => {
    expect(answerText(readingAt(grid, 0.9, 0.9), classes)).toBe("Chinstrap 0.81");
    expect(answerText(readingAt(grid, 0, 0), classes)).toBe("Gentoo 0.33");
    expect(answerText(readingAt(grid, 1, 0), classes)).toBe("Adelie 0.67");
    expect(answerText(readingAt(grid, 0, 1), classes)).toBe("Adelie 1.00");
  });

  test("scores of two classes, values, clusters and labels", () => {
    const value = Float32Array.of(1.25, -0.5, 0, 153.2);
    expect(answerText(readingAt({ ...grid, scale: "score", classes: 2, value }, 0, 1), ["A", "B"])).toBe(
      "A, f = 1.25",
    );
    expect(answerText(readingAt({ ...grid, scale: "score" }, 0.9, 0.9), classes)).toBe("Chinstrap");
    expect(answerText(readingAt({ ...grid, scale: "value", value }, 0.9, 0), [])).toBe("153.2");
    expect(answerText(readingAt({ ...grid, scale: "label" }, 0, 0), [])).toBe("cluster 2");
  });
});
