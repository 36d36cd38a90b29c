import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const versions = "/usr/lib/postgresql";

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A port that connections are taken on. */
const listening = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listening(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

export interface BenchServer {
  readonly port: number;
  /** A connection to a database, through another port if one is given. */
  connect(database?: string, port?: number): Promise<pg.Client>;
  close(): Promise<void>;
}

/** A PostgreSQL in a temporary folder, of the newest version in the Debian packages' place. */
export async function startServer(): Promise<BenchServer> {
  const bin = join(versions, readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0]!, "bin");
  const folder = mkdtempSync(join(tmpdir(), "argmax-bench-"));
  const user = account();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "reader", "-A", "trust", "--no-sync"], options);
  appendFileSync(join(data, "pg_hba.conf"), "host all all 127.0.0.1/32 trust\n");
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "fsync=off", "jit=off", "shared_buffers=512MB"];
  const words = ["-D", data, "-p", String(port), "-k", folder, ...settings.flatMap((one) => ["-c", one])];
  const server: ChildProcess = spawn(join(bin, "postgres"), words, { ...options, stdio: "ignore" });
  const open = async (database = "postgres", through = port) => {
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client({ host: "127.0.0.1", port: through, user: "reader", database });
      try {
        await client.connect();
        // A server that ends before its clients is no news.
        client.on("error", () => undefined);
        return client;
      } catch (error) {
        if (attempt === 50) throw error;
        await pause(200);
      }
    }
  };
  return {
    port,
    connect: open,
    close: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Meter {
  readonly port: number;
  /** Bytes that the server has sent. */
  readonly sent: number;
  close(): void;
}

/** A port that passes on to another one, and counts what comes back. */
export async function meteredPort(to: number): Promise<Meter> {
  let sent = 0;
  const relay = createServer((client) => {
    const server = connect(to, "127.0.0.1");
    server.on("data", (part) => {
      sent += part.length;
    });
    for (const side of [client, server]) side.on("error", () => client.destroy() && server.destroy());
    client.pipe(server).pipe(client);
  });
  const port = await listening(relay);
  return {
    port,
    get sent() {
      return sent;
    },
    close: () => relay.close(),
  };
}
