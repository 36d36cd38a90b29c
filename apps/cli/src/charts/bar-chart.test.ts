import { describe, expect, test } from "vitest";
import { look, picture, widest } from "../../test/pictures.js";
import { barChart } from "./bar-chart.js";

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

  test("a bar that is almost zero, on the other side, leaves the others their length", () => {
    for (const sign of [1, -1]) {
      const bars = [
        { name: "a", value: sign * 0.16, text: "0.16" },
        { name: "b", value: sign * -0.0001, text: "0.00" },
      ];
      const [long, short] = barChart(bars, look(40));
      expect(long!.match(/█/g)!.length).toBeGreaterThan(20);
      expect(short).not.toContain("█");
    }
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
