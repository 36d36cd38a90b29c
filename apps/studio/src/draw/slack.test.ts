import { describe, expect, test } from "vitest";
import type { Grid } from "../work/protocol.js";
import { slackSegments } from "./slack.js";
import { zeroLine } from "./trail.js";

const n = 60;

/** f on the cells of the unit square, y up. */
function gridOf(f: (x: number, y: number) => number): Grid {
  const value = Float32Array.from({ length: n * n }, (_, e) =>
    f(((e % n) + 0.5) / n, 1 - (Math.floor(e / n) + 0.5) / n),
  );
  return {
    view: { axes: ["x", "y"], x: [0, 1], y: [0, 1], n, row: null },
    task: "classification",
    scale: "score",
    classes: 2,
    winner: Uint8Array.from(value, (one) => (one > 0 ? 1 : 0)),
    lead: new Uint8Array(n * n).fill(255),
    value,
    margin: null,
  };
}

const rows = (...points: readonly (readonly [number, number, number])[]) => ({
  x: (i: number) => points[i]![0],
  y: (i: number) => points[i]![1],
  label: points.map(([, , label]) => label),
});

describe("slack", () => {
  const linear = gridOf((x, y) => 4 * (x - 0.5) + 3 * (y - 0.5));

  test("of a linear f is the perpendicular to the row's own margin", () => {
    // y f = −1.4 · 1 at the first row, whose margin f = 1 is 2.4 / 5 away along (0.8, 0.6).
    const [first, second] = slackSegments(linear, rows([0.3, 0.3, 1], [0.6, 0.5, 0]));
    expect(first![2]).toBeCloseTo(0.3 + (2.4 / 5) * 0.8, 3);
    expect(first![3]).toBeCloseTo(0.3 + (2.4 / 5) * 0.6, 3);
    // f = 0.4, and the first class wants f = −1.
    expect(second![2]).toBeCloseTo(0.6 - (1.4 / 5) * 0.8, 3);
    expect(second![3]).toBeCloseTo(0.5 - (1.4 / 5) * 0.6, 3);
  });

  test("is nothing for rows beyond their margin, outside of the picture, without a class, or of a third one", () => {
    const beyond = rows([0.9, 0.9, 1], [0.1, 0.1, 0], [1.4, 0.5, 0], [0.5, 0.5, -1], [0.5, 0.5, 2]);
    expect(slackSegments(linear, beyond)).toEqual([]);
  });

  test("is not drawn where the margin is never reached", () => {
    const low = gridOf((x, y) => 0.5 - (x - 0.5) ** 2 - (y - 0.5) ** 2);
    expect(slackSegments(low, rows([0.4, 0.3, 1]))).toEqual([]);
    // Its margin lies outside of the picture.
    expect(
      slackSegments(
        gridOf((x) => 0.5 * x),
        rows([0.5, 0.5, 1]),
      ),
    ).toEqual([]);
    expect(slackSegments({ ...linear, value: null }, rows([0.3, 0.3, 1]))).toEqual([]);
  });

  test("follows a curved f to its margin", () => {
    const ring = gridOf((x, y) => 3 - 8 * Math.hypot(x - 0.5, y - 0.5));
    const [segment] = slackSegments(ring, rows([0.9, 0.5, 1]));
    expect(Math.hypot(segment![2] - 0.5, segment![3] - 0.5)).toBeCloseTo(0.25, 2);
    expect(segment![3]).toBeCloseTo(0.5, 2);
  });
});

test("the line of an earlier step is exact, from border to border", () => {
  const [x0, y0, x1, y1] = zeroLine(gridOf((x, y) => 2 * x - y - 0.25))!;
  // From above: y = 2 x − 0.25 up is 1.25 − 2 x down.
  for (const [x, y] of [
    [x0, y0],
    [x1, y1],
  ] as const)
    expect(y).toBeCloseTo(1.25 - 2 * x, 5);
  expect(new Set([x0, y0, x1, y1].map((end) => Math.round(end * 1e5) / 1e5))).toContain(0);
  expect(zeroLine(gridOf((x, y) => x + y + 1))).toBeNull();
});
