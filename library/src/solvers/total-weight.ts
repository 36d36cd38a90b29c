interface WeightedRows {
  readonly x: { readonly rows: number };
  readonly weights: Float64Array | undefined;
}

/** Σ of the row weights. */
export const totalWeight = ({ weights, x }: WeightedRows): number =>
  weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
