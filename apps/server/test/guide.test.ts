import { readFileSync } from "node:fs";
import { LogisticRegression, modelCard, pipeline, saveModel, tableVectorizer } from "argmax";
import { loadDataset } from "argmax/datasets";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanUp, folderOfModels, type Running, startServer } from "./support.js";

afterAll(cleanUp);

/** The requests of docs/guide/apps/server.md, sent to a server of the model that the page trains. */
const page = readFileSync(new URL("../../../docs/guide/apps/server.md", import.meta.url), "utf8");

interface Request {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** The block of JSON that follows, if one does. */
  readonly answer: unknown;
}

/** The words of a command of a shell with single quotes. */
const words = (command: string): string[] =>
  [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word);

function requests(): Request[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```json\n([\s\S]*?)^```)?/gm)];
  return blocks.map(([, command = "", answer]) => {
    const all = words(command);
    const after = (word: string) => all[all.indexOf(word) + 1]!;
    const isPiped = all[0] === "printf";
    const body = isPiped ? all.slice(2, all.indexOf("|")).join("\n") : after("-d");
    return {
      path: new URL(after("curl")).pathname,
      type: after("-H").replace("content-type: ", ""),
      body,
      answer: answer === undefined ? undefined : JSON.parse(answer),
    };
  });
}

let running: Running;
beforeAll(async () => {
  const { table } = await loadDataset("penguins");
  const X = table.drop(["species"]);
  const model = pipeline(tableVectorizer(), new LogisticRegression()).fit(X, table.column("species"));
  const card = modelCard(X, { target: "species", task: "classification" });
  running = await startServer({ folder: folderOfModels({ penguins: saveModel(model, { card }) }) });
});

test("the page has requests", () => {
  expect(requests().length).toBeGreaterThanOrEqual(5);
  expect(requests().filter(({ answer }) => answer !== undefined).length).toBeGreaterThanOrEqual(3);
});

test.each(requests())("$path of $type is answered as the page says", async ({ path, type, body, answer }) => {
  const { status, body: given } = await running.post(path, body, { "content-type": type });
  expect(status).toBe((answer as { error?: string } | undefined)?.error === undefined ? 200 : 422);
  if (answer !== undefined) expect(given).toEqual(answer);
  if (type.includes("ndjson")) expect((given as string).trimEnd().split("\n")).toHaveLength(2);
});
