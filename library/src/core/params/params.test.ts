import { describe, expect, it } from "vitest";
import { ParameterError } from "../errors.js";
import { choice, classWeight, either, flag, integer, numbers, optional, readParams, real } from "./params.js";

const table = {
  C: real({ above: 0, default: 1, doc: "" }),
  depth: optional(integer({ atLeast: 1, default: 1, doc: "" })),
  penalty: choice(["l1", "l2"], { default: "l2", doc: "" }),
  shuffle: flag({ default: true, doc: "" }),
  hard: real({ above: 0, infinite: true, default: 1, doc: "" }),
  edges: numbers({ default: [], doc: "" }),
  gamma: either(choice(["scale"], { default: "scale", doc: "" }), real({ above: 0, default: 1, doc: "" })),
  classWeight: classWeight(),
};
const read = (given: object) => readParams("Model", table, given);
const message = (given: unknown) => {
  try {
    readParams("Model", table, given);
  } catch (error) {
    expect(error).toBeInstanceOf(ParameterError);
    return (error as Error).message;
  }
  return "no error";
};

describe("readParams", () => {
  it("fills in defaults and freezes the result", () => {
    const params = read({ C: 2 });
    expect(params).toMatchObject({
      C: 2,
      depth: null,
      penalty: "l2",
      shuffle: true,
      gamma: "scale",
      classWeight: null,
    });
    expect(Object.isFrozen(params)).toBe(true);
  });

  it("says what is wrong in the house form", () => {
    expect(message({ C: -1 })).toBe("Model: C must be a number > 0, got -1.");
    expect(message({ C: Infinity })).toBe("Model: C must be a number > 0, got Infinity.");
    expect(message({ depth: 1.5 })).toBe("Model: depth must be an integer ≥ 1, or null, got 1.5.");
    expect(message({ penalty: "l3" })).toBe('Model: penalty must be "l1" or "l2", got "l3".');
    expect(message({ shuffle: 1 })).toBe("Model: shuffle must be true or false, got 1.");
    expect(message({ edges: [1, Number.NaN] })).toContain("edges must be an array of numbers");
    expect(message({ gamma: 0 })).toBe('Model: gamma must be "scale", or a number > 0, got 0.');
    expect(message({ classWeight: { a: -1 } })).toContain("a finite weight ≥ 0");
    expect(message(null)).toContain("the argument must be an object with parameters (C, depth,");
  });

  it("refuses unknown keys and guesses what was meant", () => {
    expect(message({ class_weight: null })).toContain("Did you mean classWeight?");
    expect(message({ lambda: 1 })).toContain("every parameter must be one of C, depth, penalty");
  });

  it("is not fooled by inherited names", () => {
    expect(message({ toString: 1 })).toContain('got "toString"');
  });

  it("takes Infinity only where it has a meaning", () => {
    expect(read({ hard: Infinity }).hard).toBe(Infinity);
  });

  it("takes class weights as a record or a Map of labels", () => {
    expect(read({ classWeight: new Map([[true, 2]]) }).classWeight).toEqual({ true: 2 });
    expect(read({ classWeight: "balanced" }).classWeight).toBe("balanced");
  });

  it("takes a DataView for no list of numbers", () => {
    const table = { edges: numbers({ default: [], doc: "" }) };
    expect(() => readParams("test", table, { edges: new DataView(new ArrayBuffer(16)) })).toThrow(
      ParameterError,
    );
    expect(readParams("test", table, { edges: Float32Array.of(1, 2) }).edges).toEqual([1, 2]);
  });
});
