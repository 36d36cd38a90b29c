import type { FittedModel, ModelCard } from "argmax";
import { stepsOf } from "../report/opened-model.js";

/** Steps give their outputs names: by a function of the names of their inputs, or by a list. */
interface NamingStep {
  featureNames?(input?: readonly string[]): readonly string[];
  readonly featureNamesOut?: readonly string[];
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, j) => `x${j}`);

/** The columns that a model reads: those of its training table, of its card, or numbers. */
export const inputNames = (model: FittedModel, card: ModelCard | undefined): readonly string[] =>
  model.featureNamesIn ?? card?.inputs.map(({ name }) => name) ?? numbered(model.nFeatures);

/** The names of the columns that reach the last step of a pipeline. */
export function lastStepNames(model: FittedModel, inputs: readonly string[]): readonly string[] {
  const steps = stepsOf(model);
  let names: readonly string[] | undefined = inputs;
  for (const step of steps.slice(0, -1)) {
    const { featureNames, featureNamesOut } = step as NamingStep;
    names = typeof featureNames === "function" ? featureNames.call(step, names) : featureNamesOut;
  }
  const { nFeatures } = steps.at(-1)!;
  return names?.length === nFeatures ? names : numbered(nFeatures);
}

/** The input that a column was made of, as far as its name shows it: `island` for `island_Biscoe`. */
export function originOf(name: string, inputs: readonly string[]): string | undefined {
  if (inputs.includes(name)) return name;
  const candidates = inputs.filter((input) => name.startsWith(`${input}_`));
  return candidates.sort((a, b) => b.length - a.length)[0];
}

/** Names of one-hot columns as people write them: `island = Biscoe`, `sex = missing`. */
export function readableName(name: string, card: ModelCard | undefined): string {
  const categorical = (card?.inputs ?? []).filter(({ kind }) => kind === "categorical" || kind === "boolean");
  const origin = originOf(
    name,
    categorical.map((input) => input.name),
  );
  if (origin === undefined || origin === name) return name;
  const category = name.slice(origin.length + 1);
  return `${origin} = ${category === "null" ? "missing" : category}`;
}
