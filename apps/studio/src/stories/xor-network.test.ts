import { expect, test } from "vitest";
import { valuesOf } from "./xor-network.js";

test("two hidden neurons and an output compute XOR", () => {
  for (const x of [0, 1])
    for (const y of [0, 1]) expect(valuesOf([x, y])).toEqual([[x, y], [x | y, 1 - (x & y)], [x ^ y]]);
});
