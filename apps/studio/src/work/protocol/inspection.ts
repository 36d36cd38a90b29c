import type { ModelSpec } from "./model-spec.js";
import type { Grid, GridView } from "./pictures.js";
import type { Roles } from "./training.js";

export interface FramesAsk {
  readonly roles: Roles;
  readonly model: ModelSpec;
  readonly view: GridView;
  /** At most this many frames; of more steps some are left out. */
  readonly most: number;
  /** A row of the table that panels follow; null for none. */
  readonly row: number | null;
}

/** The panels of the same steps for another row. */
export type StepPanelsAsk = Omit<FramesAsk, "view">;

export interface FramesNews {
  readonly done: number;
  readonly total: number | null;
}

export interface Frames {
  /** What a step is: "round", "tree", "leaves", …; null where the model is computed at once. */
  readonly unit: string | null;
  readonly frames: readonly Frame[];
  /** Whether the boundaries are those of a linear model: earlier ones can be drawn beside the last. */
  readonly isLinear: boolean;
  /** What the outlines are, in a sentence; null where there are none. */
  readonly outlineNote: string | null;
  /** The step at which the objective or a weight became infinite; null for none. */
  readonly diverged: number | null;
  /** Rows of the table that were learned from. */
  readonly rows: Int32Array;
}

export interface Frame {
  /** The number of the step. */
  readonly at: number;
  readonly objective: number | null;
  readonly grid: Grid;
  /** Weights of the rows in this step, 1 on average. */
  readonly weights: Float32Array | null;
  /** Positions in `rows` of the support vectors, and whether each is at its bound. */
  readonly support: { readonly rows: Int32Array; readonly bounded: Uint8Array } | null;
  /** Outlines in the plane: centres are single points, components ellipses. */
  readonly outlines: readonly (readonly (readonly [number, number])[])[];
  /** What the model of this step consists of; curves are left to the fitted model. */
  readonly panels: readonly Panel[];
}

export interface InternalsAsk {
  readonly roles: Roles;
  /** Key of the model file. */
  readonly model: string;
  /** A row of the table to follow; null for none. */
  readonly row: number | null;
}

export interface PredictAsk {
  readonly roles: Roles;
  /** Key of the model file. */
  readonly model: string;
  readonly row: number;
  /** Other values of some columns, as text. */
  readonly changes: Readonly<Record<string, string>>;
}

export interface Prediction {
  readonly label: string | number;
  /** What the table says; null where it does not know. */
  readonly truth: string | null;
  readonly scores: readonly Bar[];
  readonly scale: "probability" | "score";
}

/** A change of one feature that changes the answer. */
export interface Flip {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Before and after. */
  readonly answer: string;
  readonly label: string;
  /** Length of the change, in deviations of the feature. */
  readonly deviations: number;
}

/** A part of what a model has learned, in a form that any screen can show. Its title is the same at every step of a fit. */
export type Panel = {
  readonly title: string;
  /** Whether it depends on the row that is followed. */
  readonly ofRow?: boolean;
} & (
  | {
      readonly kind: "bars";
      readonly note: string;
      readonly bars: readonly Bar[];
      /** Whether they are fractions of a whole, to be compared within a step only. */
      readonly areShares?: boolean;
    }
  | { readonly kind: "curve"; readonly unit: string; readonly values: readonly number[] }
  | {
      readonly kind: "table";
      readonly note: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly (string | number)[])[];
      /** The row of the data table that a line is about. */
      readonly about?: readonly number[];
    }
  | {
      readonly kind: "tree";
      readonly nodes: readonly TreeNode[];
      /** How many deeper nodes are left out. */
      readonly folded: number;
      readonly path: readonly number[];
    }
  | { readonly kind: "images"; readonly note: string; readonly images: readonly SmallImage[] }
);

export interface Bar {
  readonly name: string;
  readonly value: number;
}

export interface TreeNode {
  readonly node: number;
  /** The question, or the answer of a leaf. */
  readonly text: string;
  readonly rows: number;
  /** The most frequent class; null in trees of values. */
  readonly best: number | null;
  readonly children: readonly [number, number] | null;
}

export interface SmallImage {
  readonly caption: string;
  readonly rows: number;
  readonly cols: number;
  /** 0 to 1, row by row; NaN for nothing. */
  readonly values: Float32Array;
}
