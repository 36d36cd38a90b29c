import { expect } from "vitest";
import { preparedFor } from "../../src/compare/index.js";
import type { FittedModel } from "../../src/core/contract.js";
import { structureOf } from "../../src/core/structure.js";
import { Matrix, type Table } from "../../src/data/index.js";
import { loadModel, pipeline, saveModel } from "../../src/index.js";
import { toOnnx } from "../../src/onnx/index.js";
import type { AnyModel, Numbers } from "../conformance/subject.js";
import { type Answers, type Columns, type Given, run } from "./runtime.js";

/** Sums in another order; kernel expansions with large coefficients of both signs cancel. */
const DOUBLE = 1e-8;
/** Networks predict in 32 bits here, and in 64 there. */
const SINGLE = 1e-4;

/** Whether a network is anywhere in a model. */
const hasNetwork = (part: unknown): boolean => {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return false;
  return (part as { kind?: string }).kind === "network" || Object.values(part).some(hasNetwork);
};
const within = (model: AnyModel): number => (hasNetwork(structureOf(model)) ? SINGLE : DOUBLE);

/** 64-bit integers as numbers, true and false as 1 and 0. */
const plain = (label: unknown): unknown => (typeof label === "string" ? label : Number(label));

export const matrixOf = (X: readonly (readonly number[])[]): Numbers => Matrix.fromRows(X as number[][]);

/** Estimators of different types in one list. */
export interface Fits {
  fit(x: unknown, y: unknown): AnyModel;
}
export const all = (...estimators: readonly object[]): readonly Fits[] => estimators as readonly Fits[];
export const after = (step: object, estimator: object): Fits =>
  pipeline(step as never, estimator as never) as never;
export const prepared = (estimator: object, x: Table): Fits =>
  preparedFor(estimator as never, x as never) as never;

/** The answers of ONNX Runtime are those of the model, and a saved model has the same file. */
export async function expectSame(model: AnyModel, x: unknown, given: Given): Promise<Answers> {
  const file = toOnnx(model as FittedModel);
  // toEqual looks at every byte of megabytes: twelve seconds of a forest.
  expect(Buffer.compare(toOnnx(loadModel(saveModel(model as FittedModel))), file)).toBe(0);
  const answers = await run(file, given);
  // Underscores follow the name of an output that is one of a column.
  const { label, probabilities, scores, value } = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name.replace(/_+$/, ""), answer]),
  );
  const predicted = Array.from(model.predict!(x));
  const close = (found: ArrayLike<unknown>, wanted: ArrayLike<number>) => {
    expect(found.length).toBe(wanted.length);
    let far = 0;
    for (let e = 0; e < wanted.length; e++)
      far = Math.max(far, Math.abs(Number(found[e]) - wanted[e]!) / Math.max(1, Math.abs(wanted[e]!)));
    expect(far).toBeLessThan(within(model));
  };
  if (value !== undefined) {
    close(value.data, predicted as number[]);
    return answers;
  }
  expect(Array.from(label!.data, plain)).toEqual(predicted.map(plain));
  if (probabilities !== undefined) close(probabilities.data, model.predictProba!(x).data);
  if (scores !== undefined) close(scores.data, model.decisionFunction!(x).data);
  return answers;
}

/** Columns of a table as inputs: numbers, true and false as 1 and 0, gaps as NaN; or texts, gaps as the empty one. */
export function columnsOf(table: Table): Columns {
  return Object.fromEntries(
    table.columnNames.map((name) => {
      const column = table.column(name as never) as unknown as {
        readonly kind: string;
        readonly length: number;
        at(i: number): unknown;
      };
      const cells = Array.from({ length: column.length }, (_, i) => column.at(i));
      return [
        name,
        column.kind === "numeric" || column.kind === "boolean"
          ? Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell)))
          : cells.map((cell) => (cell === null ? "" : String(cell))),
      ];
    }),
  );
}
