import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { defineCommand, Failure, readInteger } from "../command.js";
import { staticServer } from "../studio/static-files.js";

export const studio = defineCommand({
  description: [
    "Serves the studio, a page in which models are trained, looked into, evaluated and downloaded. Everything runs in the browser: no " +
      "table leaves it. Only this machine can open the page, unless --host says otherwise.",
  ],
  options: {
    host: { type: "string", value: "ADDRESS", default: "127.0.0.1", doc: "Address to listen on" },
    port: {
      type: "string",
      short: "p",
      value: "N",
      default: "8765",
      doc: "Port; another one that is free if it is taken, or with 0",
    },
  },
  examples: [{ words: "studio --port 9000", doc: "The studio on port 9000 of this machine" }],
  async run({ values, terminal, signal }) {
    const folder = studioFolder();
    const server = staticServer(folder);
    const address = await listen(server, values.host, readInteger("port", values.port, 0, 65_535));
    terminal.emit({ type: "listening", address });
    terminal.print(`The studio is at ${address} (Ctrl-C ends it).`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

/** The built files of @argmax/studio. */
function studioFolder(): string {
  const folder = fileURLToPath(new URL("dist/", import.meta.resolve("@argmax/studio/package.json")));
  if (!existsSync(folder)) throw new Failure(`${folder} is missing: build the studio by npm run build.`);
  return folder;
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    await listening(server, host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE")
      throw new Failure(`The studio cannot listen on ${host}, port ${port} (${code}).`);
    await listening(server, host, 0);
  }
  const { port: found } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${found}/`;
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
