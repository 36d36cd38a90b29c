import type { ClassifierStructure, RegressorLink, Structure, Transform } from "argmax";
import {
  add,
  type ColumnType,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
} from "../expressions/expression.js";
import { type Cells, InputCells } from "./cells.js";
import { memberExpressions } from "./combinations.js";
import type { Answer, Compiler } from "./compiler.js";
import { exponential, logSumOfExponentials, namedExpressions } from "./functions.js";
import { decidedPlace, marginsOf, placeOfLargest, probabilitiesOf, softmax } from "./links.js";
import { refuse } from "./refuse.js";
import { scoresOf } from "./scores.js";
import { transform } from "./transforms.js";

const compiler: Compiler = {
  answer: answerOf,
  scores: (scores, columns, classes) => scoresOf(scores, columns, classes, compiler),
  transformed: (steps, columns) => steps.reduce((rows, step) => transform(step, rows, compiler), columns),
  member: (member, columns, output, classes) => memberExpressions(member, columns, output, classes, compiler),
};

/** What a model computes of a row of the table, as expressions. */
export function compileModel(
  structure: Structure,
  names: readonly string[],
  types: Readonly<Record<string, ColumnType>>,
): Answer {
  if (structure.kind === "undescribed") return refuse(structure.reason);
  return answerOf(structure, inputCells(names, types));
}

function inputCells(names: readonly string[], types: Readonly<Record<string, ColumnType>>): readonly Cells[] {
  const read = new Map<string, Expression>();
  return names.map((name) => {
    const column = (as: "number" | "text" | "any", type: ColumnType | undefined): Expression => {
      const key = JSON.stringify([name, as, type]);
      const known = read.get(key) ?? { kind: "column", name, type, as };
      read.set(key, known);
      return known;
    };
    return new InputCells(column, types[name]);
  });
}

/** The columns that a fitted transformer makes of others. */
export function transformedCells(structure: Structure, columns: readonly Cells[]): readonly Cells[] {
  if (structure.kind === "undescribed") return refuse(structure.reason);
  return compiler.transformed(structure.transform ?? structure.steps, columns);
}

export function answerOf(structure: Structure, columns: readonly Cells[]): Answer {
  if (structure.kind === "undescribed") return refuse(structure.reason);
  const { columns: known } = structure.inputs;
  const own = known ? columns.map((column, j) => column.readAs(known[j]!)) : columns;
  const rows = compiler.transformed(structure.steps, own);
  if (structure.kind === "transformer") return { columns: rows.map((column) => column.number) };
  const classes = structure.kind === "classifier" ? structure.classes : [];
  const scores = compiler.scores(structure.scores, rows, classes).map(shared);
  switch (structure.kind) {
    case "classifier":
      return classified(structure, rows, scores);
    case "regressor":
      return { scores, values: scores.map((z) => linked(structure.link, z)) };
    case "clusterer":
      return { scores, place: placeOfLargest(scores) };
    case "density": {
      const density = logSumOfExponentials(scores);
      return { scores, density, probabilities: softmax(scores), place: placeOfLargest(scores) };
    }
  }
}

function classified(
  { classes, link, decision, margins }: ClassifierStructure,
  rows: readonly Cells[],
  scores: readonly Expression[],
): Answer {
  const p =
    link && probabilitiesOf(link, scores, (other) => compiler.scores(other, rows, classes)).map(shared);
  return {
    scores,
    place: decidedPlace(decision, scores, p ?? undefined, classes.length),
    ...(p && { probabilities: p }),
    ...(margins && { margins: marginsOf(margins, scores, classes.length) }),
  };
}

function linked(link: RegressorLink, z: Expression): Expression {
  if (link === "identity") return z;
  if (link === "exp") return exponential(z);
  if (typeof link === "string") return namedExpressions[link](z);
  return link.inverseOf.reduceRight(undone, z);
}

function undone(value: Expression, step: Transform): Expression {
  if (step.kind !== "affine") return refuse(`the inverse of a transform of the kind ${step.kind}`);
  const { shift, scale, factor, offset } = step;
  const plain = divide(subtract(value, number(offset)), number(factor));
  return add(multiply(plain, number(scale?.[0] ?? 1)), number(shift?.[0] ?? 0));
}
