import type { FastifyReply, FastifyRequest } from "fastify";
import { RequestProblem } from "../answers/request-problem.js";
import type { BatchPool } from "../batches/batch-pool.js";
import type { Dispatcher } from "../batches/dispatcher.js";
import type { ModelStore } from "../model/model-store.js";
import type { ServedModel } from "../model/served-model.js";
import type { Settings } from "../options.js";
import type { Admission } from "./admission.js";
import type { Metrics } from "./metrics.js";

/** What routes need of a server. */
export interface Context {
  readonly settings: Settings;
  readonly store: ModelStore;
  readonly pool: BatchPool;
  readonly dispatcher: Dispatcher;
  readonly admission: Admission;
  readonly metrics: Metrics;
  isAuthorized(request: FastifyRequest): boolean;
  /** False once the server is asked to end. */
  isAccepting(): boolean;
}

interface ModelParams {
  readonly name: string;
  readonly version?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The name of the model that answers, for the metrics. */
    servedModel: string;
  }
}

/** The model that an address names. */
export function modelOf({ store }: Context, request: FastifyRequest): ServedModel {
  const { name, version } = request.params as ModelParams;
  const model = store.find(name, version);
  if (model === undefined) {
    const which = version === undefined ? "" : `, version ${JSON.stringify(version)}`;
    throw new RequestProblem(404, `There is no model ${JSON.stringify(name)}${which}.`);
  }
  request.servedModel = model.name;
  return model;
}

export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type("application/json; charset=utf-8").send(JSON.stringify(value));
