import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, folderOfModels, signModel } from "./support.js";

afterAll(cleanUp);

/** The built program, as users start it. */
const main = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));
const folder = folderOfModels({ sign: signModel() });
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  /** The exit code, and what was printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

async function serve(...words: string[]): Promise<Program> {
  const child = spawn(process.execPath, [main, "serve", ...words], { env: { PATH: process.env["PATH"] } });
  children.push(child);
  let output = "";
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  const url = await new Promise<string>((resolve) => {
    const onText = (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /Listening on (\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.on("close", () => resolve(""));
  });
  return { child, url, ended };
}

interface Reply {
  readonly status: number;
  readonly isLast: boolean;
  readonly text: string;
}

/** A request on a connection that stays open. */
const post = (url: string, agent: Agent, body: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${url}/v1/models/sign/predict`,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode!, isLast: response.headers.connection === "close", text }),
        );
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });

/** Clients with a connection each, which ask until an answer says that the connection ends. */
function clientsOf(url: string, count: number, body: string) {
  const replies: Reply[] = [];
  const lost: unknown[] = [];
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      try {
        const reply = await post(url, agent, body);
        replies.push(reply);
        if (reply.isLast) break;
      } catch (error) {
        lost.push(error);
        break;
      }
    }
    agent.destroy();
  };
  return { replies, lost, all: Promise.all(Array.from({ length: count }, client)) };
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("SIGTERM under load", () => {
  test("answers every request that was sent, small and large, then ends with code 0", async () => {
    const { child, url, ended } = await serve("--models", folder, "--port", "0");
    const small = clientsOf(url, 8, "[1,1]");
    const rows = Array.from({ length: 20_000 }, (_, i) => [i, 1.123456789]);
    const large = clientsOf(url, 2, JSON.stringify({ rows }));
    await wait(700);
    child.kill("SIGTERM");
    const { code } = await ended;
    await Promise.all([small.all, large.all]);
    expect([...small.lost, ...large.lost]).toEqual([]);
    const replies = [...small.replies, ...large.replies];
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(replies.filter(({ isLast }) => isLast)).toHaveLength(10);
    expect(large.replies.length).toBeGreaterThan(1);
    for (const { text } of replies) JSON.parse(text);
    expect(code).toBe(0);
  });

  test("several processes: metrics add up, all end, nothing is lost", async () => {
    const { child, url, ended } = await serve("--models", folder, "--port", "0", "--workers", "2");
    const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    for (const agent of agents) for (let r = 0; r < 5; r++) await post(url, agent, "[1,1]");
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('argmax_rows_total{model="sign",version="1",task="predict"} 30');
    expect(text).toContain('argmax_model_loaded{model="sign",version="1"} 1');
    for (const agent of agents) agent.destroy();
    const clients = clientsOf(url, 6, "[1,1]");
    await wait(300);
    child.kill("SIGTERM");
    const { code } = await ended;
    await clients.all;
    expect(clients.lost).toEqual([]);
    expect(clients.replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(code).toBe(0);
  });
});

test("requests of one row are answered while 100,000 rows are predicted", async () => {
  const { child, url } = await serve("--models", folder, "--port", "0");
  const agent = new Agent({ keepAlive: true });
  const large = JSON.stringify({ rows: Array.from({ length: 100_000 }, (_, i) => [i, 1.5]) });
  let isDone = false;
  const batch = post(url, agent, large).finally(() => {
    isDone = true;
  });
  let meanwhile = 0;
  while (!isDone) {
    await post(url, agent, "[1,1]");
    if (!isDone) meanwhile++;
  }
  expect(JSON.parse((await batch).text).predictions).toHaveLength(100_000);
  // On one thread, those that come after the batch would wait for its answer.
  expect(meanwhile).toBeGreaterThan(20);
  agent.destroy();
  child.kill("SIGKILL");
});

describe("the command line", () => {
  test("a public address without a token is refused: one sentence, code 1", async () => {
    const { ended } = await serve("--models", folder, "--host", "0.0.0.0");
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      "Other machines reach 0.0.0.0: give a token that clients must send, or --insecure to let anyone use the models.",
    );
  });

  test("several processes that cannot start end the program with their reason", async () => {
    const { ended } = await serve(join(folder, "absent.safetensors"), "--workers", "2");
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).toContain("absent.safetensors does not exist");
  });

  test("tokens come from a file", async () => {
    const file = join(folder, "tokens");
    writeFileSync(file, "first-token-0123456789\nsecond-token-0123456789\n");
    const { child, url, ended } = await serve(
      join(folder, "sign.safetensors"),
      "--port",
      "0",
      "--token-file",
      file,
    );
    const status = async (token: string) =>
      (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status("first-token-0123456789")).toBe(200);
    expect(await status("second-token-0123456789")).toBe(200);
    expect(await status("third-token-0123456789")).toBe(401);
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
  });

  test("wrong options are mistakes of the command line, code 2", async () => {
    for (const words of [
      ["--port", "70000"],
      ["--log-level", "loud"],
      ["--tls-key", "x"],
      ["--timeout", "soon"],
    ]) {
      const { code } = await (await serve("--models", folder, ...words)).ended;
      expect(code, words.join(" ")).toBe(2);
    }
  });
});
