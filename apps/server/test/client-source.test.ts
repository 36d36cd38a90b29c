import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { clientSource, serveModel } from "../src/index.js";
import {
  cleanUp,
  clusterModel,
  folderOfModels,
  passengerModel,
  scalerModel,
  signModel,
  startServer,
  sumModel,
  temporaryFolder,
  textModel,
} from "./support.js";

afterAll(cleanUp);

const main = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));
const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

/** Compiles files of a folder as strictly as can be; returns what the compiler prints. */
function compile(folder: string, ...files: string[]): string {
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2022,dom",
    "--types",
    "",
  ];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...files], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout;
}

describe("the TypeScript client", () => {
  test("compiles, and predicts with a live server", async () => {
    const { url, server } = await startServer({
      folder: folderOfModels({ passengers: passengerModel(), sum: sumModel(), "two-words": signModel() }),
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    for (const model of server.store.all)
      writeFileSync(join(folder, `${model.name}.ts`), clientSource(model));
    writeFileSync(
      join(folder, "use.ts"),
      `import { predictPassengers, PassengersError, type PassengersRow } from "./passengers.js";
import { predictSum } from "./sum.js";
import { predictTwoWords, type TwoWordsLabel } from "./two-words.js";
const row: PassengersRow = { age: 30, sex: "female", alone: true, boarded: "1912-04-10" };
export async function use(url: string) {
  const [passenger] = await predictPassengers([row], { url });
  const survived: boolean = passenger!.label;
  const p: number = passenger!.probabilities["true"];
  const [sum] = await predictSum([{ a: 1, b: 2 }], { url });
  const number: number = sum!;
  const [sign] = await predictTwoWords([{ a: 1, b: 1 }], { url, version: "1" });
  const label: TwoWordsLabel = sign!.label;
  let failure: unknown;
  try {
    await predictPassengers([{ ...row, age: "old" as never }], { url });
  } catch (error) {
    if (error instanceof PassengersError) failure = { status: error.status, fields: error.fields };
  }
  return { survived, p, number, label, failure };
}
`,
    );
    expect(compile(folder, "use.ts")).toBe("");
    const { use } = (await import(pathToFileURL(join(folder, "use.js")).href)) as {
      use(url: string): Promise<Record<string, unknown>>;
    };
    const { survived, p, number, label, failure } = await use(url);
    expect(survived).toBe(true);
    expect(p).toBeGreaterThan(0.5);
    expect(number).toBeCloseTo(9, 10);
    expect(label).toBe("plus");
    expect(failure).toEqual({
      status: 422,
      fields: [{ row: 0, field: "age", message: 'must be a finite number, got "old"' }],
    });
  });

  test("wrong rows and labels do not compile", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "passengers.ts"),
      clientSource(serveModel("passengers", "1", passengerModel())),
    );
    writeFileSync(join(folder, "sign.ts"), clientSource(serveModel("sign", "1", signModel())));
    const lines = [
      'import { predictPassengers } from "./passengers.js";',
      'import { predictSign } from "./sign.js";',
      'const row = { age: 1, sex: "female", alone: true, boarded: 0 } as const;',
      'void predictPassengers([{ ...row, age: "1" }]);',
      "void predictPassengers([{ age: 1 }]);",
      "void predictPassengers([{ ...row, cabin: 1 }]);",
      'void predictSign([{ a: 1, b: 2 }]).then(([first]) => first!.label === "neither");',
    ];
    writeFileSync(join(folder, "wrong.ts"), lines.join("\n"));
    const places = [...compile(folder, "--noEmit", "wrong.ts").matchAll(/^wrong\.ts\((\d+),/gm)].map(
      ([, line]) => Number(line),
    );
    expect([...new Set(places)]).toEqual([4, 5, 6, 7]);
  });

  test("of every kind of model, and of names that TypeScript does not take, compiles", () => {
    const folder = temporaryFolder();
    const kinds = {
      text: textModel(),
      clusters: clusterModel(),
      scaler: scalerModel(),
      "9.lives-x": sumModel(),
    };
    for (const [name, bytes] of Object.entries(kinds))
      writeFileSync(join(folder, `${name}.ts`), clientSource(serveModel(name, "1", bytes)));
    expect(compile(folder, "--noEmit", ...Object.keys(kinds).map((name) => `${name}.ts`))).toBe("");
    expect(readFileSync(join(folder, "9.lives-x.ts"), "utf8")).toContain("interface Model9LivesXRow");
  });

  test("categories are a union, the classes of a label too; texts cannot leave their quotes or comments", async () => {
    const source = clientSource(serveModel("passengers", "1", passengerModel()));
    expect(source).toContain('readonly "sex": "female" | "male" | (string & {}) | null;');
    expect(source).toContain('readonly "age"?: number | null;');
    expect(source).toContain("export type PassengersLabel = false | true;");
    const { DecisionTreeClassifier, modelCard, saveModel, Table } = await import("argmax");
    const nasty = '"; process.exit(1); //';
    const table = Table.fromColumns(new Map([[nasty, [1, 2, 3, 4]]]));
    const model = new DecisionTreeClassifier().fit(table, ["*/ x", "*/ x", nasty, nasty]);
    const bytes = saveModel(model, { card: modelCard(table, { target: "*/ \n evil();" }) });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "nasty.ts"), clientSource(serveModel("nasty", "1", bytes)));
    expect(compile(folder, "--noEmit", "nasty.ts")).toBe("");
  });

  test("argmax client prints it", () => {
    const folder = folderOfModels({ "sign@3": signModel() });
    const path = join(folder, "sign@3.safetensors");
    const printed = execFileSync(process.execPath, [main, "client", path], { encoding: "utf8" });
    expect(printed).toBe(clientSource(serveModel("sign", "3", signModel())));
  });
});
