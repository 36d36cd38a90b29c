import { listOf } from "../../core/column-like.js";
import type {
  FittedClassifier,
  FittedModel,
  MatrixLike,
  RestorePart,
  ScoreOptions,
} from "../../core/contract.js";
import { ParameterError, ShapeError } from "../../core/errors.js";
import { forward } from "../../core/forwarded.js";
import type { Label } from "../../core/labels.js";
import { refuseOptions } from "../../core/params/options.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { type Structure, structure, structureOf, undescribed } from "../../core/structure.js";
import type { Matrix } from "../../data/matrix.js";
import { readTargetNames, targetNamesJson } from "../../data/targets.js";
import type { ClassifierMember } from "../../ensembles/class-votes.js";
import { FittedMembers, type MembersState, readMembers } from "../../ensembles/fitted-members.js";
import { hasColumns } from "../../ensembles/member-rows.js";
import { accuracyScore } from "../../metrics/accuracy.js";
import { type LabelRows, readLabelRows } from "./label-rows.js";

const isClassifier = (model: FittedModel): boolean => "predict" in model && "classes" in model;

/** A model of one output: that of the estimator inside, whose methods it has. */
export class FittedClassifierOutput<L extends Label = Label>
  extends FittedMembers<ClassifierMember<L>>
  implements FittedClassifier<L>
{
  declare readonly classes: readonly L[];
  declare readonly predict: ClassifierMember<L>["predict"];
  declare readonly predictProba?: NonNullable<ClassifierMember<L>["predictProba"]>;
  declare readonly decisionFunction?: NonNullable<ClassifierMember<L>["decisionFunction"]>;
  declare readonly score: ClassifierMember<L>["score"];

  constructor(state: MembersState<ClassifierMember<L>>) {
    super(state);
    forward(this, this.models[0]!, (method, x, rest) =>
      method(this.read(`${this.id}.predict`, x as MatrixLike), ...rest),
    );
  }

  [structure](): Structure {
    return structureOf(this.estimator);
  }

  /** The fitted estimator. */
  get estimator(): ClassifierMember<L> {
    return this.models[0]!;
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}

/** The inverse of `FittedClassifierOutput.toState`. */
export function readClassifierOutput(state: ModelState, restorePart: RestorePart): FittedClassifierOutput {
  const reader = new StateReader(state);
  const members = readClassifiers(reader, restorePart);
  if (members.models.length !== 1) reader.fail("parts", "one model", `${members.models.length}`);
  return new FittedClassifierOutput(members);
}

/** Classifiers of the columns of X. */
function readClassifiers(reader: StateReader, restorePart: RestorePart): MembersState<ClassifierMember> {
  const members = readMembers<ClassifierMember>(reader, restorePart, "a classifier", isClassifier);
  const wrong = members.models.findIndex((model) => !hasColumns(reader, model, members.nFeatures));
  if (wrong >= 0) reader.fail(`part ${wrong}`, `a classifier of ${members.nFeatures} columns`, "another");
  return members;
}

/** A model of several outputs, with a classifier for each. */
export class FittedClassifierOutputs<L extends Label = Label> extends FittedMembers<ClassifierMember<L>> {
  static readonly id: string = "ClassifierOutputs";

  constructor(
    state: MembersState<ClassifierMember<L>>,
    /** Names of the outputs, if Y was a table in fit. */
    readonly targetNames: readonly string[] | undefined,
  ) {
    super(state);
  }

  get nTargets(): number {
    return this.models.length;
  }

  /** The fitted classifiers, one per output. */
  get estimators(): readonly ClassifierMember<L>[] {
    return this.models;
  }

  /** The classes of every output. */
  get classesPerOutput(): readonly (readonly L[])[] {
    return this.models.map(({ classes }) => classes);
  }

  /** One row per row of X, one label per output. */
  predict(x: MatrixLike): L[][];
  predict(x: MatrixLike, ...given: readonly unknown[]): L[][] {
    refuseOptions(`${this.id}.predict`, given);
    const rows = this.read(`${this.id}.predict`, x);
    if (rows.rows === 0) return [];
    const columns = this.models.map((model) => model.predict(rows));
    return Array.from({ length: rows.rows }, (_, i) => columns.map((labels) => labels[i]!));
  }

  /** A matrix per output, with a column for each of its classes. */
  predictProba(x: MatrixLike): Matrix[] {
    const rows = this.read(`${this.id}.predictProba`, x);
    return this.models.map((model) => {
      if (model.predictProba !== undefined) return model.predictProba(rows);
      const [subject, expected] = ["estimator", "a classifier with probabilities"];
      const received = `one without (${model.toState().kind})`;
      throw new ParameterError(`${this.id}.predictProba`, subject, expected, received);
    });
  }

  [structure](): Structure {
    return undescribed("it predicts several labels per row: each of its estimators has a structure");
  }

  /** Fraction of the rows of which all labels are right. Columns of a table are found by the names of the outputs. */
  score(x: MatrixLike, y: LabelRows<L>, options: ScoreOptions = {}): number {
    const where = `${this.id}.score`;
    const { columns } = readLabelRows(where, y, this.targetNames);
    const predicted = this.predict(x);
    const fits =
      columns.length === this.nTargets && columns.every(({ length }) => length === predicted.length);
    if (!fits) {
      const expected = `${predicted.length} rows of ${this.nTargets} labels`;
      const received = `${columns[0]!.length} rows of ${columns.length}`;
      throw new ShapeError(where, "Y", expected, received);
    }
    const labels = columns.map((column) => Array.from(listOf(column)));
    const right = predicted.map((row, i) => row.every((label, t) => label === labels[t]![i]));
    return accuracyScore(
      right.map(() => true),
      right,
      options,
    );
  }

  toState(): ModelState {
    const values = { estimator: this.id, ...targetNamesJson(this.targetNames) };
    return { ...this.stateWith(values), kind: FittedClassifierOutputs.id };
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedClassifierOutputs {
    const reader = new StateReader(state);
    const members = readClassifiers(reader, restorePart);
    const id = reader.text("estimator");
    return new FittedClassifierOutputs({ ...members, id }, readTargetNames(reader, members.models.length));
  }
}
