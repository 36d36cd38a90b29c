import type { Json } from "../../core/state/state.js";
import type { Reals } from "../../numeric/tensors/space.js";
import type { Shape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import type { Start } from "./initialization.js";

/** A parameter or buffer of a network, as a layer asked for it. */
export interface Slot {
  readonly index: number;
}

/**
 * A layer as a description: no weights, no sizes of its input. `build` is called once for a network, with the shape of one example
 * (without the batch axis); it asks for parameters and returns the output's shape and the forward pass.
 */
export interface Layer {
  readonly kind: string;
  toJSON(): Json;
  build(input: Shape, builder: LayerBuilder): BuiltLayer;
}

export interface BuiltLayer {
  /** Shape of one example after the layer. */
  readonly output: Shape;
  forward(x: Tensor, pass: Pass): Tensor;
}

/** What a layer may ask for while it is built. */
export interface LayerBuilder {
  /** Name of the layer in messages and in saved models: "0", "2.attention". */
  readonly path: string;
  /** The call that builds the network and the layer, for errors that a layer throws itself: "NeuralClassifier.fit, layer 2". */
  readonly where: string;
  parameter(name: string, shape: Shape, start: Start, options?: ParameterOptions): Slot;
  /** Numbers that training changes but not by gradients: running averages. A saved one below `least` is refused. */
  buffer(name: string, shape: Shape, value: number, least?: number): Slot;
  /** A layer inside this one. */
  child(name: string, layer: Layer, input: Shape): BuiltLayer;
  /** States that the layer behaves differently in every step while training (dropout, batch norm): L-BFGS cannot train it. */
  variesWhileTraining(): void;
  /**
   * Trainable parameters on whose gradient the value built last depends. Layers in a row extend it; a layer with branches sets it
   * before each branch, and to the union where they meet.
   */
  reached: Set<number>;
  /** States that gradients do not pass; `what` names the reason, e.g. the activation. */
  blocksGradient(what: string): void;
  /** Throws a ShapeError that names this layer. */
  refuse(subject: string, expected: string, received: string, advice?: string): never;
}

export interface ParameterOptions {
  /** Whether L1 and L2 penalties apply; biases and gains are free. Default true. */
  readonly penalised?: boolean;
  /** Whether training changes it. Default true. */
  readonly trainable?: boolean;
}

/** One pass through a network. */
export interface Pass {
  /** Dropout drops and batch norm uses the batch only while training. */
  readonly training: boolean;
  parameter(slot: Slot): Tensor;
  buffer(slot: Slot): Reals;
  /** A new seed for every layer of every step. */
  seed(): number;
  /** 0 for real tokens, a large negative number for padding: batch × tokens. Set by layers that read tokens. */
  mask: Tensor | undefined;
  /** Shows an intermediate value to whoever inspects the network. */
  observe(path: string, name: string, value: Tensor): void;
}

/** Whether x is a layer. */
export const isLayer = (x: unknown): x is Layer =>
  x !== null && typeof x === "object" && typeof (x as Partial<Layer>).build === "function";

/** A layer from its name, its options as JSON, and how it is built. */
export function layer(kind: string, options: Readonly<Record<string, Json>>, build: Layer["build"]): Layer {
  return Object.freeze({ kind, toJSON: () => ({ layer: kind, ...options }), build });
}
