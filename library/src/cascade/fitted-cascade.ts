import type { FittedClassifier, MatrixLike, RestorePart, ScoreOptions } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { codeLabels, type Label, type Labels, type NumberArray, readWeights } from "../core/labels.js";
import { Model } from "../core/model.js";
import { refuseOptions } from "../core/params/options.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import type { Structure } from "../core/structure.js";
import { classifierStructure, memberOutput, structure, structureOf } from "../core/structure.js";
import { featureNamesJson, type KnownFeatures, readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { accuracyScore } from "../metrics/accuracy.js";
import type { SensitivityGuarantee } from "./cascade-blocks.js";
import { type CascadeFit, evaluateCascade } from "./cascade-fit.js";
import type { CascadeReport } from "./cascade-report.js";
import type { LabelledRows } from "./cascade-scores.js";
import type { ScoredClassifier } from "./cascade-stage.js";
import { type FittedStage, type Request, walk, walkMatrix } from "./cascade-walk.js";
import type { AsyncFeatureProvider, FeatureProvider } from "./feature-provider.js";
import { checkValues, isProvider, rowCountOf } from "./feature-provider.js";

const ID = "Cascade";

/** Labelled rows that thresholds are chosen on. */
export interface HeldOutRows<L extends Label> {
  readonly X: MatrixLike;
  readonly y: Labels<L>;
  readonly sampleWeight?: NumberArray | undefined;
}

/** Labels of samples, where they left and what they cost. */
export interface CascadePredictions<L extends Label> {
  readonly labels: L[];
  /** The last stage that each sample reached, from 0. */
  readonly stages: Int32Array;
  /** Cost of the features acquired for each sample. */
  readonly costs: Float64Array;
  readonly totalCost: number;
  /** Number of samples that reached each stage. */
  readonly reached: Int32Array;
}

export interface CascadeState<L extends Label> extends CascadeFit {
  readonly params: object;
  readonly classes: readonly L[];
  readonly positive: L;
  readonly nFeatures: number;
  readonly featureNamesIn?: readonly string[] | undefined;
}

export class FittedCascade<L extends Label = Label> extends Model implements FittedClassifier<L> {
  readonly classes: readonly L[];
  /** The positive class. */
  readonly positive: L;
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  readonly stages: readonly FittedStage[];
  /** A single classifier on all columns of the stages, with a threshold for the same sensitivity. */
  readonly single: FittedStage;
  /** What the thresholds guarantee for new rows. */
  readonly guarantee: SensitivityGuarantee;
  /** Warnings about too few positives for the requested sensitivity. */
  readonly warnings: readonly string[];
  /** The report on the rows that thresholds were chosen on, scored by models that were not fitted to them. */
  readonly heldOut: CascadeReport;
  readonly #params: object;

  constructor(state: CascadeState<L>) {
    super();
    this.#params = state.params;
    this.classes = state.classes;
    this.positive = state.positive;
    this.nFeatures = state.nFeatures;
    this.featureNamesIn = state.featureNamesIn;
    this.stages = Object.freeze([...state.stages]);
    this.single = state.single;
    this.guarantee = state.guarantee;
    this.warnings = state.warnings;
    this.heldOut = state.heldOut;
  }

  /** Labels of rows with all columns, or of samples whose columns a provider computes when they reach a stage. */
  predict(x: MatrixLike | FeatureProvider): L[];
  predict(x: MatrixLike | FeatureProvider, ...given: readonly unknown[]): L[] {
    refuseOptions(`${ID}.predict`, given);
    return this.#labels(this.#exits("predict", x));
  }

  /** Labels, with the last stage and the cost of each sample. */
  predictWithCost(x: MatrixLike | FeatureProvider): CascadePredictions<L> {
    return this.#predictions(this.#exits("predictWithCost", x));
  }

  /** `predictWithCost` for an asynchronous provider, which is called for all samples that reach a stage at once. */
  async predictWithCostAsync(provider: AsyncFeatureProvider): Promise<CascadePredictions<L>> {
    const where = `${ID}.predictWithCostAsync`;
    const steps = walk(this.stages, rowCountOf(where, provider), this.positive);
    let step = steps.next();
    while (!step.done) {
      const request = step.value;
      const { rows, stage, features } = request;
      const values = await Promise.all(Array.from(rows, async (i) => provider.features(i, stage, features)));
      step = steps.next(gather(where, request, (r) => values[r]!));
    }
    return this.#predictions(step.value);
  }

  async predictAsync(provider: AsyncFeatureProvider): Promise<L[]> {
    return (await this.predictWithCostAsync(provider)).labels;
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  [structure](): Structure {
    const { stages } = this;
    const members = stages.map(({ model, columns }) => ({ structure: structureOf(model), columns }));
    const rule = {
      kind: "cascade",
      positive: this.classes.indexOf(this.positive),
      thresholds: Float64Array.from(stages, ({ threshold }) => threshold),
      outputs: stages.map(({ model }) => memberOutput(model)),
    } as const;
    return classifierStructure(this, { kind: "composite", members, rule, outputs: 1 }, null);
  }

  /** Rates and costs of every stage on labelled rows, and those of a single classifier on all columns. */
  evaluate(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): CascadeReport {
    const rows = labelledRows(`${ID}.evaluate`, { X: x, y, ...options }, this.classes, this);
    return evaluateCascade(this, rows, this.positive);
  }

  toState(): ModelState {
    const { classes, positive, nFeatures, stages, single, heldOut } = this;
    const all = [...stages, single];
    const list = (of: (stage: FittedStage) => readonly number[]) => all.map((stage) => [...of(stage)]);
    return {
      kind: ID,
      params: describeParams(this.#params),
      values: {
        classes: [...classes],
        positive,
        nFeatures,
        ...featureNamesJson(this.featureNamesIn),
        features: list(({ features }) => features),
        columns: list(({ columns }) => columns),
        heldOut: withoutInfinity(heldOut),
        guarantee: { ...this.guarantee },
        warnings: [...this.warnings],
      },
      tensors: {
        costs: { shape: [all.length], data: Float64Array.from(all, ({ cost }) => cost) },
        thresholds: { shape: [all.length], data: Float64Array.from(all, ({ threshold }) => threshold) },
      },
      parts: all.map(({ model }) => model.toState()),
    };
  }

  #exits(method: string, x: MatrixLike | FeatureProvider): Int32Array {
    const where = `${ID}.${method}`;
    if (!isProvider(x)) return walkMatrix(this.stages, readMatrix(where, x, { like: this }), this.positive);
    const steps = walk(this.stages, rowCountOf(where, x), this.positive);
    let step = steps.next();
    while (!step.done) {
      const request = step.value;
      const { rows, stage, features } = request;
      step = steps.next(gather(where, request, (r) => x.features(rows[r]!, stage, features)));
    }
    return step.value;
  }

  #labels(exits: Int32Array): L[] {
    const negative = this.classes.find((label) => label !== this.positive)!;
    return Array.from(exits, (s) => (s === this.stages.length ? this.positive : negative));
  }

  #predictions(exits: Int32Array): CascadePredictions<L> {
    const last = this.stages.length - 1;
    const stages = exits.map((s) => Math.min(s, last));
    let sum = 0;
    const upTo = this.stages.map(({ cost }) => (sum += cost));
    const costs = Float64Array.from(stages, (s) => upTo[s]!);
    const reached = Int32Array.from(this.stages, (_, s) => stages.filter((exit) => exit >= s).length);
    const totalCost = costs.reduce((all, cost) => all + cost, 0);
    return { labels: this.#labels(exits), stages, costs, totalCost, reached };
  }
}

/** The values of a request, checked. */
function gather(
  where: string,
  { rows, stage, features }: Request,
  of: (r: number) => ArrayLike<number>,
): Matrix {
  const out = Matrix.zeros(rows.length, features.length);
  for (const [r, i] of rows.entries()) {
    const values = of(r);
    checkValues(where, i, stage, values, features.length);
    out.data.set(values, r * features.length);
  }
  return out;
}

/** Reads and checks labelled rows. */
export function labelledRows<L extends Label>(
  where: string,
  { X, y, sampleWeight }: HeldOutRows<L>,
  classes: readonly L[],
  like: KnownFeatures,
): LabelledRows<L> {
  const x = readMatrix(where, X, { like });
  const codes = codeLabels(where, y, x.rows, classes);
  const weights = readWeights(where, sampleWeight, x.rows);
  if (new Set(codes).size < 2) throw new DataError(where, "y", "of both classes", show(classes[codes[0]!]));
  return {
    x,
    y: Array.from(codes, (k) => classes[k]!),
    weights: weights ?? new Float64Array(x.rows).fill(1),
    weighted: weights !== undefined,
  };
}

/** JSON has no infinities: the threshold −∞ is stored as text. */
const withoutInfinity = (report: CascadeReport): Json =>
  JSON.parse(JSON.stringify(report, (_, value) => (value === -Infinity ? "-Infinity" : value)));

function withInfinity(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    key === "threshold" && value === "-Infinity" ? -Infinity : value,
  );
}

