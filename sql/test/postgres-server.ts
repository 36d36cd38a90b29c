import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A PostgreSQL of its own in a temporary folder, installed where it is missing. */
export interface PostgresServer {
  readonly url: string;
  connect(): Promise<pg.Client>;
  /** Ends it as a machine that loses power does. */
  kill(): Promise<void>;
  /** Starts it again after that. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

async function connected(url: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(200);
    }
  }
}

/** The words in front of a program that make it run as another user. */
const asUser = ({ uid, gid }: ReturnType<typeof account>): string[] =>
  uid === undefined ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];

export interface PostgresOptions {
  /** Where it listens; this machine only unless given. */
  readonly address?: string;
  /** Words in front of the program, as those that enter a network namespace. */
  readonly prefix?: readonly string[];
}

export async function startPostgres({
  address = "127.0.0.1",
  prefix = [],
}: PostgresOptions = {}): Promise<PostgresServer> {
  const installer = join(repository, "tools/build/debian.mjs");
  const run = spawnSync(process.execPath, [installer, "postgresql:pg_ctlcluster"], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`PostgreSQL is missing.\n${run.stderr}`);
  const versions = "/usr/lib/postgresql";
  const bin = join(versions, readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0]!, "bin");
  const folder = mkdtempSync(join(tmpdir(), "argmax-postgres-"));
  const user = account();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "reader", "-A", "trust", "--no-sync"], options);
  const port = await freePort();
  appendFileSync(join(data, "pg_hba.conf"), "host all all 0.0.0.0/0 trust\n");
  const settings = [`listen_addresses=${address}`, "fsync=off", "jit=off"].flatMap((setting) => [
    "-c",
    setting,
  ]);
  const words = ["-D", data, "-p", String(port), "-k", folder, ...settings];
  const [program, ...before] = [...prefix, ...asUser(user), join(bin, "postgres")];
  const start = () => spawn(program!, [...before, ...words], { cwd: folder, stdio: "ignore" });
  let server: ChildProcess = start();
  const url = `postgresql://reader:secret@${address}:${port}/postgres`;
  const end = async (signal: "SIGKILL" | "SIGQUIT") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  };
  return {
    url,
    connect: () => connected(url),
    kill: () => end("SIGKILL"),
    restart: async () => {
      rmSync(join(data, "postmaster.pid"), { force: true });
      server = start();
      await (await connected(url)).end();
    },
    close: async () => {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
