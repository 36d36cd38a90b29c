/** What panels need to know besides the model. */
export interface About {
  readonly classes: readonly string[];
  readonly target: string;
  readonly isScaledTarget: boolean;
  /** Of columns of numbers; null where there are none. */
  readonly scale: "scaled" | "as they are" | null;
  readonly names: readonly string[];
  /** Rows of the table that were learned from. */
  readonly rows: Int32Array;
  /** The row to follow, as the last step reads it. */
  readonly row: unknown;
  readonly labels: readonly (string | number)[] | undefined;
}

/** In which units weights and distances are. */
export const unitsOf = ({ scale, isScaledTarget, target }: About): string =>
  scale === null
    ? ""
    : `Columns of numbers are ${scale === "scaled" ? "scaled to unit variance" : "as they are in the table"}${isScaledTarget ? `, so is ${target}` : ""}.`;
