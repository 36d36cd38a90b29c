import fc from "fast-check";
import { expect, it } from "vitest";
import { rowAt } from "./row-order.js";

it("puts the selected rows first and the others after them, each once and in order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), (chosen) => {
      const first = Int32Array.from(chosen).sort();
      const rows = Array.from({ length: 61 }, (_, position) => rowAt(position, first));
      const others = Array.from({ length: 61 }, (_, i) => i).filter((i) => !chosen.includes(i));
      expect(rows).toEqual([...first, ...others]);
    }),
  );
});
