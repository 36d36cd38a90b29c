import type { FittedModel, Label, LinearScores, Transform } from "argmax";
import { estimatorClasses, linearScoresOf, structureOf } from "argmax";
import { maxOf } from "argmax/numeric";
import { barPlot } from "argmax/plot";
import { describeModel, namesOfSteps, type OpenedModel, stepsOf } from "../report/opened-model.js";
import { withoutTitle } from "../report/page.js";
import { type Findings, largest, type NamedValue, type Section } from "../report/sections.js";
import { inputNames, lastStepNames, readableName } from "./feature-names.js";

/** Trees with more leaves are shown down to this depth only. */
const SMALL_TREE = 16;
const DEPTH_OF_LARGE_TREES = 3;

/** Members that models may have. Which ones a model has is known at run time only. */
interface AnyModel extends FittedModel {
  readonly classes?: readonly Label[];
  readonly featureImportances?: Float64Array | null;
  readonly leafCount?: number;
  readonly depth?: number;
  rules?(options: { featureNames?: readonly string[]; maxDepth?: number }): string;
  readonly summary?: unknown;
  readonly choices?: unknown;
  readonly members?: unknown;
  readonly estimators?: unknown;
}

/** Numbers that a model has per column. */
interface Weights {
  readonly kind: "coefficient" | "importance";
  /** The class or pair of classes whose score the coefficients add up to. */
  readonly output: string | undefined;
  /** Whether the score is that of the first of two classes against the second. */
  readonly isPair: boolean;
  readonly values: ArrayLike<number>;
  readonly intercept: number | undefined;
}

export interface KnowledgeSettings {
  readonly top: number;
  /** Of several classes: coefficients of this one only. */
  readonly chosen: Label | undefined;
}

/** What a model says about itself: its settings, how it was trained, coefficients, importances, rules and layers. */
export function knowledge(opened: OpenedModel, { top, chosen }: KnowledgeSettings): Findings {
  const { model, card } = opened;
  const steps = stepsOf(model);
  const last = steps.at(-1) as AnyModel;
  const names = lastStepNames(model, inputNames(model, card));
  const readable = names.map((name) => readableName(name, card));
  const weights = chosenWeights(weightsOf(last), chosen);
  const facts = factsOf(opened, last);
  const columns = steps.flatMap(treatments);
  const isScaled = steps.slice(0, -1).some(scalesColumns);
  const rules = rulesOf(last, readable);
  const layers = typeof last.summary === "string" ? last.summary : undefined;
  const isOpaque = weights.length === 0 && rules === undefined && layers === undefined;
  const sections: Section[] = [
    { kind: "facts", title: "Model", text: isOpaque ? OPAQUE : "", rows: facts },
    ...(columns.length === 0
      ? []
      : [
          {
            kind: "facts" as const,
            title: "Columns",
            text: "What is done with each column of the table.",
            rows: columns,
          },
        ]),
    ...weights.map((one) =>
      weightsSection(one, readable, weights.length > 2 ? Math.min(top, 6) : top, isScaled),
    ),
    ...(rules === undefined ? [] : [{ kind: "source" as const, title: "Rules", ...rules }]),
    ...(layers === undefined
      ? []
      : [
          {
            kind: "source" as const,
            title: "Layers",
            text: "Output shapes and numbers of parameters.",
            source: layers,
          },
        ]),
  ];
  const objects = [
    { type: "model", name: opened.name, kind: namesOfSteps(model), facts: Object.fromEntries(facts) },
    ...weights.flatMap((one) => weightsObjects(one, names)),
    ...(rules === undefined ? [] : [{ type: "rules", text: rules.source }]),
    ...(layers === undefined ? [] : [{ type: "layers", text: layers }]),
  ];
  return { sections, objects };
}

const OPAQUE =
  "Models of this kind have no coefficients, importances or rules. Explained with DATA, which columns matter is measured.";

