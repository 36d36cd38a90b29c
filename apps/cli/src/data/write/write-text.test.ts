import { CategoricalColumn, Table } from "argmax";
import { expect, test } from "vitest";
import { rowsText, type TextFormat, textWriter } from "./write-text.js";

/** What `write` writes below the names, cell by cell. */
async function writtenRows(format: TextFormat, table: Table): Promise<string> {
  let text = "";
  const writer = textWriter(format, {
    write: async (bytes) => {
      text += Buffer.from(bytes as string).toString();
    },
    close: async () => {},
    discard: async () => {},
  });
  await writer.write(table);
  return text.slice(text.indexOf("\n") + 1);
}

const labels = (categories: readonly string[], codes: readonly number[]) =>
  Table.fromColumns(
    new Map([["prediction", new CategoricalColumn(Int32Array.from(codes), Object.freeze([...categories]))]]),
  );

test.each([
  ["short labels", ["no", "yes"], [1, 0, 0, 1, 1, 0]],
  [
    "labels with quotes, delimiters, line breaks and blanks",
    ['a"b', "c,d", "e\tf", "g\nh", " i"],
    [4, 0, 1, 2, 3],
  ],
  ["labels outside ASCII", ["Åre", "語", "🙂"], [2, 0, 1]],
  ["labels that are missing or empty", ["", "a"], [-1, 0, 1, -1]],
  ["labels too long to be copied whole", ["a", "a label of more than sixteen bytes"], [1, 0, 1]],
  ["no label at all", [], [-1, -1]],
  ["no rows", ["a"], []],
] as const)("rows after the first batch are written like the first: %s", async (_, categories, codes) => {
  const table = labels(categories, codes);
  for (const format of ["csv", "tsv"] as const)
    expect(Buffer.from(rowsText(format, table) as string).toString()).toBe(await writtenRows(format, table));
});

test("rows of short labels are one line of UTF-8 each", () => {
  expect(rowsText("csv", labels(["no", "yes"], [1, 0, -1, 1]))).toEqual(
    new Uint8Array(Buffer.from('yes\nno\n""\nyes\n')),
  );
});
