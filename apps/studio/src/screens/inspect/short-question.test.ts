import { expect, test } from "vitest";
import { shortQuestion } from "./short-question.js";

test("the name of a column is cut, its threshold is not", () => {
  expect(shortQuestion("billLength ≤ 43.35", 19)).toBe("billLength ≤ 43.35");
  expect(shortQuestion("flipperLength ≤ 206.5", 19)).toBe("flipperLen… ≤ 206.5");
  expect(shortQuestion("island in Biscoe, Dream, Torgersen", 19)).toBe("island in Biscoe, …");
  expect(shortQuestion("a name ≤ 1.234567890123456789", 19)).toBe("a… ≤ 1.234567890123456789");
});
