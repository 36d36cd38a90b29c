import type { Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import staticFiles from "@fastify/static";
import fastify, { type FastifyInstance } from "fastify";

/**
 * With the first two a page may share memory between threads; the policy allows what the page itself has and nothing of other origins
 * (blobs are files to download).
 */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Serves the files that a folder has now, and nothing else: each is a route of its own, so that requests never name paths. */
export function staticServer(folder: string): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.addHook("onRequest", async (_, reply) => {
    reply.headers(headers);
  });
  app.register(staticFiles, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      if (path.endsWith(".js")) reply.header("Content-Type", "text/javascript; charset=utf-8");
      // Names of built files change with their content.
      const isNamedByContent = /[\\/]assets[\\/]/.test(path.slice(folder.length - 1));
      reply.header("Cache-Control", isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.addHook("onSend", async (request, reply, payload) => {
    if (reply.statusCode !== 200) return payload;
    reply.header("Vary", "Accept-Encoding");
    const packer = packerFor(String(request.headers["accept-encoding"] ?? ""));
    if (packer === undefined || request.method !== "GET") return payload;
    reply.header("Content-Encoding", packer.name).removeHeader("Content-Length");
    return (payload as Readable).pipe(packer.make());
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("Allow", "GET, HEAD").send();
    return reply.code(404).type("text/plain").send("There is no such page.\n");
  });
  return app;
}

/** Quickly rather than tightly, since the reader waits. */
const packers = [
  {
    name: "br",
    make: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  { name: "gzip", make: () => createGzip() },
];

const packerFor = (accepted: string) =>
  packers.find(({ name }) => new RegExp(`\\b${name}\\b`).test(accepted));
