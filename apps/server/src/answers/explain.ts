import { type Explanation, explain, type Samples } from "argmax";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, type Call, JSON_TYPE } from "./call.js";
import { jsonOf } from "./json-body.js";
import { isObject, RequestProblem } from "./request-problem.js";
import { checkSettings, type GivenRows, rowsOfBody } from "./rows-of-body.js";

/** Contributions that an explanation lists unless the request asks for more: those with the largest absolute values. */
const USUAL_TOP = 20;

/**
 * Why the model predicts what it does: the contributions of the features to the largest output of every row. Models other than trees
 * need some rows to compare with, `"background"`.
 */
export function explainRows(model: ServedModel, body: Uint8Array, call: Call): Answer {
  const { rows, settings } = rowsOfBody(jsonOf(body, call.maxRows), model.schema, call.maxRows);
  checkSettings(settings, ["background", "top"]);
  const { background, top = USUAL_TOP } = settings;
  if (typeof top !== "number" || !Number.isSafeInteger(top) || top < 1)
    throw new RequestProblem(422, '"top" must be an integer ≥ 1.');
  const explanation = explanationOf(model, model.reader.read(rows), backgroundRows(model, background, call));
  const { method, output, rows: count } = explanation;
  const explanations = Array.from({ length: count }, (_, i) => describe(explanation, i, top));
  const text = JSON.stringify({
    model: model.name,
    version: model.version,
    method,
    output,
    explanations,
  });
  return { status: 200, type: JSON_TYPE, body: text, rows: rows.length };
}

function backgroundRows(model: ServedModel, given: unknown, call: Call): Samples | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw new RequestProblem(422, '"background" must be a list of rows.');
  const { rows }: GivenRows = rowsOfBody({ rows: given }, model.schema, call.maxRows);
  return model.reader.read(rows);
}

/** Errors of the library name a call of TypeScript; those that a client can correct say how here. */
function explanationOf(
  { model, kind }: ServedModel,
  x: Samples,
  background: Samples | undefined,
): Explanation {
  try {
    return explain(model, x, background === undefined ? {} : { background });
  } catch (error) {
    if (isObject(error) && error["code"] === "parameter" && error["subject"] === "background")
      throw new RequestProblem(
        422,
        background === undefined
          ? `${kind} is explained against background rows: send some as "background".`
          : `${kind} is explained without background rows: leave "background" out.`,
      );
    throw error;
  }
}

function describe(explanation: Explanation, i: number, top: number) {
  const k = explanation.largest(i);
  const values = explanation.contributions(i, k);
  const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!));
  const listed = order.slice(0, top).filter((j) => values[j] !== 0);
  const total = values.reduce((sum, value) => sum + value, 0);
  const shown = listed.reduce((sum, j) => sum + values[j]!, 0);
  const base = explanation.baseValues[k]!;
  return {
    of: explanation.outputNames[k],
    base,
    value: base + total,
    contributions: listed.map((j) => ({ feature: explanation.featureNames[j], value: values[j] })),
    // What the features that are not listed add.
    rest: listed.length === order.length ? 0 : total - shown,
  };
}
