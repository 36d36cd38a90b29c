import { describe, expect, it } from "vitest";
import { describeRow, showValue } from "./describe-row.mjs";
import { documented } from "./param-docs.mjs";

const spec = (kind, fallback, expected, doc) => ({
  kind,
  default: fallback,
  expected,
  doc,
  read: (value) => value,
});
const table = {
  alpha: spec("real", 1e-4, "a number ≥ 0", "Strength."),
  loss: spec("choice", "a", '"a" or "b"', "Loss: a or b"),
  quiet: spec("flag", false, "true or false", "Be quiet."),
};
const named = (name) => ({ table, other: 3 })[name];

describe("a row reads as", () => {
  it("its doc, its default and what it must be", () => {
    expect(Object.values(table).map(describeRow)).toEqual([
      "Strength. Default: 1e-4. Must be a number ≥ 0.",
      'Loss: a or b. Default: "a". Must be "a" or "b".',
      "Be quiet. Default: false.",
    ]);
  });

  it("defaults as code", () => {
    expect([null, [1, 2], "l2", 0.01, { toJSON: () => ({ name: "l2", alpha: 1 }) }].map(showValue)).toEqual([
      "null",
      "[1, 2]",
      '"l2"',
      "0.01",
      "l2(1)",
    ]);
  });
});

describe("declarations", () => {
  const plain = [
    "type Table = typeof table;",
    "export declare class One {",
    "    constructor(params?: Params<Table, {",
    "        loss: L;",
    "    }>);",
    "}",
    "",
  ].join("\n");

  it("have every parameter with its doc, and narrowed ones with their own type", () => {
    const text = documented(plain, named);
    expect(text).toContain("        /** Strength. Default: 1e-4. Must be a number ≥ 0. */");
    expect(text).toContain(
      '        readonly alpha?: import("../core/params/params.js").Params<Table>["alpha"];',
    );
    expect(text).toContain("        readonly loss?: (L) | undefined;");
  });

  it("are the same when written twice, and follow the table", () => {
    const once = documented(plain, named);
    expect(documented(once, named)).toBe(once);
    const renamed = { ...table, alpha: { ...table.alpha, doc: "Weight." } };
    expect(documented(once, () => renamed)).toBe(documented(plain, () => renamed));
    expect(documented(once, () => undefined)).toBe(plain);
  });

  it("of a union have what its members share once, and a union of the rest", () => {
    const union = `type Choice = Params<typeof table, {
    loss: "a";
}> | ParamsWith<typeof table, {
    loss: "b";
    alpha?: 0;
}>;
`;
    const text = documented(union, named);
    expect(text.match(/readonly quiet/g)).toHaveLength(1);
    expect(text).toContain('readonly loss?: ("a") | undefined;');
    expect(text).toContain('readonly loss: "b";');
    expect(text).toContain("readonly alpha?: (0) | undefined;");
    expect(documented(text, named)).toBe(text);
    expect(documented(text, () => undefined)).toBe(union);
  });

  it("of other types stay as they are", () => {
    const text =
      "export declare function f<T extends Tables>(given: Params<T>, other: Params<typeof other>): void;\n";
    expect(documented(text, named)).toBe(text);
  });

  it("have the constructors that estimators inherit", () => {
    const declared =
      "export declare class Ridge extends Estimator<typeof table> {\n    static readonly id: string;\n}\n";
    const known = (name) => (name === "Ridge" ? { table } : named(name));
    const text = documented(declared, known);
    expect(text).toContain("    constructor(params?: /* Params<typeof table> */ {");
    expect(documented(text, known)).toBe(text);
    expect(documented(declared, named)).toBe(declared);
  });
});
