import { describe, expect, test } from "vitest";
import type { Grid } from "../work/protocol.js";
import { type BoundaryOptions, drawBoundary } from "./boundary.js";
import { cividis, classColor, dark, light, mix } from "./colors.js";
import { mark, ring, shapeOf } from "./marks.js";
import { blend, line, pixels } from "./pixels.js";

const at = ({ width, data }: { width: number; data: Uint8ClampedArray }, x: number, y: number) => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3),
];

test("no two of fifty classes have both the same colour and the same shape", () => {
  for (const theme of [light, dark]) {
    const looks = Array.from({ length: 50 }, (_, c) => `${classColor(theme, c)} ${shapeOf(c)}`);
    expect(new Set(looks).size).toBe(50);
  }
});

describe("pixels", () => {
  test("are mixed in whole numbers, and nothing is drawn outside", () => {
    const out = pixels(4, 3, [10, 20, 30]);
    blend(out, 1, 1, [110, 220, 130], 255);
    expect(at(out, 1, 1)).toEqual([110, 220, 130]);
    blend(out, 2, 1, [110, 220, 130], 51);
    expect(at(out, 2, 1)).toEqual([30, 60, 50]);
    const before = [...out.data];
    for (const [x, y] of [
      [-1, 0],
      [4, 0],
      [0, -1],
      [0, 3],
    ] as const)
      blend(out, x, y, [0, 0, 0], 255);
    expect([...out.data]).toEqual(before);
  });

  test("marks are symmetric and have an outline; rings are hollow", () => {
    const out = pixels(21, 21, [255, 255, 255]);
    mark(out, 10, 10, 0, 5, [0, 100, 200], [0, 0, 0]);
    expect(at(out, 10, 10)).toEqual([0, 100, 200]);
    for (let k = 0; k < 10; k++) expect(at(out, 10 + k, 10)).toEqual(at(out, 10 - k, 10));
    expect(at(out, 15, 10)[2]).toBeLessThan(120);
    expect(at(out, 19, 10)).toEqual([255, 255, 255]);
    const hollow = pixels(21, 21, [255, 255, 255]);
    ring(hollow, 10, 10, 8, 2, [0, 0, 0]);
    expect(at(hollow, 10, 10)).toEqual([255, 255, 255]);
    expect(at(hollow, 3, 10)[0]).toBeLessThan(60);
  });

  test("lines reach both ends", () => {
    const out = pixels(10, 10, [255, 255, 255]);
    line(out, [1, 2], [8, 6], [0, 0, 0]);
    expect(at(out, 1, 2)).toEqual([0, 0, 0]);
    expect(at(out, 8, 6)).toEqual([0, 0, 0]);
  });
});

describe("colours", () => {
  test("marks differ from the ground by 3 to 1 where they have no outline of it: the first five", () => {
    const luminance = (color: readonly number[]) =>
      color
        .map((value) => value / 255)
        .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, k) => sum + value * [0.2126, 0.7152, 0.0722][k]!, 0);
    const contrast = (a: readonly number[], b: readonly number[]) => {
      const [high, low] = [luminance(a), luminance(b)].sort((p, q) => q - p) as [number, number];
      return (high + 0.05) / (low + 0.05);
    };
    for (const theme of [light, dark])
      for (let c = 0; c < 5; c++) expect(contrast(classColor(theme, c), theme.ground)).toBeGreaterThan(2.9);
  });

  test("the continuous scale rises in lightness", () => {
    const lightness = Array.from({ length: 11 }, (_, k) =>
      cividis(k / 10).reduce((sum, value) => sum + value, 0),
    );
    expect(lightness).toEqual([...lightness].sort((a, b) => a - b));
    expect(mix([0, 0, 0], [100, 200, 50], 0.5)).toEqual([50, 100, 25]);
  });
});

