import { type Column, NumericColumn, selectRows, Table, TextColumn } from "argmax/data";
import { maxOf } from "argmax/numeric";
import { loadModelCard, modelToJson, saveModel } from "argmax/persistence";
import { libraryColumn } from "../../data/library-table.js";
import { categoryColumn } from "../../data/table.js";
import { loadModel } from "../all-estimators.js";
import { preparedEstimator } from "../build-estimator.js";
import type { Model } from "../estimators.js";
import type {
  Answer,
  Answers,
  Artefact,
  Ask,
  Check,
  Described,
  Roles,
  ShipAsk,
  ShippedFile,
} from "../protocol.js";
import { estimatorCode } from "../ship/estimator-code.js";
import { type CodeColumn, typescriptOf } from "../ship/typescript.js";
import type { Context } from "./context.js";
import { answersOf } from "./model-answers.js";
import { modelOfJson } from "./model-json.js";
import { splitterOf, type TrainingRows, trainingRows } from "./train.js";

/** The code of a model, its card, and an example with its answer. */
export async function describeModel(
  { roles, model, key, stem, classes }: Ask<"artefacts">,
  { held }: Context<"artefacts">,
): Promise<Described> {
  const data = trainingRows(held.table(roles.table), roles);
  const bytes = held.get<Uint8Array>(key);
  const fitted = loadModel(bytes);
  const code = await codeOf({ roles, model, classes, stem }, data);
  const card = loadModelCard(bytes)!;
  const row = exampleRow(data.x);
  const one = selectRows(data.x, Int32Array.of(row));
  const { predicted, scores, scale } = answersOf(fitted, one, classes);
  const label = classes.length === 0 ? predicted[0]! : classes[predicted[0]!]!;
  const p = scale === "probability" && scores !== null ? classes.map((name, c) => [name, scores[c]!]) : null;
  const cells = data.x.columnNames.map((name): [string, unknown] => [name, cellOf(data.x, name, row)]);
  return {
    code,
    card,
    example: {
      // Entries, since objects read `__proto__` as their prototype.
      row: JSON.stringify(Object.fromEntries(cells)),
      answer:
        p === null ? JSON.stringify(label) : JSON.stringify({ label, probabilities: Object.fromEntries(p) }),
    },
  };
}

/** Makes an artefact as it will be downloaded, runs it, and compares its answers with the app's. */
export async function ship(ask: ShipAsk, context: Context<"ship">): Promise<Answer<"ship">> {
  const { roles, artefact, fitted, heldOut, classes } = ask;
  const { held, breathe, isStopped } = context;
  const data = trainingRows(held.table(roles.table), roles);
  const rowOf = new Map(Array.from(data.rows, (row, i) => [row, i]));
  const at = (rows: Int32Array) => Int32Array.from(rows, (row) => rowOf.get(row)!);
  const checks: Check[] = [];
  const made = await maker(ask, data, context);
  const answers = await made.whole(at(fitted.rows));
  await breathe();
  if (isStopped()) throw new Error("stopped");
  checks.push({
    ...compare(answers, fitted, classes.length),
    what: "rows of the table, by the model that you get",
  });
  const fold = heldOut === null ? undefined : firstFold(ask, data);
  if (fold !== undefined && heldOut !== null) {
    await breathe();
    if (isStopped()) throw new Error("stopped");
    const found = await made.part(fold.train, fold.test);
    const order = new Map(Array.from(heldOut.rows, (row, e) => [row, e]));
    const places = Array.from(fold.test, (i) => order.get(data.rows[i]!)!);
    const K = classes.length;
    const expected: Answers = {
      scale: heldOut.scale,
      predicted: Float64Array.from(places, (e) => heldOut.predicted[e]!),
      scores:
        heldOut.scores === null
          ? null
          : Float64Array.from(places.flatMap((e) => [...heldOut.scores!.subarray(e * K, (e + 1) * K)])),
    };
    checks.push({
      ...compare(found, expected, K),
      what: "held-out rows, by a model trained without them in the same way",
    });
  }
  // Moved, not copied: the rows of a large table would take the page a long task.
  context.move?.(made.files.map(({ content }) => content.buffer as ArrayBuffer));
  const { tolerance = TOLERANCE, files } = made;
  const size = classes.length > 0 ? 1 : maxOf(fitted.predicted.map(Math.abs), 1);
  return { artefact, checks, passed: checks.every(isPassed(tolerance * size)), files };
}

