import type { FieldProblem } from "../model/row-reader.js";
import type { ServedModel } from "../model/served-model.js";
import { type Answer, type Call, JSON_TYPE } from "./call.js";
import { explainRows } from "./explain.js";
import { infer } from "./infer.js";
import { predictArrow } from "./predict-arrow.js";
import { predictJson } from "./predict-json.js";
import { predictLines } from "./predict-lines.js";
import { clientProblem, type RequestProblem } from "./request-problem.js";

/** Answers a call. Mistakes of the client become an answer; anything else is thrown. */
export function answer(model: ServedModel, body: Uint8Array, call: Call): Answer {
  try {
    if (call.task === "infer") return infer(model, body, call);
    if (call.task === "explain") return explainRows(model, body, call);
    switch (call.format) {
      case "arrow":
        return predictArrow(model, body, call);
      case "lines":
        return predictLines(model, body, call);
      default:
        return predictJson(model, body, call);
    }
  } catch (error) {
    const problem = clientProblem(error);
    if (problem === undefined) throw error;
    const status = call.task === "infer" && problem.status === 422 ? 400 : problem.status;
    return { status, type: JSON_TYPE, body: problemText(problem, call.task), rows: 0 };
  }
}

/** The Open Inference Protocol has `{ error }` only, and 400 for what a request has wrong. */
function problemText({ message, problems }: RequestProblem, task: Call["task"]): string {
  if (task !== "infer")
    return JSON.stringify({ error: message, ...(problems.length > 0 && { fields: problems }) });
  const [first] = problems;
  return JSON.stringify({ error: first === undefined ? message : `${message} ${sentence(first)}` });
}

const sentence = ({ row, field, message }: FieldProblem): string =>
  `Row ${row}${field === undefined ? "" : `, ${JSON.stringify(field)},`} ${message}.`;
