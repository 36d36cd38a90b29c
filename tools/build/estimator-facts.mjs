/**
 * Writes `apps/studio/src/generated/estimators.ts`: what the studio shows of estimators before a worker has loaded the library. Read from
 * the compiled classes, after `tsc -b`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** "RandomForestClassifier" → "Random forest", "SVC" → "SVC"; the title that a class declares comes first. */
export function titleOf({ id, title }) {
  if (title !== undefined) return title;
  const words = id
    .replace(/(Classifier|Regressor)$/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return words
    .split(" ")
    .map((word, k) => (k === 0 || /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}

/** The models of a task that every table begins with, in their places. Densities are compared with clusterings. */
export function startersOf(classes, tasks) {
  return classes
    .filter(({ starter, capabilities }) => starter !== undefined && tasks.includes(capabilities.task))
    .sort((a, b) => a.starter.place - b.starter.place)
    .map(({ id, starter }) => ({ estimator: id, params: starter.params ?? {} }));
}

export function factsSource(classes) {
  const titles = Object.fromEntries(classes.map((Class) => [Class.id, titleOf(Class)]));
  const twoClasses = classes
    .filter(({ capabilities: { task, multiclass } }) => task === "classification" && !multiclass)
    .map(({ id }) => id);
  const starters = {
    classification: startersOf(classes, ["classification"]),
    regression: startersOf(classes, ["regression"]),
    clustering: startersOf(classes, ["clustering", "density"]),
  };
  return [
    "// Written by tools/build/estimator-facts.mjs.",
    "/** What people call every estimator of the library, by its id. */",
    `export const titles: Readonly<Record<string, string>> = ${JSON.stringify(titles, null, 2)};`,
    "/** Classifiers for two classes only. */",
    `export const twoClassesOnly: readonly string[] = ${JSON.stringify(twoClasses)};`,
    "/** The models that every table begins with, by task. */",
    `export const starters = ${JSON.stringify(starters, null, 2)} as const;`,
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { estimatorClasses } = await import(resolve(root, "library/dist/persistence/index.js"));
  const path = resolve(root, "apps/studio/src/generated/estimators.ts");
  const text = factsSource(estimatorClasses);
  mkdirSync(dirname(path), { recursive: true });
  // A file that stays as it is keeps its date, and the compiler its work.
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
