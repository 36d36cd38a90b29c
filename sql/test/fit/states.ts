import type { ModelState } from "argmax/core";
import { expect } from "vitest";

export interface StateComparison {
  /** Relative to the largest number of the same list. */
  readonly within: number;
  /** Values that differ by design: how a solver came to its answer. */
  readonly except?: readonly string[];
}

/** Two fitted models are the same: every number, label and name that they have learned. */
export function expectSameState(found: ModelState, expected: ModelState, options: StateComparison): void {
  expect(found.kind).toBe(expected.kind);
  sameValue("params", found.params, expected.params, options);
  sameValue("values", found.values, expected.values, options);
  expect(Object.keys(found.tensors).sort()).toEqual(Object.keys(expected.tensors).sort());
  for (const [name, { shape, data }] of Object.entries(expected.tensors)) {
    if (options.except?.includes(`tensors.${name}`)) continue;
    const own = found.tensors[name]!;
    expect(own.shape, name).toEqual(shape);
    close(
      `tensors.${name}`,
      Array.from(own.data as ArrayLike<number>),
      Array.from(data as ArrayLike<number>),
      options,
    );
  }
  expect(found.parts?.length).toBe(expected.parts?.length);
  expected.parts?.forEach((part, p) => {
    expectSameState(found.parts![p]!, part, options);
  });
}

/** What may be left where numbers about 1 cancel. */
const NOISE = 1e-15;

function close(
  path: string,
  found: readonly number[],
  expected: readonly number[],
  { within }: StateComparison,
) {
  const scale = expected.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 0);
  expected.forEach((v, e) => {
    const own = found[e]!;
    if (!Object.is(own, v) && !(Math.abs(own - v) <= Math.max(within * (scale || 1), within && NOISE)))
      expect(own, `${path}[${e}]`).toBe(v);
  });
}

function sameValue(path: string, found: unknown, expected: unknown, options: StateComparison): void {
  if (options.except?.includes(path)) return;
  if (typeof expected === "number" && typeof found === "number") {
    close(path, [found], [expected], options);
    return;
  }
  if (expected === null || typeof expected !== "object") {
    expect(found, path).toEqual(expected);
    return;
  }
  if (Array.isArray(expected) && expected.every((v) => typeof v === "number")) {
    expect((found as unknown[]).length, path).toBe(expected.length);
    close(path, found as number[], expected, options);
    return;
  }
  expect(Object.keys(found as object).sort(), path).toEqual(Object.keys(expected).sort());
  for (const [key, value] of Object.entries(expected))
    sameValue(`${path}.${key}`, (found as Record<string, unknown>)[key], value, options);
}
