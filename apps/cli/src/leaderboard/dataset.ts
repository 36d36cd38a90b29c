import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { ArgmaxError, DataError, type Matrix, parseSvmlight, type SvmlightData } from "argmax";
import { datasetNames, loadDataset } from "argmax/datasets";
import { readChoice, UsageError } from "../command.js";

/** The data of a command, included or from a file. */
export interface Dataset {
  readonly name: string;
  readonly task: Task;
  readonly X: Matrix;
  readonly y: ArrayLike<string | number | boolean>;
  readonly description: string;
}

export type Task = "classification" | "regression";
const tasks = ["classification", "regression"] as const;

/** Files of rows `label index:value …`. */
export const svmlightExtensions = [".svm", ".svmlight", ".libsvm"] as const;

const isFile = (given: string) =>
  svmlightExtensions.some((ending) => ending === extname(given).toLowerCase());

/** An included dataset by its name, or a file by its extension. `task` is the option --task, for a file. */
export async function openDataset(given: string, task: string | undefined): Promise<Dataset> {
  if (isFile(given))
    return readSvmlightFile(given, task === undefined ? task : readChoice("task", task, tasks));
  if (task !== undefined)
    throw new UsageError("--task is for files: the task of an included dataset is fixed.");
  if (/[./\\]/.test(given)) {
    const endings = svmlightExtensions.join(", ");
    throw new UsageError(`--dataset must be a name or a file that ends in ${endings}; got ${show(given)}.`);
  }
  return loadDataset(readChoice("dataset", given, datasetNames));
}

const show = (text: string) => JSON.stringify(text);

async function readSvmlightFile(path: string, said: Task | undefined): Promise<Dataset> {
  const data = parse(path, await readBytes(path));
  const task = said ?? taskOf(data.y);
  return {
    name: basename(path),
    task,
    X: dense(path, data),
    y: data.y,
    description: describe(data, task, said === undefined),
  };
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError(`--dataset: there is no file ${show(path)}.`);
  }
}

function parse(path: string, bytes: Uint8Array): SvmlightData {
  try {
    return parseSvmlight(bytes);
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(path) : error;
  }
}

/** More distinct whole numbers than this are considered counts or ages, not classes. */
const MOST_CLASSES = 20;

/** Classification if the labels are few distinct whole numbers. */
export function taskOf(y: Float64Array): Task {
  return y.every(Number.isInteger) && new Set(y).size <= MOST_CLASSES ? "classification" : "regression";
}

/** One gigabyte. */
const MOST_CELLS = 2 ** 27;

/** Models are compared on standardised columns, which are dense: centring removes the zeros of sparse rows. */
function dense(path: string, { X }: SvmlightData): Matrix {
  const cells = X.rows * X.cols;
  if (cells > 0 && cells <= MOST_CELLS) return X.toDense();
  throw new DataError({
    where: path,
    subject: "the file",
    expected: `of 1 to ${MOST_CELLS} cells`,
    received: `${X.rows} rows × ${X.cols} columns`,
    ...(cells > 0 && { advice: "Models that keep sparse rows sparse can be fitted with the library." }),
  });
}

function describe({ X, y }: SvmlightData, task: Task, guessed: boolean): string {
  const filled = `${((100 * X.nonZeros) / (X.rows * X.cols)).toFixed(1)}% of the entries are stored`;
  const classes = new Set(y).size;
  const taken = task === "regression" ? "numbers" : classes === 1 ? "one class" : `${classes} classes`;
  const other = task === "classification" ? "regression" : "classification";
  return `${filled}; labels taken as ${taken}${guessed ? ` (--task ${other} decides otherwise)` : ""}.`;
}
