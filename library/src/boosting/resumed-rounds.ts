import { ParameterError, show } from "../core/errors.js";
import { type ValidationRows, validation } from "../data/validation-rows.js";
import type { ResumeOptions } from "../ensembles/resume.js";
import { areAlike, refuseColumns, requireShorter, resumeOptions } from "../ensembles/resume.js";
import type { BinnedColumn } from "../numeric/boosting/bins.js";
import { FittedHist, type FittedHistState } from "./fitted-hist.js";
import type { HistParams } from "./hist-params.js";
import type { HistTask } from "./hist-rounds.js";

/** What `fit` of both estimators takes besides X and y. */
export interface HistFitOptions<M> extends ResumeOptions<M> {
  /** Rows that early stopping is decided on, instead of a fraction of the training rows. */
  readonly validation?: ValidationRows | undefined;
}

export const histFitOptions = {
  ...resumeOptions<FittedHist>(
    "a fitted model of histogram boosting",
    (value) => value instanceof FittedHist,
  ),
  validation,
};

/** What a model has learned that rounds are added to; undefined without one. */
export function resumedRounds(
  {
    where,
    id,
    resume,
    table,
    validation,
  }: Pick<HistTask, "where" | "id" | "resume" | "table" | "validation">,
  params: HistParams,
  columns: readonly BinnedColumn[],
  scores: number,
  heldOut: boolean,
): FittedHistState | undefined {
  if (resume === undefined) return undefined;
  const { learned } = resume;
  const model = { id: learned.id, count: resume.nIter, unit: "rounds" };
  requireShorter(where, { id, most: params.maxIter, param: "maxIter" }, model);
  requireSame(where, learned.params, params, ["loss", "quantile", "scoring"]);
  // Otherwise rows that the model has learned from would be held out.
  if (heldOut && validation === undefined)
    requireSame(where, learned.params, params, ["validationFraction", "randomState"]);
  requireSameSource(where, learned.validationGiven, validation !== undefined);
  const known = learned.trees.columns;
  const isSame = known.length === columns.length && known.every((column, j) => isAlike(column, columns[j]!));
  if (!isSame || learned.baseline.length !== scores || !areAlike(learned.table, table))
    refuseColumns(where, `${known.length} columns and ${learned.baseline.length} scores`);
  if (learned.validationScore.length > 0 === heldOut) return learned;
  const expected = heldOut ? "a model with scores of held-out rows" : "a model without held-out rows";
  const received = heldOut ? "one without" : "one with";
  const advice = "Use the earlyStopping and validationFraction that it was fitted with.";
  throw new ParameterError(where, "resume", expected, received, advice);
}

/** A model that was stopped by rows of its own has learned from all training rows: none of them can be held out any more. */
function requireSameSource(where: string, before: boolean, now: boolean): void {
  if (before === now) return;
  throw new ParameterError({
    where,
    subject: "validation",
    expected: before
      ? "given, as to the fit of the model that is resumed"
      : "absent, as in the fit of the model that is resumed",
    received: now ? "rows" : "none",
  });
}

/** What raw predictions and scores mean must not change in between. */
function requireSame(where: string, known: object, given: object, names: readonly string[]): void {
  const parameter = (params: object, name: string) => (params as Readonly<Record<string, unknown>>)[name];
  const other = names.find((name) => parameter(known, name) !== parameter(given, name));
  if (other === undefined) return;
  const expected = `${show(parameter(known, other))}, as in the model that is resumed`;
  throw new ParameterError(where, other, expected, show(parameter(given, other)));
}

/** Thresholds are numbers of X, but categories are known by their bins. */
function isAlike(a: BinnedColumn, b: BinnedColumn): boolean {
  if (a.categorical !== b.categorical) return false;
  return (
    !a.categorical || (a.edges.length === b.edges.length && a.edges.every((edge, e) => edge === b.edges[e]))
  );
}