/** Whether a step brings columns to one scale. */
function scalesColumns(step: FittedModel): boolean {
  const structure = structureOf(step);
  const isScaling = (part: Transform): boolean =>
    part.kind === "affine" ||
    part.kind === "quantiles" ||
    (part.kind === "branches" && part.branches.some(({ steps }) => steps.some(isScaling)));
  return structure.kind === "transformer" && structure.steps.some(isScaling);
}

/** Lines that charts show better, or that mean nothing to a reader. */
const NOT_SHOWN = new Set(["coef", "theta", "var", "trainScore", "validationScore", "baseline", "epsilon"]);

/** The steps, and what the last of them prints about itself. */
function factsOf({ model, card }: OpenedModel, last: AnyModel): [string, string][] {
  const own = String(last)
    .split("\n")
    .slice(1)
    .flatMap((line): [string, string][] => {
      const [, name, text] = /^ {2}(\S+) +(.*)$/.exec(line) ?? [];
      return name === undefined || NOT_SHOWN.has(name)
        ? []
        : [[name, name === "features" ? text!.split(":")[0]! : text!]];
    });
  const settings = settingsOf(last);
  const members = membersOf(last);
  return [
    ["steps", describeModel(model)],
    ...(card?.target === undefined ? [] : [["target", card.target] as [string, string]]),
    ...(card?.rows === undefined
      ? []
      : [["trained on", `${card.rows} rows × ${card.inputs.length} columns`] as [string, string]]),
    ...own,
    ...(settings === "" ? [] : [["settings", settings] as [string, string]]),
    ...(members === undefined ? [] : [["members", members] as [string, string]]),
  ];
}

