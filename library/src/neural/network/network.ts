import { ParameterError, ShapeError } from "../../core/errors.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { Random } from "../../core/numbers/random.js";
import type { NdArray } from "../autodiff/arrays.js";
import { type Shape, sameShape, showShape, sizeOf } from "../autodiff/shape.js";
import { type Start, startInto } from "./initialization.js";
import type { BuiltLayer, Layer, LayerBuilder, ParameterOptions, Slot } from "./layer.js";

/** Parameters start at multiples of this many entries of the common vector, so that kernels read whole vectors of 16 bytes. */
const ALIGN = 4;

/** Where a parameter or a buffer is in the common vector. */
export interface Place {
  /** "0.weights". */
  readonly name: string;
  readonly shape: Shape;
  readonly offset: number;
  readonly length: number;
  readonly start: Start;
  /** The smallest legal value. */
  readonly least?: number;
}

export interface ParameterPlace extends Place {
  readonly penalised: boolean;
  readonly trainable: boolean;
}

/** A line of the summary. */
export interface LayerSummary {
  readonly path: string;
  readonly kind: string;
  readonly output: Shape;
  /** Parameters of the layer, those inside it included. */
  readonly parameters: number;
  /** Nesting: 0 for the layers of the network. */
  readonly depth: number;
}

/**
 * Layers put together for examples of one shape: shapes are checked, and every parameter has its place in one vector, so that
 * optimisers and penalties work on a vector and know nothing about layers.
 */
export class Network {
  readonly parameters: ParameterPlace[] = [];
  readonly buffers: Place[] = [];
  readonly summaries: LayerSummary[] = [];
  readonly #built: BuiltLayer;
  readonly output: Shape;
  /** Length of the vector of all parameters, gaps between them included. */
  readonly size: number;
  readonly bufferSize: number;
  /** Why it cannot be trained: a layer without a derivative on every path from trainable parameters to the output. */
  readonly untrainable: { readonly path: string; readonly what: string; readonly before: string } | undefined;

  /** The first layer that behaves differently in every step while training. */
  readonly varies: string | undefined;

  constructor(
    readonly where: string,
    readonly layer: Layer,
    readonly input: Shape,
  ) {
    const state: BuildState = {
      parameters: this.parameters,
      buffers: this.buffers,
      summaries: this.summaries,
      reached: new Set(),
      blocks: [],
    };
    const builder = new Builder(where, state, "", -1);
    this.#built = layer.build(input, builder);
    this.output = this.#built.output;
    this.untrainable = firstBlock(state);
    this.varies = state.varies;
    this.size = endOf(this.parameters);
    this.bufferSize = endOf(this.buffers);
  }

  /** The number of weights and biases. */
  get parameterCount(): number {
    return this.parameters.reduce((sum, { length }) => sum + length, 0);
  }

  get forward(): BuiltLayer["forward"] {
    return this.#built.forward;
  }

  /** Copies of the parameters in a common vector, by name. */
  named(theta: Float32Array | Float64Array): ReadonlyMap<string, NdArray> {
    return new Map(
      this.parameters.map(({ name, shape, offset, length }) => [
        name,
        { data: Float64Array.from(theta.subarray(offset, offset + length)), shape },
      ]),
    );
  }

  /** First values of all parameters. */
  start(random: Random): Float64Array {
    return startAll(this.parameters, this.size, random);
  }

  startBuffers(): Float64Array {
    return startAll(this.buffers, this.bufferSize, new Random(0));
  }

  /** Throws if training would need a derivative that does not exist. */
  requireTrainable(where: string): void {
    if (this.untrainable === undefined) {
      if (this.parameters.some(({ trainable }) => trainable)) return;
      throw new ParameterError(where, "the network", "one with parameters to train", "none");
    }
    const { path, what, before } = this.untrainable;
    throw new ParameterError({
      where,
      subject: `layer ${path}`,
      expected: `differentiable, since weights before it (${before}) are trained through its derivative`,
      received: `${what}, whose derivative is 0 or does not exist`,
      advice:
        "Use sigmoid or tanh instead, or keep the weights before it as they are: { trainable: false }. Predicting works as it is.",
    });
  }

