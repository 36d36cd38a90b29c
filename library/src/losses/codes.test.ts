import { expect, test } from "vitest";
import * as codes from "../numeric/generated/losses.layout.js";
import * as losses from "./losses.js";

test("every loss has the code that the kernels know it by", () => {
  const known = {
    SQUARED: losses.squared(),
    LOGISTIC: losses.logistic(),
    HINGE: losses.hinge(),
    SQUARED_HINGE: losses.squaredHinge(),
    PERCEPTRON: losses.perceptron(),
    EXPONENTIAL: losses.exponential(),
    POISSON: losses.poisson(),
    HUBER: losses.huber(),
    ABSOLUTE: losses.absolute(),
    QUANTILE: losses.quantile(),
    EPSILON_INSENSITIVE: losses.epsilonInsensitive(),
    SQUARED_EPSILON_INSENSITIVE: losses.squaredEpsilonInsensitive(),
    MODIFIED_HUBER: losses.modifiedHuber(),
  } satisfies Record<keyof typeof codes, { readonly code: number }>;
  const own = Object.fromEntries(Object.entries(known).map(([name, { code }]) => [name, code]));
  expect(own).toEqual({ ...codes });
});
