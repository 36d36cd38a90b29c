// Writes library/src/data/included/penguins.ts from the npm package vega-datasets (BSD-3-Clause; the data are CC0):
//
//   npm pack vega-datasets && tar xzf vega-datasets-*.tgz
//   node tools/datasets/penguins.mjs package/data/penguins.json
import { readFileSync, writeFileSync } from "node:fs";

const penguins = JSON.parse(readFileSync(process.argv[2], "utf8"));
const columns = [
  "Species",
  "Island",
  "Beak Length (mm)",
  "Beak Depth (mm)",
  "Flipper Length (mm)",
  "Body Mass (g)",
  "Sex",
];

/** An empty field is missing. One sex is given as ".", which means the same. */
const field = (value) => {
  if (value === null || value === ".") return "";
  return typeof value === "string" && value === value.toUpperCase() ? value.toLowerCase() : String(value);
};
const rows = penguins.map((penguin) => columns.map((name) => field(penguin[name])).join(","));

const target = new URL("../../library/src/data/included/penguins.ts", import.meta.url);
writeFileSync(
  target,
  `// Source: K. B. Gorman, T. D. Williams, W. R. Fraser (2014), Palmer Station LTER; via palmerpenguins and vega-datasets
// Licence: CC0 1.0
// Written by tools/datasets; do not edit.

export const rows: string = \`
${rows.join("\n")}
\`;
`,
);
