import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, folderOfKinds, type Running, signModel, startServer } from "./support.js";

afterAll(cleanUp);

/**
 * The rules of the published description (open-inference-protocol, open_inference_rest.yaml): paths, required properties of every
 * object, and `{ error }` for what goes wrong.
 */
let running: Running;
beforeAll(async () => {
  const folder = folderOfKinds({ "sign@2": signModel(true) });
  running = await startServer({ folder });
});

const matrix = { name: "input", shape: [2, 2], datatype: "FP64", data: [1, 2, 0, 0] };
const infer = (model: string, body: unknown) => running.post(`/v2/models/${model}/infer`, body);

describe("health and metadata", () => {
  test("server metadata has name, version and extensions", async () => {
    const { status, body } = await running.get("/v2");
    expect(status).toBe(200);
    expect(body).toEqual({
      name: "argmax",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      extensions: [],
    });
  });

  test("live, ready, and ready per model and version", async () => {
    expect((await running.get("/v2/health/live")).body).toEqual({ live: true });
    expect((await running.get("/v2/health/ready")).body).toEqual({ ready: true });
    expect((await running.get("/v2/models/sign/ready")).body).toEqual({ name: "sign", ready: true });
    expect((await running.get("/v2/models/sign/versions/2/ready")).status).toBe(200);
    expect((await running.get("/v2/models/sign/versions/3/ready")).status).toBe(404);
  });

  test("model metadata has name, platform, and inputs and outputs with name, datatype and shape", async () => {
    const { body } = await running.get("/v2/models/sign");
    expect(body).toEqual({
      name: "sign",
      versions: ["1", "2"],
      platform: "argmax",
      inputs: [{ name: "input", datatype: "FP64", shape: [-1, 2] }],
      outputs: [
        { name: "label", datatype: "BYTES", shape: [-1] },
        { name: "probabilities", datatype: "FP64", shape: [-1, 2] },
      ],
    });
    const { body: passengers } = await running.get("/v2/models/passengers");
    expect(passengers.inputs).toEqual([
      { name: "age", datatype: "FP64", shape: [-1] },
      { name: "sex", datatype: "BYTES", shape: [-1] },
      { name: "alone", datatype: "BOOL", shape: [-1] },
      { name: "boarded", datatype: "BYTES", shape: [-1] },
    ]);
  });
});

describe("infer", () => {
  test("one tensor of all columns; the answer has model_name, model_version, the id and outputs", async () => {
    const { status, body } = await infer("sum", { id: "42", inputs: [matrix] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ model_name: "sum", model_version: "1", id: "42" });
    const [{ name, shape, datatype, data }] = body.outputs;
    expect({ name, shape, datatype }).toEqual({ name: "prediction", shape: [2], datatype: "FP64" });
    expect(data[0]).toBeCloseTo(9, 10);
  });

  test("one tensor per column, in any order; nested data", async () => {
    const columns = [
      { name: "b", shape: [2, 1], datatype: "FP32", data: [[2], [0]] },
      { name: "a", shape: [2], datatype: "INT32", data: [1, 0] },
    ];
    expect((await infer("sum", { inputs: columns })).body.outputs[0].data[0]).toBeCloseTo(9, 10);
    const nested = {
      ...matrix,
      data: [
        [1, 2],
        [0, 0],
      ],
    };
    expect((await infer("sum", { inputs: [nested] })).body.outputs[0].data[0]).toBeCloseTo(9, 10);
  });

  test("text, categories and booleans are BYTES and BOOL", async () => {
    const { body } = await infer("text", {
      inputs: [{ name: "text", shape: [2], datatype: "BYTES", data: ["cheap pills", "meeting"] }],
    });
    expect(body.outputs[0]).toEqual({ name: "label", datatype: "BYTES", shape: [2], data: ["spam", "ham"] });
    const { body: survived } = await infer("passengers", {
      inputs: [
        { name: "age", shape: [1], datatype: "INT64", data: [30] },
        { name: "sex", shape: [1], datatype: "BYTES", data: ["female"] },
        { name: "alone", shape: [1], datatype: "BOOL", data: [true] },
        { name: "boarded", shape: [1], datatype: "BYTES", data: ["1912-04-10"] },
      ],
    });
    expect(survived.outputs[0]).toEqual({ name: "label", datatype: "BOOL", shape: [1], data: [true] });
  });

  test("only the outputs that are asked for", async () => {
    const { body } = await infer("sign", { inputs: [matrix], outputs: [{ name: "probabilities" }] });
    expect(body.outputs.map(({ name }: { name: string }) => name)).toEqual(["probabilities"]);
    expect((await infer("clusters", { inputs: [matrix] })).body.outputs[0]).toMatchObject({
      name: "cluster",
      datatype: "INT32",
    });
  });

  test("a version in the address", async () => {
    const label = async (path: string) =>
      (await running.post(`/v2/models/sign${path}/infer`, { inputs: [matrix] })).body.outputs[0].data[0];
    expect(await label("/versions/1")).toBe("plus");
    expect(await label("/versions/2")).toBe("minus");
    expect(await label("")).toBe("minus");
  });

  test("parameters of the request and of tensors are accepted", async () => {
    const { status } = await infer("sum", {
      parameters: { priority: 1 },
      inputs: [{ ...matrix, parameters: { content_type: "np" } }],
    });
    expect(status).toBe(200);
  });
});

