import { createSign, generateKeyPairSync } from "node:crypto";
import { get as httpsGet } from "node:https";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { createServer } from "../src/index.js";
import { readSettings } from "../src/options.js";
import { bareModel, cleanUp, folderOfModels, signModel, startServer, temporaryFolder } from "./support.js";

afterAll(cleanUp);

const folder = folderOfModels({ sign: signModel(), bare: bareModel() });
const token = "a-token-of-many-characters";
const second = "another-token-for-rotation";

describe("tokens", () => {
  test("every request needs one, except for health and the page", async () => {
    const { get, post } = await startServer({ folder, tokens: [token, second] });
    const paths = [
      "/v1/models",
      "/v1/models/sign",
      "/v2",
      "/v2/models/sign",
      "/metrics",
      "/openapi.json",
      "/nothing",
    ];
    for (const path of paths) {
      const { status, headers, body } = await get(path);
      expect(status, path).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      expect(JSON.stringify(body)).not.toContain("sign");
    }
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(401);
    for (const path of ["/", "/healthz", "/v2/health/live", "/v2/health/ready", "/try.js"])
      expect((await get(path)).status, path).toBe(200);
    // Readiness says whether, not what.
    expect((await get("/readyz")).body).toEqual({ ready: true });
    const allowed = { authorization: `Bearer ${token}` };
    expect((await get("/readyz", allowed)).body.models).toHaveLength(2);
    expect((await post("/v1/models/sign/predict", [1, 1], allowed)).status).toBe(200);
    expect((await get("/v1/models", { authorization: `bearer ${second}` })).status).toBe(200);
    for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, "Bearer ", token])
      expect((await get("/v1/models", { authorization: wrong })).status, wrong).toBe(401);
  });

  test("a token that is guessed in an hour is refused", async () => {
    await expect(createServer({ folder, tokens: ["secret"] })).rejects.toThrow("at least 16 characters");
  });
});

describe("addresses", () => {
  test("a public address without a token is refused with a sentence", async () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.org"])
      await expect(createServer({ folder, host })).rejects.toThrow(
        `Other machines reach ${host}: give a token that clients must send, or --insecure to let anyone use the models.`,
      );
    for (const options of [{ insecure: true }, { tokens: [token] }, { host: "127.0.0.1" }, { host: "::1" }]) {
      const server = await createServer({ folder, host: "0.0.0.0", logLevel: "silent", ...options });
      await server.close();
    }
  });

  test("wrong options are refused", async () => {
    await expect(createServer({})).rejects.toThrow("nothing to serve");
    await expect(createServer({ folder, port: 1.5 })).rejects.toThrow("port must be an integer ≥ 0");
    await expect(createServer({ folder, prot: 1 } as never)).rejects.toThrow('There is no option "prot"');
    await expect(createServer({ files: ["/nowhere/x.safetensors"], logLevel: "silent" })).rejects.toThrow(
      "does not exist",
    );
    await expect(createServer({ folder: "/nowhere/at/all", logLevel: "silent" })).rejects.toThrow("ENOENT");
  });
});

describe("sizes", () => {
  test("of bodies: announced or not, 413", async () => {
    const { url, post } = await startServer({ folder, maxBody: 1000 });
    const long = JSON.stringify({ rows: Array.from({ length: 200 }, () => [1, 1]) });
    expect((await post("/v1/models/sign/predict", long)).status).toBe(413);
    const chunked = await fetch(`${url}/v1/models/sign/predict`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([long]).stream() as unknown as BodyInit,
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    // The server may close the connection before the client has sent everything.
    if (chunked !== undefined) expect(chunked.status).toBe(413);
    const lines = await fetch(`${url}/v1/models/sign/predict`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: `[1,1]\n${"[".repeat(5000)}`,
    });
    const [first, last] = (await lines.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first.label).toBe("plus");
    expect(last.error).toContain("A line may have 1000 bytes");
  });

  test("of rows: 413, and in a tensor too", async () => {
    const { post } = await startServer({ folder, maxRows: 2 });
    const rows = [
      [1, 1],
      [1, 1],
      [1, 1],
    ];
    expect((await post("/v1/models/sign/predict", { rows: rows.slice(1) })).status).toBe(200);
    const { status, body } = await post("/v1/models/sign/predict", rows);
    expect(status).toBe(413);
    expect(body.error).toContain("A request may have 2 rows, got 3");
    const tensor = { name: "input", shape: [3, 2], datatype: "FP64", data: rows.flat() };
    expect((await post("/v2/models/sign/infer", { inputs: [tensor] })).status).toBe(413);
  });
});

