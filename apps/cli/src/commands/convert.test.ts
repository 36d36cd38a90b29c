import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel, parseLibsvmModel, toOnnx } from "argmax";
import { datasetNames } from "argmax/datasets";
import { beforeAll, describe, expect, test } from "vitest";
import { writeModels } from "../../test/support/files.js";
import { temporaryFolder } from "../../test/support/folder.js";
import { runProgram } from "../../test/support/program.js";
import { loadTable } from "../data/load.js";

const { path: folder } = temporaryFolder();
const argmax = (...words: string[]) => runProgram(folder, ...words);

beforeAll(() => writeModels(folder), 60_000);

describe("convert", () => {
  test("json has the description, the numbers and the card of a model", () => {
    const { status, stdout } = argmax("convert", "iris.safetensors", "--to", "json");
    expect(status).toBe(0);
    const { format, card, model } = JSON.parse(stdout) as {
      format: string;
      card: { target: string };
      model: {
        kind: string;
        parts: { kind: string; tensors: Record<string, { shape: number[]; data: number[] }> }[];
      };
    };
    expect([format, card.target, model.kind]).toEqual(["argmax", "species", "Pipeline"]);
    const state = loadModel(readFileSync(join(folder, "iris.safetensors"))).toState();
    expect(model.parts.map(({ kind }) => kind)).toEqual(["StandardScaler", "LogisticRegression"]);
    expect(model.parts[0]!.tensors["mean"]!.data).toEqual(Array.from(state.parts![0]!.tensors["mean"]!.data));
    const file = argmax("convert", "iris.safetensors", "--to", "json", "-o", "iris.json");
    expect(file).toMatchObject({ status: 0, stdout: "", stderr: "iris.safetensors → iris.json\n" });
    expect(readFileSync(join(folder, "iris.json"), "utf8")).toBe(stdout);
  });

  test("onnx is the file that toOnnx makes", () => {
    const file = argmax("convert", "iris.safetensors", "--to", "onnx", "-o", "iris.onnx");
    expect(file).toMatchObject({ status: 0, stdout: "", stderr: "iris.safetensors → iris.onnx\n" });
    const model = loadModel(readFileSync(join(folder, "iris.safetensors")));
    expect(new Uint8Array(readFileSync(join(folder, "iris.onnx")))).toEqual(toOnnx(model));
  });

  test("libsvm is read by LIBSVM's reader, with the same predictions", async () => {
    expect(argmax("convert", "svm.safetensors", "--to", "libsvm", "-o", "svm.model").status).toBe(0);
    const { table } = await loadTable("iris");
    const X = table.drop(["species"]).toMatrix();
    const read = parseLibsvmModel(readFileSync(join(folder, "svm.model"), "utf8")) as {
      predict(x: typeof X): unknown;
    };
    expect(read.predict(X)).toEqual(loadModel(readFileSync(join(folder, "svm.safetensors"))).predict!(X));
  });

  test("says what can be converted", () => {
    expect(argmax("convert", "iris.safetensors", "--to", "libsvm")).toMatchObject({
      status: 1,
      stderr:
        "iris.safetensors holds a Pipeline; LIBSVM's format is for SVC and SVR. Any model can be converted with --to json.\n",
    });
    expect(argmax("convert", "iris.safetensors", "--to", "pmml")).toMatchObject({
      status: 2,
      stderr: '--to must be json, onnx, libsvm; got "pmml".\nSee argmax convert --help.\n',
    });
    expect(argmax("convert", "iris.safetensors", "--to", "onnx")).toMatchObject({
      status: 2,
      stderr: "--output is missing: an ONNX file is not text.\nSee argmax convert --help.\n",
    });
    expect(argmax("convert", "iris.safetensors").status).toBe(2);
  });
});

test("datasets lists every included one, with size, task and licence", () => {
  const { status, stdout } = argmax("datasets");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^iris +classification +150 +5 +species +CC BY 4\.0/m);
  const lines = argmax("datasets", "--json").stdout.trim().split("\n");
  const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
  expect(names).toEqual([...datasetNames, "titanic"]);
});
