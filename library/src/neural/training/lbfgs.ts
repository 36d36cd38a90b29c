import { Random } from "../../core/numbers/random.js";
import { minimiseLbfgs } from "../../minimisers/lbfgs.js";
import type { SmoothFunction } from "../../minimisers/smooth-function.js";
import { TensorSpace } from "../../numeric/tensors/space.js";
import { computeIn } from "../autodiff/computation.js";
import { scale } from "../autodiff/ops/functions.js";
import { sum } from "../autodiff/ops/reductions.js";
import { Tape } from "../autodiff/tape.js";
import { NetworkMemory } from "../network/memory.js";
import { Order, type RowBatches, rowBatches } from "./batches.js";
import { TargetBatches } from "./losses.js";
import { freshStopping } from "./stopping.js";
import type { EpochStep, TrainingResult, TrainingState, TrainingTask } from "./task.js";

/** Rows whose layers are in memory at a time. */
const BLOCK_ROWS = 4096;

/**
 * The loss of a network over all rows, with its L2 penalty, as a function of all its parameters: what general minimisers see.
 *
 *   f(θ) = (1/n) Σᵢ wᵢ ℓ(network(xᵢ; θ), yᵢ) + (α/2n)‖W‖²
 */
class NetworkFunction implements SmoothFunction {
  readonly #space: TensorSpace;
  readonly #memory: NetworkMemory;
  readonly #batches: RowBatches;
  readonly #order: Order;
  readonly #targets: TargetBatches;

  constructor(
    private readonly task: TrainingTask,
    start: ArrayLike<number>,
    buffers: ArrayLike<number>,
  ) {
    const { network, rows } = task;
    this.#space = new TensorSpace(task.where, "float64");
    this.#memory = new NetworkMemory(network, this.#space, start, buffers, true);
    this.#batches = rowBatches(this.#space, rows.x);
    this.#order = new Order(this.#space, rows.x.rows);
    this.#targets = new TargetBatches(
      this.#space,
      rows.targets,
      rows.weights,
      Math.min(BLOCK_ROWS, rows.x.rows),
    );
  }

  get size(): number {
    return this.task.network.size;
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    const {
      network,
      rows,
      plan: { l2 },
    } = this.task;
    const n = rows.x.rows;
    this.#memory.theta.array.set(theta);
    if (gradientOut) this.#memory.gradient!.array.fill(0);
    let value = 0;
    for (let from = 0; from < n; from += BLOCK_ROWS)
      value += this.#block(from, Math.min(BLOCK_ROWS, n - from), gradientOut !== null);
    let squares = 0;
    const gradient = this.#memory.gradient!.array;
    for (const { penalised, trainable, offset, length } of network.parameters) {
      if (!penalised || !trainable) continue;
      for (let e = offset; e < offset + length; e++) {
        squares += theta[e]! * theta[e]!;
        if (gradientOut) gradient[e]! += (l2 / n) * theta[e]!;
      }
    }
    gradientOut?.set(gradient);
    return value + (0.5 * l2 * squares) / n;
  }

  close(): void {
    this.#space.close();
  }

  /** The fraction of some rows in the loss; adds their fraction of the gradient. */
  #block(from: number, count: number, differentiates: boolean): number {
    const { network, loss, rows } = this.task;
    const space = this.#space;
    return space.step(() => {
      const tape = new Tape(space, differentiates);
      return computeIn(tape, () => {
        const x = this.#batches.batch(tape, network.input, this.#order, from, count);
        const output = network.forward(x, this.#memory.addingPass(tape));
        const losses = loss.rows(output, this.#targets.load(this.#order.list, from, count));
        const result = scale(sum(losses), 1 / rows.x.rows);
        if (differentiates) tape.backward(result);
        return result.values.array[0]!;
      });
    });
  }
}

/** Training by L-BFGS: all rows at once, an iteration per step. */
export function* trainLbfgs(
  task: TrainingTask,
  start: { readonly theta: ArrayLike<number>; readonly buffers: ArrayLike<number> },
  memory: number,
): Generator<EpochStep, TrainingResult, void> {
  const { optimizer, maxIter, tol } = task.plan;
  const f = new NetworkFunction(task, start.theta, start.buffers);
  const lossCurve: number[] = [];
  const buffers = Float64Array.from(start.buffers);
  const stateOf = (theta: Float64Array, iteration: number): TrainingState => ({
    epoch: iteration,
    step: iteration,
    optimizer: optimizer.name,
    theta: theta.slice(),
    buffers,
    vectors: [],
    random: new Random(0).state,
    stopping: freshStopping,
    slowdown: 1,
    lossCurve: lossCurve.slice(0, iteration),
    validationScores: [],
    best: undefined,
  });
  const steps = minimiseLbfgs(f, Float64Array.from(start.theta), { maxIter, tol, memory });
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) {
        const { theta, iterations, converged, gradientNorm, objective } = step.value;
        const warnings = converged ? [] : [unfinished(iterations, maxIter)];
        return { state: stateOf(theta, iterations), converged, warnings, gradientNorm, objective };
      }
      const { theta, iteration, objective, gradientNorm } = step.value;
      lossCurve.push(objective!);
      yield {
        iteration,
        total: maxIter,
        objective: objective!,
        gradientNorm,
        loss: objective!,
        validationScore: undefined,
        state: () => stateOf(theta, iteration),
      };
    }
  } finally {
    steps.return(undefined as never);
    f.close();
  }
}

const unfinished = (iterations: number, most: number): string =>
  iterations < most
    ? `Stopped after ${iterations} iterations: no step lowers the loss. Scale the columns and the targets (StandardScaler).`
    : `Stopped after maxIter = ${most} iterations: raise maxIter, or scale the columns.`;