/** Parameters with another value than the usual one; of kernel methods the kernel too. */
function settingsOf(model: FittedModel): string {
  const { kind, params } = model.toState();
  const table = estimatorClasses.find(({ id }) => id === kind)?.table;
  if (table === undefined || params === null || typeof params !== "object") return "";
  const entries = Object.entries(params).filter(
    ([name, value]) =>
      (name === "kernel" || JSON.stringify(value) !== JSON.stringify(table[name]?.default)) && isShort(value),
  );
  return entries
    .map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

const isShort = (value: unknown): boolean => (JSON.stringify(value) ?? "").length <= 60;

/** The classes of the models that a model is made of. */
function membersOf({ members, estimators }: AnyModel): string | undefined {
  const given = members ?? estimators;
  if (given === undefined || given === null || typeof given !== "object") return undefined;
  const kinds = Object.values(given).flatMap((one: unknown) => {
    const model = ((one as { model?: unknown }).model ?? one) as Partial<FittedModel>;
    return typeof model.toState === "function" ? [describeModel(model as FittedModel)] : [];
  });
  const distinct = [...new Set(kinds)];
  return kinds.length === 0 ? undefined : `${kinds.length}: ${distinct.slice(0, 6).join(", ")}`;
}

/** A table vectorizer prints a line per column. */
function treatments(step: FittedModel): [string, string][] {
  const { choices } = step as AnyModel;
  if (!Array.isArray(choices)) return [];
  const names = choices.map((choice: { readonly column: string | number }) => String(choice.column));
  return String(step)
    .split("\n")
    .slice(2)
    .map((line, j): [string, string] => [
      names[j] ?? "",
      line
        .slice(
          2 +
            maxOf(
              names.map((name) => name.length),
              "features".length,
            ),
        )
        .trim(),
    ]);
}

function weightsOf(model: AnyModel): Weights[] {
  const structure = structureOf(model);
  const linear =
    "scores" in structure && structure.steps.length === 0 ? linearScoresOf(structure.scores) : undefined;
  if (linear === undefined) {
    const { featureImportances: values } = model;
    return values
      ? [{ kind: "importance", output: undefined, isPair: false, values, intercept: undefined }]
      : [];
  }
  const { coef, intercept } = linear;
  const isPair = structure.kind === "classifier" && structure.decision.kind === "pairs";
  const outputs = outputNames(model.classes, coef.rows, isPair);
  return Array.from(intercept, (own, r) => ({
    kind: "coefficient",
    output: outputs[r],
    isPair,
    values: coef.data.subarray(r * coef.cols, (r + 1) * coef.cols),
    intercept: interceptAt(linear, own, r),
  }));
}

/** The score of a row of zeros: scores of rows far from 0 are stored around another origin. */
const interceptAt = ({ coef, origin }: LinearScores, intercept: number, r: number): number =>
  origin
    ? origin.reduce((sum, value, j) => sum - coef.data[r * coef.cols + j]! * value, intercept)
    : intercept;

/** The coefficients of one class, where each class has its own. */
function chosenWeights(weights: readonly Weights[], chosen: Label | undefined): readonly Weights[] {
  const own = weights.filter(({ output }) => output === String(chosen));
  return chosen === undefined || own.length === 0 ? weights : own;
}

/** What each row of coefficients is for: the second of two classes, each of several, or each pair. */
function outputNames(
  classes: readonly Label[] | undefined,
  rows: number,
  arePairs: boolean,
): (string | undefined)[] {
  if (classes === undefined) return [undefined];
  if (rows === 1) return [String(classes.at(-1))];
  if (!arePairs) return classes.map(String);
  return classes.flatMap((a, k) => classes.slice(k + 1).map((b) => `${a} against ${b}`));
}

const named = ({ values }: Weights, names: readonly string[]): NamedValue[] =>
  Array.from(values, (value, j) => ({ name: names[j] ?? `x${j}`, value }));

function weightsSection(weights: Weights, names: readonly string[], top: number, isScaled: boolean): Section {
  const { kind, output, isPair, intercept } = weights;
  const all = named(weights, names);
  const svg = withoutTitle(
    barPlot(
      { names: all.map(({ name }) => name), mean: all.map(({ value }) => value) },
      { most: top, title: "" },
    ),
  );
  const of = output === undefined ? "" : ` for ${output}`;
  const scale = isScaled
    ? "The columns have the same scale, so that coefficients are comparable."
    : "Coefficients are per unit of their column: only those of columns of the same scale are comparable.";
  const text =
    kind === "importance"
      ? "How much the splits on a column improve the trees; the sum is 1."
      : `A positive coefficient raises the ${output === undefined ? "prediction" : isPair ? "score of the first class" : "score of the class"}. ${scale}` +
        (intercept === undefined ? "" : ` Intercept ${formatIntercept(intercept)}.`);
  const title = kind === "importance" ? "Importances" : `Coefficients${of}`;
  return { kind: "bars", title, text, ...largest(all, top), isSigned: kind === "coefficient", svg };
}

const formatIntercept = (value: number): string => String(Number(value.toPrecision(4))).replace("-", "−");

function weightsObjects(weights: Weights, names: readonly string[]): Findings["objects"] {
  const { kind, output, intercept } = weights;
  const objects = named(weights, names).map(({ name, value }) => ({
    type: kind,
    feature: name,
    value,
    ...(output !== undefined && { output }),
  }));
  if (intercept === undefined) return objects;
  return [...objects, { type: "intercept", value: intercept, ...(output !== undefined && { output }) }];
}

function rulesOf(
  model: AnyModel,
  featureNames: readonly string[],
): { text: string; source: string } | undefined {
  if (typeof model.rules !== "function" || model.leafCount === undefined) return undefined;
  const isSmall = model.leafCount <= SMALL_TREE;
  const source = model.rules({ featureNames, ...(isSmall ? {} : { maxDepth: DEPTH_OF_LARGE_TREES }) });
  const text = isSmall
    ? "A row follows the condition that it meets; its leaf is the prediction."
    : `The first ${DEPTH_OF_LARGE_TREES} of ${model.depth} levels; the tree has ${model.leafCount} leaves.`;
  return { text, source };
}
