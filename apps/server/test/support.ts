import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DecisionTreeClassifier,
  KMeans,
  LinearRegression,
  LogisticRegression,
  modelCard,
  pipeline,
  RandomForestClassifier,
  StandardScaler,
  saveModel,
  Table,
  TfidfVectorizer,
  tableVectorizer,
} from "argmax";
import { createServer, type ModelServer, type ServerOptions } from "../src/index.js";

/** Rows of two fields whose label is the sign of their sum. */
const points = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i)] as const);
export const signTable: Table = Table.fromColumns({
  a: points.map(([a]) => a),
  b: points.map(([, b]) => b),
});
const signs = points.map(([a, b]) => (a + b > 0 ? "plus" : "minus"));

/** A classifier of numbers with a card; its labels are swapped, for a version that answers otherwise. */
export function signModel(swapped = false): Uint8Array {
  const labels = swapped ? signs.map((sign) => (sign === "plus" ? "minus" : "plus")) : signs;
  const model = pipeline(new StandardScaler(), new LogisticRegression()).fit(signTable, labels);
  return saveModel(model, { card: modelCard(signTable, { target: "sign", task: "classification" }) });
}

/** A classifier of numbers without names and without a card. */
export const bareModel = (): Uint8Array =>
  saveModel(
    new RandomForestClassifier({ nEstimators: 10 }).fit(
      points.map(([a, b]) => [a, b]),
      signs,
    ),
  );

/** y = 2a + 3b + 1, exactly. */
export const sumModel = (): Uint8Array =>
  saveModel(
    new LinearRegression().fit(
      signTable,
      points.map(([a, b]) => 2 * a + 3 * b + 1),
    ),
    { card: modelCard(signTable, { target: "sum", task: "regression" }) },
  );

export const textModel = (): Uint8Array =>
  saveModel(
    pipeline(new TfidfVectorizer(), new LogisticRegression({ C: 100 })).fit(
      ["cheap pills", "buy cheap pills now", "meeting at noon", "the meeting moved to noon"],
      ["spam", "spam", "ham", "ham"],
    ),
  );

export const clusterModel = (): Uint8Array =>
  saveModel(
    new KMeans({ nClusters: 2 }).fit([
      [0, 0],
      [0, 1],
      [9, 9],
      [9, 8],
    ]),
  );

export const scalerModel = (): Uint8Array =>
  saveModel(
    new StandardScaler().fit([
      [0, 0],
      [2, 4],
    ]),
  );

export const treeModel = (): Uint8Array =>
  saveModel(
    new DecisionTreeClassifier().fit(
      points.map(([a, b]) => [a, b]),
      signs,
    ),
  );

/** Passengers: a number with gaps, categories, a boolean and a date; women survive. */
export const passengers: Table = Table.fromColumns({
  age: Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? null : 20 + i)),
  sex: Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? "female" : "male")),
  alone: Array.from({ length: 40 }, (_, i) => i % 3 === 0),
  boarded: Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(1912, 3, 1 + (i % 10)))),
});

export const passengerModel = (): Uint8Array =>
  saveModel(
    pipeline(tableVectorizer(), new LogisticRegression()).fit(
      passengers,
      Array.from({ length: 40 }, (_, i) => i % 2 === 0),
    ),
    { card: modelCard(passengers, { target: "survived", task: "classification" }) },
  );

export const woman = { age: 30, sex: "female", alone: true, boarded: "1912-04-10" };

const folders: string[] = [];
const servers: ModelServer[] = [];

/** Ends the servers and removes the folders of a test file, which calls `afterAll(cleanUp)`. */
export async function cleanUp(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder that `cleanUp` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "argmax-server-"));
  folders.push(folder);
  return folder;
}

export function folderOfModels(models: Readonly<Record<string, Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, bytes] of Object.entries(models))
    writeFileSync(join(folder, `${name}.safetensors`), bytes);
  return folder;
}

export interface Running {
  readonly server: ModelServer;
  readonly url: string;
  readonly port: number;
  readonly log: readonly string[];
  /** Sends JSON and returns the status and the parsed answer. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>;
  get(path: string, headers?: Record<string, string>): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // The tests say what they expect of it.
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  readonly body: any;
}

/** Starts a server that `cleanUp` ends. */
export async function startServer(options: ServerOptions): Promise<Running> {
  const log: string[] = [];
  const server = await createServer({
    port: 0,
    logStream: { write: (line) => void log.push(line) },
    ...options,
  });
  servers.push(server);
  const url = await server.listen();
  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    server,
    url,
    port: Number(new URL(url).port),
    log,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => ask(path, { headers }),
  };
}

/** A folder of a model of every kind, and of others besides. */
export const folderOfKinds = (others: Parameters<typeof folderOfModels>[0] = {}): string =>
  folderOfModels({
    sign: signModel(),
    bare: bareModel(),
    sum: sumModel(),
    text: textModel(),
    clusters: clusterModel(),
    passengers: passengerModel(),
    ...others,
  });
