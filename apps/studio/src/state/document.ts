import type { Role } from "../data/roles.js";
import type { Source } from "../data/source.js";
import type { ColumnKind } from "../data/table.js";
import { starters } from "../generated/estimators.js";
import type { Split, Task } from "../work/protocol.js";
import type { ParamValue } from "./param-value.js";

export type { ParamValue };

/**
 * What the studio shows, as a plain document: the same document gives the same numbers, here and in the link that holds it. Tables, fitted
 * models and drawings are not in it (see `session.ts`).
 */
export interface StudioDocument {
  readonly version: 1;
  readonly screen: Screen;
  readonly source: Source;
  /** Changes to the guessed kinds of columns, by name. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  /** Roles of columns, by name; those not named are features. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly split: Split;
  /** The two columns of the plots. */
  readonly axes: readonly [string, string] | null;
  readonly models: readonly ModelEntry[];
  /** The model that Inspect, Evaluate and Ship show. */
  readonly selected: string | null;
  readonly board: Board;
  readonly view: View;
  readonly decision: Decision;
  readonly cascade: Cascade;
  /** The story of Learn and its page. */
  readonly story: { readonly name: string; readonly page: number } | null;
}

export const screens = ["data", "bench", "inspect", "evaluate", "ship", "learn"] as const;
export type Screen = (typeof screens)[number];

export interface ModelEntry {
  readonly id: string;
  /** Name of the class: `LogisticRegression`. */
  readonly estimator: string;
  readonly params: Readonly<Record<string, ParamValue>>;
}

export interface View {
  readonly layers: Readonly<Record<Layer, boolean>>;
  /** The step of the scrubber; null for the last. */
  readonly step: number | null;
  /** The row through which a slice goes; null for the middle of the table. */
  readonly row: number | null;
  readonly plane: "slice" | "projection";
}

export const layers = [
  "probability",
  "contours",
  "margin",
  "supportVectors",
  "slack",
  "trail",
  "points",
  "mistakes",
] as const;
export type Layer = (typeof layers)[number];

/** How the leaderboard is arranged. */
export interface Board {
  readonly sort: BoardColumn;
  /** From the worst on, or from Z to A. */
  readonly reversed: boolean;
  /** Ids of models that stay on top. */
  readonly pinned: readonly string[];
  /** Ids of models that are compared. */
  readonly compared: readonly string[];
}

export const boardColumns = ["name", "score", "fit", "predict", "size"] as const;
export type BoardColumn = (typeof boardColumns)[number];

/** What follows from scores: the class of interest, the threshold and the costs. */
export interface Decision {
  readonly positive: number;
  readonly threshold: number;
  readonly costFalsePositive: number;
  readonly costFalseNegative: number;
  /** Of three and more classes: the likeliest one, or the positive one from the threshold on. */
  readonly rule: DecisionRule;
}

export const decisionRules = ["likeliest", "threshold"] as const;
type DecisionRule = (typeof decisionRules)[number];

/** Models that answer one after the other, the cheap ones first. */
export interface Cascade {
  /** Two or three; none for the ones that the studio proposes. */
  readonly stages: readonly CascadeStage[];
  /** Per row, in the unit of the costs. */
  readonly budget: number | null;
}

export interface CascadeStage {
  /** Id of the model. */
  readonly model: string;
  /** Per row; null for the measured time. */
  readonly cost: number | null;
  /** Rows with a score from `low` on and below `high` are passed on. */
  readonly low: number;
  readonly high: number;
}

export const limits = {
  models: 24,
  compared: 4,
  rows: 20_000,
  painted: 2000,
  folds: 20,
  /** Columns with a role or a kind of their own. */
  names: 20_000,
  stages: 3,
  /** Members, stages or layers of a model. */
  parts: 12,
  /** How deep estimators are inside each other, and how many one model has in all. */
  depth: 4,
  estimators: 48,
  /** Names in the columns of a parameter. */
  columns: 500,
} as const;

/** The models that every table begins with. */
export const firstModels = (task: Task): readonly ModelEntry[] =>
  starters[task].map((model, k) => ({ id: `m${k + 1}`, ...model }));

/** The first opening: penguins and the models of a classification. */
export const firstDocument: StudioDocument = {
  version: 1,
  screen: "bench",
  source: { kind: "included", name: "penguins" },
  kinds: {},
  roles: {
    species: "target",
    island: "ignore",
    billDepth: "ignore",
    bodyMass: "ignore",
    sex: "ignore",
  },
  split: { kind: "folds", folds: 5, seed: 0 },
  axes: ["billLength", "flipperLength"],
  models: firstModels("classification"),
  selected: "m5",
  board: { sort: "score", reversed: false, pinned: [], compared: [] },
  view: {
    layers: {
      probability: true,
      contours: true,
      margin: true,
      supportVectors: true,
      slack: false,
      trail: true,
      points: true,
      mistakes: true,
    },
    step: null,
    row: null,
    plane: "slice",
  },
  decision: { positive: 1, threshold: 0.5, costFalsePositive: 1, costFalseNegative: 1, rule: "likeliest" },
  cascade: { stages: [], budget: null },
  story: null,
};
