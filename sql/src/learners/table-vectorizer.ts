import {
  ColumnTransformer,
  type FittedColumnTransformer,
  FittedTableVectorizer,
  TableVectorizer,
} from "argmax";
import { DataError, type FittedModel } from "argmax/core";
import {
  type ColumnFacts,
  refuseAll,
  treatmentOfFacts,
  vectorizerChoices,
  vectorizerParts,
  wordsIn,
} from "argmax/sums";
import {
  call,
  choose,
  compare,
  type Expression,
  isNull,
  multiply,
  number,
  shared,
  subtract,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { type AnyEstimator, learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { gapsIn } from "./cells.js";
import { transformedRows, withOutputs } from "./outputs.js";

const noText = { distinct: 0, words: 0, sharesWords: false } as const;

/** Rows of which the different texts are counted before those of all rows are asked for. */
const LOOKED_AT = 10_000;
/** More different texts than this are not asked for. */
const MOST_TEXTS = 1_000_000;

/** Facts of columns of numbers, booleans and dates. Those of all rows: folds and weights change nothing. */
async function factsOfNumbers(
  rows: TrainingRows,
  places: readonly number[],
): Promise<Map<number, ColumnFacts>> {
  const { passes, x, features } = rows;
  const n = passes.rows;
  if (places.length === 0) return new Map();
  const [first] = await passes.sums([
    {
      groupBy: [],
      aggregates: places.flatMap((j) => [
        sumOf(gapsIn(features[j]!)),
        { kind: "min" as const, of: x[j]! },
        { kind: "max" as const, of: x[j]! },
        sumOf(isFraction(x[j]!)),
      ]),
    },
  ]);
  const known = places.map((j, e) => {
    const [missing = 0, low = Number.NaN, high = Number.NaN, fractions = 0] = first![0]!.values.slice(
      4 * e,
      4 * e + 4,
    );
    const present = n - missing;
    const isSpan = fractions === 0 && present >= 20 && missing <= 1 && high - low === present - 1;
    return {
      j,
      missing,
      low,
      high,
      isSpan: isSpan && features[j]!.kind === "numeric" && !features[j]!.isDate,
    };
  });
  const counting = await countingColumns(
    rows,
    known.filter(({ isSpan }) => isSpan),
  );
  return new Map(
    known.map(({ j, missing, low, high }) => {
      const isConstant = missing === 0 && low === high;
      const { kind, isDate } = features[j]!;
      const shown = isDate ? "one date" : kind === "boolean" ? String(low === 1) : String(low);
      return [
        j,
        { ...noText, rows: n, missing, constant: isConstant ? shown : null, counts: counting.has(j) },
      ];
    }),
  );
}

/** The columns whose numbers count the rows: each whole number between their ends is there once. */
async function countingColumns(
  { passes, x }: TrainingRows,
  spans: readonly { readonly j: number; readonly low: number; readonly high: number }[],
): Promise<ReadonlySet<number>> {
  const counting = new Set<number>();
  if (spans.length === 0) return counting;
  // Of numbers that are each there once, sums and squares around the middle are known.
  const [groups] = await passes.sums([
    {
      groupBy: [],
      aggregates: spans.flatMap(({ j, low, high }) => {
        const apart = shared(subtract(x[j]!, number((low + high) / 2)));
        return [sumOf(apart), sumOf(multiply(apart, apart))];
      }),
    },
  ]);
  spans.forEach(({ j, low, high }, e) => {
    const count = high - low + 1;
    const [sum = 0, squares = 0] = groups![0]!.values.slice(2 * e, 2 * e + 2);
    const expected = (count * (count * count - 1)) / 12;
    if (Math.abs(sum) < 0.5 && Math.abs(squares - expected) <= 1e-9 * expected) counting.add(j);
  });
  return counting;
}

const isFraction = (x: Expression): Expression =>
  choose(
    [
      { test: isNull(x), value: number(0) },
      { test: compare(call("floor", x), "=", x), value: number(0) },
    ],
    number(1),
  );

/** Facts of columns of text, from their different entries. */
async function factsOfTexts(
  rows: TrainingRows,
  places: readonly number[],
): Promise<Map<number, ColumnFacts>> {
  const { passes, features } = rows;
  const n = passes.rows;
  if (places.length === 0) return new Map();
  for (const j of places) await requireFewTexts(rows, j);
  const answers = await passes.sums(places.map((j) => ({ groupBy: [features[j]!.key], aggregates: [] })));
  return new Map(
    places.map((j, e) => {
      const groups = answers[e]!;
      const missing = groups.find(({ keys }) => keys[0] === null)?.count ?? 0;
      const entries = groups.flatMap(({ keys }) => (keys[0] === null ? [] : [String(keys[0])])).sort();
      const constant = missing === 0 && entries.length === 1 ? entries[0]! : null;
      const facts = {
        rows: n,
        missing,
        constant,
        counts: false,
        distinct: entries.length,
        ...wordsIn(entries),
      };
      return [j, facts] as const;
    }),
  );
}

/** Asks the first rows before the different entries of very many. */
async function requireFewTexts(rows: TrainingRows, j: number): Promise<void> {
  const { passes, features } = rows;
  if (passes.rows <= MOST_TEXTS) return;
  const column = { of: features[j]!.key.of, type: "text" as const };
  for await (const [block] of passes.batches([column], {
    ...passes.options,
    rows: LOOKED_AT,
    limit: LOOKED_AT,
  })) {
    const seen = new Set(block as readonly (string | null)[]).size;
    if (seen < LOOKED_AT / 2) return;
    const expected = `of at most about ${MOST_TEXTS} different entries`;
    const received = `${seen} of them in ${LOOKED_AT} rows`;
    const advice = `columns: { ${rows.nameOf(j)}: "drop" } of tableVectorizer leaves it out, and so do features.`;
    throw new DataError(rows.where, `column ${rows.nameOf(j)}`, expected, received, advice);
  }
}

export const tableVectorizerLearners = [
  learner(
    TableVectorizer,
    async (estimator, rows, fit) => {
      const { params } = estimator;
      const { features, namesIn, where } = rows;
      // What parameters say of a column, its cells do not decide.
      const open = [...features.keys()].filter(
        (j) => !Object.hasOwn(params.columns, namesIn?.[j] ?? String(j)),
      );
      const isText = (j: number) => features[j]!.kind === "categorical";
      const [numbers, texts] = await Promise.all([
        factsOfNumbers(
          rows,
          open.filter((j) => !isText(j)),
        ),
        factsOfTexts(rows, open.filter(isText)),
      ]);
      const { choices, warnings } = vectorizerChoices(
        where,
        { cols: features.length, names: namesIn },
        params,
        (j) => {
          const kind = features[j]!.isDate ? "date" : features[j]!.kind;
          return {
            kind,
            chosen: () => {
              const facts = (numbers.get(j) ?? texts.get(j))!;
              return treatmentOfFacts(
                { kind, missing: facts.missing, length: facts.rows },
                facts,
                params.maxCategories,
              );
            },
          };
        },
      );
      const transformers = vectorizerParts(params, namesIn, choices, rows.target !== undefined);
      const inner = new ColumnTransformer({ transformers, sparseThreshold: params.sparseThreshold });
      const model = (await fit(
        inner as unknown as AnyEstimator,
        rows,
      )) as FittedModel as FittedColumnTransformer;
      if (model.nOutputs === 0) refuseAll(where, choices);
      return withOutputs(
        new FittedTableVectorizer(params, choices, model, warnings),
        transformedRows(model, rows),
      );
    },
    { gaps: true },
  ),
];
