import { readOptions } from "../../core/params/options.js";
import { flag, type ParamSpec, real } from "../../core/params/params.js";
import type { NestedNumbers } from "../autodiff/arrays.js";
import { multiply, subtract } from "../autodiff/ops/arithmetic.js";
import { exp, scale, square } from "../autodiff/ops/functions.js";
import { sum } from "../autodiff/ops/reductions.js";
import { reshape } from "../autodiff/ops/shapes.js";
import { showShape } from "../autodiff/shape.js";
import { type WeightStart, weightStart } from "../network/initialization.js";
import { type Layer, layer } from "../network/layer.js";
import { optionsJson, readCount } from "./options.js";
import { givenStart, startJson, startSpec } from "./start-options.js";

export interface RbfOptions {
  /** The first width a of every unit. */
  readonly width?: number | undefined;
  /** How the centres start; given ones are units × inputs. "xavier" unless given. */
  readonly start?: WeightStart | NestedNumbers | undefined;
  /** Whether training changes centres and widths. */
  readonly trainable?: boolean | undefined;
}

const rbfOptions = {
  width: real({ above: 0, default: 1, doc: "The first width of every unit." }),
  start: startSpec("How the centres start."),
  trainable: flag({ default: true, doc: "Whether training changes centres and widths." }),
} satisfies Record<keyof RbfOptions, ParamSpec<unknown>>;

/**
 * Radial basis functions: unit k answers to inputs near its centre cₖ,
 *
 *   yₖ = exp(−‖x − cₖ‖²/2aₖ²)
 *
 * Centres and inverse widths rₖ = 1/aₖ are trained; rₖ enters as its square, so that no sign needs watching,
 * and rₖ = 0 is a unit that is always 1. Neither is penalised. Works on the last axis. Differences are
 * squared one by one: ‖x‖² − 2x·c + ‖c‖² would be faster and loses all digits where inputs are far from 0.
 */
export function rbf(units: number, options: RbfOptions = {}): Layer {
  const count = readCount("rbf", "units", units);
  const given = readOptions("rbf", rbfOptions, options);
  const { width, trainable } = given;
  const start = given.start === undefined ? undefined : startJson(given.start);
  const json = { units: count, ...optionsJson(rbfOptions, { ...given, start }) };
  return layer("rbf", json, (input, builder) => {
    const d = input.at(-1) ?? builder.refuse("the input", "at least one axis", showShape(input));
    const named = typeof given.start === "string" ? given.start : "xavier";
    const free = { trainable, penalised: false };
    const first = givenStart(given.start) ?? weightStart(named, d, count);
    const centres = builder.parameter("centres", [count, d], first, free);
    const inverse = { kind: "constant", value: 1 / width } as const;
    const inverseWidths = builder.parameter("inverseWidths", [count], inverse, free);
    return {
      output: [...input.slice(0, -1), count],
      forward: (x, pass) => {
        const rows = reshape(x, [x.size / d, 1, d]);
        const distances = sum(square(subtract(rows, pass.parameter(centres))), { axis: -1 });
        const scaled = multiply(distances, square(pass.parameter(inverseWidths)));
        return reshape(exp(scale(scaled, -0.5)), [...x.shape.slice(0, -1), count]);
      },
    };
  });
}
