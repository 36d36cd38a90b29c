/** What a warning about a table is about. */
export type DataWarningCode =
  /** Text that was read as numbers or dates: the message names the format. */
  | "converted-numbers"
  | "converted-dates"
  /** Text that two formats read differently: numbers are read by the more common one, dates stay text. */
  | "ambiguous-numbers"
  | "ambiguous-dates"
  /** Most entries are numbers or dates, but not all, so that the column stays text. */
  | "numbers-as-text"
  | "dates-as-text"
  /** Text with almost as many different entries as rows, which is not encoded. */
  | "row-names"
  /** Some of the compared models read fewer words of a text column than others. */
  | "limited-words"
  /** Words of a text column that are not used, since there are more than the limit. */
  | "dropped-words";

/** What a user should know about a column: `table.warnings` and `FittedTableVectorizer.warnings` have them, programs show them. */
export interface DataWarning {
  readonly code: DataWarningCode;
  readonly column: string;
  /** A sentence that names the column. */
  readonly message: string;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Whether a value of a model file is a warning. */
export function isDataWarning(value: unknown): value is DataWarning {
  const { code, column, message } = (value ?? {}) as Partial<Record<keyof DataWarning, unknown>>;
  return isText(code) && isText(column) && isText(message);
}
