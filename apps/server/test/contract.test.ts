import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schemaProblems } from "./schema-check.js";
import { cleanUp, folderOfKinds, type Running, scalerModel, startServer, treeModel } from "./support.js";

afterAll(cleanUp);

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}
interface Content {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [name: string]: unknown;
}

let running: Running;
let document: Document;
beforeAll(async () => {
  const folder = folderOfKinds({ scaler: scalerModel(), tree: treeModel() });
  running = await startServer({ folder });
  document = (await running.get("/openapi.json")).body as Document;
});

/** The answer must be one that the document declares, and fit its schema. */
function check(path: string, { responses }: Operation, status: number, body: unknown): void {
  const declared = responses[String(status)];
  expect(declared, `${path} answers ${status}: ${JSON.stringify(body)}`).toBeDefined();
  const schema = declared!.content?.["application/json"]?.schema;
  if (schema !== undefined) expect(schemaProblems(document, schema, body), path).toEqual([]);
}

describe("the OpenAPI document", () => {
  test("is of version 3.1, and every model has its paths", () => {
    expect(document.openapi).toBe("3.1.0");
    for (const name of running.server.store.names)
      for (const path of [
        `/v1/models/${name}`,
        `/v1/models/${name}/predict`,
        `/v1/models/${name}/explain`,
        `/v2/models/${name}/infer`,
      ])
        expect(document.paths).toHaveProperty([path]);
  });

  test("every GET answers 200 as declared", async () => {
    const paths = Object.entries(document.paths).filter(([, { get }]) => get !== undefined);
    expect(paths.length).toBeGreaterThan(10);
    for (const [path, { get }] of paths) {
      const { status, body } = await running.get(path);
      expect(status, path).toBe(200);
      check(path, get!, status, body);
    }
  });

  test("every example fits its own schema and is answered as declared", async () => {
    let accepted = 0;
    for (const [path, { post }] of Object.entries(document.paths)) {
      const content = post?.requestBody?.content["application/json"];
      if (content?.example === undefined) continue;
      expect(schemaProblems(document, content.schema!, content.example), path).toEqual([]);
      const { status, body } = await running.post(path, content.example);
      check(path, post!, status, body);
      if (path.endsWith("/predict")) expect(status, path).toBe(200);
      if (status === 200) accepted++;
    }
    expect(accepted).toBeGreaterThanOrEqual(8);
  });

  test("infer with tensors of the model's metadata is answered as declared", async () => {
    for (const name of running.server.store.names) {
      const { body: metadata } = await running.get(`/v2/models/${name}`);
      const example = running.server.store.find(name)!.example;
      const cells = Object.values(example);
      const inputs = (metadata.inputs as { name: string; datatype: string; shape: number[] }[]).map(
        (tensor) =>
          tensor.shape.length === 2
            ? { ...tensor, shape: [1, cells.length], data: cells }
            : { ...tensor, shape: [1], data: [example[tensor.name]] },
      );
      const path = `/v2/models/${name}/infer`;
      const { status, body } = await running.post(path, { inputs });
      expect(status, JSON.stringify(body)).toBe(200);
      check(path, document.paths[path]!["post"]!, status, body);
      const shapes = (tensors: { name: string; datatype: string; shape: number[] }[], rows: number) =>
        tensors.map(({ name, datatype, shape }) => ({ name, datatype, shape: [rows, ...shape.slice(1)] }));
      expect(shapes(body.outputs, 1)).toEqual(shapes(metadata.outputs, 1));
    }
  });

  test("bodies outside the schema are refused with a declared status", async () => {
    const bodies = [
      "",
      "{",
      "null",
      "3",
      '"text"',
      "[]",
      "{}",
      '{"rows":[]}',
      '{"rows":[{}]}',
      '{"rows":[[]]}',
      '{"rows":3}',
    ];
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (post === undefined) continue;
      for (const body of bodies) {
        const { status, body: answer } = await running.post(path, body);
        // A text is a row of a model of text.
        if (path === "/v1/models/text/predict" && body === '"text"') expect(status).toBe(200);
        else expect([400, 422], `${path} ${body}`).toContain(status);
        check(path, post, status, answer);
      }
    }
  });
});

describe("the page", () => {
  test("has a policy without inline scripts, and neither script nor style in its text", async () => {
    const { status, headers, body } = await running.get("/");
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=/i);
  });

  test("its script and style are there", async () => {
    const { headers, body } = await running.get("/try.js");
    expect(headers.get("content-type")).toContain("text/javascript");
    expect(body).toContain("/v1/models");
    expect(body).not.toMatch(/innerHTML|\beval\(/);
    expect((await running.get("/try.css")).headers.get("content-type")).toContain("text/css");
  });
});
