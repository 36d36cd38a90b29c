import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as argmax from "../../src/index.js";
import { estimatorClasses } from "../../src/persistence/index.js";
import { checks } from "./conform.js";
import { families, subjects } from "./registry.js";

describe("the registry", () => {
  const isEstimatorClass = (value: unknown): value is (typeof estimatorClasses)[number] =>
    typeof value === "function" && ["id", "table", "restore"].every((name) => Object.hasOwn(value, name));
  const exported = (Object.values(argmax) as unknown[]).filter(isEstimatorClass);

  it.each(exported.map((type) => [type.id, type] as const))(
    "has %s, which the library exports",
    (_, type) => {
      expect(subjects.some((subject) => subject.type === type)).toBe(true);
      expect(estimatorClasses).toContain(type);
    },
  );

  it("has a test file for every family", () => {
    const files = readdirSync(new URL("./families", import.meta.url));
    const names = Object.keys(families).map((family) =>
      family.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`),
    );
    expect(files.sort()).toEqual(names.map((name) => `${name}.test.ts`).sort());
  });

  it("of persistence has every class once, and nothing that is not exported", () => {
    const ids = estimatorClasses.map((type) => type.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const type of estimatorClasses) expect(exported).toContain(type);
  });

  it("names only claims that exist in its exceptions, each with a reason", () => {
    const claims = checks.map(({ claim }) => claim);
    expect(new Set(claims).size).toBe(claims.length);
    for (const { exceptions = {}, agreement } of subjects) {
      for (const [claim, reason] of Object.entries(exceptions)) {
        expect(claims).toContain(claim);
        expect(reason.length).toBeGreaterThan(20);
      }
      expect(agreement.because.length).toBeGreaterThan(10);
    }
  });
});