describe("drawBoundary", () => {
  const n = 20;
  const half = (value: (j: number) => number) => Float32Array.from({ length: n * n }, (_, e) => value(e % n));
  const grid: Grid = {
    view: { axes: ["x", "y"], x: [0, 1], y: [0, 1], n, row: null },
    task: "classification",
    scale: "score",
    classes: 2,
    winner: Uint8Array.from({ length: n * n }, (_, e) => (e % n < n / 2 ? 0 : 1)),
    lead: new Uint8Array(n * n).fill(255),
    value: half((j) => (j - 9.5) / 4),
    margin: null,
  };
  const options: BoundaryOptions = {
    width: 100,
    height: 100,
    theme: light,
    grid,
    probability: true,
    contours: false,
    margins: false,
    points: undefined,
    mistakes: false,
    radius: 3,
    x: [0, 1],
    y: [0, 1],
  };

  test("tints regions by class, stronger where the model is surer", () => {
    const sure = drawBoundary(options);
    expect(at(sure, 10, 50)[2]).toBeGreaterThan(at(sure, 10, 50)[0]!);
    expect(at(sure, 90, 50)[0]).toBeGreaterThan(at(sure, 90, 50)[2]!);
    const unsure = drawBoundary({ ...options, grid: { ...grid, lead: new Uint8Array(n * n) } });
    expect(at(unsure, 10, 50)[0]).toBeGreaterThan(at(sure, 10, 50)[0]!);
  });

  test("draws f = 0 between the classes and the margins where f is ±1", () => {
    const plain = drawBoundary(options);
    const drawn = drawBoundary({ ...options, margins: true });
    const changed = (x: number) =>
      Array.from({ length: 100 }, (_, y) => at(drawn, x, y).join() !== at(plain, x, y).join()).some(Boolean);
    // f is 0 at column 9.5 of 20 cells, hence at pixel 50, and ±1 four cells beside it.
    expect([30, 50, 70].map((x) => changed(x - 1) || changed(x) || changed(x + 1))).toEqual([
      true,
      true,
      true,
    ]);
    expect([10, 40, 60, 90].some(changed)).toBe(false);
  });

  /** Whether anything is drawn beside the regions near a column of pixels. */
  const drawnNear = (grid: Grid) => {
    const plain = drawBoundary({ ...options, grid });
    const drawn = drawBoundary({ ...options, grid, margins: true });
    return (x: number) =>
      [x - 1, x, x + 1].some((column) =>
        Array.from(
          { length: 100 },
          (_, y) => at(drawn, column, y).join() !== at(plain, column, y).join(),
        ).some(Boolean),
      );
  };

  test("draws the margin of three and more classes where the winner leads by its level", () => {
    // The lead falls to 0 in the middle and is 0.5 five cells beside it.
    const values = half((j) => Math.abs(j - 9.5) / 10);
    const near = drawnNear({ ...grid, value: null, margin: { of: "probability", level: 0.5, values } });
    expect([25, 75].map(near)).toEqual([true, true]);
    expect([10, 40, 50, 60, 90].some(near)).toBe(false);
    // Of a step the line is where it goes past the level.
    const steps = half((j) => (j < 5 ? 1 : 0.2));
    const beside = drawnNear({
      ...grid,
      value: null,
      margin: { of: "probability", level: 0.5, values: steps },
    });
    expect([25, 50, 75].map(beside)).toEqual([true, false, false]);
  });

  test("gives a value the same colour in every picture of the same range, and ends beyond it theirs", () => {
    const values = half((j) => j);
    const picture = (range: [number, number]) =>
      drawBoundary({ ...options, grid: { ...grid, task: "regression", value: values }, values: range });
    const [narrow, wide] = [picture([5, 10]), picture([0, 19])];
    expect(at(narrow, 2, 50)).toEqual(at(wide, 2, 50));
    expect(at(narrow, 97, 50)).toEqual(at(wide, 97, 50));
    expect(at(narrow, 52, 50)).toEqual(at(wide, 97, 50));
    expect(at(wide, 52, 50)).not.toEqual(at(wide, 97, 50));
  });

  test("puts points where they are, and marks mistakes", () => {
    const points = { x: [0.25, Number.NaN], y: [0.75, 0.5], label: [0, 1] };
    const drawn = drawBoundary({ ...options, grid: undefined, points });
    expect(at(drawn, 25, 25)).toEqual([...classColor(light, 0)]);
    const wrong = drawBoundary({
      ...options,
      grid: undefined,
      points: { ...points, wrong: () => true },
      mistakes: true,
    });
    expect([...wrong.data]).not.toEqual([...drawn.data]);
  });
});
