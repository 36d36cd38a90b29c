import { expect, it } from "vitest";
import { guessedRoles, targetAsClasses } from "../data/guess-roles.js";
import { type ColumnData, categoryColumn, type TableData } from "../data/table.js";
import { packTexts } from "../data/texts.js";
import { reduce } from "./actions.js";
import { firstDocument } from "./document.js";
import { readDocument } from "./read/read-document.js";

const numbers = (name: string, rows: number, of: (i: number) => number): ColumnData => ({
  name,
  kind: "number",
  values: Float64Array.from({ length: rows }, (_, i) => of(i)),
});

it("takes a telling name as the target, leaves out identifiers, constants and text", () => {
  const table: TableData = {
    name: "t",
    rows: 40,
    columns: [
      numbers("passengerId", 40, (i) => i),
      numbers("age", 40, (i) => i % 17),
      numbers("Outcome", 40, (i) => i % 2),
      numbers("same", 40, () => 1),
      { name: "remark", kind: "text", texts: packTexts(Array.from({ length: 40 }, (_, i) => `text ${i}`)) },
      numbers("height", 40, (i) => i / 3),
    ],
  };
  expect(guessedRoles(table)).toEqual({
    roles: { passengerId: "id", Outcome: "target", same: "ignore", remark: "ignore" },
    // The one that says more about the outcome comes first.
    axes: ["height", "age"],
    task: "regression",
  });
  // 0 and 1 are classes.
  expect(guessedRoles(targetAsClasses(table)).task).toBe("classification");
});

it("keeps a target of many numbers", () => {
  const table: TableData = {
    name: "t",
    rows: 60,
    columns: [numbers("a", 60, (i) => i / 7), numbers("price", 60, (i) => i)],
  };
  expect(targetAsClasses(table)).toBe(table);
});

it("gives roles and kinds to columns named like properties of objects", () => {
  const columns = ["__proto__", "constructor", "hasOwnProperty"].map((name) =>
    categoryColumn(name, ["a", "b", "a", "b"]),
  );
  const { roles } = guessedRoles({ name: "t", rows: 4, columns });
  expect(Object.entries(roles)).toEqual([["hasOwnProperty", "target"]]);
  let document = reduce(firstDocument, { type: "setRole", column: "__proto__", role: "target" });
  document = reduce(document, { type: "setKind", column: "__proto__", kind: "text" });
  const again = readDocument(JSON.parse(JSON.stringify(document)))!;
  for (const found of [document, again]) {
    expect(Object.entries(found.roles)).toContainEqual(["__proto__", "target"]);
    expect(Object.entries(found.roles).filter(([, role]) => role === "target")).toHaveLength(1);
    expect(Object.entries(found.kinds)).toEqual([["__proto__", "text"]]);
    expect(Object.getPrototypeOf(found.roles)).toBe(Object.prototype);
  }
});
