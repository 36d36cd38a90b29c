import { describe, expect, test } from "vitest";
import { look, picture } from "../../test/pictures.js";
import { confusionHeatMap } from "./heat-map.js";

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

  test("shades counts by their fraction of the row", () => {
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