/** Labels must be the same; probabilities, and values relative to the largest, to the last digits that are ever shown. */
const TOLERANCE = 1e-9;

const isPassed =
  (most: number) =>
  ({ rows, mismatches, largest }: Check): boolean =>
    rows > 0 && mismatches === 0 && (largest === null || largest <= most);

/** An artefact: what the model that it holds says about rows, and what the same says that is made of fewer rows. */
interface Made {
  readonly whole: (rows: Int32Array) => Answers | Promise<Answers>;
  readonly part: (train: Int32Array, rows: Int32Array) => Promise<Answers>;
  /** TOLERANCE unless given. */
  readonly tolerance?: number;
  /** Each has a buffer of its own, which moves to the page. */
  readonly files: readonly ShippedFile[];
}

function maker(ask: ShipAsk, data: TrainingRows, context: Context<"ship">): Promise<Made> | Made {
  const makers: { readonly [A in Artefact]: () => Promise<Made> | Made } = {
    file: () => fileMaker(ask, data, context),
    json: () => jsonMaker(ask, data, context),
    code: () => codeMaker(ask, data),
    onnx: () => onnxMaker(ask, data, context),
  };
  return makers[ask.artefact]();
}

const fitPart = async ({ model }: ShipAsk, { x, y }: TrainingRows, train: Int32Array): Promise<Model> =>
  (await preparedEstimator(model, x)).fit(
    selectRows(x, train),
    y === undefined ? undefined : Array.from(train, (i) => y[i]!),
  );

function fileMaker(ask: ShipAsk, data: TrainingRows, { held }: Context<"ship">): Made {
  const bytes = held.get<Uint8Array>(ask.key);
  const answers = (file: Uint8Array, rows: Int32Array) =>
    answersOf(loadModel(file), selectRows(data.x, rows), ask.classes);
  return {
    whole: (rows) => answers(bytes, rows),
    part: async (train, rows) => answers(saveModel(await fitPart(ask, data, train)), rows),
    files: [{ name: `${ask.stem}.safetensors`, type: "application/octet-stream", content: bytes.slice() }],
  };
}

function jsonMaker(ask: ShipAsk, data: TrainingRows, { held }: Context<"ship">): Made {
  const bytes = held.get<Uint8Array>(ask.key);
  const model = loadModel(bytes);
  const text = modelToJson(model, { card: loadModelCard(bytes) });
  const answers = (json: string, like: typeof model, rows: Int32Array) =>
    answersOf(modelOfJson(json, like), selectRows(data.x, rows), ask.classes);
  return {
    whole: (rows) => answers(text, model, rows),
    part: async (train, rows) => {
      const fitted = await fitPart(ask, data, train);
      return answers(modelToJson(fitted), fitted, rows);
    },
    files: [{ name: `${ask.stem}.json`, type: "application/json", content: encode(text) }],
  };
}

/** As bytes: a page copies them at once, a long text slowly. */
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Networks learn in 32 bits, and ONNX files compute in 64. */
const ONNX_TOLERANCE = 1e-6;

/** What ONNX Runtime says. */
async function onnxMaker(ask: ShipAsk, data: TrainingRows, { held }: Context<"ship">): Promise<Made> {
  const [{ toOnnx }, { onnxAnswers }] = await Promise.all([
    import("argmax/onnx"),
    import("../ship/onnx-answers.js"),
  ]);
  const file = toOnnx(loadModel(held.get<Uint8Array>(ask.key)));
  return {
    whole: (rows) => onnxAnswers(file, selectRows(data.x, rows), ask.classes),
    part: async (train, rows) =>
      onnxAnswers(toOnnx(await fitPart(ask, data, train)), selectRows(data.x, rows), ask.classes),
    tolerance: ONNX_TOLERANCE,
    files: [{ name: `${ask.stem}.onnx`, type: "application/octet-stream", content: file }],
  };
}

/** The calls of the code, on the rows of its file. */
async function codeMaker(ask: ShipAsk, data: TrainingRows): Promise<Made> {
  const { roles, stem } = ask;
  const text = rowsText(data, roles);
  const code = await codeOf(ask, data);
  const rows = JSON.parse(text) as Readonly<Record<string, number | string | null>>[];
  const x = tableOfRows(rows, columnsOf(data.x));
  const y = data.y === undefined ? undefined : rows.map((row) => row[roles.target!]!);
  const read: TrainingRows = { ...data, x, y };
  // The code names the steps that the columns of its file need: they must be those of the app.
  const estimator = await preparedEstimator(ask.model, x);
  if (!code.includes(`const estimator = ${estimatorCode(estimator, ask.model).text};`))
    throw new Error("The rows of the file need other steps than those of the table.");
  const answers = (model: Model, rows: Int32Array) => answersOf(model, selectRows(x, rows), ask.classes);
  return {
    whole: (rows) => answers(estimator.fit(x, y), rows),
    part: async (train, rows) => answers(await fitPart(ask, read, train), rows),
    files: [
      { name: `${stem}.ts`, type: "text/typescript", content: encode(code) },
      { name: `${stem}.rows.json`, type: "application/json", content: encode(text) },
    ],
  };
}

