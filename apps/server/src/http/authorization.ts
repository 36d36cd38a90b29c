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
