export { clientSource } from "./client-source.js";
export { serveInCluster } from "./cluster.js";
export { type Field, type InputForm, type InputSchema, inputSchema } from "./model/input-schema.js";
export type { ServedTask } from "./model/prediction.js";
export type { FieldProblem } from "./model/row-reader.js";
export { type ServedModel, serveModel } from "./model/served-model.js";
export { type LogLevel, logLevels, type ServerOptions, ServerOptionsError } from "./options.js";
export { createServer, type ModelServer } from "./server.js";
