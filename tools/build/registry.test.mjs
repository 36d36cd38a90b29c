import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { estimatorsByFamily, estimatorsIn, exportedFrom, registrySource } from "./registry.mjs";

const folder = mkdtempSync(join(tmpdir(), "argmax-registry-"));
afterAll(() => rmSync(folder, { recursive: true }));

const estimator = (name, id = name) =>
  `export class ${name}<E extends { a: 1 }>\n  extends Estimator<E>\n{\n  static readonly id = "${id}";\n  static restore() {}\n}\n`;

test("an estimator is a class whose id is its name and that restores models", () => {
  expect(estimatorsIn(estimator("Ridge"))).toEqual(["Ridge"]);
  expect(estimatorsIn(estimator("FittedRidge", "Ridge"))).toEqual([]);
  expect(estimatorsIn('export class Codes {\n  static readonly id = "Codes";\n}\n')).toEqual([]);
  expect(estimatorsIn(estimator("B") + estimator("A"))).toEqual(["B", "A"]);
});

test("exported names are those of values", () => {
  const text = 'export { type A, B } from "./a.js";\nexport type { C } from "./c.js";';
  expect(exportedFrom(text)).toEqual([{ names: ["B"], from: "./a.js" }]);
});

test("the list has every family's exported estimators, by the alphabet", () => {
  for (const [family, index, file] of [
    ["trees", 'export { Tree, Bush } from "./tree.js";', estimator("Tree") + estimator("Bush")],
    ["linear", 'export { Ridge } from "./ridge.js";', estimator("Ridge") + estimator("Hidden")],
    ["data", 'export { Table } from "./table.js";', "export class Table {\n}\n"],
  ]) {
    mkdirSync(join(folder, family));
    writeFileSync(join(folder, family, "index.ts"), index);
    writeFileSync(join(folder, family, "file.ts"), file);
  }
  const found = estimatorsByFamily(folder);
  expect([...found]).toEqual([
    ["linear", ["Ridge"]],
    ["trees", ["Bush", "Tree"]],
  ]);
  const source = registrySource(found);
  expect(source).toContain('import { Bush, Tree } from "../../trees/index.js";');
  expect(source).toContain("  Ridge,\n  Bush,\n  Tree,\n];");
});
