import type { ParamName, ParamOf } from "../core/composite.js";
import { ParameterError, show } from "../core/errors.js";
import type { Random } from "../core/numbers/random.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { invalid } from "../core/params/params.js";
import { type Distribution, distributionFromJson, isDistribution } from "./distributions.js";
import { required } from "./search-params.js";

/** The values to try of each parameter; of parts of an estimator as `name.param`. A list of grids is tried one after the other. */
export type Grid<E> = { readonly [K in ParamName<E>]?: readonly ParamOf<E, K>[] };
/** The values, or a distribution of them, to draw from. */
export type Space<E> = {
  readonly [K in ParamName<E>]?: readonly ParamOf<E, K>[] | Distribution<ParamOf<E, K>>;
};

/** Values of parameters by name. */
export type Candidate = Readonly<Record<string, unknown>>;
type AnyGrid = Readonly<Record<string, readonly unknown[]>>;
type AnySpace = Readonly<Record<string, readonly unknown[] | Distribution<unknown>>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !isArrayLike(value);

function readSpace(value: unknown, distributions: boolean): AnySpace | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, range]): [string, unknown] => {
    if (isArrayLike(range)) return [key, range.length > 0 ? Object.freeze(Array.from(range)) : undefined];
    if (!distributions) return [key, undefined];
    return [key, isDistribution(range) ? range : distributionFromJson(range)];
  });
  const fine = entries.every(([, range]) => range !== undefined);
  return fine ? (Object.freeze(Object.fromEntries(entries)) as AnySpace) : undefined;
}

/** One grid, or several. */
export const gridParam = required<readonly AnyGrid[]>({
  kind: "grid",
  doc: "The values to try of each parameter, all combinations of them; or a list of such grids.",
  expected: "an object of non-empty lists by the name of the parameter, or a list of such objects",
  read: (value) => {
    const grids = (Array.isArray(value) ? value : [value]).map((grid) => readSpace(grid, false));
    return grids.every((grid) => grid !== undefined) ? (Object.freeze(grids) as readonly AnyGrid[]) : invalid;
  },
});

export const spaceParam = required<AnySpace>({
  kind: "space",
  doc: "What to draw each parameter from: a list of values, or a distribution such as logUniform(1e-3, 1e3).",
  expected: "an object of non-empty lists or distributions by the name of the parameter",
  read: (value) => readSpace(value, true) ?? invalid,
});

/** All combinations of a grid; the last parameter changes fastest. */
export function combinationsOf(grid: AnyGrid): Candidate[] {
  let found: Candidate[] = [{}];
  for (const [key, values] of Object.entries(grid))
    found = found.flatMap((candidate) => values.map((value) => ({ ...candidate, [key]: value })));
  return found;
}

/**
 * Random candidates. If all parameters are lists, different ones, and no more than there are; otherwise independent draws.
 */
export function drawCandidates(space: AnySpace, count: number, random: Random): Candidate[] {
  const entries = Object.entries(space);
  if (entries.every(([, range]) => !isDistribution(range))) {
    const sizes = entries.map(([, range]) => (range as readonly unknown[]).length);
    const total = sizes.reduce((product, size) => product * size, 1);
    // Drawing different ones by place needs memory for every place.
    if (total <= 1e6) {
      const places = random.permutation(total).slice(0, count);
      return Array.from(places, (place) => combinationAt(entries as [string, readonly unknown[]][], place));
    }
  }
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      entries.map(([key, range]) => [
        key,
        isDistribution(range) ? range.draw(random) : range[random.below(range.length)],
      ]),
    ),
  );
}

function combinationAt(entries: readonly [string, readonly unknown[]][], place: number): Candidate {
  let left = place;
  return Object.fromEntries(
    entries.map(([key, values]) => {
      const value = values[left % values.length];
      left = Math.floor(left / values.length);
      return [key, value];
    }),
  );
}

/** A space is required: without one there is nothing to search. */
export function requireSpace(where: string, name: string, space: object | undefined, expected: string): void {
  if (space !== undefined && Object.keys(space).length > 0) return;
  throw new ParameterError(where, name, expected, show(undefined));
}
