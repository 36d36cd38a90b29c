import type { IncomingMessage } from "node:http";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { ARROW_TYPE } from "../answers/call.js";
import { clientProblem, RequestProblem } from "../answers/request-problem.js";
import { RETRY_AFTER } from "../batches/batch-pool.js";
import { isLoopback, type Settings } from "../options.js";
import { isLocalHost, openPaths } from "./authorization.js";
import { BodyReader } from "./body.js";
import type { Context } from "./context.js";
import { inferenceRoutes } from "./inference-routes.js";
import { lineTypes, plainRoutes } from "./plain-routes.js";
import { serviceRoutes } from "./service-routes.js";

/** A request id that a proxy has given is kept if it can stand in a log line. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** Milliseconds for the head of a request to arrive. */
const HEAD_TIMEOUT = 10_000;

/** Fastify with what all routes share: ids, logs, limits, headers, errors. The routes follow in `addRoutes`. */
export function createApp(settings: Settings): FastifyInstance {
  const { logLevel, logStream, tls, timeout } = settings;
  let count = 0;
  const options: FastifyServerOptions = {
    logger: { level: logLevel, ...(logStream && { stream: logStream }) },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than a prediction: lines carry the id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers["x-request-id"];
      if (typeof given === "string" && REQUEST_ID.test(given)) return given;
      count = (count + 1) % Number.MAX_SAFE_INTEGER;
      return `${process.pid.toString(36)}-${count.toString(36)}`;
    },
    // Idle sockets: clients that neither send nor read. A large request may compute for `timeout` before.
    connectionTimeout: 2 * timeout,
    // Bodies have a time limit of their own, and so have lines of a stream.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 128 },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
  };
  // With TLS the server has another type, and the same routes.
  const secure = tls && { https: { ...tls, minVersion: "TLSv1.2" } };
  const app = Fastify({ ...options, ...secure }) as FastifyInstance;
  app.server.headersTimeout = HEAD_TIMEOUT;
  app.decorateRequest("servedModel", "");
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      new RequestProblem(404, `There is nothing at ${request.method} ${pathOf(request)}.`),
      request,
      reply,
    ),
  );
  addBodyReaders(app, settings);
  return app;
}

export function addRoutes(app: FastifyInstance, context: Context): void {
  addHooks(app, context);
  plainRoutes(app, context);
  inferenceRoutes(app, context);
  serviceRoutes(app, context);
}

const pathOf = ({ url }: FastifyRequest): string => {
  const end = url.indexOf("?");
  return (end < 0 ? url : url.slice(0, end)).slice(0, 200);
};

function addBodyReaders(app: FastifyInstance, settings: Settings): void {
  const bodies = new BodyReader(settings);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", ARROW_TYPE], (request, payload, done) => {
    checkEncoding(request);
    bodies.read(payload, done);
  });
  app.addContentTypeParser([...lineTypes], (request, payload, done) => {
    checkEncoding(request);
    done(null, payload);
  });
}

function checkEncoding({ headers }: FastifyRequest): void {
  const [, charset] = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "") ?? [];
  if (charset !== undefined && !/^(utf-8|utf8|us-ascii)$/i.test(charset))
    throw new RequestProblem(415, `The body must be UTF-8, not ${charset.slice(0, 40)}.`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new RequestProblem(415, "The body must not be compressed.");
}

/** Headers of every answer: it is data, for this client, now. */
const strictHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

function addHooks(app: FastifyInstance, context: Context): void {
  const { settings, admission, metrics } = context;
  const { host, tokens, insecure } = settings;
  const checksHost = isLoopback(host) && tokens.length === 0 && !insecure;
  const headers: Record<string, string> = {
    ...strictHeaders,
    ...(settings.tls && { "strict-transport-security": "max-age=31536000" }),
  };
  app.addHook("onRequest", (request, reply, done) => {
    const start = performance.now();
    const isAuthorized = context.isAuthorized(request);
    // A header that nobody checks would let a client be as many as it likes.
    const client = isAuthorized && tokens.length > 0 ? request.headers.authorization! : request.ip;
    reply.headers(headers).header("x-request-id", request.id);
    if (!context.isAccepting()) reply.header("connection", "close");
    const refused = admission.enter(client);
    reply.raw.once("close", () => {
      if (refused === undefined) admission.leave(client);
      const took = performance.now() - start;
      const { statusCode } = reply.raw;
      metrics.answered(request.routeOptions.url ?? "other", request.servedModel, statusCode, took / 1000);
      if (settings.logLevel === "debug")
        app.log.debug({ reqId: request.id, method: request.method, path: pathOf(request), statusCode, took });
    });
    // Probes answer when the server is busy, too.
    if (refused !== undefined && !openPaths.has(pathOf(request))) return done(refused);
    if (checksHost && !isLocalHost(request.headers.host))
      return done(
        new RequestProblem(403, "Without tokens, the server answers to localhost and 127.0.0.1 only."),
      );
    if (isAuthorized || openPaths.has(pathOf(request))) return done();
    reply.header("www-authenticate", "Bearer");
    done(new RequestProblem(401, "A valid token must be sent as: Authorization: Bearer TOKEN."));
  });
}

interface AnyError extends Error {
  readonly statusCode?: number;
}

/** An error as an answer. What is not the client's mistake is logged, and its text stays here. */
function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = clientProblem(error) ?? frameworkProblem(error as AnyError);
  const status = problem?.status ?? 500;
  if (problem === undefined) request.log.error({ err: error, reqId: request.id }, "request failed");
  if (status === 503 || status === 429) reply.header("retry-after", RETRY_AFTER);
  // The rest of the body is not read.
  if (status === 408 || status === 413) reply.header("connection", "close");
  const fields = problem && problem.problems.length > 0 ? { fields: problem.problems } : {};
  const text = JSON.stringify({
    error: problem?.message ?? "The server failed: see its log.",
    ...fields,
  });
  return reply.code(status).type("application/json; charset=utf-8").send(text);
}

function frameworkProblem({ statusCode, message }: AnyError): RequestProblem | undefined {
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new RequestProblem(statusCode, message)
    : undefined;
}
