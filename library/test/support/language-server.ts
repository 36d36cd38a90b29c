import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The TypeScript compiler as editors use it: the Language Server Protocol over its standard streams. */
export class LanguageServer {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #received = Buffer.alloc(0);
  #asked = 0;

  private constructor(folder: string) {
    this.#process = spawn(tsc, ["--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdout!.on("data", (bytes: Buffer) => this.#receive(bytes));
  }

  static async start(folder: string): Promise<LanguageServer> {
    const server = new LanguageServer(folder);
    await server.ask("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { hover: { contentFormat: ["markdown"] } } },
    });
    server.#send({ method: "initialized", params: {} });
    return server;
  }

  /** Opens a file that need not exist. */
  open(path: string, text: string): void {
    const textDocument = { uri: pathToFileURL(path).href, languageId: "typescript", version: 1, text };
    this.#send({ method: "textDocument/didOpen", params: { textDocument } });
  }

  /** What an editor shows over a place of an open file; lines and characters count from 0. */
  async hover(path: string, line: number, character: number): Promise<string> {
    const textDocument = { uri: pathToFileURL(path).href };
    const answer = (await this.ask("textDocument/hover", {
      textDocument,
      position: { line, character },
    })) as { readonly contents: { readonly value: string } } | null;
    return answer?.contents.value ?? "";
  }

  ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#asked;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(error.message)) : resolve(result),
      );
    });
  }

  stop(): void {
    this.#process.kill();
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const header = this.#received.indexOf("\r\n\r\n");
      if (header < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString("latin1", 0, header))![1]);
      const start = header + 4;
      if (this.#received.length < start + length) return;
      this.#take(JSON.parse(this.#received.toString("utf8", start, start + length)));
      this.#received = this.#received.subarray(start + length);
    }
  }

  #take(message: Answer): void {
    if (message.id === undefined) return;
    // A question of the server: for settings, or to register a capability. There is nothing to tell.
    if (message.method !== undefined) {
      this.#send({ id: message.id, result: null });
      return;
    }
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
