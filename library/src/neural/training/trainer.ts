import { DataError } from "../../core/errors.js";
import type { Random } from "../../core/numbers/random.js";
import {
  addSignInto,
  penaltyInto,
  scaleInto,
  sumOfAbsolutes,
  sumOfSquares,
} from "../../numeric/tensors/optimizer.js";
import { type Reals, TensorSpace } from "../../numeric/tensors/space.js";
import { computeIn } from "../autodiff/computation.js";
import { Tape } from "../autodiff/tape.js";
import { NetworkMemory } from "../network/memory.js";
import type { Network } from "../network/network.js";
import { Order, type RowBatches, rowBatches } from "./batches.js";
import { TargetBatches } from "./losses.js";
import { freshStopping, observeEpoch, type StoppingState } from "./stopping.js";
import type { EpochStep, TrainingResult, TrainingState, TrainingTask, Weights } from "./task.js";

/** Rates below this are not worth another epoch [scikit-learn's SGDOptimizer]. */
const SLOWEST = 1e-6;

/** Rows per batch unless given: scikit-learn's choice. */
const AUTO_BATCH = 200;

/**
 * Trains epoch by epoch, from `start` or from where `task.resume` stopped. Each step can give its state whenever it is asked, which costs a
 * copy of the optimiser's vectors per epoch; without `snapshots` it can do so until the next epoch begins.
 */
export function* train(
  task: TrainingTask,
  start: { readonly theta: ArrayLike<number>; readonly buffers: ArrayLike<number> },
  random: Random,
): Generator<EpochStep, TrainingResult, void> {
  const run = new TrainingRun(task, task.resume ?? start, random);
  try {
    return yield* run.epochs();
  } finally {
    run.close();
  }
}

class TrainingRun {
  readonly #space: TensorSpace;
  readonly #memory: NetworkMemory;
  readonly #batches: RowBatches;
  readonly #held: { readonly batches: RowBatches; readonly order: Order } | undefined;
  readonly #targets: TargetBatches;
  readonly #order: Order;
  readonly #vectors: readonly Reals[];
  readonly #penalised: Reals;
  readonly #batchSize: number;
  #open = true;
  #epoch: number;
  #step: number;
  #samples: number;
  #stopping: StoppingState;
  #slowdown: number;
  readonly #lossCurve: number[];
  readonly #validationScores: number[];
  #best: TrainingState["best"];
  /** The weights after the last epoch, and after the one before it. */
  #sound: KeptWeights;
  #earlier: KeptWeights;
  /** Of the first weights, and of the epoch with the smallest loss. */
  readonly #begin: { readonly weights: KeptWeights; loss: number | undefined };
  readonly #lowest: { readonly weights: KeptWeights; loss: number };

