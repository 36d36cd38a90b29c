import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** What makes a page cross-origin isolated. */
export const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const typeOf = (path: string) =>
  path.endsWith(".js") ? "text/javascript" : path.endsWith(".json") ? "application/json" : "text/html";

/** Serves files from memory on a free port of this machine only. Isolated pages may share memory. */
export async function serve(
  files: ReadonlyMap<string, Uint8Array | string>,
  isolated: boolean,
  headers: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const body = files.get(path);
    response.writeHead(body === undefined ? 404 : 200, {
      "Content-Type": `${typeOf(path)}; charset=utf-8`,
      ...(isolated ? isolation : {}),
      ...headers,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
