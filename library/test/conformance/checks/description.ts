import { expect } from "vitest";
import { ParameterError } from "../../../src/core/errors.js";
import { invalid, type ParamSpec } from "../../../src/core/params/params.js";
import { estimatorFromJson } from "../../../src/persistence/index.js";
import { problem } from "../data.js";
import { type AnyEstimator, type Check, expectError, type Subject, tryBuild } from "../subject.js";

/** Values that a parameter must refuse, derived from its row in the table. */
function illegalValues(spec: ParamSpec<unknown>): unknown[] {
  const { above, atLeast, below, atMost } = spec.range ?? {};
  const outside: number[] = [];
  if (above !== undefined) outside.push(above, above - 1);
  if (atLeast !== undefined) outside.push(atLeast - 1);
  if (below !== undefined) outside.push(below, below + 1);
  if (atMost !== undefined) outside.push(atMost + 1);
  const never = [Symbol("illegal"), () => 0, Number.NaN, -Infinity];
  switch (spec.kind) {
    case "real":
      return [...never, ...outside, "1", true, [], {}];
    case "integer":
      return [...never, ...outside, 1.5, 2 ** 53, "1", true, []];
    case "flag":
      return [...never, 0, 1, "true", []];
    case "choice":
      return [...never, "no such choice", 0, true, []];
    case "classWeight":
      return [...never, "balance", 1, { a: -1 }, { a: "1" }, {}, []];
    case "numbers":
      return [...never, "1", ["1"], [Number.NaN], [null], ...outside.map((value) => [value])];
    case "text":
      return [...never, "", 0, true, []];
    case "texts":
      return [...never, "no such thing", 0, true, [1], [null], {}];
    case "scorer":
      return [Symbol("illegal"), Number.NaN, "no such scorer", true, [], {}];
    case "function":
    case "kernel":
      return [...never.filter((value) => typeof value !== "function"), "no such thing", 0, true, {}];
    case "label":
      return [...never, [], {}];
    case "union":
      // Either side may take what the other refuses; what neither can take is left.
      return [...never, outside.filter((value) => spec.read(value) === invalid)].flat();
    default:
      return [...never, "no such thing", 0, true];
  }
}

/** Kinds of parameters that may have no legal default: members, stages, steps. */
const mustBeGiven = new Set(["estimator", "estimators", "stages"]);

const enumerable = (spec: ParamSpec<unknown>): readonly unknown[] => spec.choices ?? [];

/** Parts hold functions, which are never equal; what they say of themselves is. */
function expectRoundTrip(subject: Subject, estimator: AnyEstimator): void {
  const text = JSON.stringify(estimator);
  const back = estimatorFromJson(JSON.parse(text));
  expect(back).toBeInstanceOf(subject.type);
  expect(JSON.stringify(back)).toBe(text);
}

export const descriptionChecks: readonly Check[] = [
  {
    claim: "carries the id, table and capabilities of its class",
    run: (subject) => {
      const estimator = subject.make();
      expect(estimator.constructor).toBe(subject.type);
      expect(estimator.id).toBe(subject.type.id);
      expect(Object.keys(estimator.params)).toEqual(Object.keys(subject.type.table));
    },
  },
  {
    claim: "is frozen, and stays as it is through fit",
    run: (subject) => {
      const estimator = subject.make();
      expect(Object.isFrozen(estimator)).toBe(true);
      expect(Object.isFrozen(estimator.params)).toBe(true);
      const before = JSON.stringify(estimator);
      const { X, y } = problem(subject);
      estimator.fit(X, y);
      expect(JSON.stringify(estimator)).toBe(before);
    },
  },
  {
    claim: "documents every parameter, and its defaults are legal",
    run: (subject) => {
      for (const [key, spec] of Object.entries(subject.type.table)) {
        expect(spec.doc, key).toMatch(/\w.*[.)]$/);
        expect(spec.expected, key).not.toBe("");
        // Without a default it must be given.
        if (spec.default !== undefined && !mustBeGiven.has(spec.kind))
          expect(spec.read(spec.default), `default of ${key}`).not.toBe(invalid);
      }
    },
  },
  {
    claim: "refuses parameters that are not in its table",
    run: (subject) => {
      expectError(() => subject.build({ noSuchParameter: 1 }), ParameterError, /every parameter must be/);
      expectError(() => subject.build(null as never), ParameterError);
      for (const key of Object.keys(subject.type.table)) {
        const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        if (snake === key) continue;
        expectError(() => subject.build({ [snake]: 1 }), ParameterError, `Did you mean ${key}?`);
      }
    },
  },
  {
    claim: "refuses every value outside its table",
    run: (subject) => {
      for (const [key, spec] of Object.entries(subject.type.table)) {
        for (const value of illegalValues(spec)) {
          const text = `${subject.type.id}: ${key} must be ${spec.expected}, got `;
          expectError(() => subject.build({ [key]: value }), ParameterError, escaped(text));
        }
      }
    },
  },
  {
    claim: "takes the ends of its ranges and every choice, and comes back from JSON the same",
    run: (subject) => {
      for (const [key, spec] of Object.entries(subject.type.table)) {
        const { atLeast, atMost } = spec.range ?? {};
        const ends = spec.kind === "numbers" ? [] : [atLeast, atMost].filter((end) => end !== undefined);
        for (const value of [...enumerable(spec), ...ends]) {
          // The name of a part may be too little to build it: a ball needs its radius.
          if (spec.kind !== "part") expect(spec.read(value), `${key} = ${value}`).not.toBe(invalid);
          const estimator = tryBuild(subject, key, value);
          if (estimator === undefined) continue;
          if (spec.kind !== "part") expect(estimator.params[key]).toEqual(value);
          expectRoundTrip(subject, estimator);
        }
      }
    },
  },
  {
    claim: "comes back from JSON the same",
    run: (subject) => {
      for (const estimator of [subject.make(), (subject.precise ?? subject.make)()]) {
        expectRoundTrip(subject, estimator);
      }
    },
  },
];

const escaped = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
