import type { ColumnSummary } from "../data/describe.js";
import type { GuessedRoles } from "../data/guess-roles.js";
import type { Source } from "../data/source.js";
import type { ColumnData, ColumnKind, TableData } from "../data/table.js";
import type { Reviewed, Warning } from "../data/warnings.js";
import type { Ranked } from "./measures/ranked.js";
import type { EstimatorInfo } from "./protocol/catalogue.js";
import type { CalibrateAsk, Calibrated, RankAsk } from "./protocol/evaluation.js";
import type {
  Flip,
  Frames,
  FramesAsk,
  FramesNews,
  InternalsAsk,
  Panel,
  PredictAsk,
  Prediction,
  StepPanelsAsk,
} from "./protocol/inspection.js";
import type { ModelSpec } from "./protocol/model-spec.js";
import type { Grid, GridAsk, Places, PlacesAsk } from "./protocol/pictures.js";
import type { DescribeAsk, Described, ShipAsk, Shipped } from "./protocol/shipping.js";
import type { Roles, TrainAsk, Trained, TrainNews } from "./protocol/training.js";

export type * from "./protocol/catalogue.js";
export type * from "./protocol/evaluation.js";
export type * from "./protocol/inspection.js";
export type * from "./protocol/model-spec.js";
export type * from "./protocol/pictures.js";
export * from "./protocol/shipping.js";
export type * from "./protocol/training.js";

/**
 * What the page asks of workers. An ask is answered once; before that there may be news of it. `keys` name what a worker must hold to
 * answer: tables and model files, which are sent to each worker once.
 */
interface Tasks {
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
    ask: { readonly table: string; readonly reviewed: Reviewed };
    news: never;
    answer: readonly Warning[];
  };
  /** Milliseconds that training each model will take; null where a sample cannot be fitted. */
  estimate: {
    ask: {
      readonly roles: Roles;
      readonly models: readonly ModelSpec[];
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
  /** What the model consists of at the same steps, for another row. */
  stepPanels: { ask: StepPanelsAsk; news: never; answer: readonly (readonly Panel[])[] };
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
