import type { FastifyInstance } from "fastify";
import { type Context, sendJson } from "./context.js";
import { openApi } from "./openapi.js";
import { pageHtml, pageScript, pageStyle } from "./page.js";

/** Health, metrics, the OpenAPI document and the page to try a model. */
export function serviceRoutes(app: FastifyInstance, context: Context): void {
  const { store, metrics, settings } = context;
  app.get("/healthz", (_, reply) => sendJson(reply, { status: "ok" }));
  app.get("/readyz", (request, reply) => {
    const ready = store.isReady && context.isAccepting();
    const body = { ready, ...(context.isAuthorized(request) && readinessDetails(context)) };
    return sendJson(reply.code(ready ? 200 : 503), body);
  });
  app.get("/metrics", async (_, reply) => {
    const text = await (settings.metricsText?.() ?? metrics.registry.metrics());
    return reply.type(metrics.registry.contentType).send(text);
  });
  app.get("/openapi.json", (_, reply) => sendJson(reply, openApi(store)));
  app.get("/", (_, reply) =>
    reply.header("content-security-policy", PAGE_POLICY).type("text/html; charset=utf-8").send(pageHtml),
  );
  app.get("/try.js", (_, reply) => reply.type("text/javascript; charset=utf-8").send(pageScript()));
  app.get("/try.css", (_, reply) => reply.type("text/css; charset=utf-8").send(pageStyle));
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Which models answer, and which files could not be loaded. Not for clients without a token. */
function readinessDetails({ store, isAccepting }: Context) {
  const models = store.all.map(({ name, version }) => ({ name, version }));
  return {
    ...(!isAccepting() && { closing: true }),
    models,
    problems: store.problems.map(({ name, version, message, kept }) => ({ name, version, message, kept })),
    ...(store.scanProblem !== undefined && { folder: store.scanProblem }),
  };
}
