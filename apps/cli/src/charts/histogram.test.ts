import { describe, expect, test } from "vitest";
import { look, picture } from "../../test/pictures.js";
import { countBins, histogram, sparkline } from "./histogram.js";

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
