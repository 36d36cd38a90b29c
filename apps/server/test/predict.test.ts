import { Table as ArrowTable, makeVector, tableFromIPC, tableToIPC, vectorFromArray } from "apache-arrow";
import { loadModel, Table } from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bareModel,
  cleanUp,
  folderOfKinds,
  folderOfModels,
  type Running,
  scalerModel,
  signModel,
  startServer,
  treeModel,
  woman,
} from "./support.js";

afterAll(cleanUp);

let running: Running;
beforeAll(async () => {
  const folder = folderOfKinds({ scaler: scalerModel(), tree: treeModel() });
  running = await startServer({ folder });
});

const predict = (model: string, body: unknown) => running.post(`/v1/models/${model}/predict`, body);

describe("rows", () => {
  test("one object, one array, a list of either and { rows } give the same predictions", async () => {
    const bodies = [
      { a: 0.5, b: 0.25 },
      [0.5, 0.25],
      [{ a: 0.5, b: 0.25 }],
      [[0.5, 0.25]],
      { rows: [{ b: 0.25, a: 0.5 }] },
      { rows: [[0.5, 0.25]] },
    ];
    const expected = loadModel(signModel()).predictProba!([[0.5, 0.25]]);
    for (const body of bodies) {
      const { status, body: answer } = await predict("sign", body);
      expect(status).toBe(200);
      expect(answer).toEqual({
        model: "sign",
        version: "1",
        predictions: [{ label: "plus", probabilities: { minus: expected.data[0], plus: expected.data[1] } }],
      });
    }
  });

  test("a regressor returns numbers", async () => {
    const { body } = await predict("sum", [
      { a: 1, b: 2 },
      { a: 0, b: 0 },
    ]);
    expect(body.predictions[0]).toBeCloseTo(9, 10);
    expect(body.predictions[1]).toBeCloseTo(1, 10);
  });

  test("a model of text takes texts, objects and rows of one text", async () => {
    const bodies = [
      ["cheap pills", "meeting"],
      [{ text: "cheap pills" }, { text: "meeting" }],
      [["cheap pills"], ["meeting"]],
    ];
    for (const body of bodies) {
      const { status, body: answer } = await predict("text", body);
      expect(status).toBe(200);
      expect(answer.predictions.map(({ label }: { label: string }) => label)).toEqual(["spam", "ham"]);
    }
  });

  test("clusters are numbers, transformed rows are arrays", async () => {
    const { body: clusters } = await predict("clusters", [
      [0, 0],
      [9, 9],
      [0, 1],
    ]);
    const [first, second, third] = clusters.predictions;
    expect(first).toBe(third);
    expect(first).not.toBe(second);
    expect((await predict("scaler", [[0, 4]])).body.predictions).toEqual([[-1, 1]]);
  });

  test("a table's model takes numbers, categories, booleans, dates and gaps, and categories it has not seen", async () => {
    const man = { ...woman, sex: "male" };
    const { status, body } = await predict("passengers", [
      woman,
      man,
      { ...woman, age: null },
      { ...woman, sex: "other" },
    ]);
    expect(status).toBe(200);
    const labels = body.predictions.map(({ label }: { label: boolean }) => label);
    expect(labels.slice(0, 3)).toEqual([true, false, true]);
    const { age: _, ...withoutAge } = woman;
    expect((await predict("passengers", withoutAge)).body.predictions[0].label).toBe(true);
  });

  test("probabilities: false leaves them out", async () => {
    const { body } = await predict("sign", { rows: [[1, 1]], probabilities: false });
    expect(body.predictions).toEqual([{ label: "plus" }]);
    const { body: query } = await running.post("/v1/models/sign/predict?probabilities=false", [1, 1]);
    expect(query.predictions).toEqual([{ label: "plus" }]);
  });

  test("10,000 rows, which a worker answers, are the same as one by one", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => [Math.sin(i), Math.cos(i)]);
    const { status, body } = await predict("bare", { rows });
    expect(status).toBe(200);
    expect(body.predictions).toHaveLength(10_000);
    for (const i of [0, 4999, 9999])
      expect((await predict("bare", rows[i])).body.predictions[0]).toEqual(body.predictions[i]);
  });
});