  /** A table of the layers: output shapes and numbers of parameters. */
  toString(): string {
    const rows = [
      ["layer", "output", "parameters"],
      ["input", showShape(this.input), ""],
      ...this.summaries.map(({ path, kind, output, parameters, depth }) => [
        `${"  ".repeat(depth)}${path.split(".").at(-1)} ${kind}`,
        showShape(output),
        String(parameters),
      ]),
      ["total", "", String(this.parameterCount)],
    ];
    const widths = [0, 1].map((column) => maxOf(rows.map((row) => row[column]!.length)));
    return rows
      .map(([name, output, count]) =>
        `${name!.padEnd(widths[0]!)}  ${output!.padEnd(widths[1]!)}  ${count!.padStart(10)}`.trimEnd(),
      )
      .join("\n");
  }
}

const endOf = (places: readonly Place[]): number => {
  const last = places.at(-1);
  return last === undefined ? 0 : ALIGN * Math.ceil((last.offset + last.length) / ALIGN);
};

function startAll(places: readonly Place[], size: number, random: Random): Float64Array {
  const out = new Float64Array(size);
  for (const { start, offset, length } of places)
    startInto(start, random, out.subarray(offset, offset + length));
  return out;
}

interface BuildState {
  readonly parameters: ParameterPlace[];
  readonly buffers: Place[];
  readonly summaries: LayerSummary[];
  reached: Set<number>;
  /** Layers without a derivative, and the parameters before them. */
  readonly blocks: { readonly path: string; readonly what: string; readonly before: ReadonlySet<number> }[];
  varies?: string;
}

/** The first layer behind which a trainable parameter gets no gradient. */
function firstBlock({ parameters, reached, blocks }: BuildState): Network["untrainable"] {
  for (const { path, what, before } of blocks) {
    const lost = [...before].findLast((index) => !reached.has(index));
    if (lost !== undefined) return { path, what, before: parameters[lost]!.name };
  }
  return undefined;
}

class Builder implements LayerBuilder {
  constructor(
    private readonly call: string,
    private readonly state: BuildState,
    readonly path: string,
    private readonly depth: number,
  ) {}

  get where(): string {
    return this.path === "" ? this.call : `${this.call}, layer ${this.path}`;
  }

  parameter(name: string, shape: Shape, start: Start, options: ParameterOptions = {}): Slot {
    const { penalised = true, trainable = true } = options;
    const { parameters } = this.state;
    // A flat list of the right length is taken row by row.
    const isFlat = start.kind === "given" && start.shape.length === 1 && start.shape[0] === sizeOf(shape);
    if (start.kind === "given" && !isFlat && !sameShape(start.shape, shape))
      this.refuse(`the start of ${name}`, showShape(shape), showShape(start.shape));
    const index = parameters.length;
    parameters.push({ ...this.#place(parameters, name, shape, start), penalised, trainable });
    if (trainable) this.reached.add(index);
    return { index };
  }

  buffer(name: string, shape: Shape, value: number, least = -Infinity): Slot {
    const { buffers } = this.state;
    buffers.push({ ...this.#place(buffers, name, shape, { kind: "constant", value }), least });
    return { index: buffers.length - 1 };
  }

  child(name: string, layer: Layer, input: Shape): BuiltLayer {
    const path = this.path === "" ? name : `${this.path}.${name}`;
    const { parameters, summaries } = this.state;
    const before = parameters.length;
    const line = summaries.length;
    const built = layer.build(input, new Builder(this.call, this.state, path, this.depth + 1));
    const own = parameters.slice(before).reduce((sum, { length }) => sum + length, 0);
    const summary = { path, kind: layer.kind, output: built.output, parameters: own, depth: this.depth + 1 };
    summaries.splice(line, 0, summary);
    return {
      output: built.output,
      forward: (x, pass) => {
        const y = built.forward(x, pass);
        pass.observe(path, "output", y);
        return y;
      },
    };
  }

  variesWhileTraining(): void {
    this.state.varies ??= this.path;
  }

  get reached(): Set<number> {
    return this.state.reached;
  }

  set reached(parameters: Set<number>) {
    this.state.reached = parameters;
  }

  blocksGradient(what: string): void {
    this.state.blocks.push({ path: this.path, what, before: this.reached });
    this.reached = new Set();
  }

  refuse(subject: string, expected: string, received: string, advice?: string): never {
    throw new ShapeError({ where: this.where, subject, expected, received, ...(advice ? { advice } : {}) });
  }

  #place(places: readonly Place[], name: string, shape: Shape, start: Start): Place {
    const offset = endOf(places);
    return {
      name: this.path === "" ? name : `${this.path}.${name}`,
      shape,
      offset,
      length: sizeOf(shape),
      start,
    };
  }
}
