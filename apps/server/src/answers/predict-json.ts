import { predict } from "../model/prediction.js";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, type Call, JSON_TYPE } from "./call.js";
import { jsonOf } from "./json-body.js";
import { predictionTexts } from "./prediction-text.js";
import { RequestProblem } from "./request-problem.js";
import { checkSettings, rowsOfBody } from "./rows-of-body.js";

/** Predictions of the rows in a body of JSON. */
export function predictJson(model: ServedModel, body: Uint8Array, call: Call): Answer {
  const { rows, probabilities } = rowsOfRequest(model, body, call);
  const prediction = predict(model.model, model.reader.read(rows), { probabilities });
  return predictionAnswer(model, predictionTexts(model, prediction));
}

/** What a request for predictions asks for. Its rows are not checked yet. */
export function rowsOfRequest(
  model: ServedModel,
  body: Uint8Array,
  call: Call,
): { readonly rows: readonly unknown[]; readonly probabilities: boolean } {
  const { rows, settings } = rowsOfBody(jsonOf(body, call.maxRows), model.schema, call.maxRows);
  checkSettings(settings, ["probabilities"]);
  const { probabilities = call.probabilities } = settings;
  if (typeof probabilities !== "boolean")
    throw new RequestProblem(422, '"probabilities" must be true or false.');
  return { rows, probabilities };
}

/** The answer with the predictions of all rows, given as JSON. */
export const predictionAnswer = ({ opening }: ServedModel, texts: readonly string[]): Answer => ({
  status: 200,
  type: JSON_TYPE,
  body: `${opening}"predictions":[${texts.join(",")}]}`,
  rows: texts.length,
});
