import type { Label, LoadedModel, Matrix, PartialDependence, Table } from "argmax";
import { partialDependence } from "argmax";
import { partialDependencePlot } from "argmax/plot";
import { UsageError } from "../command.js";
import { listed } from "../report/opened-model.js";
import { legendNames, withoutTitle } from "../report/page.js";
import type { Findings } from "../report/sections.js";

/** Values of a column of numbers that are tried, and rows over which the mean is taken. */
const GRID = 40;
const ROWS = 500;
/** Curves that can be told apart. */
const MOST_CURVES = 5;

/** How the mean output depends on a column. */
export function partialFindings(
  model: LoadedModel,
  X: Table | Matrix,
  column: string,
  names: readonly string[],
  chosen: Label | undefined,
): Findings {
  if (!names.includes(column))
    throw new UsageError(
      `--partial must be a column of the model (${listed(names)}), got ${JSON.stringify(column)}.`,
    );
  const { rows } = X;
  const every = Math.ceil(rows / ROWS);
  const some =
    every === 1 ? X : X.selectRows(Array.from({ length: Math.floor(rows / every) }, (_, r) => r * every));
  const found = partialDependence(model, some, column, { gridResolution: GRID, featureNames: names });
  const { output, outputNames, average } = found;
  const grid = found.grid[0]!;
  const isNumeric = grid.every((value) => typeof value === "number");
  const drawn = drawnOutputs(found, chosen);
  const x = isNumeric ? (grid as number[]) : [...grid.keys()];
  const series = drawn.map((k) => ({ name: String(outputNames[k]), x, y: average.row(k) }));
  const what =
    output === "prediction"
      ? "prediction"
      : drawn.length === 1
        ? `${output} of ${outputNames[drawn[0]!]}`
        : output;
  const left =
    drawn.length < outputNames.length && drawn.length === MOST_CURVES
      ? ` The first ${MOST_CURVES} classes are drawn; --class picks one.`
      : "";
  return {
    sections: [
      {
        kind: "chart",
        title: `Partial dependence on ${column}`,
        text: `The mean ${what} over ${some.rows} rows if all of them had the same ${column}.${left}`,
        chart: {
          series,
          xLabel: column,
          yLabel: `mean ${what}`,
          xNames: isNumeric ? undefined : grid.map(String),
        },
        svg: withoutTitle(partialDependencePlot(onlyOutputs(found, drawn), { title: "" })),
      },
    ],
    objects: outputNames.map((name, k) => ({
      type: "partial",
      feature: column,
      output,
      outputName: name,
      grid,
      mean: [...average.row(k)],
    })),
  };
}

/** The outputs that are drawn: the class that was asked for, the second of two, or the first of several. */
function drawnOutputs({ output, outputNames }: PartialDependence, chosen: Label | undefined): number[] {
  const wanted = chosen === undefined ? -1 : outputNames.indexOf(chosen);
  if (wanted >= 0) return [wanted];
  // Two probabilities are each other's complement: one curve is enough.
  if (output === "probability" && outputNames.length === 2) return [1];
  return [...outputNames.keys()].slice(0, MOST_CURVES);
}

/** The curves of some outputs, with names that fit in a legend. */
const onlyOutputs = (found: PartialDependence, drawn: readonly number[]): PartialDependence => ({
  ...found,
  outputNames: legendNames(drawn.map((k) => String(found.outputNames[k]))),
  average: found.average.selectRows(drawn),
});
