import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { selectRows } from "argmax/data";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietContext } from "../../../test/worker-context.js";
import { type ColumnData, categoryColumn, type TableData } from "../../data/table.js";
import { loadModel } from "../all-estimators.js";
import { Held } from "../held.js";
import type { Artefact, Roles, ShipAsk, Shipped, Trained } from "../protocol.js";
import { artefacts } from "../protocol.js";
import { answersOf } from "./model-answers.js";
import { describeModel, ship } from "./ship.js";
import { table as includedTable } from "./tables.js";
import { train, trainingRows } from "./train.js";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const held = new Held();
const context = quietContext(held);

interface Case {
  readonly name: string;
  readonly data: () => Promise<TableData>;
  /** Null for clusters. */
  readonly target: string | null;
  readonly features?: readonly string[];
  readonly model: ShipAsk["model"];
  readonly split?: Partial<ShipAsk["split"]>;
}

/** Names and cells that break out of strings, comments, shells and objects unless they are quoted. */
const hostileNames = [
  "__proto__",
  'quote " and \\ back',
  `back\`tick \${process.exit(1)}`,
  "$(rm -rf x)",
  "*/ process.exit(1) /*",
  "new\nline",
  "line\u2028separator",
  "constructor",
  "' single '",
];
const hostileCells = ["__proto__", "'; DROP", '"', "`", "$(x)", "\\", "\n", "</script>"];

async function hostile(): Promise<TableData> {
  const rows = 120;
  const random = (i: number, j: number) => Math.abs(Math.sin(i * 12.9 + j * 78.2) * 43758.5) % 1;
  const columns = hostileNames.map((name, j): ColumnData => {
    if (j % 3 === 1)
      return categoryColumn(
        name,
        Array.from({ length: rows }, (_, i) =>
          i % 17 === 0 ? null : hostileCells[Math.floor(random(i, j) * 5)]!,
        ),
      );
    return {
      name,
      kind: "number",
      values: Float64Array.from({ length: rows }, (_, i) => (i % 13 === 5 ? Number.NaN : random(i, j))),
    };
  });
  const label = categoryColumn(
    "label `$(x)` \"'",
    Array.from({ length: rows }, (_, i) => (i < 3 ? null : hostileCells[random(i, 0) > 0.5 ? 1 : 3]!)),
  );
  return { name: "hostile'; `$(rm)`.csv", rows, columns: [...columns, label] };
}

const included = (name: "penguins" | "diabetes" | "titanic" | "breastCancer") => () =>
  includedTable({ source: { kind: "included", name } });

