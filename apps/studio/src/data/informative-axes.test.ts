import { expect, test } from "vitest";
import { table } from "../work/answers/tables.js";
import { informativeAxes } from "./informative-axes.js";
import { type ColumnData, categoryColumn, columnOf } from "./table.js";

const included = async (name: "iris" | "diabetes" | "wine", target: string) => {
  const { columns, ...others } = await table({ source: { kind: "included", name } });
  const found = columnOf({ columns, ...others }, target)!;
  return informativeAxes(
    columns.filter((column) => column !== found),
    found,
  );
};

test("the columns that tell most about the target: of irises the petals, of diabetes body mass and a lipid", async () => {
  expect(await included("iris", "species")).toEqual(["petal length (cm)", "petal width (cm)"]);
  expect(await included("diabetes", "progression")).toEqual(["bmi", "s5"]);
});

const numbers = (name: string, of: (i: number) => number): ColumnData => ({
  name,
  kind: "number",
  values: Float64Array.from({ length: 200 }, (_, i) => of(i)),
});
const wave = (i: number) => Math.sin(i * 12.9898) * 10;
const target = categoryColumn(
  "class",
  Array.from({ length: 200 }, (_, i) => (wave(i) > 0 ? "high" : "low")),
);

test("not two of the same, nor a flag, nor what is all gaps", () => {
  const columns = [
    numbers("noise", (i) => (i * 7919) % 31),
    numbers("flag", (i) => (wave(i) > 0 ? 1 : 0)),
    numbers("signal", wave),
    numbers("copy", (i) => 4 * wave(i)),
    numbers("gaps", () => Number.NaN),
    numbers("weak", (i) => wave(i) + ((i * 104729) % 97)),
  ];
  expect(informativeAxes(columns, target)).toEqual(["signal", "weak"]);
  expect(informativeAxes(columns.slice(1, 3), target)).toEqual(["signal", "flag"]);
  expect(informativeAxes(columns.slice(0, 1), target)).toBeNull();
});

test("without a target the first two", () => {
  const columns = [numbers("a", (i) => i % 9), numbers("b", wave), numbers("c", (i) => -i)];
  expect(informativeAxes(columns, undefined)).toEqual(["a", "b"]);
});
