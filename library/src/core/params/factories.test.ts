import { describe, expect, it } from "vitest";
import * as argmax from "../../index.js";
import { ParameterError } from "../errors.js";

const { kernels } = argmax;

/** Every factory of a part, by what it is given in the wrong place; in plain JavaScript nothing else looks. */
const withoutOptions = {
  newton: argmax.newton,
  proximal: argmax.proximal,
  coordinateDescent: argmax.coordinateDescent,
  dualCoordinateDescent: argmax.dualCoordinateDescent,
  interiorPoint: argmax.interiorPoint,
  squared: argmax.squared,
  absolute: argmax.absolute,
  logistic: argmax.logistic,
  hinge: argmax.hinge,
  squaredHinge: argmax.squaredHinge,
  perceptron: argmax.perceptron,
  exponential: argmax.exponential,
  poisson: argmax.poisson,
  modifiedHuber: argmax.modifiedHuber,
  softmax: argmax.softmax,
  none: argmax.none,
  "kernels.thinPlate": kernels.thinPlate,
  "kernels.precomputed": kernels.precomputed,
};

const withOptions = {
  lbfgs: argmax.lbfgs,
  gradientDescent: argmax.gradientDescent,
  sgd: argmax.sgd,
  "kernels.linear": kernels.linear,
  "kernels.quadratic": kernels.quadratic,
  "kernels.poly": kernels.polynomial,
  "kernels.sigmoid": kernels.sigmoid,
  "kernels.rbf": kernels.rbf,
  "kernels.exponential": kernels.exponential,
  "kernels.laplacian": kernels.laplacian,
  "kernels.multiquadric": kernels.multiquadric,
  "kernels.inverseMultiquadric": kernels.inverseMultiquadric,
  "kernels.rationalQuadratic": kernels.rationalQuadratic,
};

const ofNumbers = {
  huber: argmax.huber,
  quantile: argmax.quantile,
  epsilonInsensitive: argmax.epsilonInsensitive,
  squaredEpsilonInsensitive: argmax.squaredEpsilonInsensitive,
  l1: argmax.l1,
  l2: argmax.l2,
  elasticNet: argmax.elasticNet,
  gaussianPrior: argmax.gaussianPrior,
  laplacePrior: argmax.laplacePrior,
  l1Ball: argmax.l1Ball,
  l2Ball: argmax.l2Ball,
  betaPrior: argmax.betaPrior,
  dirichletPrior: argmax.dirichletPrior,
};

type Factory = (...given: unknown[]) => unknown;
const rows = (factories: object) => Object.entries(factories) as [string, Factory][];

describe("a factory", () => {
  it.each(rows(withoutOptions))("%s, without options, refuses arguments", (name, make) => {
    expect(() => make({ tol: 1 })).toThrow(
      `${name}: every option must be absent (there are none), got "tol".`,
    );
    expect(() => make({ tol: 1 })).toThrow(ParameterError);
    expect(() => make("x")).toThrow(`${name}: the options must be absent (there are none), got "x".`);
    expect(() => make(undefined, 5)).toThrow(`${name}: the options must be absent (there are none), got 5.`);
    expect(() => make(null)).toThrow(ParameterError);
    expect(make({})).toMatchObject({ name: name.split(".").at(-1) });
  });

  it.each(rows(withOptions))("%s, with options, refuses others", (name, make) => {
    for (const wrong of [{ tolerance: 1 }, "x", 5, null, [1]]) {
      expect(() => make(wrong)).toThrow(ParameterError);
      expect(() => make(wrong)).toThrow(`${name}: `);
    }
  });

  it.each(rows(ofNumbers))("%s, of numbers, refuses what is not one", (name, make) => {
    for (const wrong of ["1", {}, null, Number.NaN, Infinity, true, [[["x"]]], 1n]) {
      expect(() => make(wrong, 2), String(wrong)).toThrow(ParameterError);
      expect(() => make(wrong, 2)).toThrow(`${name}: `);
    }
  });

  it("takes a second number only as a number", () => {
    for (const wrong of ["0.5", {}, null, [0.5]]) {
      expect(() => argmax.elasticNet(1, wrong as never)).toThrow("elasticNet: l1Ratio must be a number");
      expect(() => argmax.betaPrior(2, wrong as never)).toThrow("betaPrior: b must be a number");
    }
    expect(() => kernels.custom(5 as never)).toThrow(ParameterError);
    expect(() => kernels.custom(() => 1, { name: 1 } as never)).toThrow(ParameterError);
    expect(() => kernels.sum(5 as never)).toThrow(ParameterError);
    expect(() => kernels.product()).toThrow(ParameterError);
  });
});