const cases: readonly Case[] = [
  {
    name: "plain",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: { estimator: "LogisticRegression", params: { C: 0.5 } },
  },
  {
    name: "mixed",
    data: included("penguins"),
    target: "species",
    model: { estimator: "SVC", params: { C: 2, gamma: 0.3 } },
  },
  {
    name: "network",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: { estimator: "MLPClassifier", params: { hiddenLayerSizes: [8], maxIter: 30 } },
  },
  {
    name: "boosting",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: { estimator: "AdaBoostClassifier", params: { nEstimators: 20 } },
  },
  {
    name: "values",
    data: included("diabetes"),
    target: "progression",
    model: { estimator: "SVR", params: { C: 3 } },
    split: { kind: "time" },
  },
  {
    name: "tree",
    data: included("diabetes"),
    target: "progression",
    model: { estimator: "DecisionTreeRegressor", params: { maxDepth: 3 } },
  },
  {
    name: "clusters",
    data: included("penguins"),
    target: null,
    features: ["billLength", "flipperLength"],
    model: { estimator: "KMeans", params: { nClusters: 3 } },
  },
  {
    name: "hostile",
    data: hostile,
    target: "label `$(x)` \"'",
    model: { estimator: "KNeighborsClassifier", params: {} },
  },
  {
    name: "voting",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: {
      estimator: "VotingClassifier",
      params: {
        estimators: {
          svc: { estimator: "SVC", params: { C: 2 } },
          decisionTreeClassifier: { estimator: "DecisionTreeClassifier", params: { maxDepth: 4 } },
          bagging: {
            estimator: "BaggingClassifier",
            params: { estimator: { estimator: "KNeighborsClassifier", params: {} }, nEstimators: 3 },
          },
        },
        weights: [2, 1, 1],
      },
    },
  },
  {
    name: "voting-mixed",
    data: included("penguins"),
    target: "species",
    model: {
      estimator: "VotingClassifier",
      params: {
        estimators: {
          logisticRegression: { estimator: "LogisticRegression", params: {} },
          gaussianNB: { estimator: "GaussianNB", params: {} },
        },
        voting: "soft",
      },
    },
  },
  {
    name: "stacking",
    data: included("diabetes"),
    target: "progression",
    model: {
      estimator: "StackingRegressor",
      params: {
        estimators: {
          svr: { estimator: "SVR", params: { C: 3 } },
          decisionTreeRegressor: { estimator: "DecisionTreeRegressor", params: { maxDepth: 3 } },
        },
        finalEstimator: { estimator: "Ridge", params: { alpha: 0.1 } },
        passthrough: true,
      },
    },
  },
  {
    name: "bagging",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: {
      estimator: "BaggingClassifier",
      params: { nEstimators: 4, estimator: { estimator: "SVC", params: {} } },
    },
  },
  {
    name: "calibrated",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    // Its default is a linear SVM, which gets a scaler.
    model: { estimator: "CalibratedClassifier", params: { cv: 3 } },
  },
  {
    name: "cascade",
    data: included("breastCancer"),
    target: "diagnosis",
    model: {
      estimator: "Cascade",
      params: {
        stages: [
          {
            features: { columns: ["mean radius", "mean texture"] },
            cost: 1,
            estimator: { estimator: "LogisticRegression", params: {} },
            sensitivity: null,
          },
          {
            features: { columns: ["worst radius", "worst texture"] },
            cost: 5,
            estimator: { estimator: "DecisionTreeClassifier", params: { maxDepth: 4 } },
            sensitivity: 0.99,
          },
        ],
        sensitivity: 0.95,
        confidence: null,
        positiveLabel: "malignant",
      },
    },
  },
  {
    name: "cascade-mixed",
    data: included("titanic"),
    target: "survived",
    features: ["sex", "age", "pclass", "fare"],
    model: {
      estimator: "Cascade",
      params: {
        stages: [
          {
            features: { columns: ["sex", "pclass"] },
            cost: 1,
            estimator: { estimator: "LogisticRegression", params: {} },
            sensitivity: null,
          },
          {
            features: { columns: ["age", "fare"] },
            cost: 2,
            estimator: { estimator: "LogisticRegression", params: { C: 0.5 } },
            sensitivity: null,
          },
        ],
        sensitivity: 0.9,
      },
    },
  },
  {
    name: "categories",
    data: included("titanic"),
    target: "survived",
    // One with hundreds of categories.
    features: ["sex", "age", "pclass", "home.dest"],
    model: {
      estimator: "DecisionTreeClassifier",
      params: { maxDepth: 4, categoricalFeatures: { columns: ["sex"] } },
    },
  },
  {
    name: "blocks",
    data: included("titanic"),
    target: "survived",
    features: ["sex", "age", "pclass", "fare"],
    model: {
      estimator: "MixedNB",
      params: { blocks: [{ model: "categorical", columns: { columns: ["sex", "pclass"] } }] },
    },
  },
  {
    name: "layers",
    data: included("penguins"),
    target: "species",
    features: ["billLength", "flipperLength"],
    model: {
      estimator: "NeuralClassifier",
      params: {
        layers: [
          { layer: "dense", units: 8, activation: "tanh" },
          { layer: "dropout", rate: 0.1 },
          { layer: "dense", units: 3 },
        ],
        maxIter: 10,
        optimizer: "adamW",
      },
    },
  },
  {
    name: "linear-parts",
    data: included("diabetes"),
    target: "progression",
    model: {
      estimator: "LinearRegressor",
      params: {
        loss: { name: "huber", delta: 20 },
        penalty: { name: "elasticNet", alpha: 0.01, l1Ratio: 0.3 },
        solver: "proximal",
      },
    },
  },
  {
    name: "target",
    data: included("diabetes"),
    target: "progression",
    model: {
      estimator: "TransformedTargetRegressor",
      params: {
        regressor: { estimator: "SVR", params: {} },
        transformer: { estimator: "PowerTransformer", params: {} },
      },
    },
  },
];

interface Ready {
  readonly ask: Omit<ShipAsk, "artefact">;
  readonly trained: Trained;
  readonly folder: string;
}

const ready = new Map<string, Ready>();
const folder = mkdtempSync(join(tmpdir(), "argmax-ship-"));

