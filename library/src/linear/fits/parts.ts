import { ArgmaxError, oneOf, ParameterError, show } from "../../core/errors.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import type { Loss, LossName } from "../../losses/loss.js";
import * as losses from "../../losses/losses.js";
import type { Penalty } from "../../penalties/penalties.js";
import * as penalties from "../../penalties/penalties.js";
import { coordinateDescent } from "../../solvers/coordinate-descent.js";
import { dualCoordinateDescent } from "../../solvers/dual-coordinate-descent.js";
import { gradientDescent } from "../../solvers/gradient-descent.js";
import { interiorPoint } from "../../solvers/interior-point.js";
import { lbfgs } from "../../solvers/lbfgs.js";
import { newton } from "../../solvers/newton.js";
import { proximal } from "../../solvers/proximal.js";
import { type SgdOptions, sgd } from "../../solvers/sgd.js";
import type { AnySolver } from "../../solvers/solver.js";

/** Losses, penalties and solvers by name, for JSON: `"logistic"` or `{ name: "huber", delta: 1.35 }`. */
type Factory<T> = (options: Readonly<Record<string, unknown>>) => T;
const number = (options: Readonly<Record<string, unknown>>, key: string): number | undefined =>
  options[key] === undefined ? undefined : (options[key] as number);

/** The keys of a JSON description besides the name; parts that are not listed have none. */
const settings: Readonly<Record<string, readonly string[]>> = {
  huber: ["delta"],
  quantile: ["tau"],
  epsilonInsensitive: ["epsilon"],
  squaredEpsilonInsensitive: ["epsilon"],
  l1: ["alpha"],
  l2: ["alpha"],
  elasticNet: ["alpha", "l1Ratio"],
  gaussianPrior: ["sigma"],
  laplacePrior: ["b"],
  l1Ball: ["radius"],
  l2Ball: ["radius"],
  lbfgs: ["memory"],
  gradientDescent: ["learningRate"],
  sgd: ["learningRate", "eta0", "powerT", "l1Update", "batchSize", "shuffle", "average", "nIterNoChange"],
};

const lossFactories: Readonly<Record<LossName, Factory<Loss>>> = {
  squared: losses.squared,
  absolute: losses.absolute,
  huber: (o) => losses.huber(number(o, "delta")),
  quantile: (o) => losses.quantile(number(o, "tau")),
  epsilonInsensitive: (o) => losses.epsilonInsensitive(number(o, "epsilon")),
  squaredEpsilonInsensitive: (o) => losses.squaredEpsilonInsensitive(number(o, "epsilon")),
  poisson: losses.poisson,
  logistic: losses.logistic,
  softmax: losses.softmax,
  hinge: losses.hinge,
  squaredHinge: losses.squaredHinge,
  perceptron: losses.perceptron,
  exponential: losses.exponential,
  modifiedHuber: losses.modifiedHuber,
};

const penaltyFactories: Readonly<Record<string, Factory<Penalty>>> = {
  none: penalties.none,
  l1: (o) => penalties.l1(number(o, "alpha")),
  l2: (o) => penalties.l2(number(o, "alpha")),
  elasticNet: (o) => penalties.elasticNet(number(o, "alpha"), number(o, "l1Ratio")),
  gaussianPrior: (o) => penalties.gaussianPrior(number(o, "sigma")),
  laplacePrior: (o) => penalties.laplacePrior(number(o, "b")),
  l1Ball: (o) => penalties.l1Ball(number(o, "radius") ?? Number.NaN),
  l2Ball: (o) => penalties.l2Ball(number(o, "radius") ?? Number.NaN),
};

const solverFactories: Readonly<Record<string, Factory<AnySolver>>> = {
  newton,
  lbfgs: (o) => lbfgs(o as { memory?: number }),
  gradientDescent: (o) => gradientDescent(o as { learningRate?: number }),
  sgd: (o) => sgd(o as SgdOptions),
  coordinateDescent,
  proximal,
  dualCoordinateDescent,
  interiorPoint,
};

