import { Random } from "../../core/numbers/random.js";
import type { Json, StateReader, Tensor } from "../../core/state/state.js";
import { readSingles } from "../../core/state/state-lists.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import type { Network, Place } from "../network/network.js";
import type { TrainingState } from "./task.js";

/** The plain part of a training state. */
export const trainingJson = (state: TrainingState): Json => ({
  epoch: state.epoch,
  step: state.step,
  ...(state.samples !== undefined && { samples: state.samples }),
  optimizer: state.optimizer,
  random: [...state.random],
  stopping: { ...state.stopping },
  slowdown: state.slowdown,
  lossCurve: [...state.lossCurve],
  validationScores: [...state.validationScores],
  vectors: state.vectors.length,
  keepsBest: state.best !== undefined,
});

/** Its vectors: those of the optimiser, and the last weights where better ones are the model's. */
export function trainingTensors(state: TrainingState): Record<string, Tensor> {
  const tensors: Record<string, Tensor> = {};
  for (const [k, data] of state.vectors.entries()) tensors[`optimizer.${k}`] = { shape: [data.length], data };
  if (state.best === undefined) return tensors;
  tensors["last.theta"] = { shape: [state.theta.length], data: state.theta };
  if (state.buffers.length > 0)
    tensors["last.buffers"] = { shape: [state.buffers.length], data: state.buffers };
  return tensors;
}

interface PlainTraining extends Omit<TrainingState, "theta" | "buffers" | "vectors" | "best"> {
  /** The number of the optimiser's vectors. */
  readonly vectors: number;
  /** Whether the model has better weights than the last ones. */
  readonly keepsBest: boolean;
}

/** No optimiser has more. */
const MOST_VECTORS = 8;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const areNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => Number.isFinite(entry));

function isTraining(value: unknown): value is PlainTraining {
  const state = value as Partial<PlainTraining> | null;
  if (state === null || typeof state !== "object") return false;
  const { epoch, step, samples, random, stopping, slowdown, lossCurve, validationScores } = state;
  return (
    isCount(epoch) &&
    isCount(step) &&
    (samples === undefined || isCount(samples)) &&
    typeof state.optimizer === "string" &&
    Random.resume(random) !== undefined &&
    stopping !== null &&
    typeof stopping === "object" &&
    (stopping.best === null || Number.isFinite(stopping.best)) &&
    isCount(stopping.epochsWithout) &&
    typeof slowdown === "number" &&
    slowdown > 0 &&
    slowdown <= 1 &&
    areNumbers(lossCurve) &&
    areNumbers(validationScores) &&
    isCount(state.vectors) &&
    state.vectors! <= MOST_VECTORS &&
    typeof state.keepsBest === "boolean"
  );
}

/** The training state of a saved network. */
export function readTraining(reader: StateReader, network: Network, dtype: Dtype): TrainingState {
  const plain = reader.value("training", "the state of a training", isTraining);
  const floats = (name: string, shape: readonly number[]) =>
    dtype === "float32" ? readSingles(reader, name, shape) : reader.floats(name, shape);
  const collect = (places: readonly Place[], size: number, prefix: string) => {
    // Read first: a forged size must not reserve memory.
    const read = places.map(({ name, shape, least = -Infinity }) => {
      const values = floats(`${prefix}.${name}`, shape);
      if (values.some((value) => value < least)) reader.fail(name, `at least ${least}`, "smaller numbers");
      return values;
    });
    const out = dtype === "float32" ? new Float32Array(size) : new Float64Array(size);
    for (const [k, { offset }] of places.entries()) out.set(read[k]!, offset);
    return out;
  };
  const chosen = {
    theta: collect(network.parameters, network.size, "parameters"),
    buffers: collect(network.buffers, network.bufferSize, "buffers"),
  };
  const { vectors: count, keepsBest, ...rest } = plain;
  const vectors = Array.from({ length: count }, (_, k) => floats(`optimizer.${k}`, [network.size]));
  if (!keepsBest) return { ...rest, ...chosen, vectors, best: undefined };
  const last = {
    theta: floats("last.theta", [network.size]),
    buffers: network.bufferSize > 0 ? floats("last.buffers", [network.bufferSize]) : chosen.buffers,
  };
  return { ...rest, ...last, vectors, best: chosen };
}