beforeAll(async () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const one of cases) {
    const data = await one.data();
    held.set(one.name, data);
    const target = data.columns.find(({ name }) => name === one.target);
    const task =
      target === undefined ? "clustering" : target.kind === "number" ? "regression" : "classification";
    const features =
      one.features ?? data.columns.map(({ name }) => name).filter((name) => name !== one.target);
    const roles: Roles = { table: one.name, features, target: one.target, group: null, task };
    const split = { kind: "folds", folds: 4, seed: 0, ...one.split } as const;
    const trained = await train({ roles, model: one.model, split, preview: null }, context);
    held.set(`model ${one.name}`, trained.file);
    const ask = {
      roles,
      model: one.model,
      split,
      key: `model ${one.name}`,
      stem: one.name,
      classes: trained.classes,
      fitted: trained.fitted,
      heldOut: task === "clustering" ? null : trained.held,
    };
    mkdirSync(join(folder, one.name));
    ready.set(one.name, { ask, trained, folder: join(folder, one.name) });
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shipped = (name: string, artefact: Artefact): Promise<Shipped> =>
  ship({ ...ready.get(name)!.ask, artefact }, context);

describe.each(cases.map(({ name }) => name))("%s", (name) => {
  test.each(artefacts.filter((one) => one !== "onnx"))(
    "%s gives the app's answers, bit for bit",
    async (artefact) => {
      const { checks, passed } = await shipped(name, artefact);
      expect(passed).toBe(true);
      expect(checks.length).toBe(name === "clusters" ? 1 : 2);
      for (const { rows, mismatches, largest } of checks) {
        expect(rows).toBeGreaterThan(20);
        expect(mismatches).toBe(0);
        expect(largest ?? 0).toBe(0);
      }
    },
  );

  test("onnx gives the app's answers in ONNX Runtime, or says what has no operators", async () => {
    const reason = withoutOnnx[name];
    if (reason !== undefined) {
      await expect(shipped(name, "onnx")).rejects.toThrow(reason);
      return;
    }
    const { checks, passed, files } = await shipped(name, "onnx");
    expect(checks.map(({ mismatches }) => mismatches)).toEqual(checks.map(() => 0));
    expect(passed, JSON.stringify(checks)).toBe(true);
    expect(checks.length).toBe(name === "clusters" ? 1 : 2);
    expect(files.map((file) => file.name)).toEqual([`${name}.onnx`]);
  });
});

/** What the converter to ONNX refuses. */
const withoutOnnx: Readonly<Record<string, RegExp>> = {
  cascade: /the members of the model must be .*, got a cascade/,
  "cascade-mixed": /the members of the model must be .*, got a cascade/,
  categories: /the splits of trees must be of numbers, got of categories/,
  target:
    /the transformer of the target must be .*, got affine|the transformer of the target must be .*, got power/,
};

test("the code compiles strictly, runs in Node, and its predictions are the model's", async () => {
  for (const [name, { folder: own }] of ready) {
    const { files } = await shipped(name, "code");
    for (const file of files) writeFileSync(join(own, file.name), file.content);
    expect(files.map((file) => file.name)).toEqual([`${name}.ts`, `${name}.rows.json`]);
  }
  const options = {
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["*/*.ts"] }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    stdio: "pipe",
  });
  for (const [name, { ask, trained, folder: own }] of ready) {
    const { code } = transformSync(readFileSync(join(own, `${name}.ts`), "utf8"), { loader: "ts" });
    writeFileSync(join(own, `${name}.js`), code);
    const program = `
      import { readFileSync } from "node:fs";
      import { predict } from ${JSON.stringify(pathToFileURL(join(own, `${name}.js`)).href)};
      const rows = JSON.parse(readFileSync(${JSON.stringify(join(own, `${name}.rows.json`))}, "utf8"));
      console.log("@@" + JSON.stringify(Array.from(predict(rows))));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    const found = JSON.parse(output.split("@@")[1]!) as (string | number)[];
    const data = trainingRows(held.table(ask.roles.table), ask.roles);
    expect(found, name).toEqual(Array.from(loadModel(trained.file).predict!(data.x) as ArrayLike<never>));
    // What the program saved is the same model.
    const saved = loadModel(readFileSync(join(own, `${name}.safetensors`)));
    expect(answersOf(saved, data.x, ask.classes), name).toEqual(
      answersOf(loadModel(trained.file), data.x, ask.classes),
    );
  }
}, 120_000);

test.each(artefacts)("%s: its files move to the page, and can be made again", async (artefact) => {
  const moved: ArrayBuffer[] = [];
  const move = (buffers: readonly ArrayBuffer[]) => moved.push(...buffers);
  const ask = { ...ready.get("mixed")!.ask, artefact };
  const first = await ship(ask, { ...context, move });
  const sizes = first.files.map(({ content }) => content.length);
  structuredClone(first, { transfer: moved });
  expect(first.files.map(({ content }) => content.length)).toEqual(sizes.map(() => 0));
  const again = await shipped("mixed", artefact);
  expect(again.passed).toBe(true);
  expect(again.files.map(({ content }) => content.length)).toEqual(sizes);
});

test("a wrong artefact does not pass", async () => {
  const { ask } = ready.get("plain")!;
  const other = ready.get("boosting")!;
  const { passed, checks } = await ship({ ...ask, key: other.ask.key, artefact: "file" }, context);
  expect(passed).toBe(false);
  expect(checks[0]!.largest).toBeGreaterThan(0.01);
});

test("the example is a row without missing cells, and its answer the model's", async () => {
  const { ask, trained } = ready.get("hostile")!;
  const { example, card } = await describeModel(ask, context);
  const row = JSON.parse(example.row) as Record<string, unknown>;
  expect(Object.keys(row)).toEqual(hostileNames);
  expect(Object.values(row).every((cell) => cell !== null)).toBe(true);
  const answer = JSON.parse(example.answer) as { label: string; probabilities: Record<string, number> };
  const data = trainingRows(held.table("hostile"), ask.roles);
  const at = Array.from({ length: data.x.rows }, (_, i) => i).find((i) =>
    hostileNames.every((name) => (data.x.column(name) as ColumnAt).at(i) === row[name]),
  )!;
  const model = loadModel(trained.file);
  const one = selectRows(data.x, Int32Array.of(at));
  expect(answer.label).toBe(model.predict!(one)[0]);
  expect(Object.values(answer.probabilities)).toEqual(Array.from(model.predictProba!(one).data));
  expect(card.inputs.map((input) => input.name)).toEqual(hostileNames);
});

interface ColumnAt {
  at(i: number): unknown;
}
