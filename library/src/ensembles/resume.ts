import type { FitOptions } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { fitOptions, option } from "../core/params/options.js";
import type { TableColumns } from "../data/table/table-columns.js";

/** Options of a fit that can go on where another has ended. */
export interface ResumeOptions<M> extends FitOptions {
  /**
   * A model of the same estimator with fewer trees or rounds: the others are added to it. With the same rows and parameters, that is
   * the model of all of them at once; only the out-of-bag score of a forest is that of the added trees.
   */
  readonly resume?: M | undefined;
}

/** Their table; `accepts` recognises a model. */
export const resumeOptions = <M>(expected: string, accepts: (value: unknown) => boolean) => ({
  ...fitOptions,
  resume: option<M>("model", "A model that is continued.", expected, accepts),
});

const subject = "resume";

/** Throws unless the model is of this estimator and has not more than `most` of what is added. */
export function requireShorter(
  where: string,
  estimator: { readonly id: string; readonly most: number; readonly param: string },
  model: { readonly id: string; readonly count: number; readonly unit: string },
): void {
  const { id, most, param } = estimator;
  if (model.id !== id) throw new ParameterError(where, subject, `a model of ${id}`, `one of ${model.id}`);
  if (model.count <= most) return;
  const expected = `a model of at most ${param} ${model.unit} (${most})`;
  const advice = `${param} counts those of the model too.`;
  throw new ParameterError(where, subject, expected, `${model.count} ${model.unit}`, advice);
}

/** Throws unless the model has the classes of y. One without classes is of another estimator, for which `requireShorter` throws. */
export function requireSameClasses(
  where: string,
  known: readonly Label[] | undefined,
  classes: readonly Label[],
): void {
  if (known === undefined) return;
  if (known.length === classes.length && known.every((label, k) => label === classes[k])) return;
  const list = (labels: readonly Label[]) => labels.slice(0, 8).map(show).join(", ");
  throw new DataError(where, subject, `a model of the classes of y (${list(classes)})`, list(known));
}

/** Whether tables have the same names and categories, or neither X was a table. */
export const areAlike = (a: TableColumns | undefined, b: TableColumns | undefined): boolean =>
  JSON.stringify(a?.toJson()) === JSON.stringify(b?.toJson());

/** The trees of the model would read these rows in another way. */
export function refuseColumns(where: string, received: string): never {
  throw new DataError(where, subject, "a model of the same columns, categories and targets", received);
}
