/** Several targets: those of a row side by side, padded with a 0 to an even number. */
export interface SeveralTargets {
  readonly several: Float64Array;
  readonly outputs: number;
}

/** Numbers per row of several targets. */
export const lanesOf = (outputs: number): number => outputs + (outputs & 1);

/** Lists per target, for the kernel. */
export function severalTargets(columns: readonly Float64Array[]): SeveralTargets {
  const outputs = columns.length;
  const lanes = lanesOf(outputs);
  const several = new Float64Array(columns[0]!.length * lanes);
  for (const [t, column] of columns.entries()) {
    for (let i = 0, at = t; i < column.length; i++, at += lanes) several[at] = column[i]!;
  }
  return { several, outputs };
}
