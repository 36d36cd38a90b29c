import { ParameterError, show } from "../../core/errors.js";
import { readOptions } from "../../core/params/options.js";
import type { ParamSpec, Params, ParamsTable } from "../../core/params/params.js";
import { flag, integer, invalid, real } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import { adamStep, momentumStep, rmsPropStep, sgdStep } from "../../numeric/tensors/optimizer.js";
import type { Reals, TensorSpace } from "../../numeric/tensors/space.js";
import { isSchedule, type Schedule } from "./schedules.js";

/** The vectors of one update: all as long as θ. */
export interface Update {
  readonly space: TensorSpace;
  readonly theta: Reals;
  readonly gradient: Reals;
  /** The optimiser's own vectors, 0 at the start. */
  readonly state: readonly Reals[];
  /** 1 where weight decay applies, else 0. */
  readonly penalised: Reals;
  readonly learningRate: number;
  /** Number of this update, from 1. */
  readonly step: number;
}

/** How a gradient becomes a step. A description: the vectors that it keeps belong to the training run. */
export interface Optimizer {
  readonly name: string;
  readonly learningRate: number;
  readonly schedule: Schedule | undefined;
  /** Vectors kept between steps. */
  readonly vectors: number;
  update(update: Update): void;
  toJSON(): Json;
}

const rate = (value: number) =>
  real({ above: 0, default: value, doc: "Learning rate: the length of a step along the gradient." });
const scheduleSpec: ParamSpec<Schedule | undefined> = {
  kind: "schedule",
  default: undefined,
  doc: "How the learning rate changes: one of schedules.…, as schedules.cosine().",
  expected: "one of schedules.…, as schedules.cosine()",
  read: (value) => (isSchedule(value) ? value : invalid),
};

export const sgdOptions = {
  learningRate: rate(0.1),
  momentum: real({ atLeast: 0, below: 1, default: 0, doc: "Fraction of the last step that is repeated." }),
  nesterov: flag({ default: false, doc: "Nesterov's momentum: the gradient's step after the repeated one." }),
  schedule: scheduleSpec,
};
export const adamOptions = {
  learningRate: rate(0.001),
  beta1: real({ atLeast: 0, below: 1, default: 0.9, doc: "Decay of the mean of the gradients." }),
  beta2: real({ atLeast: 0, below: 1, default: 0.999, doc: "Decay of the mean of their squares." }),
  epsilon: real({ above: 0, default: 1e-8, doc: "Added to the root of the squares." }),
  schedule: scheduleSpec,
};
export const adamWOptions = {
  ...adamOptions,
  weightDecay: real({
    atLeast: 0,
    default: 0.01,
    doc: "Fraction of a weight that a step of rate 1 takes away.",
  }),
};
export const rmsPropOptions = {
  learningRate: rate(0.001),
  rho: real({ atLeast: 0, below: 1, default: 0.9, doc: "Decay of the mean of the squared gradients." }),
  epsilon: real({ above: 0, default: 1e-7, doc: "Added to the root of the squares." }),
  schedule: scheduleSpec,
};
export const lbfgsOptions = {
  memory: integer({ atLeast: 1, default: 10, doc: "Steps whose curvature is remembered." }),
};

function optimizer<T extends ParamsTable>(
  name: string,
  table: T,
  given: object,
  vectors: number,
  update: (values: Record<string, number & boolean>, step: Update) => void,
): Optimizer {
  const values = readOptions(name, table, given) as Record<string, unknown>;
  const { learningRate = 0, schedule } = values as { learningRate?: number; schedule?: Schedule };
  const plain = JSON.parse(JSON.stringify(values)) as Record<string, Json>;
  return Object.freeze({
    name,
    learningRate,
    schedule,
    vectors,
    update: (step: Update) => update(values as Record<string, number & boolean>, step),
    toJSON: () => ({ optimizer: name, ...plain }),
  });
}

/** θ ← θ − η g, with momentum: v ← μ v − η g, θ ← θ + v. */
export function sgd(options: Params<typeof sgdOptions> = {}): Optimizer {
  const heavy = (options.momentum ?? 0) > 0;
  if (options.nesterov === true && !heavy) {
    const expected = "> 0 with nesterov, which changes the momentum only";
    const received = show(options.momentum);
    throw new ParameterError("sgd", "momentum", expected, received);
  }
  return optimizer("sgd", sgdOptions, options, heavy ? 1 : 0, ({ momentum, nesterov }, step) => {
    const { space, theta, gradient, state, learningRate } = step;
    if (!heavy) sgdStep(space, theta, gradient, learningRate);
    else
      momentumStep(space, theta, gradient, state[0]!, {
        learningRate,
        momentum: momentum!,
        nesterov: nesterov!,
      });
  });
}

/** Adam [Kingma & Ba 2015]: steps scaled by running means of the gradients and of their squares. */
export const adam = (options: Params<typeof adamOptions> = {}): Optimizer =>
  optimizer("adam", adamOptions, options, 2, adamUpdate);

/** Adam with weight decay apart from the gradient [Loshchilov & Hutter 2019]. */
export const adamW = (options: Params<typeof adamWOptions> = {}): Optimizer =>
  optimizer("adamW", adamWOptions, options, 2, adamUpdate);

function adamUpdate(values: Record<string, number>, update: Update): void {
  const { space, theta, gradient, state, penalised, learningRate, step } = update;
  const { beta1, beta2, epsilon, weightDecay = 0 } = values as Record<string, number>;
  adamStep(space, theta, gradient, state[0]!, state[1]!, {
    learningRate,
    beta1: beta1!,
    beta2: beta2!,
    epsilon: epsilon!,
    step,
    ...(weightDecay > 0 ? { decay: weightDecay, decayed: penalised } : {}),
  });
}

/** RMSProp [Tieleman & Hinton 2012]: steps scaled by a running mean of the squared gradients. */
export const rmsProp = (options: Params<typeof rmsPropOptions> = {}): Optimizer =>
  optimizer("rmsProp", rmsPropOptions, options, 1, ({ rho, epsilon }, step) => {
    const { space, theta, gradient, state, learningRate } = step;
    rmsPropStep(space, theta, gradient, state[0]!, { learningRate, rho: rho!, epsilon: epsilon! });
  });

/** The library's own L-BFGS on all rows at once, in 64 bits: for small data, where it beats every stochastic method. */
export const lbfgs = (options: Params<typeof lbfgsOptions> = {}): Optimizer =>
  optimizer("lbfgs", lbfgsOptions, options, 0, () => {
    throw new Error("L-BFGS minimises over all rows and takes no single steps");
  });
