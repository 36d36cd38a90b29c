import { oneOf, ParameterError, show } from "../../core/errors.js";
import { hasDerivative, type Unary, type UnaryName } from "../../numeric/tensors/activations.js";
import { anyFunction } from "../../numeric/tensors/any-function.js";
import type { WeightStart } from "../network/initialization.js";

/** Activation functions by name. */
export const activationNames = [
  "linear",
  "sigmoid",
  "tanh",
  "relu",
  "leakyRelu",
  "gelu",
  "softplus",
  "gaussian",
  "inverseMultiquadric",
  "sign",
  "heaviside",
  "twoStep",
  "softmax",
] as const;
export type ActivationName = (typeof activationNames)[number];

/** An activation with its constants: { name: "sigmoid", a: 2, c: 0 }. */
export interface ActivationPart {
  readonly name: ActivationName;
  readonly a?: number | undefined;
  readonly c?: number | undefined;
}
export type Activation = ActivationName | ActivationPart;

/** The constants that functions have; the others have none. */
const constantsOf: Readonly<Partial<Record<ActivationName, readonly string[]>>> = {
  sigmoid: ["a", "c"],
  leakyRelu: ["a"],
  gaussian: ["a", "c"],
  inverseMultiquadric: ["a", "c"],
  twoStep: ["a", "c"],
};

/** The activation that a layer was given, checked. */
export function readActivation(where: string, given: unknown): ActivationPart {
  const part = (typeof given === "string" ? { name: given } : given) as Partial<ActivationPart> | null;
  const known = activationNames.find((name) => name === part?.name);
  const own = ["name", ...((known && constantsOf[known]) ?? [])];
  const keys = Object.keys(part ?? {}).every((key) => own.includes(key));
  const constants = [part?.a, part?.c].every((value) => value === undefined || Number.isFinite(value));
  const positive = !(known === "gaussian" || known === "inverseMultiquadric") || (part?.a ?? 1) > 0;
  if (known !== undefined && keys && constants && positive) return { ...part, name: known };
  const expected = `${oneOf(activationNames)}, or { name, a, c } with the finite constants that the function has (a > 0 for gaussian and inverseMultiquadric)`;
  throw new ParameterError(where, "activation", expected, show(given));
}

/** As the kernels know it; undefined for softmax, which is not a function of one number. */
export const unaryOf = ({ name, ...constants }: ActivationPart): Unary | undefined =>
  name === "softmax" ? undefined : anyFunction({ name: name as UnaryName, ...constants });

export const isSmooth = ({ name }: ActivationPart): boolean =>
  name === "softmax" || hasDerivative(name as UnaryName);

/** Rectified units halve the variance of what they pass, which "he" makes up for. */
export const defaultStart = ({ name }: ActivationPart): WeightStart =>
  name === "relu" || name === "leakyRelu" || name === "gelu" ? "he" : "xavier";

/** JSON: the name alone where there are no constants. */
export const activationJson = (part: ActivationPart) => {
  const { name, a, c } = part;
  if (a === undefined && c === undefined) return name;
  return { name, ...(a === undefined ? {} : { a }), ...(c === undefined ? {} : { c }) };
};
