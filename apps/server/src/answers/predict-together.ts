import { predict } from "../model/prediction.js";
import type { ServedModel } from "../model/served-model.js";
import type { Answer, Call } from "./call.js";
import { predictionAnswer, rowsOfRequest } from "./predict-json.js";
import { predictionTexts } from "./prediction-text.js";

/**
 * The answers to several requests for one model, whose rows are predicted at once. Undefined if that is not possible, because one of
 * them is wrong or they ask for different things: each must be answered alone then, so that nobody gets the error of another.
 */
export function predictTogether(
  model: ServedModel,
  bodies: readonly Uint8Array[],
  call: Call,
): Answer[] | undefined {
  try {
    const given = bodies.map((body) => rowsOfRequest(model, body, call));
    const { probabilities } = given[0]!;
    if (given.some((one) => one.probabilities !== probabilities)) return undefined;
    const rows = given.flatMap((one) => one.rows);
    const texts = predictionTexts(model, predict(model.model, model.reader.read(rows), { probabilities }));
    let start = 0;
    return given.map(({ rows: { length } }) => {
      start += length;
      return predictionAnswer(model, texts.slice(start - length, start));
    });
  } catch {
    return undefined;
  }
}
