import { classifier, regressor } from "../core/capabilities.js";
import { type Composite, requireParts } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel, Samples } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf, classFacts, Estimator } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { invalid, type ParamSpec, type ParamsTable } from "../core/params/params.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { classificationSet, regressionSet } from "../data/training-set.js";
import { type MembersState, membersState, type Opened } from "../ensembles/fitted-members.js";
import { type MemberSet, memberSet, openForMembers } from "../ensembles/member-rows.js";
import { type MemberEstimator, memberOptions, paramsOf, requireTask } from "../ensembles/members.js";

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
    throw new ParameterError(where, "estimators", expected, "none");
  }
  for (const member of Object.values(members)) requireTask(where, member, task);
}

/** What an estimator made of these members takes: what all of them take; it returns what its class declares. */
export function capabilitiesOfWhole(whole: object, members: readonly object[]): Capabilities {
  const { task, probabilities, decisionFunction } = classFacts(whole) as Capabilities;
  const all = members.map((member) => capabilitiesOf(member));
  const every = (key: "sparse" | "missing" | "categorical" | "multiclass" | "sampleWeight") =>
    all.every((one) => one?.[key] ?? (key === "multiclass" || key === "sampleWeight"));
  return {
    task,
    probabilities,
    decisionFunction,
    ...(all.some((one) => one?.input === "text") && { input: "text" as const }),
    sparse: every("sparse"),
    missing: every("missing"),
    categorical: every("categorical"),
    multiclass: task === "classification" && every("multiclass"),
    sampleWeight: every("sampleWeight"),
    partialFit: false,
  };
}

/** What classes made of others can be at most; `capabilities` of the object says what it is. */
export const composedClassifier = (facts: Partial<Capabilities> = {}): Capabilities =>
  classifier({
    sparse: true,
    missing: true,
    categorical: true,
    probabilities: true,
    composite: true,
    ...facts,
  });
export const composedRegressor = (facts: Partial<Capabilities> = {}): Capabilities =>
  regressor({ sparse: true, missing: true, categorical: true, composite: true, ...facts });

/** Several members seen as one, for how X is read. */
const asOne = (members: readonly object[], capabilities: Capabilities): object => ({
  capabilities,
  params: { categoricalFeatures: members.flatMap((m) => paramsOf(m)?.["categoricalFeatures"] ?? []) },
});

/** A training set for members, and what their model stores about X. */
export interface ReadForMembers<S> {
  readonly set: MemberSet<S>;
  readonly opened: Opened;
}

/** A training set of labels for members, checked. */
export const classificationForMembers = <L extends Label>(
  where: string,
  members: readonly object[],
  capabilities: Capabilities,
  x: Samples,
  y: Labels<L>,
  options: FitOptions,
): ReadForMembers<ClassificationSet<L>> =>
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
): ReadForMembers<RegressionSet> =>
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
): ReadForMembers<S> {
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
  throw new ParameterError(where, "sampleWeight", expected, "weights");
}

type LabelCodes<L extends Label> = Pick<ClassificationSet<L>, "classes" | "codes">;

/** The labels of class indices. */
export const labelsOf = <L extends Label>({ classes, codes }: LabelCodes<L>): L[] =>
  Array.from(codes, (k) => classes[k]!);

interface NamedTable extends ParamsTable {
  readonly estimators: ParamSpec<NamedEstimators<unknown>>;
}

type Fits<M> = Readonly<Record<string, { fit(x: unknown, y: unknown, options: FitOptions): M }>>;

/** An estimator made of others that have names. */
export abstract class NamedMembers<T extends NamedTable, E extends object, P extends object = E>
  extends Estimator<T, object>
  implements Composite<P>
{
  declare readonly partTypes?: P;

  constructor(params: object) {
    super(params);
    checkMembers(this.id, this.#estimators as NamedEstimators, classFacts(this).task!);
  }

  get capabilities(): Capabilities {
    return capabilitiesOfWhole(this, this.members);
  }

  namedParts(): ReadonlyMap<string, object> {
    return new Map(Object.entries(this.#estimators));
  }

  withParts(parts: ReadonlyMap<string, object>): this {
    return this.withMembers(Object.fromEntries(requireParts(this.where("withParts"), parts)));
  }

  protected withMembers(estimators: object, others?: object): this {
    const type = this.constructor as new (params: object) => this;
    return new type({ ...this.params, estimators, ...others });
  }

  protected get members(): readonly object[] {
    return Object.values(this.#estimators);
  }

  protected get names(): readonly string[] {
    return Object.keys(this.#estimators);
  }

  /** All members fitted to a training set, and those fitted to what they predict. */
  protected fitted<M extends FittedModel>(
    { set, opened }: ReadForMembers<ClassificationSet<Label> | RegressionSet>,
    y: ArrayLike<unknown>,
    options: FitOptions,
    final: readonly M[] = [],
  ): MembersState<M> {
    const own = memberOptions(options, set.weights);
    const models = Object.values(this.#estimators as Fits<M>).map((member) => member.fit(set.x, y, own));
    return membersState(this, set, opened, [...models, ...final]);
  }

  get #estimators(): NamedEstimators<object> {
    return this.params.estimators as NamedEstimators<object>;
  }
}
