/** Base values, one per output, and contributions: row by row, output by output, feature by feature. */
export interface ShapValues {
  readonly baseValues: Float64Array;
  readonly values: Float64Array;
}
