import { Writable } from "node:stream";
import {
  DecisionTreeClassifier,
  LogisticRegression,
  modelCard,
  pipeline,
  saveModel,
  Table,
  tableVectorizer,
} from "argmax";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commands } from "../src/commands/index.js";
import { streamSink } from "../src/data/write/sinks.js";
import { run } from "../src/run.js";
import { safeJson, safeText } from "../src/terminal/foreign-text.js";
import { openTerminal } from "../src/terminal/terminal.js";
import { temporaryFolder } from "./support/folder.js";

const { file } = temporaryFolder();

/** Sets the title and beeps; colours by one byte; turns the direction; deletes; clears the screen. */
const attacks = ["\u001b]0;owned\u0007", "\u009b31m", "\u202e", "\u007f\u0008", "\u001b[2J\u001b[32m"];
const hostile = (text: string, k: number): string => `${attacks[k % attacks.length]}${text}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
/** What the program itself writes: its styles, and the movements of live lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
const OWN = /\u001b\[(?:0|1|2|32|36)m|\u001b\[\d*[AKJ]|\r/g;

const n = 60;
const table = Table.fromColumns({
  [hostile("size", 0)]: Array.from({ length: n }, (_, i) => Math.sin(i) + (i % 3)),
  [hostile("shape", 1)]: Array.from({ length: n }, (_, i) => hostile(`s${i % 4}`, i)),
  [hostile("other", 2)]: Array.from({ length: n }, (_, i) => Math.cos(3 * i)),
});
const labels = Array.from({ length: n }, (_, i) => hostile(`class ${i % 3}`, i % 3));
const target = hostile("kind", 3);
const quoted = (cell: unknown): string => `"${String(cell).replaceAll('"', '""')}"`;
const rows = table
  .toRows()
  .map((row, i) => [...Object.values(row as object), labels[i]].map(quoted).join(","));
const data = file(
  "data.csv",
  `${[...table.columnNames, target].map(quoted).join(",")}\n${rows.join("\n")}\n`,
);
const card = modelCard(table, { target, task: "classification" });
const save = (name: string, learner: LogisticRegression | DecisionTreeClassifier) =>
  file(
    name,
    saveModel(pipeline(tableVectorizer(), learner as LogisticRegression).fit(table, labels), { card }),
  );
const linear = save("linear.safetensors", new LogisticRegression());
const tree = save("tree.safetensors", new DecisionTreeClassifier({ maxDepth: 3 }) as never);
const narrow = file("narrow.csv", "a,b\n1,2\n3,4\n");
const column = table.columnNames[0]!;

async function output(words: readonly string[], env: Record<string, string>): Promise<string> {
  let text = "";
  const stream = { isTTY: true, columns: 100, rows: 40, write: (more: string) => (text += more) };
  await run(commands, words, openTerminal(stream, stream, env), { program: "argmax" });
  return text;
}

test.each([
  ["inspect", data],
  ["inspect", data, "--target", target],
  ["inspect", data, "--target", hostile("missing", 0)],
  ["inspect", data, "--columns", hostile("missing", 1)],
  ["inspect", hostile("nowhere.csv", 4)],
  ["evaluate", linear, data],
  ["evaluate", tree, data, "--target", target],
  ["evaluate", linear, data, "--class", hostile("none", 0)],
  ["evaluate", linear, narrow],
  ["explain", linear],
  ["explain", tree],
  ["explain", linear, data],
  ["explain", tree, data, "--row", "3"],
  ["explain", linear, data, "--partial", column],
  ["explain", linear, data, "--partial", hostile("missing", 2)],
  ["predict", linear, narrow],
  ["client", linear],
  ["train", data, "--target", target, "--model", "decision-tree", "-o", file("out.safetensors", "")],
  ["train", data, "--target", hostile("missing", 4)],
  ["compare", data, "--target", target, "--models", hostile("none", 1)],
  ["serve", hostile("nowhere.safetensors", 0), "--log-level", "silent"],
  [hostile("command", 0)],
])("%#: %s writes no escape sequence of its input", async (...words) => {
  for (const env of [{}, { NO_COLOR: "1" }]) {
    const text = await output(words, env);
    expect(text.length).toBeGreaterThan(0);
    expect(text.replaceAll(OWN, "")).not.toMatch(COMMANDS);
    expect(text).not.toContain("owned\u0007");
    if ("NO_COLOR" in env) expect(text).not.toContain("\u001b[32m");
  }
  const json = await output([...words, "--json"], { NO_COLOR: "1" });
  expect(json.replaceAll(OWN, "")).not.toMatch(COMMANDS);
});

test("styles of the program are colours, and those of a file are not", () => {
  let text = "";
  const stream = { isTTY: true, write: (more: string) => (text += more) };
  const terminal = openTerminal(stream, stream, {});
  terminal.print(`${terminal.style.good("fine")} \u001b[32mforged`);
  expect(text).toBe("\u001b[32mfine\u001b[0m ␛[32mforged\n");
});

test("a terminal gets rows without commands, a pipe gets them as they are", async () => {
  const written = async (isTTY: boolean, chunk: string | Uint8Array) => {
    const chunks: string[] = [];
    const stream = new Writable({
      write(bytes, _, done) {
        chunks.push(String(bytes));
        done();
      },
    });
    await streamSink(Object.assign(stream, { isTTY })).write(chunk);
    return chunks.join("");
  };
  const row = `a,${attacks[0]}\n`;
  expect(await written(false, row)).toBe(row);
  expect(await written(true, row)).toBe("a,␛]0;owned␇\n");
  expect(await written(true, new TextEncoder().encode(row))).toBe("a,␛]0;owned␇\n");
});

test("any text is without commands afterwards, and JSON means the same (property)", () => {
  const unit = fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const text = parts.join("");
      expect(safeText(text)).not.toMatch(COMMANDS);
      expect(safeText(text)).toHaveLength(text.length);
      const json = safeJson(JSON.stringify({ text }));
      expect(json).not.toMatch(COMMANDS);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});
