import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

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

interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly packed: Map<"br" | "gzip", Buffer>;
}

/** Serves the files of a folder as they are now, and nothing else: requests name entries of a list, never paths. */
export function staticServer(folder: string): Server {
  const files = new Map<string, StaticFile>();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, path));
    files.set(`/${path.split(sep).join("/")}`, { type, bytes, packed: new Map() });
  }
  const page = files.get("/index.html");
  if (page !== undefined) files.set("/", page);
  return createServer((request, response) => answer(files, request, response));
}

function answer(
  files: ReadonlyMap<string, StaticFile>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  const path = (request.url ?? "/").split("?", 1)[0]!;
  const file = files.get(path);
  if (file === undefined) {
    response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such page.\n");
    return;
  }
  response.setHeader("Content-Type", file.type);
  // Names of built files change with their content.
  response.setHeader(
    "Cache-Control",
    path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  );
  response.setHeader("Vary", "Accept-Encoding");
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  const body = encoding === undefined ? file.bytes : packed(file, encoding);
  if (encoding !== undefined) response.setHeader("Content-Encoding", encoding);
  response.setHeader("Content-Length", body.length);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Compressed when first asked for: quickly, since the reader waits. */
function packed(file: StaticFile, encoding: "br" | "gzip"): Buffer {
  const known = file.packed.get(encoding);
  if (known !== undefined) return known;
  const made =
    encoding === "br"
      ? brotliCompressSync(file.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : gzipSync(file.bytes);
  file.packed.set(encoding, made);
  return made;
}
