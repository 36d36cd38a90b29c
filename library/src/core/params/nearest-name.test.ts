import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.js";

test("a missing, wrong, added or swapped letter is one error; case and underscores do not count", () => {
  const names = ["survived", "sex", "maxDepth"];
  for (const word of ["surived", "survivex", "survivedd", "suvrived"])
    expect(nearestName(word, names, 1)).toBe("survived");
  expect(nearestName("max_depth", names, 0)).toBe("maxDepth");
  expect(nearestName("sxe", names)).toBe("sex");
});

test("names that are too far are not meant, and the nearest of several is", () => {
  expect(nearestName("age", ["survived", "sex"])).toBeUndefined();
  expect(nearestName("tol", ["col", "tool"], 0)).toBeUndefined();
  expect(nearestName("weights", ["weightx", "weights2"], 2)).toBe("weightx");
});
