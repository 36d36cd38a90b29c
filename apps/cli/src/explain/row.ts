import type { Explanation, Label, LoadedModel, Matrix, Table } from "argmax";
import { explain, ParameterError } from "argmax";
import { barPlot } from "argmax/plot";
import { UsageError } from "../command.js";
import { formatNumber } from "../report/metric.js";
import { withoutTitle } from "../report/page.js";
import { type Findings, largest } from "../report/sections.js";
import { originOf } from "./feature-names.js";

/** Rows that stand for what is not known, for models that are not trees. */
const BACKGROUND = 50;

interface RowSettings {
  /** From 1. */
  readonly row: number;
  readonly top: number;
  readonly inputs: readonly string[];
  /** The class to explain; by default the one with the largest output. */
  readonly chosen: Label | undefined;
  /** The truth, if it is known. */
  readonly truth: Label | undefined;
  readonly seed: number;
}

/** The contributions of the columns to the prediction of one row. */
export function explainRow(
  model: LoadedModel,
  X: Table | Matrix,
  table: Table,
  settings: RowSettings,
): Findings {
  const { row, top, inputs, chosen, truth } = settings;
  if (row > table.rows)
    throw new UsageError(`--row must be at most ${table.rows}, the rows of the data; got ${row}.`);
  const found = explanationOf(model, X, row - 1, settings).grouped((name) => originOf(name, inputs) ?? name);
  const { k, sign } = outputOf(found, chosen);
  const outputName = sign < 0 ? chosen! : found.outputNames[k]!;
  const of = found.output === "prediction" ? "the prediction" : `the ${found.output} of ${show(outputName)}`;
  const contributions = found.contributions(0, k).map((value) => sign * value);
  const cells = table.row(row - 1) as Readonly<Record<string, unknown>>;
  const values = found.featureNames.map((name, j) => ({
    name: withCell(name, cells),
    value: contributions[j]!,
  }));
  const [base, output] = [sign * found.baseValues[k]!, sign * found.predictions.data[k]!];
  const predicted = (model.predict!(X.selectRows([row - 1])) as ArrayLike<Label>)[0]!;
  const shown = largest(values, top);
  const text =
    `Predicted: ${show(predicted)}${truth === undefined ? "" : `; truth: ${JSON.stringify(truth)}`}. ` +
    `From a mean of ${formatNumber(base)}, the columns move ${of} to ${formatNumber(output)}${METHODS[found.method]}.`;
  const svg = withoutTitle(
    barPlot(
      { names: values.map(({ name }) => name), mean: values.map(({ value }) => value) },
      { most: top, title: "", label: `contribution to the ${found.output}` },
    ),
  );
  return {
    sections: [{ kind: "bars", title: `Row ${row}`, text, ...shown, isSigned: true, svg }],
    objects: [
      {
        type: "explanation",
        row,
        predicted,
        ...(truth !== undefined && { truth }),
        method: found.method,
        output: found.output,
        outputName,
        base,
        value: output,
      },
      ...found.featureNames.map((name, j) => ({
        type: "contribution",
        feature: name,
        ...(name in cells && { cell: cells[name] }),
        value: contributions[j]!,
      })),
    ],
  };
}

const METHODS = {
  treeShap: " (Shapley values, exact: TreeSHAP)",
  linear: " (Shapley values, exact: the model is linear)",
  additive: " (Shapley values, exact: the model is additive)",
  exactShap: " (Shapley values, exact)",
  kernelShap: " (Shapley values, sampled: Kernel SHAP)",
};

const show = (label: Label): string =>
  typeof label === "number" ? formatNumber(label) : JSON.stringify(label);

/** `billLength = 39.1`; columns that the pipeline made up have no cell. */
function withCell(name: string, cells: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(cells, name)) return name;
  const cell = cells[name];
  const text =
    cell === null
      ? "missing"
      : cell instanceof Date
        ? cell.toISOString().slice(0, 10)
        : typeof cell === "number"
          ? String(Number(cell.toPrecision(4)))
          : String(cell);
  return `${name} = ${[...text].slice(0, 20).join("")}`;
}

/** Trees have counted their training rows and take no background; all others need one. */
function explanationOf(model: LoadedModel, X: Table | Matrix, i: number, { seed }: RowSettings): Explanation {
  const x = X.selectRows([i]);
  try {
    return explain(model, x);
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
  }
  const { rows } = X;
  const every = Math.max(1, Math.floor(rows / BACKGROUND));
  const chosen = Array.from({ length: Math.min(rows, BACKGROUND) }, (_, b) => b * every);
  return explain(model, x, { background: X.selectRows(chosen), randomState: seed });
}

/** The output that is explained. Two classes may have one score, that of the second: the score of the first is its negative. */
function outputOf(
  found: Explanation,
  chosen: Label | undefined,
): { readonly k: number; readonly sign: 1 | -1 } {
  if (chosen === undefined) return { k: found.largest(0), sign: 1 };
  const k = found.outputNames.indexOf(chosen);
  return k >= 0 ? { k, sign: 1 } : { k: 0, sign: -1 };
}