async function codeOf(
  { roles, model, classes, stem }: Pick<ShipAsk, "roles" | "model" | "classes" | "stem">,
  { x }: TrainingRows,
): Promise<string> {
  const { task, target } = roles;
  return typescriptOf({
    stem,
    estimator: estimatorCode(await preparedEstimator(model, x), model),
    model: model.estimator,
    task,
    target,
    classes,
    columns: columnsOf(x),
  });
}

function columnsOf(x: Table): CodeColumn[] {
  const row = exampleRow(x);
  return x.columnNames.map((name) => {
    const { kind } = x.column(name);
    return {
      name,
      kind: kind === "numeric" ? "number" : kind === "text" ? "text" : "category",
      example: cellOf(x, name, row),
    };
  });
}

/** The first row without a missing cell; the first one if there is none. */
function exampleRow(x: Table): number {
  const columns = x.columnNames.map((name) => x.column(name));
  for (let i = 0; i < x.rows; i++) if (columns.every((column) => column.at(i) !== null)) return i;
  return 0;
}

const cellOf = (x: Table, name: string, row: number): number | string | null =>
  (x.column(name) as { at(i: number): number | string | null }).at(row);

/** One object per line: the features and the target. */
export function rowsText({ x, y }: TrainingRows, { target }: Roles): string {
  const names = x.columnNames.map((name) => JSON.stringify(name));
  const columns = x.columnNames.map((name) => x.column(name));
  const last = y === undefined ? undefined : JSON.stringify(target);
  const lines = Array.from({ length: x.rows }, (_, i) => {
    const cells = columns.map((column, j) => `${names[j]}:${JSON.stringify(column.at(i))}`);
    if (last !== undefined) cells.push(`${last}:${JSON.stringify(y![i])}`);
    return `{${cells.join(",")}}`;
  });
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** As the code makes its columns. */
function tableOfRows(
  rows: readonly Readonly<Record<string, number | string | null>>[],
  columns: readonly CodeColumn[],
): Table {
  return Table.fromColumns(
    new Map(
      columns.map(({ name, kind }): [string, Column] => {
        const cells = rows.map((row) => row[name]!);
        if (kind === "number")
          return [
            name,
            new NumericColumn(Float64Array.from(cells, (cell) => (cell as number) ?? Number.NaN)),
          ];
        if (kind === "text") return [name, new TextColumn(cells as (string | null)[])];
        return [name, libraryColumn(categoryColumn(name, cells as (string | null)[]))];
      }),
    ),
  );
}

function firstFold({ split, roles }: ShipAsk, { x, y = [], groups }: TrainingRows) {
  for (const fold of splitterOf(split, roles.task, y, groups).split(x, y, groups)) return fold;
  return undefined;
}

function compare(found: Answers, expected: Answers, classes: number): Omit<Check, "what"> {
  const rows = expected.predicted.length;
  let mismatches = found.predicted.length === rows ? 0 : rows;
  let largest: number | null = classes === 0 || expected.scores !== null ? 0 : null;
  const differ = (a: number, b: number) => (Object.is(a, b) ? 0 : Math.abs(a - b));
  for (let i = 0; i < rows; i++) {
    const apart = differ(found.predicted[i]!, expected.predicted[i]!);
    if (classes > 0) mismatches += apart === 0 ? 0 : 1;
    // NaN where one side has no number.
    else
      largest = apart > largest! || Number.isNaN(apart) ? (Number.isNaN(apart) ? Infinity : apart) : largest;
  }
  if (expected.scores !== null) {
    if (found.scores === null || found.scale !== expected.scale)
      return { rows, mismatches, largest: Infinity };
    for (let k = 0; k < expected.scores.length; k++) {
      const apart = differ(found.scores[k]!, expected.scores[k]!);
      largest = Number.isNaN(apart) ? Infinity : Math.max(largest!, apart);
    }
  }
  return { rows, mismatches, largest };
}
