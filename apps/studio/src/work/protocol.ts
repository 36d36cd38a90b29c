import type { ModelCard } from "argmax/persistence";
import type { ColumnSummary } from "../data/describe.js";
import type { ColumnData, ColumnKind, TableData } from "../data/table.js";
import type { Reviewed, Warning } from "../data/warnings.js";
import type { Ranked } from "../screens/evaluate/ranked.js";
import type { ModelEntry, Source, Split } from "../state/document.js";
import type { GuessedRoles } from "../state/guess-roles.js";

/**
 * What the page asks of workers. An ask is answered once; before that there may be news of it. `keys` name what a worker must hold to
 * answer: tables and model files, which are sent to each worker once.
 */
export interface Tasks {
  /** Every estimator that can be added, with its parameters. */
  catalogue: { ask: object; news: never; answer: readonly EstimatorInfo[] };
  /** An included or generated table. */
  table: { ask: { readonly source: Source }; news: never; answer: TableData };
  /** A file that somebody opened. */
  parse: {
    ask: { readonly file: Blob; readonly name: string };
    news: { readonly done: number };
    answer: ParsedFile;
  };
  /** A column as another kind. */
  convert: {
    ask: { readonly column: ColumnData; readonly kind: ColumnKind };
    news: never;
    answer: ColumnData;
  };
  /** The figures of every column of a table. */
  describe: { ask: { readonly table: string }; news: never; answer: readonly ColumnSummary[] };
  /** What is wrong with a table. */
  review: {
    ask: {
      readonly table: string;
      readonly reviewed: Reviewed;
      readonly summaries: readonly ColumnSummary[];
    };
    news: never;
    answer: readonly Warning[];
  };
  /** Milliseconds that training each model will take; null where a sample cannot be fitted. */
  estimate: {
    ask: {
      readonly roles: Roles;
      readonly models: readonly Pick<ModelEntry, "estimator" | "params">[];
      readonly folds: number;
      /** How many of the folds are held out. */
      readonly measured: number;
    };
    news: never;
    answer: readonly (number | null)[];
  };
  /** Where rows are drawn, and how far each is from the plane of the picture. */
  places: { ask: PlacesAsk; news: never; answer: Places };
  train: { ask: TrainAsk; news: TrainNews; answer: Trained };
  grid: { ask: GridAsk; news: never; answer: Grid };
  /** Held-out rows by the score of one class, with what follows from their order. */
  rank: { ask: RankAsk; news: never; answer: Ranked };
  /** Probabilities of one class after recalibration, cross-fitted on held-out rows. */
  calibrate: { ask: CalibrateAsk; news: never; answer: Calibrated };
  /** What Ship shows of a model. */
  artefacts: { ask: DescribeAsk; news: never; answer: Described };
  /** Something to download, checked against the app. */
  ship: { ask: ShipAsk; news: never; answer: Shipped };
  /** The model as it learns, step by step. */
  frames: { ask: FramesAsk; news: FramesNews; answer: Frames };
  /** What a trained model consists of, and what it does with one row. */
  internals: { ask: InternalsAsk; news: never; answer: readonly Panel[] };
  /** One row, some of whose cells may have been changed. */
  predict: { ask: PredictAsk; news: never; answer: Prediction };
  /** The smallest changes of single features of a row that change the answer. */
  flip: { ask: PredictAsk; news: never; answer: readonly Flip[] };
}

export interface ParsedFile {
  readonly data: TableData;
  readonly sha256: string;
  readonly guess: GuessedRoles;
  /** What the reader wants to be known, in sentences. */
  readonly notes: readonly string[];
}

export type TaskName = keyof Tasks;
export type Ask<K extends TaskName> = Tasks[K]["ask"];
export type News<K extends TaskName> = Tasks[K]["news"];
export type Answer<K extends TaskName> = Tasks[K]["answer"];

export type Task = "classification" | "regression" | "clustering";

export interface EstimatorInfo {
  /** Name of the class. */
  readonly id: string;
  /** Folder of the library, as a heading: "linear", "trees", … */
  readonly family: string;
  readonly task: Task | "density";
  readonly params: readonly ParamInfo[];
  /** Whether its fit is a series of steps. */
  readonly steps: boolean;
  readonly probabilities: boolean;
  /** What it cannot be made without, and only code can give; null for nothing. */
  readonly needs: string | null;
}