describe("validation", () => {
  test("every wrong field is named with its row", async () => {
    const { status, body } = await predict("passengers", {
      rows: [woman, { ...woman, age: "old", sex: 3, alone: "yes", boarded: "someday", cabin: "C1" }],
    });
    expect(status).toBe(422);
    expect(body.fields).toEqual([
      { row: 1, field: "cabin", message: "is not a field of this model" },
      { row: 1, field: "age", message: 'must be a finite number, got "old"' },
      { row: 1, field: "sex", message: "must be text, got 3" },
      { row: 1, field: "alone", message: 'must be true or false, got "yes"' },
      {
        row: 1,
        field: "boarded",
        message: 'must be a date as ISO 8601 text or milliseconds since 1970, got "someday"',
      },
    ]);
  });

  test("a gap is refused where the model takes none, and so are absent fields and infinite numbers", async () => {
    expect((await predict("sign", { a: null, b: 1 })).body.fields).toEqual([
      { row: 0, field: "a", message: "must not be null" },
    ]);
    expect((await predict("sign", { b: 1 })).body.fields).toEqual([
      { row: 0, field: "a", message: "is required" },
    ]);
    expect((await predict("sign", '{"a":1e999,"b":1}')).body.fields).toEqual([
      { row: 0, field: "a", message: "must be a finite number, got Infinity" },
    ]);
    expect((await predict("sign", [[1, 2, 3]])).body.fields).toEqual([
      { row: 0, message: "must have 2 entries, got 3" },
    ]);
  });

  test("there must be rows, and nothing unknown beside them", async () => {
    expect((await predict("sign", [])).status).toBe(422);
    const { status, body } = await predict("sign", { rows: [[1, 2]], threshold: 1 });
    expect(status).toBe(422);
    expect(body.error).toContain('"threshold" is unknown');
  });
});

describe("NDJSON", () => {
  const send = async (model: string, lines: string) => {
    const { body, headers } = await running.post(`/v1/models/${model}/predict`, lines, {
      "content-type": "application/x-ndjson",
    });
    expect(headers.get("content-type")).toContain("application/x-ndjson");
    return (body as string)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  test("one answer per line, in order; a bad line has its error in its place", async () => {
    const answers = await send("sum", '[0,0]\n{"a":1,"b":2}\nnot json\n{"a":"x","b":0}\n[1,1]');
    expect(answers[0]).toBeCloseTo(1, 10);
    expect(answers[1]).toBeCloseTo(9, 10);
    expect(answers[2]).toMatchObject({ row: 2, error: expect.stringContaining("not JSON") });
    expect(answers[3].fields).toEqual([{ row: 3, field: "a", message: 'must be a finite number, got "x"' }]);
    expect(answers[4]).toBeCloseTo(6, 10);
  });

  test("more rows than a request may have, and the numbers of rows go on over batches", async () => {
    const count = 3000;
    const lines = Array.from({ length: count }, (_, i) => (i === 2500 ? "[1]" : `[${i},0]`)).join("\n");
    const answers = await send("sum", lines);
    expect(answers).toHaveLength(count);
    expect(answers[1000]).toBeCloseTo(2001, 6);
    expect(answers[2500].row).toBe(2500);
  });

  test("a line is answered before the next one is sent", async () => {
    const { Readable } = await import("node:stream");
    let next: (line: string | undefined) => void = () => {};
    async function* lines() {
      for (;;) {
        const line = await new Promise<string | undefined>((resolve) => {
          next = resolve;
        });
        if (line === undefined) return;
        yield Buffer.from(`${line}\n`);
      }
    }
    const asked = fetch(`${running.url}/v1/models/sum/predict`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: Readable.toWeb(Readable.from(lines())) as unknown as BodyInit,
      duplex: "half",
    } as RequestInit);
    await new Promise((resolve) => setTimeout(resolve, 50));
    next("[0,0]");
    const reader = (await asked).body!.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(Number(await text())).toBeCloseTo(1, 10);
    next("[1,0]");
    expect(Number(await text())).toBeCloseTo(3, 10);
    next(undefined);
    expect((await reader.read()).done).toBe(true);
  });
});

describe("Arrow", () => {
  const type = "application/vnd.apache.arrow.stream";
  const send = (model: string, table: ArrowTable, accept = "application/json") =>
    fetch(`${running.url}/v1/models/${model}/predict`, {
      method: "POST",
      headers: { "content-type": type, accept },
      body: tableToIPC(table, "stream") as unknown as BodyInit,
    });
  const numbers = new ArrowTable({
    b: makeVector(Float64Array.of(2, 0)),
    a: makeVector(Float64Array.of(1, 0)),
  });

  test("columns are found by name", async () => {
    const { predictions } = (await (await send("sum", numbers)).json()) as { predictions: number[] };
    expect(predictions[0]).toBeCloseTo(9, 10);
  });

  test("the answer is Arrow if the client accepts it", async () => {
    const response = await send("sign", numbers, type);
    expect(response.headers.get("content-type")).toBe(type);
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect(table.schema.fields.map(({ name }) => name)).toEqual([
      "label",
      "probability_minus",
      "probability_plus",
    ]);
    expect(table.getChild("label")!.get(0)).toBe("plus");
    const sum = table.getChild("probability_minus")!.get(0) + table.getChild("probability_plus")!.get(0);
    expect(sum).toBeCloseTo(1, 12);
  });

  test("categories, booleans, dates and gaps", async () => {
    const table = new ArrowTable({
      age: vectorFromArray([30, null]),
      sex: vectorFromArray(["female", "male"]),
      alone: vectorFromArray([true, false]),
      boarded: vectorFromArray([new Date("1912-04-10"), new Date("1912-04-02")]),
    });
    const { predictions } = (await (await send("passengers", table)).json()) as {
      predictions: { label: boolean }[];
    };
    expect(predictions.map(({ label }) => label)).toEqual([true, false]);
  });

  test("unknown and absent columns are named; other bytes are refused", async () => {
    const wrong = await send("sum", new ArrowTable({ c: makeVector(Float64Array.of(1)) }));
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("is not a field of this model");
    const absent = await send("sum", new ArrowTable({ a: makeVector(Float64Array.of(1)) }));
    expect(await absent.json()).toMatchObject({ fields: [{ row: 0, field: "b", message: "is required" }] });
    const { status } = await running.post("/v1/models/sum/predict", "no arrow", { "content-type": type });
    expect(status).toBe(400);
  });
});

