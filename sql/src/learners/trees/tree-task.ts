import {
  categoricalColumns,
  controlsOf,
  type HistogramTree,
  requireCounts,
  type TreeControls,
  type TreeTargetCriterion,
  targetCentre,
} from "argmax/sums";
import { call, compare, multiply, number, shared, subtract, when } from "../../expressions/expression.js";
import type { SumQuery } from "../../expressions/sums.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { type BoostingFacts, boostingFacts } from "./boosting-facts.js";
import { leafHistograms, leafQueries, type TreeSource } from "./leaf-sums.js";
import { type TableRows, tableRows } from "./table-rows.js";
import { treeBins } from "./tree-bins.js";

/** Leaves whose histograms are asked for in one pass. */
export const MOST_LEAVES = 64;

/** Rows as trees learn from them. */
export interface TreeTask {
  readonly table: TableRows;
  readonly facts: BoostingFacts;
  readonly controls: TreeControls;
  readonly source: TreeSource;
  /** Added to the values of leaves: targets are centred. */
  readonly centre: number;
}

type TreeParams = Parameters<typeof controlsOf>[1] & {
  readonly categoricalFeatures: readonly (number | string)[];
};

const zero = number(0);

/** `criterion`: that of a regression; its kernel code otherwise. */
export async function treeTask(
  rows: TrainingRows,
  params: TreeParams,
  code: number,
  criterion?: TreeTargetCriterion,
): Promise<TreeTask> {
  const { where, target } = rows;
  const table = await tableRows(rows);
  const { x } = table;
  const categorical = categoricalColumns(where, params.categoricalFeatures, x.length, table.table);
  const facts = await boostingFacts(rows, undefined);
  const controls = controlsOf(where, params, code, { rows: facts.rows, cols: x.length }, facts.total);
  const columns = await treeBins(table, categorical, facts.rows);
  const { y, square, centre } = await targetsOf(rows, facts, criterion);
  const weight = rows.isWeighted ? rows.weight : undefined;
  return {
    table,
    facts,
    controls,
    centre,
    source: { x, columns, classes: target!.classes.length, weight, y, square },
  };
}

/** Targets and what impurities are made of besides; numbers are centred as in memory. */
async function targetsOf(
  rows: TrainingRows,
  facts: BoostingFacts,
  criterion: TreeTargetCriterion | undefined,
) {
  const { name, value } = rows.target!;
  const subject = `target ${JSON.stringify(name)}`;
  if (criterion === undefined) return { y: value, square: zero, centre: 0 };
  if (criterion === "poisson") {
    requireCounts(rows.where, Float64Array.from(facts.range), { list: subject, entry: () => subject });
    const square = when(compare(value, ">", zero), multiply(value, call("log", value)), zero);
    return { y: value, square, centre: 0 };
  }
  const distance = shared(call("abs", subtract(value, number(facts.plainMean))));
  const [group] = await rows.sums({ groupBy: [], aggregates: [{ kind: "max", of: distance }] });
  const centre = targetCentre(rows.where, facts.plainMean, group!.values[0]!, subject);
  const y = shared(subtract(value, number(centre)));
  return { y, square: multiply(y, y), centre };
}

/** A tree that grows, and what it learns from. */
export interface GrowingTree {
  readonly tree: HistogramTree;
  readonly source: TreeSource;
}

/** Grows trees side by side: each pass sums the histograms of all of them. */
export async function growTogether(rows: TrainingRows, growing: readonly GrowingTree[]): Promise<void> {
  for (;;) {
    const open = growing.filter(({ tree }) => tree.wanted.length > 0);
    if (open.length === 0) return;
    const asked = open.map(({ tree, source }) => leafQueries(source, tree));
    const queries: SumQuery[] = asked.flat();
    const answers = await rows.several(queries);
    let at = 0;
    for (const [e, { tree, source }] of open.entries()) {
      const own = answers.slice(at, at + asked[e]!.length);
      at += own.length;
      tree.give(leafHistograms(source, tree, own));
    }
  }
}
