import { cos, pow } from "../../core/numbers/elementary.js";
import { readOptions } from "../../core/params/options.js";
import { integer, type Params, type ParamsTable, type ParamValues, real } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";

/** Where training stands, at a step. */
export interface TrainingTime {
  /** Epochs begun, from 0. */
  readonly epoch: number;
  /** Epochs at most. */
  readonly epochs: number;
  /** Steps taken. */
  readonly step: number;
  readonly stepsPerEpoch: number;
  /** Rows seen before this epoch. */
  readonly samples: number;
}

/** The learning rate over time, as a factor of the one given. */
export interface Schedule {
  readonly name: string;
  factor(time: TrainingTime): number;
  toJSON(): Json;
}

export const isSchedule = (value: unknown): value is Schedule =>
  value !== null && typeof value === "object" && typeof (value as Partial<Schedule>).factor === "function";

export const stepDecayOptions = {
  every: integer({ atLeast: 1, default: 10, doc: "Epochs between two reductions." }),
  factor: real({ above: 0, atMost: 1, default: 0.5, doc: "What the rate is multiplied by." }),
};
export const cosineOptions = {
  minimum: real({ atLeast: 0, atMost: 1, default: 0, doc: "The last rate, as a fraction of the first." }),
};
export const warmUpOptions = {
  steps: integer({ atLeast: 1, default: 100, doc: "Steps over which the rate rises linearly from 0." }),
};
export const inverseScalingOptions = {
  power: real({ atLeast: 0, default: 0.5, doc: "Exponent of the number of rows seen." }),
};

function schedule<T extends ParamsTable>(
  name: string,
  table: T,
  options: object,
  factor: (time: TrainingTime, values: ParamValues<T>) => number,
  inner?: Schedule,
): Schedule {
  const values = readOptions(name, table, options);
  const json = {
    schedule: name,
    ...(values as Record<string, Json>),
    ...(inner ? { next: inner.toJSON() } : {}),
  };
  return Object.freeze({ name, factor: (time: TrainingTime) => factor(time, values), toJSON: () => json });
}

/** The same rate throughout. */
export const constant = (): Schedule => schedule("constant", {}, {}, () => 1);

/** factor^⌊epoch/every⌋. */
export const stepDecay = (options: Params<typeof stepDecayOptions> = {}): Schedule =>
  schedule("stepDecay", stepDecayOptions, options, ({ epoch }, { every, factor }) =>
    pow(factor, Math.floor(epoch / every)),
  );

/** minimum + (1 − minimum)·½(1 + cos(π·step/steps)): from the full rate to the minimum [Loshchilov & Hutter 2017]. */
export const cosine = (options: Params<typeof cosineOptions> = {}): Schedule =>
  schedule("cosine", cosineOptions, options, ({ step, stepsPerEpoch, epochs }, { minimum }) => {
    const share = Math.min(1, step / Math.max(1, stepsPerEpoch * epochs));
    return minimum + ((1 - minimum) * (1 + cos(Math.PI * share))) / 2;
  });

/** A linear rise over the first steps, then the schedule `next`. */
export function warmUp(
  options: Params<typeof warmUpOptions> & { readonly next?: Schedule | undefined } = {},
): Schedule {
  const { next = constant(), ...own } = options;
  return schedule(
    "warmUp",
    warmUpOptions,
    own,
    (time, { steps }) => Math.min(1, (time.step + 1) / steps) * next.factor(time),
    next,
  );
}

/** 1/(rows seen + 1)^power, renewed every epoch: scikit-learn's "invscaling". */
export const inverseScaling = (options: Params<typeof inverseScalingOptions> = {}): Schedule =>
  schedule("inverseScaling", inverseScalingOptions, options, ({ samples }, { power }) =>
    samples === 0 ? 1 : 1 / pow(samples + 1, power),
  );
