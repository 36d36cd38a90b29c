import type { FastifyInstance, FastifyRequest } from "fastify";
import { inputMetadata, outputMetadata } from "../answers/infer-outputs.js";
import type { ServedModel } from "../model/served-model.js";
import { type Context, modelOf, sendJson } from "./context.js";
import { respond } from "./plain-routes.js";
import { serverVersion } from "./server-version.js";

/** The Open Inference Protocol, version 2, HTTP and JSON (KServe). */
export function inferenceRoutes(app: FastifyInstance, context: Context): void {
  const { store, isAccepting } = context;
  app.get("/v2", (_, reply) => sendJson(reply, { name: "argmax", version: serverVersion, extensions: [] }));
  app.get("/v2/health/live", (_, reply) => sendJson(reply, { live: true }));
  app.get("/v2/health/ready", (_, reply) => {
    const ready = store.isReady && isAccepting();
    return sendJson(reply.code(ready ? 200 : 503), { ready });
  });
  for (const path of ["/v2/models/:name", "/v2/models/:name/versions/:version"]) {
    app.get(path, (request, reply) => sendJson(reply, metadata(context, modelOf(context, request))));
    app.get(`${path}/ready`, (request: FastifyRequest, reply) =>
      sendJson(reply, { name: modelOf(context, request).name, ready: true }),
    );
    app.post(`${path}/infer`, (request, reply) => respond(context, request, reply, "infer"));
  }
}

const metadata = ({ store }: Context, model: ServedModel) => ({
  name: model.name,
  versions: store.versions(model.name),
  platform: "argmax",
  inputs: inputMetadata(model),
  outputs: outputMetadata(model),
});
