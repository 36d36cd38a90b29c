import { describe, it } from "vitest";
import { expectNoGrowth } from "../conformance/checks/fitting.js";
import { subjects } from "../conformance/registry.js";

describe("does not grow memory over 200 fits", () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))("%s", (_, subject) => {
    expectNoGrowth(subject);
  });
});
