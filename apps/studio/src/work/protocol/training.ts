import type { Task } from "../../data/roles.js";
import type { ModelSpec } from "./model-spec.js";
import type { Grid, GridView } from "./pictures.js";

export type { Task };

export interface Split {
  /** Holdout: only the first of the folds is held out. */
  readonly kind: "folds" | "holdout" | "groups" | "time";
  readonly folds: number;
  readonly seed: number;
}

/** Which columns a model learns from. */
export interface Roles {
  readonly table: string;
  readonly features: readonly string[];
  readonly target: string | null;
  readonly group: string | null;
  readonly task: Task;
}

export interface TrainAsk {
  readonly roles: Roles;
  readonly model: ModelSpec;
  readonly split: Split;
  /** The picture to make as soon as the model is fitted. */
  readonly preview: GridView | null;
}

export interface TrainNews {
  readonly stage: "fit" | "folds";
  readonly done: number;
  readonly total: number | null;
  readonly grid?: Grid;
  readonly kept?: Kept;
}

/** A model that is not measured, or not trained to its end: it is kept if somebody stops the training. */
export interface Kept {
  readonly trained: Trained;
  /** The last step; null if the fit has ended. */
  readonly step: { readonly at: number; readonly total: number | null } | null;
}

export interface Trained {
  readonly task: Task;
  /** The classes in the order of the columns of `probabilities`; empty in a regression. */
  readonly classes: readonly string[];
  /** The model file. */
  readonly file: Uint8Array;
  readonly metric: string;
  /** The score of every fold; for clusters, of the fit. */
  readonly scores: readonly number[];
  readonly fitMilliseconds: number;
  readonly predictMicroseconds: number;
  readonly held: Held | null;
  /** False of clusterings that know their own rows only. */
  readonly canPredict: boolean;
  /** What the fitted model said about some rows before it was saved: downloads are compared with it. */
  readonly fitted: Answers & { readonly rows: Int32Array };
  readonly warnings: readonly string[];
}

/** What a model says about rows. */
export interface Answers {
  /** Class numbers, values, or clusters. */
  readonly predicted: Float64Array;
  /** A row of probabilities (or of scores, see `scale`) per row; null for values and for labels only. */
  readonly scores: Float64Array | null;
  readonly scale: "probability" | "score";
}

/** Predictions for every row by the model of the folds that did not train on it; of clusters, those of the model itself. */
export interface Held extends Answers {
  /** Rows of the table, in ascending order; those without a target are left out. */
  readonly rows: Int32Array;
  /** Class numbers, or values; NaN of clusters. */
  readonly truth: Float64Array;
}