describe("errors are { error } with a status", () => {
  const { shape: _, ...withoutShape } = matrix;
  const { datatype: __, ...withoutType } = matrix;
  const wrong: readonly [string, unknown][] = [
    ["no inputs", {}],
    ["inputs empty", { inputs: [] }],
    ["inputs no list", { inputs: matrix }],
    ["a tensor that is not an object", { inputs: [3] }],
    ["no shape", { inputs: [withoutShape] }],
    ["no datatype", { inputs: [withoutType] }],
    ["an unknown datatype", { inputs: [{ ...matrix, datatype: "FP128" }] }],
    ["no data", { inputs: [{ ...matrix, data: undefined }] }],
    ["fewer entries than the shape", { inputs: [{ ...matrix, data: [1, 2, 3] }] }],
    ["another number of columns", { inputs: [{ ...matrix, shape: [1, 4] }] }],
    ["a negative length", { inputs: [{ ...matrix, shape: [-1, 2] }] }],
    ["entries of another type", { inputs: [{ ...matrix, data: ["1", "2", "3", "4"] }] }],
    ["fractions as integers", { inputs: [{ ...matrix, datatype: "INT32", data: [0.5, 1, 1, 1] }] }],
    ["integers out of range", { inputs: [{ ...matrix, datatype: "INT8", data: [200, 1, 1, 1] }] }],
    ["binary data", { inputs: [{ ...matrix, parameters: { binary_data_size: 8 } }] }],
    ["an unknown output", { inputs: [matrix], outputs: [{ name: "nothing" }] }],
    ["an unknown column", { inputs: [{ name: "z", shape: [1], datatype: "FP64", data: [1] }] }],
    ["an id that is not text", { id: 7, inputs: [matrix] }],
    [
      "columns of different lengths",
      {
        inputs: [
          { name: "a", shape: [1], datatype: "FP64", data: [1] },
          { name: "b", shape: [2], datatype: "FP64", data: [1, 2] },
        ],
      },
    ],
    ["a column that is absent", { inputs: [{ name: "a", shape: [1], datatype: "FP64", data: [1] }] }],
  ];
  test.each(wrong)("%s: 400", async (_name, body) => {
    const { status, body: answer } = await infer("sum", body);
    expect({ status, keys: Object.keys(answer) }).toEqual({ status: 400, keys: ["error"] });
    expect(answer.error).toEqual(expect.any(String));
  });

  test("unknown models and versions: 404", async () => {
    for (const path of ["/v2/models/nothing", "/v2/models/sign/versions/9", "/v2/models/nothing/ready"])
      expect((await running.get(path)).body).toEqual({ error: expect.stringContaining("There is no model") });
    expect((await infer("nothing", { inputs: [matrix] })).status).toBe(404);
    expect((await running.get("/v2/repository")).body).toEqual({ error: expect.any(String) });
  });
});
