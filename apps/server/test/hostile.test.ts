import { connect } from "node:net";
import { Table as ArrowTable, makeVector, tableToIPC } from "apache-arrow";
import { LogisticRegression, pipeline, Random, saveModel, TfidfVectorizer } from "argmax";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkJsonShape } from "../src/answers/json-body.js";
import { RequestProblem } from "../src/answers/request-problem.js";
import {
  bareModel,
  cleanUp,
  folderOfModels,
  passengerModel,
  type Running,
  signModel,
  startServer,
  textModel,
  woman,
} from "./support.js";

afterAll(cleanUp);

let running: Running;
beforeAll(async () => {
  running = await startServer({
    folder: folderOfModels({
      sign: signModel(),
      bare: bareModel(),
      text: textModel(),
      passengers: passengerModel(),
    }),
    maxBody: 4 << 20,
  });
});

/** Whatever was sent, the next good request is answered. */
async function stillAnswers(): Promise<void> {
  const { body } = await running.post("/v1/models/sign/predict", [1, 1]);
  expect(body.predictions[0].label).toBe("plus");
}

/** Sends bytes and returns all that comes back until the connection ends. */
const raw = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(running.port, "127.0.0.1", () => socket.end(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(text));
    // A server that refuses before it has read everything resets the connection.
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve(text) : reject(error),
    );
  });

describe("Arrow", () => {
  const type = { "content-type": "application/vnd.apache.arrow.stream" };
  const stream = tableToIPC(
    new ArrowTable({ a: makeVector(Float64Array.of(1, 2, 3)), b: makeVector(Float64Array.of(1, 2, 3)) }),
    "stream",
  );
  const send = async (bytes: Uint8Array): Promise<number> => {
    const answer = await fetch(`${running.url}/v1/models/sign/predict`, {
      method: "POST",
      headers: type,
      body: bytes as BodyInit,
    });
    await answer.text();
    return answer.status;
  };

  test("with a length that was changed from 24 to 151 is refused with 400, wherever the length is", async () => {
    expect(await send(stream)).toBe(200);
    const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
    let changed = 0;
    for (let at = 0; at + 4 <= stream.length; at += 4) {
      if (view.getUint32(at, true) !== 24) continue;
      const harmed = Uint8Array.from(stream);
      new DataView(harmed.buffer).setUint32(at, 151, true);
      expect([200, 400, 422]).toContain(await send(harmed));
      changed++;
    }
    expect(changed).toBeGreaterThan(4);
    await stillAnswers();
  });

  test("with any bytes changed is answered, and the server goes on", async () => {
    const random = new Random(7);
    for (let k = 0; k < 300; k++) {
      const harmed = Uint8Array.from(stream);
      for (let e = 0; e < 3; e++) harmed[random.below(harmed.length)] = random.below(256);
      expect([200, 400, 413, 422]).toContain(await send(harmed));
    }
    await stillAnswers();
  });
});