const isGuarantee = (value: unknown): value is SensitivityGuarantee => {
  const { positives, expected, confidence } = (value ?? {}) as Partial<SensitivityGuarantee>;
  return [positives, expected, confidence].every(Number.isFinite);
};

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** The inverse of `toState`. */
export function readCascade(state: ModelState, restorePart: RestorePart): FittedCascade {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const nFeatures = reader.count("nFeatures");
  const models = (state.parts ?? []).map(restorePart);
  const count = models.length;
  if (count < 2) reader.fail("parts", "one or more stages, and one classifier on all columns", `${count}`);
  const isColumn = (j: unknown) => Number.isSafeInteger(j) && (j as number) >= 0 && (j as number) < nFeatures;
  const areColumns = (value: unknown): value is readonly (readonly number[])[] =>
    Array.isArray(value) &&
    value.length === count &&
    value.every((list) => Array.isArray(list) && list.every(isColumn));
  const features = reader.value("features", "lists of columns", areColumns);
  const columns = reader.value("columns", "lists of columns", areColumns);
  const costs = reader.finite("costs", [count]);
  const thresholds = reader.floats("thresholds", [count]);
  const stages = models.map((model, s): FittedStage => {
    const own = model as Partial<ScoredClassifier>;
    const fits = own.nFeatures === columns[s]!.length && own.classes?.length === 2;
    if (!fits || !own.classes!.every((label) => classes.includes(label)))
      reader.fail(`part ${s}`, "a classifier of its columns", "another");
    const acquired = new Set(features.slice(0, s + 1).flat());
    if (columns[s]!.some((j) => !acquired.has(j))) reader.fail(`columns of part ${s}`, "acquired", "others");
    return {
      features: features[s]!,
      cost: costs[s]!,
      columns: columns[s]!,
      threshold: thresholds[s]!,
      model: own as ScoredClassifier,
    };
  });
  const isLabel = (value: unknown): value is Label => classes.includes(value as Label);
  const isReport = (value: unknown): value is CascadeReport =>
    Array.isArray((value as CascadeReport | null)?.stages);
  return new FittedCascade({
    params: state.params,
    classes,
    positive: reader.value("positive", "one of the classes", isLabel),
    nFeatures,
    featureNamesIn: readFeatureNames(reader, nFeatures),
    stages: stages.slice(0, -1),
    single: stages.at(-1)!,
    guarantee: reader.value("guarantee", "positives, expected and confidence", isGuarantee),
    warnings: reader.value("warnings", "a list of texts", isStrings),
    heldOut: withInfinity(reader.value("heldOut", "a report", isReport)) as CascadeReport,
  });
}
