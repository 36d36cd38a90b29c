import { describe, expect, test } from "vitest";
import { colourStyle, noStyle } from "../terminal.js";
import { barChart } from "./bar-chart.js";
import { confusionHeatMap } from "./heat-map.js";
import { countBins, histogram, sparkline } from "./histogram.js";
import { lineChart } from "./line-chart.js";
import { type Look, lookOf, shorten, supportsUnicode } from "./look.js";
import { rangeOf, ticks, tickTexts } from "./scale.js";

const look = (width: number, unicode = true): Look => ({ width, unicode, style: noStyle });
/** A frame keeps the blanks at the ends of a picture. */
const picture = (lines: readonly string[]) => `\n${lines.join("\n")}\n`;
const widest = (lines: readonly string[]) => Math.max(...lines.map((line) => [...line].length));

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

describe("barChart", () => {
  const positive = [
    { name: "flipper length in millimetres", value: 3, text: "3.00 ± 0.10" },
    { name: "bill depth", value: 1.4, text: "1.40 ± 0.02" },
    { name: "year", value: 0, text: "0.00 ± 0.00" },
  ];
  const signed = [
    { name: "sex = male", value: 2.5, text: "+2.50" },
    { name: "island = Dream", value: -1.25, text: "−1.25" },
    { name: "year", value: 0.1, text: "+0.10" },
  ];

  test("draws positive bars from the left, in eighths of a cell", () => {
    expect(picture(barChart(positive, look(60)))).toMatchInlineSnapshot(`
      "
      flipper length in m…  3.00 ± 0.10  █████████████████████████
      bill depth            1.40 ± 0.02  ███████████▋
      year                  0.00 ± 0.00
      "
    `);
    expect(picture(barChart(positive, look(40)))).toMatchInlineSnapshot(`
      "
      flipper leng…  3.00 ± 0.10  ████████████
      bill depth     1.40 ± 0.02  █████▋
      year           0.00 ± 0.00
      "
    `);
    expect(picture(barChart(positive, look(40, false)))).toMatchInlineSnapshot(`
      "
      flipper leng~  3.00 ± 0.10  ############
      bill depth     1.40 ± 0.02  ######
      year           0.00 ± 0.00
      "
    `);
  });

  test("draws negative bars to the left of zero, in the same scale", () => {
    expect(picture(barChart(signed, look(50)))).toMatchInlineSnapshot(`
      "
      sex = male      +2.50           │█████████████████
      island = Dream  −1.25  ▐████████│
      year            +0.10           │▋
      "
    `);
    expect(picture(barChart(signed, look(50, false)))).toMatchInlineSnapshot(`
      "
      sex = male      +2.50           |#################
      island = Dream  −1.25  #########|
      year            +0.10           |#
      "
    `);
  });

  test("has no bars for zeros, and nothing for nothing", () => {
    expect(barChart([{ name: "a", value: 0, text: "0" }], look(40))).toEqual(["a  0"]);
    expect(barChart([], look(40))).toEqual([]);
  });

  test("is no wider than the terminal", () => {
    for (const width of [30, 40, 80])
      for (const bars of [positive, signed])
        expect(widest(barChart(bars, look(width)))).toBeLessThanOrEqual(width);
  });
});

describe("confusionHeatMap", () => {
  const penguins = {
    names: ["Adelie", "Chinstrap", "Gentoo"],
    counts: [
      [150, 1, 0],
      [10, 58, 0],
      [0, 0, 123],
    ],
  };
  const many = (K: number) => ({
    names: Array.from({ length: K }, (_, k) => `class number ${k}`),
    counts: Array.from({ length: K }, (_, r) =>
      Array.from({ length: K }, (_, c) => (r === c ? 90 : (r + c) % 7 === 0 ? r : 0)),
    ),
  });

  test("shades counts by their share of the row", () => {
    expect(picture(confusionHeatMap(penguins, look(80)))).toMatchInlineSnapshot(`
      "
                           predicted
      truth         Adelie  Chinstrap     Gentoo
      Adelie         █ 150        ░ 1          ·
      Chinstrap       ░ 10       █ 58          ·
      Gentoo             ·          ·      █ 123
      "
    `);
    expect(picture(confusionHeatMap(penguins, look(80, false)))).toMatchInlineSnapshot(`
      "
                           predicted
      truth         Adelie  Chinstrap     Gentoo
      Adelie         # 150        . 1          .
      Chinstrap       . 10       # 58          .
      Gentoo             .          .      # 123
      "
    `);
  });

  test("numbers the columns where names are too long", () => {
    expect(picture(confusionHeatMap(penguins, look(40)))).toMatchInlineSnapshot(`
      "
                       predicted
      truth            1      2      3
      1 Adelie     █ 150    ░ 1      ·
      2 Chinstrap   ░ 10   █ 58      ·
      3 Gentoo         ·      ·  █ 123
      "
    `);
  });

  test("gives up shades, then the matrix, where there are many classes", () => {
    expect(picture(confusionHeatMap(many(8), look(48)))).toMatchInlineSnapshot(`
      "
                                  predicted
      truth              1   2   3   4   5   6   7   8
      1 class number 0  90   ·   ·   ·   ·   ·   ·   ·
      2 class number 1   ·  90   ·   ·   ·   ·   1   ·
      3 class number 2   ·   ·  90   ·   ·   2   ·   ·
      4 class number 3   ·   ·   ·  90   3   ·   ·   ·
      5 class number 4   ·   ·   ·   4  90   ·   ·   ·
      6 class number 5   ·   ·   5   ·   ·  90   ·   ·
      7 class number 6   ·   6   ·   ·   ·   ·  90   ·
      8 class number 7   7   ·   ·   ·   ·   ·   ·  90
      "
    `);
    expect(picture(confusionHeatMap(many(8), look(40)))).toMatchInlineSnapshot(`
      "
      The most frequent mistakes (truth →
      predicted) among 8 classes:
      7  class number 7 → class number 0
      6  class number 6 → class number 1
      5  class number 5 → class number 2
      4  class number 4 → class number 3
      3  class number 3 → class number 4
      2  class number 2 → class number 5
      1  class number 1 → class number 6
      "
    `);
    const none = {
      names: many(40).names,
      counts: many(40).counts.map((row, r) => row.map((v, c) => (r === c ? v : 0))),
    };
    expect(confusionHeatMap(none, look(40))).toEqual(["No mistakes among 40 classes."]);
  });
});

