import {
  ColumnTransformer,
  FeatureUnion,
  FittedColumnTransformer,
  FittedFeatureUnion,
  FittedPipeline,
  Pipeline,
} from "argmax";
import { ArgmaxError, type FittedModel, ParameterError } from "argmax/core";
import { type ChosenFrom, capabilitiesOf, chosenParts, storesFew } from "argmax/sums";
import type { Cells } from "../compile/cells.js";
import { numbers } from "../compile/cells.js";
import { choose, compare, multiply, number, shared } from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { type AnyEstimator, type FitPart, learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { transformedRows, withOutputs } from "./outputs.js";

/** A fitted part of a composition with what it makes of its rows. */
interface FittedPart {
  readonly model: FittedModel | undefined;
  readonly outputs: TrainingRows;
}

/** Fits a part; an error of it names the part. */
async function fittedPart(
  where: string,
  name: string,
  part: object | string,
  rows: TrainingRows,
  fit: FitPart,
): Promise<FittedPart> {
  if (typeof part === "string") return { model: undefined, outputs: rows };
  try {
    const model = await fit(part as AnyEstimator, rows);
    return { model, outputs: transformedRows(model, rows) };
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`${where}, ${JSON.stringify(name)}`) : error;
  }
}

/** Rows with the outputs of all parts side by side. */
const joined = (rows: TrainingRows, parts: readonly TrainingRows[], isSparse: boolean): TrainingRows =>
  rows.withFeatures(
    parts.flatMap(({ features }) => features),
    undefined,
    isSparse,
  );

/** Entries that a sparse matrix of these rows would store. */
async function storedEntries(parts: readonly TrainingRows[], rows: TrainingRows): Promise<number[]> {
  const sparse = parts.filter(({ isSparse }) => isSparse);
  if (sparse.length === 0) return [];
  const aggregates = sparse.flatMap(({ features }) =>
    features.map((column) =>
      sumOf(choose([{ test: compare(shared(column.number), "=", number(0)), value: number(0) }], number(1))),
    ),
  );
  const [groups] = await rows.passes.sums([{ groupBy: [], aggregates }]);
  const counts = new Map<TrainingRows, number>();
  let from = 0;
  for (const part of sparse) {
    const to = from + part.features.length;
    const stored = groups![0]!.values.subarray(from, to).reduce((sum, count) => sum + count, 0);
    counts.set(part, stored);
    from = to;
  }
  return parts.map((part) => counts.get(part) ?? part.features.length * rows.passes.rows);
}

/** The columns of rows, as they are chosen by name, number or kind. */
function choiceOf({ where, features, namesIn }: TrainingRows): ChosenFrom {
  const column = (j: number) => {
    const { kind, isDate } = features[j]!;
    const facts: Readonly<Record<string | symbol, unknown>> = { kind: isDate ? "date" : kind };
    return new Proxy(facts, {
      get(_, key) {
        if (key in facts) return facts[key];
        const expected = "one that reads names and kinds only: cells are in the database";
        throw new ParameterError(
          where,
          "a function that chooses columns",
          expected,
          `one that reads ${String(key)}`,
        );
      },
    });
  };
  return { cols: features.length, names: namesIn, column: column as never };
}

export const compositeLearners = [
  learner(
    Pipeline,
    async (estimator, rows, fit) => {
      const fitted: FittedModel[] = [];
      let input = rows;
      for (const [s, step] of estimator.steps.entries()) {
        const model = await fit(step as unknown as AnyEstimator, input);
        fitted.push(model);
        const isLast = s === estimator.steps.length - 1;
        if (!isLast || isTransformer(step)) input = transformedRows(model, input);
      }
      return withOutputs(new FittedPipeline(estimator.params.steps, estimator.names, fitted), input);
    },
    { gaps: true },
  ),
  learner(
    ColumnTransformer,
    async (estimator, rows, fit) => {
      const { params } = estimator;
      const { namesIn, features } = rows;
      const chosen = chosenParts(rows.where, params, choiceOf(rows));
      const blocks = await Promise.all(
        chosen.map(async ([name, part, columns]) => {
          const block = { name, columns, part: "drop" as const, missing: true, model: undefined, cols: 0 };
          if (part === "drop" || columns.length === 0) return { block, outputs: undefined };
          const own = rows.withFeatures(
            columns.map((j) => features[j]!),
            namesIn && columns.map((j) => namesIn[j]!),
            rows.isSparse,
          );
          const { model, outputs } = await fittedPart(rows.where, name, part, own, fit);
          const cols = outputs.features.length;
          if (model === undefined)
            return { block: { ...block, part: "passthrough" as const, cols }, outputs };
          const missing = capabilitiesOf(part as object)?.missing ?? true;
          return {
            block: { ...block, part: "columns" as const, missing, model: model as never, cols },
            outputs,
          };
        }),
      );
      const outputs = blocks.flatMap((block) => block.outputs ?? []);
      const stored = await storedEntries(outputs, rows);
      const entries = outputs.map((part, b) => ({
        isSparse: part.isSparse,
        stored: stored[b]!,
        entries: part.features.length * rows.passes.rows,
      }));
      const isSparse = storesFew(entries, params.sparseThreshold);
      const kinds = namesIn && features.map(({ kind, isDate }) => (isDate ? "date" : kind));
      const known = { nFeatures: features.length, featureNamesIn: namesIn, kinds };
      const model = new FittedColumnTransformer(
        params,
        known,
        blocks.map(({ block }) => block),
        isSparse,
      );
      return withOutputs(model, joined(rows, outputs, isSparse));
    },
    { gaps: true },
  ),
  learner(
    FeatureUnion,
    async (estimator, rows, fit) => {
      const { transformers, transformerWeights } = estimator.params;
      const parts = Object.entries(transformers).filter(([, part]) => part !== "drop");
      if (parts.length === 0)
        throw new ParameterError(rows.where, "transformers", "one or more that are not dropped", "none");
      const fitted = await Promise.all(
        parts.map(([name, part]) => fittedPart(rows.where, name, part, rows, fit)),
      );
      const isSparse = fitted.some(({ outputs }) => outputs.isSparse);
      const blocks = parts.map(([name], b) => ({
        name,
        cols: fitted[b]!.outputs.features.length,
        weight: Object.hasOwn(transformerWeights, name) ? transformerWeights[name]! : 1,
        model: fitted[b]!.model as never,
      }));
      const known = { nFeatures: rows.features.length, featureNamesIn: rows.namesIn };
      const model = new FittedFeatureUnion(estimator.params, known, blocks, isSparse);
      const outputs = fitted.map((part, b) => weighted(part.outputs, blocks[b]!.weight));
      return withOutputs(model, joined(rows, outputs, isSparse));
    },
    { gaps: true },
  ),
];

const weighted = (rows: TrainingRows, weight: number): TrainingRows => {
  if (weight === 1) return rows;
  const times = (column: Cells) => numbers(shared(multiply(column.number, number(weight))));
  return rows.withFeatures(rows.features.map(times), undefined, rows.isSparse);
};

const isTransformer = (step: object): boolean => (capabilitiesOf(step)?.task ?? "transform") === "transform";
