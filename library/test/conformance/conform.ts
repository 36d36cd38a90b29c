import { describe, it } from "vitest";
import { descriptionChecks } from "./checks/description.js";
import { fittingChecks } from "./checks/fitting.js";
import { inputChecks } from "./checks/input.js";
import { nameChecks } from "./checks/names.js";
import { optionChecks } from "./checks/options.js";
import { persistenceChecks } from "./checks/persistence.js";
import { printingChecks } from "./checks/printing.js";
import { structureChecks } from "./checks/structure.js";
import { tableChecks } from "./checks/tables.js";
import { targetChecks } from "./checks/targets.js";
import { claimsOfAnyInput, textChecks } from "./checks/text.js";
import { weightChecks } from "./checks/weights.js";
import { capabilities, type Subject } from "./subject.js";

const matrixChecks = [
  ...descriptionChecks,
  ...printingChecks,
  ...inputChecks,
  ...nameChecks,
  ...tableChecks,
  ...optionChecks,
  ...targetChecks,
  ...weightChecks,
  ...fittingChecks,
  ...structureChecks,
  ...persistenceChecks,
];
/** Estimators that take documents answer to all that does not speak of matrices, and to checks of their own. */
const documentChecks = [
  ...descriptionChecks,
  ...printingChecks,
  ...optionChecks,
  ...textChecks,
  ...[...weightChecks, ...fittingChecks].filter(({ claim }) => claimsOfAnyInput.includes(claim)),
  ...structureChecks,
  ...persistenceChecks,
];
export const checks = [...matrixChecks, ...textChecks];

/** Holds every subject to all that its capabilities promise. */
export function conform(subjects: readonly Subject[]): void {
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
}
