import { DataError, ParameterError, show } from "../core/errors.js";
import { exp, log1pExp, sigmoid, tanh } from "../core/numbers/elementary.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { readOptions } from "../core/params/options.js";
import { numbers, type ParamSpec, real } from "../core/params/params.js";
import { type Activation, type ActivationPart, readActivation } from "./layers/activations.js";
import { any } from "./layers/options.js";

export interface NeuronOptions {
  readonly weights: readonly number[];
  /** Added to the weighted sum; the note's threshold b is −bias. */
  readonly bias?: number | undefined;
  /** Default: "heaviside". */
  readonly activation?: Activation | undefined;
}

const neuronOptions = {
  weights: numbers({ default: [], doc: "One weight per input." }),
  bias: real({ default: 0, doc: "Added to the weighted sum." }),
  activation: any("Applied to the sum."),
} satisfies Record<keyof NeuronOptions, ParamSpec<unknown>>;

/** A line of a truth table. */
export interface TruthTableRow {
  readonly inputs: readonly number[];
  readonly output: number;
}

/** One neuron: the propagation function w·v + bias, then an activation function. */
export interface Neuron {
  readonly weights: readonly number[];
  readonly bias: number;
  /** w·v + bias. */
  propagate(inputs: readonly number[]): number;
  /** The activation of `propagate(inputs)`. */
  output(inputs: readonly number[]): number;
  /** The outputs for all inputs of zeros and ones, counting up. */
  truthTable(): readonly TruthTableRow[];
}

/** A truth table doubles with every input. */
const MOST_INPUTS = 16;

/** A neuron with given weights: neuron({ weights: [1, 1], bias: -1.5 }) is a logical AND. */
export function neuron(options: NeuronOptions): Neuron {
  const { weights, bias, activation } = readOptions("neuron", neuronOptions, options);
  if (weights.length === 0) throw new ParameterError("neuron", "weights", "at least one number", "none");
  const f = functionOf(readActivation("neuron", activation ?? "heaviside"));
  const propagate = (inputs: readonly number[]): number => {
    if (
      !isArrayLike(inputs) ||
      inputs.length !== weights.length ||
      !Array.from(inputs).every(Number.isFinite)
    ) {
      const expected = `${weights.length} finite numbers, one per weight`;
      throw new DataError("neuron.propagate", "inputs", expected, show(inputs));
    }
    return weights.reduce((sum, weight, j) => sum + weight * inputs[j]!, bias);
  };
  const output = (inputs: readonly number[]) => f(propagate(inputs));
  const truthTable = () => {
    if (weights.length > MOST_INPUTS) {
      const expected = `of a neuron with at most ${MOST_INPUTS} inputs`;
      const received = `2^${weights.length} lines`;
      throw new ParameterError("neuron.truthTable", "the table", expected, received);
    }
    return linesOf();
  };
  const linesOf = () =>
    Array.from({ length: 2 ** weights.length }, (_, row) => {
      const inputs = weights.map((__, j) => (row >> (weights.length - 1 - j)) & 1);
      return { inputs, output: output(inputs) };
    });
  return Object.freeze({ weights, bias, propagate, output, truthTable });
}

/** The activation as a function of one number; a softmax over one neuron is 1. */
export function functionOf({ name, a, c }: ActivationPart): (x: number) => number {
  const [low, high] = [a ?? 0.25, c ?? 0.75];
  const width = a ?? 1;
  const centre = c ?? 0;
  switch (name) {
    case "linear":
      return (x) => x;
    case "sigmoid":
      return (x) => sigmoid(width * (x - centre));
    case "tanh":
      return tanh;
    case "relu":
      return (x) => Math.max(x, 0);
    case "leakyRelu":
      return (x) => (x > 0 ? x : (a ?? 0.01) * x);
    case "gelu":
      return (x) => x * normalDistribution(x);
    case "softplus":
      return log1pExp;
    case "gaussian":
      return (x) => exp(-((x - centre) ** 2) / (2 * width * width));
    case "inverseMultiquadric":
      return (x) => 1 / Math.sqrt((x - centre) ** 2 + width * width);
    case "sign":
      return Math.sign;
    case "heaviside":
      return (x) => (x > 0 ? 1 : 0);
    case "twoStep":
      return (x) => (x > low && x < high ? 1 : 0);
    case "softmax":
      return () => 1;
  }
}

/** Φ(x), by the series Σ x^(2k+1)/(1·3·…·(2k+1)) times the density [Marsaglia 2004]; 0 and 1 beyond nine deviations. */
function normalDistribution(x: number): number {
  if (Math.abs(x) > 9) return x > 0 ? 1 : 0;
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + sum * exp(-0.5 * x * x) * 0.3989422804014327;
}
