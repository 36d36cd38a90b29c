import type { Samples } from "argmax";
import { type Prediction, predict } from "../model/prediction.js";
import { InvalidRows } from "../model/row-reader.js";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, type Call, LINES_TYPE } from "./call.js";
import { checkJsonShape } from "./json-body.js";
import { predictionTexts } from "./prediction-text.js";
import { clientProblem, RequestProblem, textOf } from "./request-problem.js";

/** Lists and objects of a line: it is one row. */
const MOST_CONTAINERS = 1000;

/**
 * Predictions of lines of JSON, one row per line and one answer per line. A line that is wrong has its error in its place, and the
 * others are answered.
 */
export function predictLines(model: ServedModel, body: Uint8Array, call: Call): Answer {
  const lines = textOf(body)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const out = new Array<string>(lines.length);
  const rows: unknown[] = [];
  const places: number[] = [];
  for (const [place, line] of lines.entries()) {
    try {
      checkJsonShape(line, MOST_CONTAINERS);
      rows.push(JSON.parse(line));
      places.push(place);
    } catch (error) {
      const { message } = error as Error;
      out[place] = errorLine(
        call.firstRow + place,
        error instanceof RequestProblem ? message : `The line is not JSON: ${message}.`,
      );
    }
  }
  let predicted = 0;
  for (const { text, place, isError } of predictEach(model, rows, places, call)) {
    out[place] = text;
    if (!isError) predicted++;
  }
  const text = out.length === 0 ? "" : `${out.join("\n")}\n`;
  return { status: 200, type: LINES_TYPE, body: text, rows: predicted };
}

interface Line {
  readonly place: number;
  readonly text: string;
  readonly isError: boolean;
}

/** All rows at once; if that fails, one after the other, since a single bad row must not spoil the others. */
function predictEach(
  model: ServedModel,
  rows: readonly unknown[],
  places: readonly number[],
  call: Call,
): Line[] {
  if (rows.length === 0) return [];
  try {
    const texts = predictionTexts(model, predictRows(model, model.reader.read(rows), call));
    return texts.map((text, e) => ({ text, place: places[e]!, isError: false }));
  } catch (error) {
    if (clientProblem(error) === undefined) throw error;
    if (rows.length > 1) return rows.flatMap((row, e) => predictEach(model, [row], [places[e]!], call));
    const place = places[0]!;
    return [{ text: refusal(error, call.firstRow + place), place, isError: true }];
  }
}

const predictRows = (model: ServedModel, x: Samples, { probabilities }: Call): Prediction =>
  predict(model.model, x, { probabilities });

function refusal(error: unknown, row: number): string {
  if (!(error instanceof InvalidRows)) return errorLine(row, (error as Error).message);
  const fields = error.problems.map((problem) => ({ ...problem, row }));
  return JSON.stringify({ row, error: error.message, fields });
}

const errorLine = (row: number, error: string): string => JSON.stringify({ row, error });
