import type { ModelForm } from "argmax/core";
import type { Task } from "./training.js";

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
  /** Whether it takes more than two classes. */
  readonly multiclass: boolean;
  /** How simple its models are; null where the estimators inside decide, and of clusterings. */
  readonly form: ModelForm | null;
  /** Rank by the usual time of a fit; null unless it is compared by default. */
  readonly cost: number | null;
  /** Whether it can be made of its defaults; one made of others needs to know of which. */
  readonly hasDefaults: boolean;
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