export interface ParamInfo {
  readonly name: string;
  readonly kind: string;
  readonly default: unknown;
  readonly doc: string;
  readonly expected: string;
  readonly choices?: readonly (string | number | boolean | null)[];
  readonly range?: {
    readonly atLeast?: number;
    readonly above?: number;
    readonly atMost?: number;
    readonly below?: number;
  };
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
  readonly model: Pick<ModelEntry, "estimator" | "params">;
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
}

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

export const artefacts = ["code", "file", "json"] as const;
export type Artefact = (typeof artefacts)[number];

export interface DescribeAsk {
  readonly roles: Roles;
  readonly model: TrainAsk["model"];
  /** Key of the model file. */
  readonly key: string;
  /** Of the names of files. */
  readonly stem: string;
  readonly classes: readonly string[];
}

export interface Described {
  readonly code: string;
  readonly card: ModelCard;
  /** A row of the table and the model's answer, as JSON. */
  readonly example: { readonly row: string; readonly answer: string };
}

export interface ShipAsk extends DescribeAsk {
  readonly artefact: Artefact;
  readonly split: Split;
  readonly fitted: Trained["fitted"];
  /** Null for clusters. */
  readonly heldOut: Held | null;
}

export interface Shipped {
  readonly artefact: Artefact;
  readonly checks: readonly Check[];
  readonly passed: boolean;
  readonly files: readonly ShippedFile[];
}

/** How the answers of an artefact differ from those of the app. */
export interface Check {
  /** Which rows, and which model. */
  readonly what: string;
  readonly rows: number;
  /** Labels that differ. */
  readonly mismatches: number;
  /** The largest difference of probabilities, scores or values; null of labels only. */
  readonly largest: number | null;
}

export interface ShippedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

export interface FramesAsk {
  readonly roles: Roles;
  readonly model: Pick<ModelEntry, "estimator" | "params">;
  readonly view: GridView;
  /** At most this many frames; of more steps some are left out. */
  readonly most: number;
}

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

/** A part of what a model has learned, in a form that any screen can show. */
export type Panel =
  | { readonly kind: "bars"; readonly title: string; readonly note: string; readonly bars: readonly Bar[] }
  | {
      readonly kind: "curve";
      readonly title: string;
      readonly unit: string;
      readonly values: readonly number[];
    }
  | {
      readonly kind: "table";
      readonly title: string;
      readonly note: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly (string | number)[])[];
      /** The row of the data table that a line is about. */
      readonly about?: readonly number[];
    }
  | {
      readonly kind: "tree";
      readonly title: string;
      readonly nodes: readonly TreeNode[];
      readonly path: readonly number[];
    }
  | {
      readonly kind: "images";
      readonly title: string;
      readonly note: string;
      readonly images: readonly SmallImage[];
    };

export interface Bar {
  readonly name: string;
  readonly value: number;
}

export interface TreeNode {
  readonly node: number;
  /** The question, or the answer of a leaf. */
  readonly text: string;
  readonly rows: number;
  /** Shares of the classes, or the value. */
  readonly value: readonly number[];
  readonly children: readonly [number, number] | null;
}

export interface SmallImage {
  readonly caption: string;
  readonly rows: number;
  readonly cols: number;
  /** 0 to 1, row by row; NaN for nothing. */
  readonly values: readonly number[];
}

export type ToWorker =
  | { readonly type: "hold"; readonly key: string; readonly value: unknown }
  /** One more column of a table that is held. */
  | { readonly type: "column"; readonly key: string; readonly column: ColumnData }
  | { readonly type: "drop"; readonly key: string }
  | { readonly type: "ask"; readonly id: number; readonly task: TaskName; readonly ask: unknown }
  | { readonly type: "stop"; readonly id: number };

export type FromWorker =
  | { readonly type: "news"; readonly id: number; readonly news: unknown }
  | { readonly type: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly type: "failure"; readonly id: number; readonly message: string };
