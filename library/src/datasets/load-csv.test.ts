import { expect, it } from "vitest";
import { parseCsv } from "../csv/index.js";
import { csvDatasetNames, loadCsv } from "./index.js";

it("loads the text of a CSV file, which parseCsv reads", async () => {
  expect(csvDatasetNames).toEqual(["titanic"]);
  const { csv, licence } = await loadCsv("titanic");
  expect(licence).toBe("Public");
  const table = parseCsv(csv, { types: { survived: "number", age: "number", name: "text" } });
  expect(table.rows).toBe(1309);
  expect(table.columnNames).toHaveLength(14);
  // As everybody counts them: 500 survived, 263 ages are not known.
  expect(table.column("survived").values.reduce((sum, v) => sum + v, 0)).toBe(500);
  expect(table.column("age").missing).toBe(263);
  expect(table.column("name").at(0)).toBe("Allen, Miss. Elisabeth Walton");
  expect(table.column("cabin").kind).toBe("text");
  // @ts-expect-error There is no such file.
  await expect(loadCsv("lusitania")).rejects.toThrow(/must be "titanic"/);
});
