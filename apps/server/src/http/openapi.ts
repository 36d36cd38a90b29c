import type { ModelStore } from "../model/model-store.js";
import type { ServedModel } from "../model/served-model.js";
import { fieldSchema, type JsonSchema, predictionSchema } from "./json-schema.js";
import { serverVersion } from "./server-version.js";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});
const ok = (description: string, content?: object) => ({ description, ...(content && { content }) });

/** Answers that every operation on rows may have. */
const refusals = {
  "400": ok("The body is not what its type says.", json(ref("Problem"))),
  "401": ok("A token is missing.", json(ref("Problem"))),
  "403": ok("Without tokens: the name of the server is not that of this machine.", json(ref("Problem"))),
  "404": ok("There is no such model.", json(ref("Problem"))),
  "413": ok("The body or the number of rows is too large.", json(ref("Problem"))),
  "415": ok("The type of the body is not known.", json(ref("Problem"))),
  "422": ok("The rows do not fit the model; `fields` names what is wrong.", json(ref("Problem"))),
  "429": ok("The client has too many requests at a time.", json(ref("Problem"))),
  "503": ok("The server has reached its limits, or is shutting down.", json(ref("Problem"))),
};

/** The OpenAPI document of the models that are served now. */
export function openApi(store: ModelStore): JsonSchema {
  const models = store.names.map((name) => store.find(name)!);
  return {
    openapi: "3.1.0",
    info: {
      title: "Argmax model server",
      version: serverVersion,
      description: "Predictions of the models that this server has loaded.",
    },
    paths: {
      ...servicePaths,
      ...Object.fromEntries(models.flatMap((model) => modelPaths(model))),
    },
    components: {
      schemas: Object.assign({}, baseSchemas, ...models.map(modelSchemas)),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{}, { token: [] }],
  };
}

/** Names of components may have letters, digits, ".", "-" and "_": the names of models have no others. */
const rowName = ({ name }: ServedModel) => `${name}.Row`;
const predictionName = ({ name }: ServedModel) => `${name}.Prediction`;

const modelSchemas = (model: ServedModel) => ({
  [rowName(model)]: fieldSchema(model.schema),
  [predictionName(model)]: predictionSchema(model),
});

function modelPaths(model: ServedModel): [string, object][] {
  const path = `/v1/models/${model.name}`;
  const title = model.target === undefined ? model.name : `${model.target} by ${model.name}`;
  const { rows, bodyWith } = requestSchemas(model);
  const row = model.example;
  const probabilities = { probabilities: { type: "boolean", default: true } };
  const metadata = {
    operationId: `metadata.${model.name}`,
    summary: `Task, classes, fields and an example of ${model.name}`,
    responses: { "200": ok("Metadata.", json({ type: "object" })), "404": refusals["404"] },
  };
  return [
    [path, { get: metadata }],
    [
      `${path}/predict`,
      operation(
        `predict.${model.name}`,
        `Predicts ${title}`,
        predictionsSchema(model),
        bodyWith(probabilities),
        {
          rows: [row],
        },
      ),
    ],
    [
      `${path}/explain`,
      operation(
        `explain.${model.name}`,
        `Explains predictions of ${title}`,
        ref("Explanations"),
        bodyWith({ background: rows, top: { type: "integer", minimum: 1 } }),
        { rows: [row], background: [row] },
      ),
    ],
    [
      `/v2/models/${model.name}/infer`,
      operation(
        `infer.${model.name}`,
        `Open Inference Protocol: ${title}`,
        ref("InferResponse"),
        ref("InferRequest"),
      ),
    ],
  ];
}

/** Bodies of requests: one row, rows, or rows and settings. */
function requestSchemas(model: ServedModel) {
  const row = ref(rowName(model));
  const cells: JsonSchema = { type: "array", items: {}, minItems: model.schema.fields.length };
  // A row of a model of text may be the text itself.
  const forms = model.schema.form === "text" ? [row, cells, { type: "string" }] : [row, cells];
  const rows: JsonSchema = { type: "array", items: { anyOf: forms }, minItems: 1 };
  const bodyWith = (settings: object): JsonSchema => ({
    anyOf: [
      ...forms,
      rows,
      { type: "object", properties: { rows, ...settings }, required: ["rows"], additionalProperties: false },
    ],
  });
  return { rows, bodyWith };
}

const predictionsSchema = (model: ServedModel): JsonSchema => ({
  type: "object",
  properties: {
    model: { const: model.name },
    version: { type: "string" },
    predictions: { type: "array", items: ref(predictionName(model)) },
  },
  required: ["model", "version", "predictions"],
});

const operation = (id: string, summary: string, result: JsonSchema, body: JsonSchema, example?: unknown) => ({
  post: {
    operationId: id,
    summary,
    requestBody: { required: true, content: json(body, example) },
    responses: { "200": ok("One entry per row.", json(result)), ...refusals },
  },
});

const get = (summary: string, type = "application/json") => ({
  get: { summary, responses: { "200": { description: summary, content: { [type]: {} } } } },
});

const servicePaths = {
  "/v1/models": get("The models that are served"),
  "/healthz": get("Whether the process answers"),
  "/readyz": {
    get: {
      summary: "Whether models are loaded, and files that could not be",
      responses: { "200": ok("Ready."), "503": ok("Not ready, or ending.") },
    },
  },
  "/metrics": get("Metrics for Prometheus", "text/plain"),
  "/v2": get("Open Inference Protocol: the server"),
  "/v2/health/live": get("Open Inference Protocol: liveness"),
  "/v2/health/ready": get("Open Inference Protocol: readiness"),
};

const tensor: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    datatype: { type: "string" },
    shape: { type: "array", items: { type: "integer" } },
    data: { type: "array" },
    parameters: { type: "object" },
  },
  required: ["name", "datatype", "shape", "data"],
};

const baseSchemas = {
  Problem: {
    type: "object",
    properties: {
      error: { type: "string" },
      fields: {
        type: "array",
        items: {
          type: "object",
          properties: {
            row: { type: "integer" },
            field: { type: "string" },
            message: { type: "string" },
          },
          required: ["row", "message"],
        },
      },
    },
    required: ["error"],
  },
  Explanations: {
    type: "object",
    properties: {
      model: { type: "string" },
      version: { type: "string" },
      method: { type: "string" },
      output: { type: "string" },
      explanations: { type: "array", items: { type: "object" } },
    },
    required: ["model", "version", "method", "output", "explanations"],
  },
  InferRequest: {
    type: "object",
    properties: {
      id: { type: "string" },
      inputs: { type: "array", items: tensor, minItems: 1 },
      outputs: { type: "array", items: { type: "object", required: ["name"] } },
      parameters: { type: "object" },
    },
    required: ["inputs"],
  },
  InferResponse: {
    type: "object",
    properties: {
      model_name: { type: "string" },
      model_version: { type: "string" },
      id: { type: "string" },
      outputs: { type: "array", items: tensor },
    },
    required: ["model_name", "outputs"],
  },
};