describe("a model file of a stranger", () => {
  test("whose pattern of words would take a matcher years is answered at once", async () => {
    const texts = ["a b", "c d", "a c", "b d"];
    const vectorizer = new TfidfVectorizer({ tokenPattern: "(?:a+)+b|\\w+" });
    const model = pipeline(vectorizer, new LogisticRegression()).fit(texts, [0, 1, 0, 1]);
    const { post } = await startServer({ folder: folderOfModels({ pattern: saveModel(model) }) });
    const start = performance.now();
    for (const length of [34, 20_000])
      expect((await post("/v1/models/pattern/predict", ["a".repeat(length)])).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("nested JSON", () => {
  const path = "/v1/models/sign/predict";

  test("is refused before it is parsed", async () => {
    const deep = await running.post(path, "[".repeat(4 << 20));
    expect(deep.status).toBe(422);
    expect(deep.body.error).toContain("nested more than 32 levels");
    const many = await running.post(path, `[${"[],".repeat(1 << 20)}[]]`);
    expect(many.status).toBe(413);
    expect(many.body.error).toContain("lists and objects");
    const lines = await fetch(`${running.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: `[1,1]\n${"[".repeat(1 << 20)}\n[1,1]\n`,
    });
    const [first, second, third] = (await lines.text()).trimEnd().split("\n");
    expect(first).toContain("plus");
    expect(second).toContain("nested more than 32 levels");
    expect(third).toContain("plus");
  });

  test("is not confused by brackets in texts", () => {
    for (const text of ['"[[[["', '{"a\\"[[":"\\\\"}', '["\\\\","[["]'])
      expect(() => checkJsonShape(text, 1), text).not.toThrow();
    expect(() => checkJsonShape('["\\\\",[]]', 1)).toThrow(RequestProblem);
  });

  test("of any shape within the limits is let through (property)", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const opened = countContainers(JSON.parse(text));
        checkJsonShape(text, opened);
        if (opened > 0) expect(() => checkJsonShape(text, opened - 1)).toThrow(RequestProblem);
      }),
    );
  });
});

const countContainers = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, entry) => sum + countContainers(entry), 1)
    : 0;

describe("any JSON", () => {
  const models = ["sign", "bare", "text", "passengers"];
  test("is answered with 200, 400, 413 or 422, never with a failure", async () => {
    const body = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string(),
      fc.jsonValue().map((rows) => JSON.stringify({ rows })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...models),
        fc.constantFrom("predict", "explain"),
        body,
        async (model, task, text) => {
          const { status } = await running.post(`/v1/models/${model}/${task}`, text);
          expect([200, 400, 413, 422]).toContain(status);
        },
      ),
      { numRuns: 150 },
    );
    await stillAnswers();
  });

  test("as tensors is answered with 200, 400 or 422", async () => {
    const tensor = fc.record({
      name: fc.constantFrom("a", "b", "input", "__proto__"),
      shape: fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 3 }),
      datatype: fc.constantFrom("FP64", "INT8", "BOOL", "BYTES", "X"),
      data: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.jsonValue()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(tensor, { maxLength: 3 }), async (inputs) => {
        const { status } = await running.post("/v2/models/sign/infer", { inputs });
        expect([200, 400, 422]).toContain(status);
      }),
      { numRuns: 100 },
    );
  });

  test("numbers are predicted as the library does, whatever their size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        async (a, b) => {
          const { status, body } = await running.post("/v1/models/bare/predict", [a, b]);
          expect(status).toBe(200);
          // JSON writes -0 as 0.
          const x = [[a === 0 ? 0 : a, b === 0 ? 0 : b]];
          const { model } = running.server.store.find("bare")!;
          expect(body.predictions[0].label).toBe((model.predict!(x) as string[])[0]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("prototypes", () => {
  test("__proto__, constructor and toString are unknown fields like others, and change nothing", async () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const text = `{"a":1,"b":1,${JSON.stringify(name)}:{"polluted":1}}`;
      const { status, body } = await running.post("/v1/models/sign/predict", text);
      expect(status).toBe(422);
      expect(body.fields).toEqual([{ row: 0, field: name, message: "is not a field of this model" }]);
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const { status } = await running.post("/v1/models/sign/predict", '{"__proto__":{"a":1,"b":1}}');
    expect(status).toBe(422);
    await stillAnswers();
  });

  test("names of models that objects inherit are not models", async () => {
    for (const name of ["__proto__", "constructor", "toString"])
      expect((await running.get(`/v1/models/${name}`)).status).toBe(404);
  });
});

describe("bodies", () => {
  test("nested 100,000 deep are refused", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await running.post("/v1/models/sign/predict", deep)).status).toBe(422);
    expect((await running.post("/v2/models/sign/infer", `{"inputs":${deep}}`)).status).toBe(400);
    const objects = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    expect((await running.post("/v1/models/sign/predict", objects)).status).toBe(422);
    await stillAnswers();
  });

  test("that are not UTF-8, or claim to be something else, are refused", async () => {
    const send = (body: Buffer, type: string, headers = {}) =>
      fetch(`${running.url}/v1/models/text/predict`, {
        method: "POST",
        headers: { "content-type": type, ...headers },
        body: body as unknown as BodyInit,
      }).then(({ status }) => status);
    expect(await send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), "application/json")).toBe(400);
    expect(await send(Buffer.from('["a"]', "utf16le"), "application/json; charset=utf-16")).toBe(415);
    expect(await send(Buffer.from('["a"]', "utf16le"), "application/json")).toBe(400);
    expect(await send(Buffer.from('["a"]'), "application/json", { "content-encoding": "gzip" })).toBe(415);
    expect(await send(Buffer.from('["a"]'), "text/plain")).toBe(415);
    expect(await send(Buffer.from('["a"]'), "application/xml")).toBe(415);
    expect(await send(Buffer.from('["a"]'), "application/json; charset=UTF-8")).toBe(200);
  });

  test("of NDJSON with bad bytes, empty lines and other line ends", async () => {
    const response = await fetch(`${running.url}/v1/models/sign/predict`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: "\r\n\n[1,1]\r\n\n{}\n[[[\n",
    });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0].label).toBe("plus");
    expect(lines[1].error).toContain("do not fit");
    expect(lines[2].error).toContain("not JSON");
    const bad = await fetch(`${running.url}/v1/models/sign/predict`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: Buffer.from([0xff, 0xff, 0x0a]) as unknown as BodyInit,
    });
    expect(await bad.text()).toContain("UTF-8");
  });

  test("with thousands of wrong fields get a short list", async () => {
    const row = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i]));
    const { status, body } = await running.post("/v1/models/sign/predict", { rows: [row, row] });
    expect(status).toBe(422);
    expect(body.fields).toHaveLength(100);
  });

  test("with long texts get a short message", async () => {
    const { body } = await running.post("/v1/models/sign/predict", { a: "x".repeat(100_000), b: 1 });
    expect(JSON.stringify(body).length).toBeLessThan(400);
  });

  test("with dates that are not dates", async () => {
    for (const boarded of [1e300, "", "9".repeat(400), -8.7e15, true])
      expect((await running.post("/v1/models/passengers/predict", { ...woman, boarded })).status).toBe(422);
  });
});

describe("addresses and heads", () => {
  test("paths that climb find nothing", async () => {
    const names = [
      "..%2f..%2fetc%2fpasswd",
      "%2e%2e",
      "sign%00",
      "sign%2f..%2fbare",
      "..\\..\\x",
      "a".repeat(500),
      "%ff",
    ];
    for (const name of names) {
      const text = await raw(
        `GET /v1/models/${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(text, name).toMatch(/^HTTP\/1\.1 (400|404|414) /);
    }
    await stillAnswers();
  });

  test("a flood of headers, a bad request line and conflicting lengths end that connection only", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `X-${i}: ${"y".repeat(20)}`).join("\r\n");
    expect(await raw(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${many}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await raw("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    const smuggled =
      "POST /v1/models/sign/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    expect(await raw(smuggled)).toMatch(/^HTTP\/1\.1 400 /);
    await stillAnswers();
  });

  test("a request id is kept if it can stand in a log, and replaced if not", async () => {
    const id = async (given: string) =>
      (await running.get("/healthz", { "x-request-id": given })).headers.get("x-request-id");
    expect(await id("trace-1:a/b")).toBe("trace-1:a/b");
    expect(await id('x" y')).toMatch(/^[a-z0-9]+-[a-z0-9]+$/);
    expect(await id("x".repeat(300))).toMatch(/^[a-z0-9]+-[a-z0-9]+$/);
  });

  test("a page of someone else whose name leads here is refused", async () => {
    const ask = (host: string) =>
      raw(`GET /v1/models HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80"])
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 403 /);
    for (const host of ["localhost", `localhost:${running.port}`, "127.0.0.1", "[::1]:80"])
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("every answer has strict headers, errors too", async () => {
    for (const path of ["/v1/models", "/nothing", "/v1/models/x/predict"]) {
      const { headers } = await running.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("nothing of all this was logged as a failure", () => {
    expect(running.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
