import { classifierCapabilities, regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { invalid, type ParamSpec } from "../core/params/params.js";
import {
  type ClassificationSet,
  classificationSet,
  type RegressionSet,
  regressionSet,
} from "../data/training-set.js";
import { type MemberInput, type MemberSet, memberSet, openForMembers } from "../ensembles/member-rows.js";
import { type MemberEstimator, paramsOf, requireTask } from "../ensembles/members.js";

/** Estimators by name. */
export type NamedEstimators<E = MemberEstimator> = Readonly<Record<string, E>>;

const isEstimator = (value: unknown): value is MemberEstimator =>
  typeof (value as Partial<MemberEstimator> | null | undefined)?.fit === "function";

/** Objects list names that are whole numbers first, whatever their order, and a dot ends a name in `name.param`. */
const isName = (name: string): boolean =>
  name !== "" && name !== "finalEstimator" && !/^\d+$/.test(name) && !name.includes(".");

/** The parameter that holds the members by name: `{ logistic: new LogisticRegression(), trees: new RandomForestClassifier() }`. */
export function namedEstimators<E>(noun: string): ParamSpec<NamedEstimators<E>> {
  return {
    kind: "estimators",
    default: {},
    doc: `The ${noun}s by name: { first: …, second: … }.`,
    expected: `an object of one or more ${noun}s by name (no numbers, no dots)`,
    read: (value) => {
      if (value === null || typeof value !== "object" || Array.isArray(value)) return invalid;
      const entries = Object.entries(value);
      const fine = entries.length > 0 && entries.every(([name, e]) => isName(name) && isEstimator(e));
      return fine ? (Object.freeze(Object.fromEntries(entries)) as NamedEstimators<E>) : invalid;
    },
  };
}

/** Checks that there are members, and that they are for the task. */
export function checkMembers(where: string, members: NamedEstimators, task: Capabilities["task"]): void {
  if (Object.keys(members).length === 0) {
    const { expected } = namedEstimators(task === "regression" ? "regressor" : "classifier");
    throw new ParameterError({ where, subject: "estimators", expected, received: "none" });
  }
  for (const member of Object.values(members)) requireTask(where, member, task);
}

/** What all members take; `own` is what the whole returns. */
export function capabilitiesOfAll(
  members: readonly object[],
  own: Pick<Capabilities, "task" | "probabilities" | "decisionFunction">,
): Capabilities {
  const all = members.map((member) => capabilitiesOf(member));
  const every = (key: "sparse" | "missing" | "categorical" | "multiclass" | "sampleWeight") =>
    all.every((one) => one?.[key] ?? (key === "multiclass" || key === "sampleWeight"));
  return {
    ...own,
    ...(all.some((one) => one?.input === "text") && { input: "text" as const }),
    sparse: every("sparse"),
    missing: every("missing"),
    categorical: every("categorical"),
    multiclass: own.task === "classification" && every("multiclass"),
    sampleWeight: every("sampleWeight"),
    partialFit: false,
  };
}

/** What classes made of others can be at most; `capabilities` of the object says what it is. */
export const mostOfClassifiers: Capabilities = {
  ...classifierCapabilities,
  sparse: true,
  missing: true,
  categorical: true,
  probabilities: true,
  composite: true,
};
export const mostOfRegressors: Capabilities = {
  ...regressorCapabilities,
  sparse: true,
  missing: true,
  categorical: true,
  composite: true,
};

/** The parts of a composite, as `withParts` is given them. */
export function requireParts(where: string, parts: unknown): ReadonlyMap<string, object> {
  if (Object.prototype.toString.call(parts) === "[object Map]") return parts as ReadonlyMap<string, object>;
  const expected = "a map from names to estimators";
  throw new ParameterError({ where, subject: "the parts", expected, received: show(parts) });
}

/** Several members seen as one, for how X is read. */
const asOne = (members: readonly object[], capabilities: Capabilities): object => ({
  capabilities,
  params: { categoricalFeatures: members.flatMap((m) => paramsOf(m)?.["categoricalFeatures"] ?? []) },
});

/** What a model made of others stores about X. */
export interface Opened {
  readonly input: { readonly sparse: boolean; readonly missing: boolean };
  readonly reads: MemberInput;
}

/** A training set of labels for members, checked. */
export const classificationForMembers = <L extends Label>(
  where: string,
  members: readonly object[],
  capabilities: Capabilities,
  x: Samples,
  y: Labels<L>,
  options: FitOptions,
): { set: MemberSet<ClassificationSet<L>>; opened: Opened } =>
  setForMembers(where, members, capabilities, x, options, (numbers, rules) =>
    classificationSet(where, numbers, y, options, rules, null),
  );

/** The same for numbers. */
export const regressionForMembers = (
  where: string,
  members: readonly object[],
  capabilities: Capabilities,
  x: Samples,
  y: NumberArray,
  options: FitOptions,
): { set: MemberSet<RegressionSet>; opened: Opened } =>
  setForMembers(where, members, capabilities, x, options, (numbers, rules) =>
    regressionSet(where, numbers, y, options, rules),
  );

type OpenedForMembers = ReturnType<typeof openForMembers>;

function setForMembers<S extends ClassificationSet<Label> | RegressionSet>(
  where: string,
  members: readonly object[],
  capabilities: Capabilities,
  x: Samples,
  options: FitOptions,
  read: (x: OpenedForMembers["x"], rules: OpenedForMembers["rules"]) => S,
): { set: MemberSet<S>; opened: Opened } {
  beginFit(where, options);
  requireNoWeights(where, capabilities, options);
  const { sparse, missing } = capabilities;
  const own = openForMembers(where, x, asOne(members, capabilities), { sparse, missing });
  const set = memberSet(read(own.x, own.rules), own.given);
  return { set, opened: { input: { sparse, missing }, reads: own.reads } };
}

export function requireNoWeights(where: string, { sampleWeight }: Capabilities, options: FitOptions): void {
  if (sampleWeight || options.sampleWeight === undefined) return;
  const expected = "absent, since not all of the estimators take weights";
  throw new ParameterError({ where, subject: "sampleWeight", expected, received: "weights" });
}

/** The labels of class indices. */
export const labelsOf = <L extends Label>({
  classes,
  codes,
}: {
  classes: readonly L[];
  codes: Int32Array;
}): L[] => Array.from(codes, (k) => classes[k]!);