/** A connection that has sent the head of a request, but not its body. */
const slowRequest = (port: number, headers = ""): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `POST /v1/models/sign/predict HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: application/json\r\nContent-Length: 5\r\n\r\n[`,
        () => setTimeout(() => resolve(socket), 50),
      );
    });
  });

/** A stream of a whole line, then of pieces, one every 50 ms: a space by default, so that the next line never ends. */
function slowStream(port: number, piece = " "): { began: Promise<void>; text: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  socket.write(
    "POST /v1/models/sign/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n" +
      chunk("[1,1]\n"),
  );
  const sending = setInterval(() => socket.write(chunk(piece)), 50);
  socket.on("close", () => clearInterval(sending));
  socket.on("error", () => {});
  const began = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  return { began, text: answerOf(socket) };
}

const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("close", () => resolve(text));
  });

describe("many at a time", () => {
  test("above the limit 503 with Retry-After; health answers; a place is free again afterwards", async () => {
    const { port, post, get } = await startServer({ folder, maxConcurrent: 2 });
    const slow = await Promise.all([slowRequest(port), slowRequest(port)]);
    const { status, headers } = await post("/v1/models/sign/predict", [1, 1]);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect((await get("/healthz")).status).toBe(200);
    expect((await get("/readyz")).status).toBe(200);
    const answers = slow.map(answerOf);
    for (const socket of slow) socket.end("1,1]");
    expect((await Promise.all(answers)).every((text) => text.startsWith("HTTP/1.1 "))).toBe(true);
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("clients that go away in the middle leave their place", async () => {
    const { port, post, server } = await startServer({ folder, maxConcurrent: 1 });
    const slow = await slowRequest(port);
    slow.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
    expect(await server.metrics.registry.metrics()).toContain("argmax_requests_in_flight 0");
  });

  test("one client above its own limit gets 429, others are answered", async () => {
    const tokens = [token, second];
    const { port, post } = await startServer({ folder, tokens, maxPerClient: 1 });
    const slow = await slowRequest(port, `Authorization: Bearer ${token}\r\n`);
    const ask = (own: string) => post("/v1/models/sign/predict", [1, 1], { authorization: `Bearer ${own}` });
    const { status, headers } = await ask(token);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("1");
    expect((await ask(second)).status).toBe(200);
    slow.destroy();
  });
});

describe("one client", () => {
  test("has half of the places by default, and 16 at least", () => {
    expect(readSettings({ folder }).maxPerClient).toBe(256);
    expect(readSettings({ folder, maxConcurrent: 100 }).maxPerClient).toBe(50);
    expect(readSettings({ folder, maxConcurrent: 2 }).maxPerClient).toBe(16);
    expect(readSettings({ folder, maxPerClient: 3 }).maxPerClient).toBe(3);
  });

  test("cannot be several by headers that nobody checks", async () => {
    const { port, post } = await startServer({ folder, maxPerClient: 1 });
    const slow = await slowRequest(port, "Authorization: Bearer one\r\n");
    const { status } = await post("/v1/models/sign/predict", [1, 1], { authorization: "Bearer two" });
    expect(status).toBe(429);
    slow.destroy();
  });
});

describe("time", () => {
  test("a body that does not arrive gets 408, and the connection ends", async () => {
    const { port, post } = await startServer({ folder, timeout: 200 });
    const socket = await slowRequest(port);
    const start = performance.now();
    const text = await answerOf(socket);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text.toLowerCase()).toContain("connection: close");
    expect(performance.now() - start).toBeLessThan(2000);
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("a stream whose next line does not arrive ends with an error, and its place is free again", async () => {
    const { port, post, server } = await startServer({ folder, timeout: 300, maxConcurrent: 4 });
    const start = performance.now();
    const streams = Array.from({ length: 4 }, () => slowStream(port));
    await Promise.all(streams.map(({ began }) => began));
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(503);
    const texts = await Promise.all(streams.map(({ text }) => text));
    for (const text of texts) {
      expect(text).toContain('"label":"plus"');
      expect(text).toContain("No line arrived within 0.3 s.");
    }
    expect(performance.now() - start).toBeLessThan(5000);
    expect(await server.metrics.registry.metrics()).toContain("argmax_requests_in_flight 0");
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("a stream that goes on and on ends after its own time limit", async () => {
    const { port, post } = await startServer({ folder, timeout: 5000, streamTimeout: 300 });
    const start = performance.now();
    const text = await slowStream(port, "[1,1]\n").text;
    expect(text).toContain('"label":"plus"');
    expect(performance.now() - start).toBeLessThan(4000);
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("a client that sends and never reads is not read from, and is let go", async () => {
    const { port, post, server } = await startServer({ folder, timeout: 200 });
    const socket = connect(port, "127.0.0.1");
    const ended = new Promise<void>((resolve) => {
      socket.on("close", () => resolve());
      socket.on("error", () => resolve());
    });
    socket.pause();
    socket.write(
      "POST /v1/models/sign/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const lines = "[1,1]\n".repeat(10_000);
    const chunk = `${lines.length.toString(16)}\r\n${lines}\r\n`;
    let sent = 0;
    let isOpen = true;
    void ended.then(() => {
      isOpen = false;
    });
    // Far more than sockets hold.
    while (isOpen && sent < 100 << 20) {
      sent += chunk.length;
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
    }
    await ended;
    socket.destroy();
    expect(sent).toBeLessThan(50 << 20);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await server.metrics.registry.metrics()).toContain("argmax_requests_in_flight 0");
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("a batch that takes too long gets 503, and its worker is replaced", async () => {
    const { post } = await startServer({ folder, timeout: 40 });
    // A worker needs longer than that to load the library.
    const rows = Array.from({ length: 10_000 }, () => [0.123456789, 0.987654321]);
    const { status, headers, body } = await post("/v1/models/bare/predict", { rows });
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect(body.error).toContain("took longer than 0.04 s");
    expect((await post("/v1/models/sign/predict", [1, 1])).status).toBe(200);
  });

  test("large requests beyond the queue get 503", async () => {
    const { post } = await startServer({ folder, batchWorkers: 1, maxWaiting: 1 });
    const rows = Array.from({ length: 20_000 }, () => [0.123456789, 0.987654321]);
    const asked = await Promise.all(
      Array.from({ length: 6 }, () => post("/v1/models/bare/predict", { rows })),
    );
    const statuses = asked.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
});

describe("metrics", () => {
  test("requests by status, rows, latency, versions, what runs and waits", async () => {
    const { post, get } = await startServer({ folder });
    await post("/v1/models/sign/predict", [
      [1, 1],
      [0, 1],
    ]);
    await post("/v1/models/sign/predict", "{");
    const { body, headers } = await get("/metrics");
    expect(headers.get("content-type")).toContain("text/plain");
    const route = 'route="/v1/models/:name/predict",model="sign"';
    expect(body).toContain(`argmax_requests_total{${route},status="200"} 1`);
    expect(body).toContain(`argmax_requests_total{${route},status="400"} 1`);
    expect(body).toContain('argmax_rows_total{model="sign",version="1",task="predict"} 2');
    expect(body).toContain(`argmax_request_duration_seconds_count{${route}} 2`);
    expect(body).toContain('argmax_model_loaded{model="bare",version="1"} 1');
    expect(body).toContain("argmax_requests_in_flight 1");
    expect(body).toContain("argmax_batches_waiting 0");
  });
});

describe("logs", () => {
  test("are JSON; at debug there is a line per request with its id", async () => {
    const { get, log } = await startServer({ folder, logLevel: "debug" });
    await get("/v1/models", { "x-request-id": "abc" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const lines = log.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ msg: "model loaded", model: "sign" }));
    expect(lines).toContainEqual(
      expect.objectContaining({ reqId: "abc", method: "GET", path: "/v1/models", statusCode: 200 }),
    );
  });

  test("at info a request leaves no line", async () => {
    const { get, log } = await startServer({ folder });
    const before = log.length;
    await get("/v1/models");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(log).toHaveLength(before);
  });
});

describe("TLS", () => {
  test("answers over HTTPS with a strict transport policy", async () => {
    const { url } = await startServer({ folder, tls: selfSigned() });
    expect(url).toMatch(/^https:/);
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      httpsGet(`${url}/healthz`, { rejectUnauthorized: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, policy: response.headers["strict-transport-security"] });
      }).on("error", reject);
    });
    expect(headers).toEqual({ status: 200, policy: "max-age=31536000" });
  });
});

/** A certificate for localhost that lasts for this test. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const n = body.length;
    const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
    return Buffer.concat([Buffer.from([tag, ...length]), body]);
  };
  const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")));
  const name = sequence(der(0x31, commonName));
  const validity = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const body = sequence(version, der(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, spki);
  const signature = createSign("SHA256").update(body).sign(privateKey);
  const bytes = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }) as string, cert };
}

test("an empty folder is served, but not ready", async () => {
  const { get } = await startServer({ folder: temporaryFolder() });
  expect((await get("/readyz")).status).toBe(503);
  expect((await get("/v2/health/ready")).body).toEqual({ ready: false });
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/v1/models")).body).toEqual({ models: [] });
});
