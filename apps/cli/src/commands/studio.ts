import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { defineCommand, Failure, readInteger } from "../command.js";
import { staticServer } from "../studio/static-server.js";

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
    const port = readInteger("port", values.port, 0, 65_535);
    const { app, address } = await listen(studioFolder(), values.host, port);
    terminal.emit({ type: "listening", address });
    terminal.print(`The studio is at ${address} (Ctrl-C ends it).`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await app.close();
  },
});

/** The built files of @argmax/studio. */
function studioFolder(): string {
  const folder = fileURLToPath(new URL("dist/", import.meta.resolve("@argmax/studio/package.json")));
  if (!existsSync(folder)) throw new Failure(`${folder} is missing: build the studio by npm run build.`);
  return folder;
}

/** Listens on the port, or on a free one where it is taken. */
async function listen(
  folder: string,
  host: string,
  port: number,
): Promise<{ readonly app: FastifyInstance; readonly address: string }> {
  const app = staticServer(folder);
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && port !== 0) return listen(folder, host, 0);
    throw new Failure(`The studio cannot listen on ${host}, port ${port} (${code}).`);
  }
  const { port: found } = app.server.address() as AddressInfo;
  return { app, address: `http://${host.includes(":") ? `[${host}]` : host}:${found}/` };
}