describe("explain", () => {
  test("contributions of a tree and its base value sum to the probability", async () => {
    const { status, body } = await running.post("/v1/models/tree/explain", [0.9, 0.4]);
    expect(status).toBe(200);
    const [{ of, base, value, contributions, rest }] = body.explanations;
    expect(body.method).toBe("treeShap");
    expect(of).toBe("plus");
    const sum = contributions.reduce(
      (total: number, one: { value: number }) => total + one.value,
      base + rest,
    );
    expect(sum).toBeCloseTo(value, 10);
    const { body: predicted } = await predict("tree", [0.9, 0.4]);
    expect(value).toBeCloseTo(predicted.predictions[0].probabilities.plus, 10);
  });

  test("a linear model is explained beside background rows, and says so without them", async () => {
    const { status, body } = await running.post("/v1/models/sum/explain", { a: 1, b: 1 });
    expect(status).toBe(422);
    expect(body.error).toContain('send some as "background"');
    const { body: explained } = await running.post("/v1/models/sum/explain", {
      rows: [{ a: 1, b: 1 }],
      background: [{ a: 0, b: 0 }],
    });
    const [{ contributions }] = explained.explanations;
    expect(contributions.map(({ feature }: { feature: string }) => feature)).toEqual(["b", "a"]);
    expect(contributions[0].value).toBeCloseTo(3, 8);
  });

  test("a transformer cannot be explained", async () => {
    const { status } = await running.post("/v1/models/scaler/explain", {
      rows: [[1, 1]],
      background: [[0, 0]],
    });
    expect(status).toBe(422);
  });
});

describe("metadata", () => {
  test("the list of models and the description of one", async () => {
    const { body } = await running.get("/v1/models");
    expect(body.models.map(({ name }: { name: string }) => name)).toEqual([
      "bare",
      "clusters",
      "passengers",
      "scaler",
      "sign",
      "sum",
      "text",
      "tree",
    ]);
    const { body: model } = await running.get("/v1/models/passengers");
    expect(model).toMatchObject({ task: "classification", target: "survived", classes: [false, true] });
    expect(
      model.input.fields.map(({ name, kind, nullable }: Record<string, unknown>) => [name, kind, nullable]),
    ).toEqual([
      ["age", "numeric", true],
      ["sex", "categorical", true],
      ["alone", "boolean", true],
      ["boarded", "date", true],
    ]);
    expect((await predict("passengers", model.example)).status).toBe(200);
  });

  test("transformers of named columns get a table or a matrix, whichever they take", async () => {
    const {
      columnTransformer,
      LinearRegression,
      MinMaxScaler,
      modelCard,
      pipeline,
      saveModel,
      tableVectorizer,
    } = await import("argmax");
    const X = Table.fromColumns({ v: [0, 1, 2, 5], u: [3, 1, 4, 1] });
    const y = [3, 3, 8, 11];
    const first = {
      byName: columnTransformer({ v: [new MinMaxScaler(), ["v"]] }),
      vectorizer: tableVectorizer(),
    };
    const models = Object.entries(first).map(([name, step]) => {
      const model = pipeline(step, new LinearRegression()).fit(X, y);
      return [name, saveModel(model, { card: modelCard(X) }), model.predict(X)] as const;
    });
    const other = await startServer({
      folder: folderOfModels(Object.fromEntries(models.map(([name, bytes]) => [name, bytes]))),
    });
    for (const [name, , expected] of models) {
      const { body } = await other.post(`/v1/models/${name}/predict`, { rows: X.toRows() });
      expect(body.predictions, name).toEqual(Array.from(expected));
    }
  });

  test("without a card the names are those of the training table, or x0, x1, …", async () => {
    const named = Table.fromColumns({ u: [0, 1, 2, 3], v: ["x", "y", "x", "y"] });
    const { saveModel, DecisionTreeRegressor } = await import("argmax");
    const bytes = saveModel(new DecisionTreeRegressor().fit(named, [0, 1, 2, 3]));
    const other = await startServer({ folder: folderOfModels({ named: bytes, bare: bareModel() }) });
    const fields = async (name: string) =>
      (await other.get(`/v1/models/${name}`)).body.input.fields.map((field: { name: string }) => field.name);
    expect(await fields("named")).toEqual(["u", "v"]);
    expect(await fields("bare")).toEqual(["x0", "x1"]);
    const { body } = await other.post("/v1/models/named/predict", { u: 3, v: "y" });
    expect(body.predictions).toEqual([3]);
  });
});
