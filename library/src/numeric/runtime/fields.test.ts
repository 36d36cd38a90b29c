import { describe, expect, it } from "vitest";
import { type PointsInputs, pointsBytes, pointsF64 } from "../generated/kernel-scores.layout.js";
import { withArena } from "./arena.js";
import { Fields } from "./fields.js";

describe("the fields of a kernel's class", () => {
  it("are written and read at the places of the layout", () => {
    withArena("test", (arena) => {
      const fields = new Fields(arena.zeros(pointsBytes / 8), pointsF64);
      fields.write({ count: 3, length: 7 });
      fields.set("d", 5);
      expect(fields.get("count")).toBe(3);
      expect(Array.from(fields.memory.array)).toEqual([0, 0, 0, 0, 3, 5, 0, 0, 7]);
      expect(fields.ptr).toBe(fields.memory.ptr);
    });
  });

  it("cannot be misspelled or left out: that does not compile", () => {
    const wrong = (fields: Fields<keyof typeof pointsF64>): PointsInputs => {
      // @ts-expect-error: no field of this name
      fields.write({ counts: 3 });
      // @ts-expect-error: no field of this name
      fields.get("counts");
      // @ts-expect-error: `length` is missing
      return { x: 0, starts: 0, columns: 0, values: 0, count: 0, d: 0, norms: 0, program: 0 };
    };
    expect(wrong).toBeTypeOf("function");
  });
});
