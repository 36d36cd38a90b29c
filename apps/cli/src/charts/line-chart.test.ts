import { describe, expect, test } from "vitest";
import { look, picture, widest } from "../../test/pictures.js";
import { colourStyle } from "../terminal/terminal.js";
import { lineChart } from "./line-chart.js";

const unit = Array.from({ length: 21 }, (_, p) => p / 20);
const roc = {
  series: [{ name: "roc", x: unit, y: unit.map((v) => v ** 0.25) }],
  xLabel: "false positive rate",
  yLabel: "true positive rate",
  x: [0, 1] as const,
  y: [0, 1] as const,
  guide: "diagonal" as const,
};
const two = {
  ...roc,
  series: [...roc.series, { name: "versicolor", x: unit, y: unit.map((v) => v ** 0.7) }],
};

describe("lineChart", () => {
  test("draws a curve, its guide and both axes in Braille dots", () => {
    expect(picture(lineChart(roc, look(40), 8))).toMatchInlineSnapshot(`
      "
      true positive rate
      1 ┤                       ⣀⣀⣀⣀⠤⠤⠤⠔⠒⠒⠒⠍⠉⠉
        │            ⢀⣀⠤⠤⠤⠤⠒⠊⠉⠉⠉     ⡀ ⠄ ⠁
        │      ⢀⡠⠔⠒⠊⠉⠁           ⡀ ⠂
        │  ⢀⡠⠔⠊⠁             ⠄ ⠁
        │ ⢠⠃           ⡀ ⠂ ⠁
        │ ⡜        ⡀ ⠂
        │⢠⠃    ⠄ ⠁
      0 ┤⡜ ⠂ ⠁
        └┬─────────────────┬─────────────────┬
        0.0               0.5              1.0
                  false positive rate
      "
    `);
  });

  test("draws the same in ASCII", () => {
    expect(picture(lineChart(roc, look(40, false), 8))).toMatchInlineSnapshot(`
      "
      true positive rate
      1 +                           **********
        |              *************   . .
        |       *******          . . .
        |    ***             . .
        |  **          . . .
        | *      . . .
        | *  . .
      0 +* .
        ++-----------------+-----------------+
        0.0               0.5              1.0
                  false positive rate
      "
    `);
  });

  test("names several curves by letters on them, in ASCII by their marks", () => {
    expect(picture(lineChart(two, look(60), 8))).toMatchInlineSnapshot(`
      "
      true positive rate
      1 ┤                                   ⢀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⣒⣒⣒⠶⠶⠞⠛⠛⠋⠉
        │                   ⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠉⠉⠉⠉⠉⠁  ⢀⣀⣀⡠⠤⠔⡊⠉⠍ ⠂ ⠁
        │         ⢀⣀⠤⠤⠒⠒⠒⠉⠉⠉           ⣀⣀⠤⠔⠒⠊⡉⠉⠅ ⠂ ⠁
        │    ⣀a⠔⠒⠉⠁           ⢀⣀⡠⠤⠒⠒⠊⠉⠉⡀ ⠂ ⠁
        │  ⢠⠋         ⢀⣀⣀⠤⠤⠒⠊⠉⠁⡀ ⠄ ⠂ ⠁
        │ ⢀⠇     ⣀⡠⠤b⠊⠁⡀ ⠄ ⠂ ⠁
        │ ⡎ ⣀⠤⠒⠊⠉⡀ ⠄ ⠁
      0 ┤⡼⠔⠍ ⠂ ⠁
        └┬───────────────────────────┬───────────────────────────┬
        0.0                         0.5                        1.0
                            false positive rate
      a roc   b versicolor
      "
    `);
    expect(picture(lineChart(two, look(60, false), 8))).toMatchInlineSnapshot(`
      "
      true positive rate
      1 +                                         *********ooooooo
        |                      *******************ooooooooo. .
        |          ************        ooooooooooo . .
        |     *****            oooooooo. . . .
        |   **        ooooooooo. . . .
        |  *     ooooo . . . .
        | *oooooo. . .
      0 +oo. .
        ++---------------------------+---------------------------+
        0.0                         0.5                        1.0
                            false positive rate
      * roc   o versicolor
      "
    `);
  });

  test("draws a constant in the middle, points without lines, and a guide at a height", () => {
    const flat = { series: [{ name: "y", x: [1, 2, 3], y: [5, 5, 5] }], xLabel: "x", yLabel: "y" };
    expect(picture(lineChart(flat, look(30), 5))).toMatchInlineSnapshot(`
      "
      y
        │
        │
      5 ┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤
        │
        │
        └─────────────┬─────────────
                      2
                      x
      "
    `);
    const points = {
      series: [{ name: "r", x: [0, 10, 20], y: [-1, 2, 0.5], points: true }],
      xLabel: "predicted",
      yLabel: "residual",
      guide: 0,
    };
    expect(picture(lineChart(points, look(30), 5))).toMatchInlineSnapshot(`
      "
      residual
      2 ┤             ⠈
        │
        │                          ⠠
      0 ┤⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂ ⠂
        │⡀
        └┬─────────────────────────┬
         0                        20
                  predicted
      "
    `);
  });

  test("names the categories of its x axis", () => {
    const chart = {
      series: [{ name: "p", x: [0, 1, 2], y: [0.1, 0.5, 0.4] }],
      xLabel: "island",
      yLabel: "probability",
      xNames: ["Biscoe", "Dream", "Torgersen island"],
    };
    expect(picture(lineChart(chart, look(40), 5))).toMatchInlineSnapshot(`
      "
      probability
          │               ⢀⠤⠊⠉⠒⠒⠤⠤⢄⣀⣀
      0.4 ┤             ⣀⠔⠁          ⠉⠉⠒⠂
          │           ⡠⠊
      0.2 ┤        ⢀⠔⠉
          │      ⡠⠒⠁
          └──────┬──────────┬───────────┬─────
               Biscoe     Dream     Torgersen…
                         island
      "
    `);
  });

  test("is no wider than the terminal", () => {
    for (const width of [20, 33, 40, 79, 80])
      for (const unicode of [true, false])
        expect(widest(lineChart(two, look(width, unicode)))).toBeLessThanOrEqual(width);
  });

  test("paints each curve in a colour of its own", () => {
    const lines = lineChart(two, { ...look(60), style: colourStyle }).join("\n");
    expect(lines).toContain("\u001b[36m");
    expect(lines).toContain("\u001b[32m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(lines.replaceAll(/\u001b\[\d+m/g, "")).toBe(lineChart(two, look(60)).join("\n"));
  });
});
