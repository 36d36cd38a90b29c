import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill("SIGKILL");
});

/** Starts the program and waits for the address that it prints. */
function start(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ address: string; text: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [main, ...words], { env: { PATH: process.env["PATH"]!, ...env } });
  running.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part: Buffer) => {
      text += part.toString();
      const address = /http:\/\/\S+/.exec(text)?.[0];
      if (address !== undefined) resolve({ address, text, child });
    });
    child.on("exit", (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

/** A request whose path is sent as it is, without what URL would tidy up. */
function request(
  address: string,
  path: string,
  { method = "GET", encoding = "" } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const headers = encoding === "" ? {} : { "accept-encoding": encoding };
    httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      let body = "";
      response.on("data", (part: Buffer) => {
        body += part.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

describe("argmax studio", () => {
  test("serves the page with headers that isolate it, and nothing outside its folder", async () => {
    const { address } = await start(["studio", "--port", "0"]);
    const page = await request(address, "/");
    expect(page.status).toBe(200);
    expect(page.body).toContain("<title>Argmax studio</title>");
    expect(page.headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "x-content-type-options": "nosniff",
    });
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page.body)![1]!;
    const { status, headers } = await request(address, script);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-embedder-policy": "require-corp",
    });
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    for (const encoding of ["br", "gzip"])
      expect((await request(address, script, { encoding })).headers).toMatchObject({
        "content-encoding": encoding,
        vary: "Accept-Encoding",
      });
    expect((await request(address, "/", { method: "HEAD" })).body).toBe("");
    const posted = await request(address, "/", { method: "POST" });
    expect(posted).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    for (const path of [
      "/../package.json",
      "/..%2fpackage.json",
      "/assets/../../package.json",
      "/package.json",
      "//etc/passwd",
    ])
      expect((await request(address, path)).status, path).toBe(404);
  });

  test("takes another port if its own is taken, and ends at Ctrl-C", async () => {
    const first = await start(["studio", "--port", "0"]);
    const { port } = new URL(first.address);
    const second = await start(["studio", "--port", port]);
    expect(new URL(second.address).port).not.toBe(port);
    const ended = new Promise((resolve) => second.child.once("exit", resolve));
    second.child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});

describe("npm start", () => {
  const env = { npm_lifecycle_event: "start", PATH: process.env["PATH"]! };

  test("compares models on breastCancer, then serves the studio", async () => {
    const { text, address } = await start(["--folds", "2"], env);
    expect(text).toMatch(/^[┌│└ ] +LogisticRegression.* 0\.9\d+ /m);
    expect(existsSync("breastCancer.safetensors")).toBe(false);
    expect((await request(address, "/")).status).toBe(200);
  }, 60_000);

  test("ends without it where that is wished, and after any command", () => {
    for (const words of [["--no-studio", "--folds", "2"], ["datasets"], ["--help"]]) {
      const { status, stdout } = spawnSync(process.execPath, [main, ...words], { encoding: "utf8", env });
      expect(status).toBe(0);
      expect(stdout).not.toContain("studio is at");
    }
  }, 60_000);
});
