import { describe, expect, it } from "vitest";
import * as argmax from "../../src/index.js";
import { estimatorClasses } from "../../src/persistence/index.js";
import { descriptionChecks } from "./checks/description.js";
import { fittingChecks } from "./checks/fitting.js";
import { inputChecks } from "./checks/input.js";
import { nameChecks } from "./checks/names.js";
import { optionChecks } from "./checks/options.js";
import { persistenceChecks } from "./checks/persistence.js";
import { tableChecks } from "./checks/tables.js";
import { targetChecks } from "./checks/targets.js";
import { claimsOfAnyInput, textChecks } from "./checks/text.js";
import { weightChecks } from "./checks/weights.js";
import { subjects } from "./registry.js";
import { capabilities } from "./subject.js";

const matrixChecks = [
  ...descriptionChecks,
  ...inputChecks,
  ...nameChecks,
  ...tableChecks,
  ...optionChecks,
  ...targetChecks,
  ...weightChecks,
  ...fittingChecks,
  ...persistenceChecks,
];
/** Estimators that take documents answer to all that does not speak of matrices, and to checks of their own. */
const documentChecks = [
  ...descriptionChecks,
  ...optionChecks,
  ...textChecks,
  ...[...weightChecks, ...fittingChecks].filter(({ claim }) => claimsOfAnyInput.includes(claim)),
  ...persistenceChecks,
];
const checks = [...matrixChecks, ...textChecks];

for (const subject of subjects) {
  describe(subject.name, () => {
    const known = capabilities(subject);
    for (const { claim, applies, run } of known.input === "text" ? documentChecks : matrixChecks) {
      if (applies && !applies(known, subject)) continue;
      if (subject.exceptions && Object.hasOwn(subject.exceptions, claim)) continue;
      it(claim, () => run(subject));
    }
  });
}

describe("the registry", () => {
  const isEstimatorClass = (value: unknown): value is (typeof estimatorClasses)[number] =>
    typeof value === "function" && Object.hasOwn(value, "id") && Object.hasOwn(value, "table");
  const exported = (Object.values(argmax) as unknown[]).filter(isEstimatorClass);

  it.each(exported.map((type) => [type.id, type] as const))(
    "has %s, which the library exports",
    (_, type) => {
      expect(subjects.some((subject) => subject.type === type)).toBe(true);
      expect(estimatorClasses).toContain(type);
    },
  );

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
