import type { Samples } from "../core/contract.js";
import { argmax, logSumExp, posteriors } from "../core/numbers/scores.js";
import { namedFunctions } from "../core/params/named-functions.js";
import type { ClassifierStructure, RegressorLink, Structure, Transform } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { decidedCodes, marginsOf, probabilitiesOf } from "./evaluate-link.js";
import { evaluateScores } from "./evaluate-scores.js";
import { transformFrame } from "./evaluate-transform.js";
import type { Answer, Evaluator } from "./evaluator.js";
import { codedFrame, type Frame, frameOf, numbersOf } from "./frame.js";
import { refuseUndescribed, requireStructure } from "./refuse.js";

/**
 * What a model predicts, computed from its structure alone: plain loops over plain data, the definition that every other consumer of
 * structures is measured by. Models predict the same much faster.
 *
 * ```ts
 * import { evaluate, LogisticRegression, structureOf } from "argmax";
 *
 * const model = new LogisticRegression().fit([[1], [2], [3]], ["a", "a", "b"]);
 * evaluate(structureOf(model), [[4]]).labels; // → [ 'b' ]
 * ```
 */
export function evaluate(structure: Structure, x: Samples): Answer {
  requireStructure(structure);
  if (structure.kind === "undescribed") return refuseUndescribed(structure.reason);
  return evaluateFrame(structure, frameOf(structure.inputs, x));
}

const evaluator: Evaluator = {
  answer: evaluateFrame,
  scores: (own, frame, classes) => evaluateScores(own, frame, classes, evaluator),
};

/** The same for columns that have been read. */
function evaluateFrame(structure: Structure, given: Frame): Answer {
  if (structure.kind === "undescribed") return refuseUndescribed(structure.reason);
  const frame = codedFrame(structure.inputs, given);
  const rows = transformed(structure.steps, frame);
  if (structure.kind === "transformer") return { columns: numbersOf(rows) };
  const columns = structure.transform && numbersOf(transformed(structure.transform, frame));
  const scores = evaluator.scores(
    structure.scores,
    rows,
    structure.kind === "classifier" ? structure.classes : [],
  );
  const own = { scores, ...(columns && { columns }) };
  switch (structure.kind) {
    case "classifier":
      return { ...own, ...classified(structure, rows, scores) };
    case "regressor":
      return { ...own, values: linked(structure.link, scores) };
    case "clusterer":
      return { ...own, labels: largestPlaces(scores) };
    case "density": {
      const { data, cols } = scores;
      const densities = Float64Array.from({ length: scores.rows }, (_, i) => logSumExp(data, i * cols, cols));
      const p = cols === 1 ? new Float64Array(scores.rows).fill(1) : posteriors(data, cols);
      const probabilities = new Matrix(p, scores.rows, cols);
      return { ...own, densities, probabilities, labels: largestPlaces(scores) };
    }
  }
}

const largestPlaces = ({ data, rows, cols }: Matrix): number[] =>
  Array.from({ length: rows }, (_, i) => argmax(data, i * cols, cols));

const transformed = (steps: readonly Transform[], frame: Frame): Frame =>
  steps.reduce((rows, step) => transformFrame(step, rows, evaluator), frame);

function classified(structure: ClassifierStructure, rows: Frame, scores: Matrix): Answer {
  const { classes, link, decision, margins } = structure;
  const p =
    link && probabilitiesOf(link, scores, classes.length, (other) => evaluator.scores(other, rows, classes));
  const labels = Array.from(decidedCodes(decision, scores, p, classes.length), (k) => classes[k]!);
  return {
    labels,
    ...(p && { probabilities: p }),
    ...(margins && { margins: marginsOf(margins, scores, classes.length) }),
  };
}

function linked(link: RegressorLink, scores: Matrix): Matrix {
  if (link === "identity") return scores;
  const invert = typeof link === "string" ? namedFunctions[link].value : inverseOf(link.inverseOf);
  return new Matrix(
    scores.data.map((score) => invert(score)),
    scores.rows,
    scores.cols,
  );
}

/** The inverse of transforms of one column, last one first. */
function inverseOf(steps: readonly Transform[]): (z: number) => number {
  return (z) =>
    steps.reduceRight((value, step) => {
      if (step.kind !== "affine") return refuseUndescribed(`the inverse of ${step.kind} is not described`);
      const { shift, scale, factor, offset } = step;
      return ((value - offset) / factor) * (scale?.[0] ?? 1) + (shift?.[0] ?? 0);
    }, z);
}
