export interface RankAsk {
  /** Key of the held-out rows. */
  readonly held: string;
  readonly classes: number;
  readonly positive: number;
}

export interface CalibrateAsk {
  /** The decision function or the log-odds of the class, per held-out row. */
  readonly score: Float64Array;
  readonly isPositive: Uint8Array;
  readonly seed: number;
}

/** Null where a class has too few rows to be split. */
export interface Calibrated {
  readonly sigmoid: Float64Array | null;
  readonly isotonic: Float64Array | null;
}
