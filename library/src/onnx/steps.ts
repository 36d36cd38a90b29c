import { show } from "../core/errors.js";
import type { PolynomialTransform, PredictionsTransform, Transform } from "../core/structure.js";
import { type Converter, refuse } from "./converter.js";
import { binned, encoded } from "./encoders.js";
import { applied } from "./functions.js";
import type { Graph } from "./graph.js";
import { imputed } from "./imputer.js";
import { classifiedMember, outputOf, valued } from "./members.js";
import { columnOf, indicator } from "./prediction.js";
import { Rows, sideBySide } from "./rows.js";
import { normalizer, scaled, scaledRows } from "./scalers.js";
import { scoresOf } from "./scores.js";

/** The columns that a step makes of rows. */
export function transformed(step: Transform, rows: Rows, converter: Converter): Rows {
  const { graph } = converter;
  switch (step.kind) {
    case "affine":
      return scaledRows(step, rows, graph);
    case "normalize":
      return normalizer(step, rows, graph);
    case "binarize": {
      const isAbove = graph.op("Greater", [rows.matrix(graph), graph.number(step.threshold)]);
      return Rows.matrix(indicator(graph, isAbove), rows.cols);
    }
    case "elementwise":
      return Rows.matrix(applied(graph, step.name, rows.matrix(graph)), rows.cols);
    case "encode":
      return encoded(step, rows, graph);
    case "impute":
      return imputed(step, rows, graph);
    case "missing": {
      const gaps = graph.op("IsNaN", [rows.select(graph, step.columns).matrix(graph)]);
      return Rows.matrix(indicator(graph, gaps), step.columns.length);
    }
    case "bins":
      return binned(step, rows, graph);
    case "polynomial":
      return polynomials(step, rows, graph);
    case "select":
      return rows.select(graph, Array.from(step.columns));
    case "branches":
      return branches(step.branches, rows, converter);
    case "project": {
      const { value, cols } = scoresOf(step.scores, rows, converter, []);
      return Rows.matrix(value, cols);
    }
    case "predictions":
      return predictions(step, rows, converter);
    case "undescribed":
      return refuseStep(rows, `one that is not described: ${step.reason}`);
    default:
      return refuseStep(rows, step.kind);
  }
}

function refuseStep(rows: Rows, received: string): never {
  const names = rows.columns.map(({ name }) => show(name));
  const of =
    names.length === 0 ? "the pipeline" : `the column${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  return refuse(`the steps of ${of}`, "transformers of standard operators", received);
}

type Branches = Extract<Transform, { kind: "branches" }>["branches"];

/** Branches of the same rows, times their weights, side by side. */
function branches(all: Branches, rows: Rows, converter: Converter): Rows {
  const { graph } = converter;
  const made = all.map(({ columns, steps, weight }) => {
    const given = columns ? rows.select(graph, columns) : rows;
    const own = steps.reduce((block, step) => transformed(step, block, converter), given);
    if (weight === 1 || own.cols === 0) return own;
    return Rows.matrix(
      scaled(graph, own.matrix(graph), "Mul", new Float64Array(own.cols).fill(weight)),
      own.cols,
    );
  });
  return sideBySide(made, graph);
}

/** Products of columns, the last factor first; a column of ones stands for the factors that a shorter product lacks. */
function polynomials({ powers }: PolynomialTransform, rows: Rows, graph: Graph): Rows {
  const { data, rows: outputs, cols: d } = powers;
  const factorsOf = (o: number): number[] =>
    Array.from({ length: d }, (_, j) => new Array<number>(Number(data[o * d + j])).fill(j)).flat();
  const lists = Array.from({ length: outputs }, (_, o) => factorsOf(o));
  const degree = lists.reduce((most, { length }) => Math.max(most, length), 1);
  const withOne = graph.op("Pad", [rows.matrix(graph), graph.integers([0, 0, 0, 1], [4]), graph.number(1)]);
  const gathered = Array.from({ length: degree }, (_, f) =>
    graph.op(
      "Gather",
      [
        withOne,
        graph.integers(
          lists.map((list) => list[f] ?? d),
          [outputs],
        ),
      ],
      { axis: { int: 1 } },
    ),
  );
  return Rows.matrix(
    gathered.reduceRight((product, factor) => graph.op("Mul", [factor, product])),
    outputs,
  );
}

/** Outputs of members side by side, of two columns the second, followed by the columns themselves where they pass through. */
function predictions(
  { members, outputs, passthrough, classes }: PredictionsTransform,
  rows: Rows,
  converter: Converter,
): Rows {
  const { graph } = converter;
  const blocks = members.map((member, m) => {
    if (outputs[m] === "values") {
      const { value } = valued(member, rows, converter);
      return Rows.matrix(graph.op("Reshape", [value, graph.integers([-1, 1], [2])]), 1);
    }
    const { value, cols } = outputOf(classifiedMember(member, rows, converter), graph, outputs[m]!, classes);
    return cols === 2 ? Rows.matrix(columnOf(graph, value, 1), 1) : Rows.matrix(value, cols);
  });
  return sideBySide(passthrough ? [...blocks, Rows.matrix(rows.matrix(graph), rows.cols)] : blocks, graph);
}
