import type { FittedModel, FittedRegressor } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { choice } from "../core/params/params.js";
import { inputsOf, type MemberOutput, membersOf, type Structure, structureOf } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { isTable } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import type { ClassifierMember } from "../ensembles/class-votes.js";
import { columnsOfMembers, type MemberRows } from "../ensembles/member-rows.js";
import { nameOf } from "../ensembles/members.js";

/** How members say what they predict. */
export const stackMethod = choice(["auto", "predictProba", "decisionFunction", "predict"], {
  default: "auto",
  doc: "What the final estimator gets of each member: the first of the others that the member has.",
});
type StackMethod = "auto" | "predictProba" | "decisionFunction" | "predict";

/** A member's predictions as columns for the final estimator. */
export type ColumnsOf<M extends FittedModel> = (model: M, x: MemberRows) => Matrix<Float64Array>;

/** Of a regressor: one column. */
export const regressorColumns: ColumnsOf<FittedRegressor> = (model, x) =>
  new Matrix(model.predict(x), x.rows, 1);

/**
 * Of a classifier: one column per class, but of two classes the second's alone, since the other says the same. Predicted labels are the
 * numbers of their classes.
 */
export function classifierColumns<L extends Label>(
  classes: readonly L[],
  method: StackMethod,
): ColumnsOf<ClassifierMember<L>> {
  return (model, x) => {
    const own = method === "auto" ? automatic(model) : method;
    if (own === "predict") {
      const codes = Float64Array.from(model.predict(x), (label) => classes.indexOf(label));
      return new Matrix(codes, x.rows, 1);
    }
    const scores = model[own]?.(x);
    if (scores === undefined) {
      const expected = `a method of all members, or "auto"`;
      const received = `"${own}", which ${nameOf(model)} does not have`;
      const subject = "stackMethod";
      throw new ParameterError("StackingClassifier.fit", subject, expected, received);
    }
    return (scores.cols === 2 ? scores.selectColumns([1]) : scores) as Matrix<Float64Array>;
  };
}

const automatic = (model: ClassifierMember): "predictProba" | "decisionFunction" | "predict" =>
  model.predictProba ? "predictProba" : model.decisionFunction ? "decisionFunction" : "predict";

/** What of a member's answers `classifierColumns` takes. */
export function stackedOutput(model: ClassifierMember, method: StackMethod): MemberOutput {
  const own = method === "auto" ? automatic(model) : method;
  return own === "predict" ? "labels" : own === "predictProba" ? "probabilities" : "scores";
}

interface StackParts {
  readonly models: readonly object[];
  readonly outputs: readonly MemberOutput[];
  readonly passthrough: boolean;
  readonly classes: readonly Label[];
}

/** The structure of the final model, with the members' outputs as its columns. */
export function stackedStructure(
  stack: Pick<FittedModel, "nFeatures" | "featureNamesIn">,
  final: object,
  { models, ...parts }: StackParts,
): Structure {
  const last = structureOf(final);
  if (last.kind === "undescribed") return last;
  const first = { kind: "predictions" as const, members: membersOf(models), ...parts };
  return { ...last, inputs: inputsOf(stack), steps: [first, ...last.steps] };
}

/** Throws if X is to be passed through where members read documents: a final estimator learns from numbers. */
export function refusePassthrough(
  where: string,
  params: { readonly passthrough: boolean; readonly estimators: Readonly<Record<string, object>> },
): void {
  if (!params.passthrough) return;
  const reader = Object.entries(params.estimators).find(([, e]) => capabilitiesOf(e)?.input === "text");
  if (reader === undefined) return;
  const expected = `false, since ${reader[0]} reads documents, which are not columns`;
  const advice = "Put the vectorizer before the stack: pipeline(new TfidfVectorizer(), stack).";
  throw new ParameterError(where, "passthrough", expected, "true", advice);
}

/** The columns of all members side by side, followed by X where it is passed through. */
export function sideBySide(parts: readonly Matrix[], x: MemberRows | undefined): Matrix<Float64Array> {
  const own = x === undefined ? [] : [denseOf(x)];
  const all = [...parts, ...own];
  const rows = all[0]!.rows;
  const cols = all.reduce((sum, part) => sum + part.cols, 0);
  const data = new Float64Array(rows * cols);
  let at = 0;
  for (const part of all) {
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < part.cols; j++) data[i * cols + at + j] = part.data[i * part.cols + j]!;
    at += part.cols;
  }
  return new Matrix(data, rows, cols);
}

function denseOf(given: MemberRows): Matrix {
  const x = columnsOfMembers("Stacking", given);
  if (isTable(x)) return x.toMatrix() as Matrix;
  return x instanceof CsrMatrix ? x.toDense() : x;
}
