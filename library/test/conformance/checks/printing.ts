import { inspect } from "node:util";
import { expect } from "vitest";
import { problem } from "../data.js";
import type { Check } from "../subject.js";

/** What a person can read at a glance. */
function expectReadable(text: string): void {
  expect(text).not.toMatch(/\[object|undefined|function/);
  const lines = text.split("\n");
  expect(lines.length).toBeLessThan(60);
  for (const line of lines) expect(line.length, line).toBeLessThan(300);
}

export const printingChecks: readonly Check[] = [
  {
    claim: "prints itself: the call that makes it, and what was learned",
    run: (subject) => {
      const estimator = subject.make();
      const call = String(estimator);
      expectReadable(call);
      expect(call.toLowerCase()).toContain(`${estimator.id.toLowerCase()}(`);
      expect(inspect(estimator)).toBe(call);
      const { X, y } = problem(subject);
      const warnings: string[] = [];
      const model = estimator.fit(X, y, { onWarning: (warning) => warnings.push(warning) });
      const text = String(model);
      expectReadable(text);
      expect(text).toMatch(/^Fitted/);
      expect(text).toMatch(/ {2}features +\d/);
      expect(inspect(model)).toBe(text);
      for (const warning of model.report?.warnings ?? []) {
        expect(text).toContain(warning);
        expect(warnings).toContain(warning);
      }
    },
  },
];
