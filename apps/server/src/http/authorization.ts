import { createHash, timingSafeEqual } from "node:crypto";

/** Paths that health checks and browsers open without a token; they disclose no model. */
export const openPaths: ReadonlySet<string> = new Set([
  "/",
  "/try.js",
  "/try.css",
  "/healthz",
  "/readyz",
  "/v2/health/live",
  "/v2/health/ready",
]);

/** A name or address of this machine, with or without a port. */
const LOCAL_HOST = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request without tokens was meant for this machine. A web page of someone else whose name leads to 127.0.0.1 has the
 * browser send its own name here.
 */
export const isLocalHost = (host: string | undefined): boolean => host === undefined || LOCAL_HOST.test(host);

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Whether an Authorization header has one of the tokens. Digests are compared, so that the time depends neither on the length of a
 * token nor on how much of it is right; all tokens are compared, so that it does not depend on which one it is.
 */
export function tokenCheck(tokens: readonly string[]): (header: string | undefined) => boolean {
  const digests = tokens.map(digest);
  return (header) => {
    if (digests.length === 0) return true;
    const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? "") ?? [];
    if (token === undefined) return false;
    const given = digest(token);
    let found = false;
    for (const known of digests) found = timingSafeEqual(known, given) || found;
    return found;
  };
}