describe("histogram", () => {
  const values = Array.from({ length: 200 }, (_, i) => ((i * 37) % 101) + ((i * 53) % 97));

  test("draws columns of blocks", () => {
    expect(picture(histogram(values, look(80), 4))).toMatchInlineSnapshot(`
      "
                ▆▁▆█▆▃▃▁▁▁
             ▁▁▆██████████▆▄
         ▂  ▇███████████████▇▇▂▂
      ▅▇▅█▇▇████████████████████▅▅▅
      ─────────────────────────────
      0                         193
      "
    `);
    expect(picture(histogram(values, look(20, false), 3))).toMatchInlineSnapshot(`
      "
            :==#+--:
          :-#########-:
      +=**#############*==
      --------------------
      0                193
      "
    `);
  });

  test("counts every number once, the largest in the last bin", () => {
    const { counts, edges } = countBins([0, 1, 2, 3, 4], 2);
    expect(counts).toEqual([2, 3]);
    expect(edges).toEqual([0, 2, 4]);
    expect(countBins([7, 7, 7], 3).counts).toEqual([0, 3, 0]);
  });

  test("a sparkline shows every number above zero", () => {
    expect(sparkline([0, 0.001, 1, 2, 4, 8], look(10))).toBe(" ▁▁▂▄█");
    expect(sparkline([0, 4, 8], look(10, false))).toBe(" =#");
    expect(sparkline([], look(10))).toBe("");
    expect(sparkline([0, 0], look(10))).toBe("  ");
  });
});

describe("scales and text", () => {
  test("ticks are round numbers inside the range", () => {
    expect(ticks([0, 1], 6)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    expect(ticks([0, 1], 3)).toEqual([0, 0.5, 1]);
    expect(ticks([-150, 320], 5)).toEqual([-100, 0, 100, 200, 300]);
    expect(tickTexts([0, 0.02, 0.04])).toEqual(["0.00", "0.02", "0.04"]);
    expect(tickTexts([0, 2e6])).toEqual(["0", "2.0e6"]);
    expect(tickTexts([0, 50])).toEqual(["0", "50"]);
  });

  test("a range of one number has room on both sides; none is 0 to 1", () => {
    expect(rangeOf([4, 4])).toEqual([2, 6]);
    expect(rangeOf([0])).toEqual([-1, 1]);
    expect(rangeOf([])).toEqual([0, 1]);
    expect(rangeOf([3, 1, 2])).toEqual([1, 3]);
  });

  test("ASCII is for dumb terminals and for locales that are not UTF-8", () => {
    expect(supportsUnicode({})).toBe(true);
    expect(supportsUnicode({ LANG: "de_DE.UTF-8" })).toBe(true);
    expect(supportsUnicode({ LANG: "de_DE.utf8", LC_ALL: "C" })).toBe(false);
    expect(supportsUnicode({ LC_CTYPE: "en_US.ISO-8859-1" })).toBe(false);
    expect(supportsUnicode({ TERM: "dumb", LANG: "C.UTF-8" })).toBe(false);
  });

  test("charts are 80 columns wide at the most", () => {
    const terminal = { print: () => {}, emit: () => {}, note: () => {}, style: noStyle };
    expect(lookOf({ ...terminal, width: Infinity }, {}).width).toBe(80);
    expect(lookOf({ ...terminal, width: 52 }, {}).width).toBe(52);
  });

  test("text that is too long is cut and marked", () => {
    expect(shorten("Chinstrap", 6, true)).toBe("Chins…");
    expect(shorten("Chinstrap", 6, false)).toBe("Chins~");
    expect(shorten("Adelie", 6, true)).toBe("Adelie");
    expect(shorten("Adelie", 0, true)).toBe("");
  });
});