/** Builds a part from its description; errors name the estimator's parameter `noun`. */
function built<T>(
  noun: string,
  name: string,
  factory: Factory<T>,
  options: Readonly<Record<string, unknown>>,
): T {
  const legal = settings[name] ?? [];
  for (const key of Object.keys(options)) {
    if (legal.includes(key)) continue;
    const expected = legal.length > 0 ? oneOf(legal) : `"name": ${name} has no parameters`;
    throw new ParameterError(`${noun}, ${name}`, "every key", expected, show(key));
  }
  try {
    return factory(options);
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(noun) : error;
  }
}

/** Accepts the part itself, its name, or its JSON description. */
function partSpec<T extends { readonly name: string }>(
  noun: string,
  factories: Readonly<Record<string, Factory<T>>>,
  names: readonly string[],
  fallback: T,
  doc: string,
): ParamSpec<T> {
  return {
    kind: "part",
    default: fallback,
    doc,
    expected: `a ${noun}: ${names.join(", ")}`,
    choices: names,
    read: (value) => {
      if (value === null || (typeof value !== "object" && typeof value !== "string")) return invalid;
      const name = typeof value === "string" ? value : (value as { name?: unknown }).name;
      if (typeof name !== "string" || !Object.hasOwn(factories, name)) return invalid;
      const isPart = typeof value === "object" && "toJSON" in value && typeof value.toJSON === "function";
      if (isPart) return names.includes(name) ? (value as unknown as T) : invalid;
      const { name: _, ...options } =
        typeof value === "string" ? { name } : (value as Record<string, unknown>);
      const part = built(noun, name, factories[name]!, options);
      return names.includes(part.name) || names.includes(name) ? part : invalid;
    },
  };
}

export const lossPart = (names: readonly LossName[], fallback: Loss): ParamSpec<Loss> =>
  partSpec("loss", lossFactories, names, fallback, "Loss function.");

export const penaltyPart = (fallback: Penalty): ParamSpec<Penalty> =>
  partSpec(
    "penalty",
    penaltyFactories,
    Object.keys(penaltyFactories),
    fallback,
    "Penalty on the coefficients, or constraint.",
  );

export const solverPart = (fallback: AnySolver): ParamSpec<AnySolver> =>
  partSpec(
    "solver",
    solverFactories,
    Object.keys(solverFactories),
    fallback,
    "Optimisation algorithm; null chooses by loss, penalty and the shape of the data.",
  );

/** Checks at run time, for JSON, what the compiler checks for typed callers. */
export function checkCombination(where: string, loss: Loss, penalty: Penalty, solver: AnySolver): void {
  const takesLoss = solver.losses.includes(loss.name);
  if (takesLoss && solver.penalties.includes(penalty.name)) return;
  const legal = solversFor(loss, penalty);
  if (legal.length === 0) {
    throw new ParameterError({
      where,
      subject: "penalty",
      expected: `one that a solver can minimise with the ${loss.name} loss (none can with ${penalty.name})`,
      received: show(penalty.name),
      advice: `The penalties for this loss are ${penaltiesFor(loss).join(", ")}.`,
    });
  }
  throw new ParameterError({
    where,
    subject: "solver",
    expected: takesLoss
      ? `one that takes the penalty ${penalty.name} (${oneOf(legal)} with the ${loss.name} loss)`
      : `one that can minimise the ${loss.name} loss (${oneOf(legal)} with penalty ${penalty.name})`,
    received: show(solver.name),
    advice: takesLoss
      ? `${solver.name} takes the penalties ${solver.penalties.join(", ")}.`
      : `${solver.name} takes the losses ${solver.losses.join(", ")}.`,
  });
}

function penaltiesFor(loss: Loss): string[] {
  const solvers = Object.values(solverFactories).map((factory) => factory({}));
  return [...new Set(solvers.filter((s) => s.losses.includes(loss.name)).flatMap((s) => s.penalties))];
}

function solversFor(loss: Loss, penalty: Penalty): string[] {
  return Object.entries(solverFactories)
    .filter(([, factory]) => {
      const solver = factory({});
      return solver.losses.includes(loss.name) && solver.penalties.includes(penalty.name);
    })
    .map(([name]) => name);
}
