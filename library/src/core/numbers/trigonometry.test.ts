import { describe, expect, it } from "vitest";
import { cos, sin } from "./elementary.js";
import { Random } from "./random.js";

const unitInLastPlace = (x: number) => 2 ** (Math.floor(Math.log2(Math.abs(x))) - 52);

describe("sin and cos", () => {
  it("are within one unit in the last place of the engine's own, up to a million", () => {
    const random = new Random(1);
    for (let draw = 0; draw < 20_000; draw++) {
      const x = (random.uniform() - 0.5) * [4, 200, 2e6][draw % 3]!;
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThanOrEqual(unitInLastPlace(Math.sin(x)));
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThanOrEqual(unitInLastPlace(Math.cos(x)));
    }
  });

  it("stay accurate where the result is nearly 0", () => {
    for (let k = 1; k < 1000; k++) {
      const x = (k * Math.PI) / 2;
      const [small, engine] = k % 2 === 0 ? [sin(x), Math.sin(x)] : [cos(x), Math.cos(x)];
      expect(Math.abs(small - engine)).toBeLessThanOrEqual(unitInLastPlace(engine));
    }
  });

  it("are exact at 0 and odd or even as they should be", () => {
    expect(sin(0)).toBe(0);
    expect(sin(-0)).toBe(-0);
    expect(cos(0)).toBe(1);
    expect(sin(-1.25)).toBe(-sin(1.25));
    expect(cos(-1.25)).toBe(cos(1.25));
  });

  it("give NaN where the argument is too large to be reduced", () => {
    expect(sin(1e7)).toBeNaN();
    expect(cos(Number.NaN)).toBeNaN();
  });
});