  constructor(
    readonly task: TrainingTask,
    start: { readonly theta: ArrayLike<number>; readonly buffers: ArrayLike<number> },
    readonly random: Random,
  ) {
    const { network, rows, validation, plan, resume: from } = task;
    const { optimizer, batchSize } = plan;
    this.#space = new TensorSpace(task.where, plan.dtype);
    const space = this.#space;
    const n = rows.x.rows;
    this.#batchSize = Math.min(batchSize === "auto" ? AUTO_BATCH : batchSize, n);
    this.#memory = new NetworkMemory(network, space, start.theta, start.buffers, true);
    this.#batches = rowBatches(space, rows.x);
    this.#order = new Order(space, n);
    this.#targets = new TargetBatches(space, rows.targets, rows.weights, this.#batchSize);
    this.#held = validation && {
      batches: rowBatches(space, validation.x),
      order: new Order(space, validation.x.rows),
    };
    this.#vectors = Array.from({ length: optimizer.vectors }, (_, k) =>
      from?.vectors[k] ? space.copy(from.vectors[k]) : space.zeros(network.size),
    );
    this.#penalised = space.copy(penalisedEntries(network));
    this.#epoch = from?.epoch ?? 0;
    this.#step = from?.step ?? 0;
    this.#samples = from?.samples ?? this.#epoch * n;
    // A loss is not a score: a training that goes on by the other rule begins to watch anew.
    const watched =
      from && from.validationScores.length > 0 === (validation !== undefined) ? from : undefined;
    this.#stopping = watched?.stopping ?? freshStopping;
    this.#slowdown = from?.slowdown ?? 1;
    this.#lossCurve = [...(from?.lossCurve ?? [])];
    this.#validationScores = validation ? [...(from?.validationScores ?? [])] : [];
    this.#best = validation && watched?.best;
    this.#sound = new KeptWeights(space, this.#memory);
    this.#earlier = new KeptWeights(space, this.#memory);
    this.#begin = { weights: new KeptWeights(space, this.#memory), loss: undefined };
    this.#lowest = { weights: new KeptWeights(space, this.#memory), loss: Infinity };
  }

  *epochs(): Generator<EpochStep, TrainingResult, void> {
    const { plan } = this.task;
    const { maxIter, adaptive, optimizer } = plan;
    const begun = this.#epoch;
    let converged = false;
    while (this.#epoch < maxIter) {
      const loss = this.#epochLoss();
      if (loss === undefined) {
        const at = `epoch ${this.#epoch + 1}, step ${this.#step + 1}`;
        return this.#diverged(
          `Diverged in ${at}: the loss or a weight was no longer finite.`,
          this.#leastLoss(),
        );
      }
      if (!(loss >= this.#lowest.loss)) this.#keepLowest(loss);
      [this.#earlier, this.#sound] = [this.#sound, this.#earlier];
      this.#sound.keep();
      this.#lossCurve.push(loss);
      this.#epoch++;
      this.#samples += this.task.rows.x.rows;
      const score = this.#validate();
      const { state, improved, stop } = observeEpoch(
        plan,
        this.#stopping,
        score === undefined ? loss : -score,
      );
      this.#stopping = state;
      if (score !== undefined && improved) this.#best = this.#sound.copy();
      if (stop) {
        const rate = optimizer.learningRate * this.#slowdown;
        converged = !adaptive || rate <= SLOWEST;
        if (!converged) {
          this.#slowdown /= 5;
          this.#stopping = { ...state, epochsWithout: 0 };
        }
      }
      yield this.#progress(loss, score);
      if (converged) break;
    }
    // Before losses are computed again, which overwrites the gradient.
    const gradientNorm = this.#gradientNorm();
    const [first, last = Infinity] = [this.#lossCurve[begun], this.#lossCurve.at(-1)];
    // Only a loss that has hardly fallen is worth another pass over the rows.
    if (first !== undefined && last > first - 0.5 * Math.abs(first)) {
      const least = this.#leastLoss();
      const start = Math.max(this.#begin.loss!, begun > 0 ? this.#lossCurve[0]! : -Infinity);
      // Twice the loss of the first weights, and more than what counts as no change.
      if (last > start + Math.max(Math.abs(start), 10 * plan.tol)) {
        const rise = `from ${start.toPrecision(3)} to ${last.toPrecision(3)}`;
        return this.#diverged(`Diverged: the loss rose ${rise}.`, least);
      }
    }
    const warnings =
      converged || plan.onePass ? [] : [`Stopped after maxIter = ${maxIter} epochs: raise maxIter.`];
    return { state: this.#state(), converged, warnings, gradientNorm };
  }

  /** The weights of the smallest loss, whose loss is then that of the report. */
  #diverged(what: string, { weights, loss }: { weights: KeptWeights; loss: number }): TrainingResult {
    this.#sound = weights;
    for (const vector of this.#vectors) vector.array.fill(0);
    const warning =
      `${what} The model has the weights of the smallest loss. ` +
      "Lower the learning rate, scale columns and targets (StandardScaler, TransformedTargetRegressor), or clip the gradients (clipNorm).";
    const gradientNorm = this.#gradientNorm();
    return { state: this.#state(), converged: false, warnings: [warning], gradientNorm, objective: loss };
  }

  #keepLowest(loss: number): void {
    // The loss of an epoch is a mean over its steps: the weights at its end are better still, unless the steps diverge.
    this.#lowest.loss = loss;
    this.#lowest.weights.keep();
  }

  /** The first weights or those of the best epoch, whichever have the smaller loss over all rows. */
  #leastLoss(): { readonly weights: KeptWeights; readonly loss: number } {
    const candidates = [this.#begin, this.#lowest].map(({ weights }) => ({
      weights,
      loss: this.#lossOf(weights),
    }));
    this.#begin.loss = candidates[0]!.loss;
    return candidates[1]!.loss < candidates[0]!.loss ? candidates[1]! : candidates[0]!;
  }

  /** The mean loss over all rows, with the penalties; Infinity if it is not a number. */
  #lossOf(weights: KeptWeights): number {
    weights.restore();
    const n = this.task.rows.x.rows;
    let total = 0;
    for (let from = 0; from < n; from += this.#batchSize) {
      const count = Math.min(this.#batchSize, n - from);
      total += this.#space.step(() => {
        const tape = new Tape(this.#space, false);
        const value = computeIn(tape, () => meanOf(this.#forward(tape, from, count).losses.values.array));
        return (value + this.#penalise(count)) * count;
      });
    }
    this.#sound.restore();
    return Number.isNaN(total) ? Infinity : total / n;
  }

  close(): void {
    this.#open = false;
    this.#space.close();
  }

  #progress(loss: number, validationScore: number | undefined): EpochStep {
    const at = this.task.snapshots ? this.#state() : undefined;
    const epoch = this.#epoch;
    return {
      iteration: this.#epoch,
      total: this.task.plan.maxIter,
      objective: loss,
      loss,
      validationScore,
      state: () => at ?? this.#stateOf(epoch),
    };
  }

  /** The state while it is that of the epoch: its vectors are in memory that the next epoch overwrites and `close` frees. */
  #stateOf(epoch: number): TrainingState {
    if (this.#open && this.#epoch === epoch) return this.#state();
    const expected = "called before the next epoch begins";
    const received = `a call after epoch ${epoch}`;
    const advice = "The steps of steps() keep their models.";
    throw new DataError(this.task.where, "model() of a step", expected, received, advice);
  }

  /** The mean loss over the epoch's batches, each before its update; undefined if a number was not finite. */
  #epochLoss(): number | undefined {
    const { shuffle, optimizer, maxIter } = this.task.plan;
    const n = this.task.rows.x.rows;
    if (shuffle) this.#order.shuffle(this.random);
    const stepsPerEpoch = Math.ceil(n / this.#batchSize);
    const samples = this.#samples;
    let total = 0;
    for (let from = 0; from < n; from += this.#batchSize) {
      const count = Math.min(this.#batchSize, n - from);
      const time = { epoch: this.#epoch, epochs: maxIter, step: this.#step, stepsPerEpoch, samples };
      const factor = this.#slowdown * (optimizer.schedule?.factor(time) ?? 1);
      const loss = this.#space.step(() => this.#update(from, count, optimizer.learningRate * factor));
      if (!Number.isFinite(loss)) {
        // The weights that the epoch began with have no finite loss themselves.
        if (from === 0) this.#sound = this.#earlier;
        return undefined;
      }
      total += loss * count;
    }
    const mean = total / n;
    return Number.isFinite(sumOfSquares(this.#space, this.#memory.theta)) ? mean : undefined;
  }

  /** One step; returns the loss of the batch before it. */
  #update(from: number, count: number, learningRate: number): number {
    const { optimizer } = this.task.plan;
    const { theta, gradient } = this.#memory;
    const space = this.#space;
    const loss = this.#gradient(from, count) + this.#penalise(count);
    if (!Number.isFinite(loss)) return loss;
    this.#clip(gradient!);
    this.#step++;
    optimizer.update({
      space,
      theta,
      gradient: gradient!,
      state: this.#vectors,
      penalised: this.#penalised,
      learningRate,
      step: this.#step,
    });
    return loss;
  }

  /** Forward and backward pass over a batch; returns its mean loss. */
  #gradient(from: number, count: number): number {
    const tape = new Tape(this.#space, true);
    return computeIn(tape, () => {
      const { losses, pass } = this.#forward(tape, from, count, this.random);
      tape.backward(losses, 1 / count);
      pass.clearUnused();
      return meanOf(losses.values.array);
    });
  }

  /** The loss of every row of a batch; `random` draws what training leaves to chance. */
  #forward(tape: Tape, from: number, count: number, random?: Random) {
    const { network, loss } = this.task;
    const x = this.#batches.batch(tape, network.input, this.#order, from, count);
    const pass = this.#memory.pass(tape, random);
    const output = network.forward(x, pass);
    return { losses: loss.rows(output, this.#targets.load(this.#order.list, from, count)), pass };
  }

  /** Adds the penalties' gradient; returns their value. */
  #penalise(count: number): number {
    const { network, plan } = this.task;
    const { l1, l2 } = plan;
    if (l1 === 0 && l2 === 0) return 0;
    const space = this.#space;
    let value = 0;
    for (const [index, { penalised, trainable }] of network.parameters.entries()) {
      if (!penalised || !trainable) continue;
      const weights = this.#memory.parameterValues(index);
      const into = this.#memory.gradientOf(index)!;
      if (l2 > 0) value += (0.5 * l2 * penaltyInto(space, l2 / count, weights, into)) / count;
      if (l1 > 0) {
        value += (l1 * sumOfAbsolutes(space, weights)) / count;
        addSignInto(space, l1 / count, weights, into);
      }
    }
    return value;
  }

  #clip(gradient: Reals): void {
    const { clipNorm } = this.task.plan;
    if (clipNorm === null) return;
    const norm = Math.sqrt(sumOfSquares(this.#space, gradient));
    if (norm > clipNorm) scaleInto(this.#space, clipNorm / norm, gradient);
  }

  #validate(): number | undefined {
    if (this.#held === undefined) return undefined;
    const { score: scoreOf, validation } = this.task;
    const score = scoreOf(validation!, this.#outputs(this.#held.batches, this.#held.order));
    this.#validationScores.push(score);
    return score;
  }

  /** Outputs of the network as it predicts. */
  #outputs(batches: RowBatches, order: Order): Float64Array {
    const { network } = this.task;
    const n = batches.count;
    const units = network.output.reduce((product, size) => product * size, 1);
    const out = new Float64Array(n * units);
    const block = Math.max(this.#batchSize, 64);
    for (let from = 0; from < n; from += block) {
      const count = Math.min(block, n - from);
      this.#space.step(() => {
        const tape = new Tape(this.#space, false);
        computeIn(tape, () => {
          const x = batches.batch(tape, network.input, order, from, count);
          out.set(network.forward(x, this.#memory.pass(tape, undefined)).values.array, from * units);
        });
      });
    }
    return out;
  }

  #state(): TrainingState {
    return {
      epoch: this.#epoch,
      step: this.#step,
      samples: this.#samples,
      optimizer: this.task.plan.optimizer.name,
      ...this.#sound.copy(),
      vectors: this.#vectors.map((vector) => vector.array.slice() as Float32Array | Float64Array),
      random: this.random.state,
      stopping: this.#stopping,
      slowdown: this.#slowdown,
      lossCurve: [...this.#lossCurve],
      validationScores: [...this.#validationScores],
      best: this.#best,
    };
  }

  #gradientNorm(): number {
    let largest = 0;
    for (const entry of this.#memory.gradient!.array) largest = Math.max(largest, Math.abs(entry));
    return Number.isNaN(largest) ? Infinity : largest;
  }
}

/** Weights of an epoch in the memory of the kernels, since most are never asked for. */
class KeptWeights {
  readonly #theta: Reals;
  readonly #buffers: Reals;

  constructor(
    space: TensorSpace,
    private readonly memory: NetworkMemory,
  ) {
    this.#theta = space.reals(memory.theta.length);
    this.#buffers = space.reals(memory.buffers.length);
    this.keep();
  }

  /** The weights as they are now. */
  keep(): void {
    this.#theta.array.set(this.memory.theta.array);
    this.#buffers.array.set(this.memory.buffers.array);
  }

  /** Puts the weights back in place. */
  restore(): void {
    this.memory.theta.array.set(this.#theta.array);
    this.memory.buffers.array.set(this.#buffers.array);
  }

  copy(): Weights {
    return {
      theta: this.#theta.array.slice() as Float32Array | Float64Array,
      buffers: this.#buffers.array.slice() as Float32Array | Float64Array,
    };
  }
}

/** In doubles: losses have 32 bits, and batches are short. */
function meanOf(losses: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < losses.length; i++) sum += losses[i]!;
  return sum / losses.length;
}

/** 1 where penalties and weight decay apply, 0 elsewhere. */
function penalisedEntries(network: Network): Float64Array {
  const out = new Float64Array(network.size);
  for (const { penalised, trainable, offset, length } of network.parameters)
    if (penalised && trainable) out.fill(1, offset, offset + length);
  return out;
}
