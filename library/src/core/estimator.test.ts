import { describe, expect, it } from "vitest";
import type { Capabilities } from "./contract.js";
import { ArgmaxError, DataError, ParameterError } from "./errors.js";
import { capabilitiesOf, describeParams, Estimator, reviveParams } from "./estimator.js";
import { choice, integer, real } from "./params/params.js";

const table = {
  radius: real({ above: 0, default: 1, infinite: true, doc: "How far." }),
  depth: integer({ atLeast: 1, default: 3, doc: "How deep." }),
  name: choice(["Infinity", "zero"], { default: "zero", doc: "What it is called." }),
};

class Example extends Estimator<typeof table> {
  static readonly id = "Example";
  static readonly table = table;
  static readonly capabilities = { task: "transform" } as Capabilities;
}

describe("Estimator", () => {
  it("is frozen, with every parameter filled in", () => {
    const example = new Example({ depth: 5 });
    expect(example.params).toEqual({ radius: 1, depth: 5, name: "zero" });
    expect(Object.isFrozen(example)).toBe(true);
    expect(() => Object.assign(example, { id: "Other" })).toThrow(TypeError);
    expect(() => Object.assign(example.params, { depth: 1 })).toThrow(TypeError);
  });

  it("describes itself in JSON, Infinity included", () => {
    const example = new Example({ radius: Infinity });
    expect(JSON.parse(JSON.stringify(example))).toEqual({
      estimator: "Example",
      params: { radius: "Infinity", depth: 3, name: "zero" },
    });
    expect(new Example(reviveParams(table, describeParams(example.params)))).toEqual(example);
  });

  it("keeps a text that reads Infinity where the parameter takes texts", () => {
    expect(reviveParams(table, { name: "Infinity", radius: "Infinity", other: "Infinity" })).toEqual({
      name: "Infinity",
      radius: Infinity,
      other: "Infinity",
    });
  });
});

describe("capabilitiesOf", () => {
  it("asks the object before its class", () => {
    expect(capabilitiesOf(new Example())?.task).toBe("transform");
    class Composed extends Example {
      get capabilities(): Capabilities {
        return { ...Example.capabilities, task: "regression" };
      }
    }
    expect(capabilitiesOf(new Composed())?.task).toBe("regression");
    expect(capabilitiesOf({})).toBeUndefined();
  });
});

describe("ArgmaxError", () => {
  const details = {
    where: "Ridge.fit",
    subject: "X",
    expected: "dense",
    received: "a string",
    advice: "Parse it.",
  };

  it("reads where, what, what else and what to do", () => {
    const error = new DataError(details);
    expect(error.message).toBe("Ridge.fit: X must be dense, got a string. Parse it.");
    expect(error).toMatchObject({ ...details, name: "DataError", code: "data" });
  });

  it("within something larger keeps its class, its fields and its cause", () => {
    const inner = new ParameterError(details);
    const error = inner.within("pipeline step 2");
    expect(error).toBeInstanceOf(ParameterError);
    expect(error.message).toBe("pipeline step 2, Ridge.fit: X must be dense, got a string. Parse it.");
    expect(error.cause).toBe(inner);
    expect(error).toBeInstanceOf(ArgmaxError);
  });
});
