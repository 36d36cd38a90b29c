import { ParameterError, show } from "../core/errors.js";
import { exp, log } from "../core/numbers/elementary.js";
import type { Random } from "../core/numbers/random.js";
import { Printed } from "../core/text/printing.js";

/** A way to draw values of a parameter. */
export interface Distribution<V = number> {
  draw(random: Random): V;
}

export interface DistributionJson {
  readonly distribution: string;
  readonly from: number;
  readonly to: number;
}

class Between extends Printed implements Distribution {
  constructor(
    readonly name: keyof typeof draws,
    readonly from: number,
    readonly to: number,
  ) {
    super();
    const finite = Number.isFinite(from) && Number.isFinite(to) && from < to;
    const legal =
      name === "logUniform"
        ? from > 0
        : name === "uniform" || (Number.isSafeInteger(from) && Number.isSafeInteger(to));
    if (!finite || !legal) {
      const kind = name === "logUniform" ? "numbers > 0" : name === "uniform" ? "finite numbers" : "integers";
      const expected = `two ${kind}, the first the smaller`;
      throw new ParameterError(name, "the bounds", expected, `${show(from)} and ${show(to)}`);
    }
    Object.freeze(this);
  }

  draw(random: Random): number {
    return draws[this.name](random, this.from, this.to);
  }

  toString(): string {
    return `${this.name}(${this.from}, ${this.to})`;
  }

  toJSON(): DistributionJson {
    return { distribution: this.name, from: this.from, to: this.to };
  }
}

const draws = {
  uniform: (random: Random, from: number, to: number) => from + (to - from) * random.uniform(),
  logUniform: (random: Random, from: number, to: number) =>
    exp(log(from) + (log(to) - log(from)) * random.uniform()),
  integers: (random: Random, from: number, to: number) => from + random.below(to - from + 1),
};

/** Every number between the two is equally likely. */
export const uniform = (from: number, to: number): Distribution => new Between("uniform", from, to);
/** Every order of magnitude between the two is equally likely: for C, alpha, gamma and learning rates. */
export const logUniform = (from: number, to: number): Distribution => new Between("logUniform", from, to);
/** Every integer from the first to the second, both included. */
export const integers = (from: number, to: number): Distribution => new Between("integers", from, to);

export const isDistribution = (value: unknown): value is Distribution<unknown> =>
  typeof (value as Partial<Distribution<unknown>> | null | undefined)?.draw === "function";

/** The distribution that `toJSON` described; undefined if the value is something else. */
export function distributionFromJson(value: unknown): Distribution | undefined {
  const { distribution, from, to } = (value ?? {}) as Partial<DistributionJson>;
  if (distribution === undefined || !Object.hasOwn(draws, distribution)) return undefined;
  return new Between(distribution as keyof typeof draws, from!, to!);
}
