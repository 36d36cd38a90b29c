import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ARROW_TYPE, type Call, LINES_TYPE } from "../answers/call.js";
import { clientProblem, RequestProblem } from "../answers/request-problem.js";
import type { ServedModel } from "../model/served-model.js";
import { type Context, modelOf, sendJson } from "./context.js";
import { lineBatches } from "./line-stream.js";
import { modelMetadata } from "./model-metadata.js";

/** The plain API: `/v1/models`. */
export function plainRoutes(app: FastifyInstance, context: Context): void {
  const { store } = context;
  app.get("/v1/models", (_, reply) =>
    sendJson(reply, { models: store.names.map((name) => summary(store.find(name)!, store.versions(name))) }),
  );
  for (const path of ["/v1/models/:name", "/v1/models/:name/versions/:version"]) {
    app.get(path, (request, reply) => {
      const model = modelOf(context, request);
      return sendJson(reply, modelMetadata(model, store.versions(model.name)));
    });
    app.post(`${path}/predict`, (request, reply) => respond(context, request, reply, "predict"));
    app.post(`${path}/explain`, (request, reply) => respond(context, request, reply, "explain"));
  }
}

const summary = ({ name, version, task, target }: ServedModel, versions: readonly string[]) => ({
  name,
  task,
  target,
  version,
  versions,
});

/** Answers a request whose model is in its address. */
export async function respond(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  task: Call["task"],
): Promise<FastifyReply> {
  const model = modelOf(context, request);
  const call = callOf(context, request, task);
  if (call.format === "lines") return respondLines(context, request, reply, model, call);
  const body = (request.body as Buffer | undefined) ?? EMPTY;
  const found = await context.dispatcher.answer(model, body, call);
  context.metrics.rows(model, task, found.rows);
  return reply.code(found.status).type(found.type).send(found.body);
}

const EMPTY = Buffer.alloc(0);

function callOf({ settings }: Context, request: FastifyRequest, task: Call["task"]): Call {
  const { headers } = request;
  const type = headers["content-type"] ?? "";
  const format = type.startsWith(ARROW_TYPE) ? "arrow" : isLines(type) ? "lines" : "json";
  if (task !== "predict" && format !== "json")
    throw new RequestProblem(415, "The body of this request must be JSON.");
  const { probabilities } = request.query as { probabilities?: unknown };
  return {
    task,
    format,
    accept: headers.accept?.includes(ARROW_TYPE) ? "arrow" : "json",
    probabilities: probabilities !== "false",
    maxRows: settings.maxRows,
    firstRow: 0,
  };
}

/** Names under which lines of JSON are sent. */
export const lineTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl"] as const;

const isLines = (type: string): boolean => lineTypes.some((name) => type.startsWith(name));

/** A stream of rows: answers go out while rows come in, and a client that does not read is not read from. */
function respondLines(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  model: ServedModel,
  call: Call,
): FastifyReply {
  const source = request.body as Readable;
  const { maxBody, timeout, streamTimeout } = context.settings;
  const { socket } = request.raw;
  // Whatever it does, a stream ends: also one whose client reads a byte of its answers now and then.
  const end = setTimeout(() => socket.destroy(), streamTimeout);
  reply.raw.once("close", () => clearTimeout(end));
  async function* answers() {
    let firstRow = 0;
    try {
      for await (const { lines, count } of lineBatches(source, maxBody, timeout)) {
        const answer = await context.dispatcher.answer(model, lines, { ...call, firstRow });
        context.metrics.rows(model, call.task, answer.rows);
        yield answer.status === 200 ? answer.body : `${answer.body}\n`;
        firstRow += count;
        // A stream must not keep others from the event loop.
        await new Promise(setImmediate);
      }
    } catch (error) {
      const problem = clientProblem(error);
      if (problem === undefined) request.log.error({ err: error, reqId: request.id }, "stream failed");
      yield `${JSON.stringify({ row: firstRow, error: problem?.message ?? "The server failed." })}\n`;
      // What the client still sends is not read.
      reply.raw.once("finish", () => socket.destroySoon());
    }
  }
  return reply.code(200).type(LINES_TYPE).send(Readable.from(answers()));
}
