import type { Roles, Task } from "./training.js";

/**
 * A rectangle of a plane. A slice is the plane of two features; the others stay as they are in a row, or in the middle. A projection is the
 * plane of two principal components of all features that are numbers; the others are as in a slice.
 */
export interface GridView {
  /** Names of the axes; those of a slice are the two features. */
  readonly axes: readonly [string, string];
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** Points per side. */
  readonly n: number;
  readonly row: number | null;
  /** Absent for a slice. */
  readonly projection?: Projection;
}

/** The plane origin + scale · (a · first + b · second) of some columns: the components are orthonormal. */
export interface Projection {
  readonly columns: readonly string[];
  /** Means. */
  readonly origin: readonly number[];
  /** Standard deviations. */
  readonly scale: readonly number[];
  readonly first: readonly number[];
  readonly second: readonly number[];
  /** Of the variance, per component. */
  readonly shares: readonly [number, number];
}

export interface PlacesAsk {
  readonly roles: Roles;
  readonly axes: readonly [string, string];
  readonly plane: "slice" | "projection";
  readonly row: number | null;
}

export interface Places {
  /** Where every row falls on the plane; null for a slice, where its columns say so. */
  readonly projection: (Projection & { readonly x: Float64Array; readonly y: Float64Array }) | null;
  /** How far every row is from the plane, in deviations per column. */
  readonly far: Float32Array;
}

export interface GridAsk {
  readonly roles: Roles;
  /** Key of the model file. */
  readonly model: string;
  readonly view: GridView;
}

/** What a model says on n × n points, row by row from the top: the largest y comes first. */
export interface Grid {
  readonly view: GridView;
  readonly task: Task;
  /** What `lead` and `value` are made of: nothing for labels alone. */
  readonly scale: "probability" | "score" | "label" | "value";
  /** Number of classes with a score; 0 where there are none. */
  readonly classes: number;
  /** Number of the class or cluster. */
  readonly winner: Uint8Array;
  /** Lead of the winner, 0 to 255: its probability beyond an equal share, or its score beyond the next one up to 1. */
  readonly lead: Uint8Array;
  /** The decision function of two classes, or the value of a regression; else null. */
  readonly value: Float32Array | null;
  /** Of classifiers without such a decision function; null where nothing says how far an answer is from another. */
  readonly margin: Margin | null;
}

/** How far the answer of every point is from another one. Where `values` have the `level`, a line is drawn. */
export interface Margin {
  /**
   * What the values are. "probability": by how much the winner leads the next class. "score": half of the winner's lead in score, which is
   * |f| of two classes. "pairs": 1 where the winner has a margin of 1 or more in each of its pairs with another class, else 0.
   */
  readonly of: "probability" | "score" | "pairs";
  readonly level: number;
  readonly values: Float32Array;
}
