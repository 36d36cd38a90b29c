/** An estimator and its parameters, with those of the estimators that it is made of. */
export interface ModelSpec {
  readonly estimator: string;
  readonly params: Readonly<Record<string, SpecValue>>;
}

export type SpecValue =
  | string
  | number
  | boolean
  | null
  | readonly SpecValue[]
  | ModelSpec
  | ColumnNames
  | { readonly [name: string]: SpecValue };

/** Columns, of which the estimator is given the numbers. */
export interface ColumnNames {
  readonly columns: readonly string[];
}
