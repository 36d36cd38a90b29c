import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoadedModel, loadModel, modelCard, saveModel, type Table } from "argmax";
import { commands } from "../src/commands/index.js";
import { loadTable } from "../src/data/load.js";
import { splitTarget } from "../src/data/target.js";
import { run } from "../src/run.js";
import { noStyle } from "../src/terminal/terminal.js";

/** Any estimator: the cases of a test have many types. */
interface AnyEstimator {
  fit(x: never, y: never): object;
}

export interface SavedModel {
  readonly path: string;
  /** The model as it was loaded from its file. */
  readonly model: LoadedModel;
  readonly target: string;
  /** All rows of the data. */
  readonly X: Table;
  readonly y: readonly (string | number | boolean)[];
}

export interface SavedModelOptions {
  readonly card?: boolean;
  /** X as a matrix, without names of columns. */
  readonly matrix?: boolean;
}

/** A folder for the files of a test; `remove` deletes it. */
export function testFolder(name: string) {
  const path = mkdtempSync(join(tmpdir(), `argmax-${name}-`));
  return { path, at: (file: string) => join(path, file), remove: () => rmSync(path, { recursive: true }) };
}

/** Fits every second row of an included dataset, and saves the model with its card. */
export async function saveFitted(
  path: string,
  data: string,
  estimator: AnyEstimator,
  { card = true, matrix = false }: SavedModelOptions = {},
): Promise<SavedModel> {
  const { X, y, target } = splitTarget(await loadTable(data), undefined);
  const rows = [...y.keys()].filter((i) => i % 2 === 0);
  const x = X.selectRows(rows);
  const labels = rows.map((i) => y[i]!);
  const fitted = estimator.fit((matrix ? x.toMatrix() : x) as never, labels as never);
  const task = "classes" in fitted ? "classification" : "regression";
  const bytes = saveModel(fitted as never, card ? { card: modelCard(x, { target, task }) } : {});
  writeFileSync(path, bytes);
  return { path, model: loadModel(bytes), target, X, y };
}

/** Runs a command in this process, on a terminal of 80 columns. */
export const runCommand = (...words: string[]) => runAt(80, ...words);

/** The same on a terminal of another width. */
export async function runAt(width: number, ...words: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal = {
    print: (text: string) => void printed.push(text),
    emit: () => {},
    note: (text: string) => void noted.push(text),
    width,
    style: noStyle,
  };
  const code = await run(commands, words, terminal, { program: "argmax" });
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

/** An object of --json. */
export interface Emitted {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Runs a command with --json; its objects by type. */
export async function runJson(...words: string[]) {
  const { code, printed, noted } = await runCommand(...words, "--json");
  const objects = printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Emitted);
  return {
    code,
    noted,
    objects,
    all: (type: string) => objects.filter((object) => object.type === type),
    one: (type: string) => objects.find((object) => object.type === type)!,
  };
}
