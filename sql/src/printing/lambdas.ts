import type { Dialect } from "../dialects/dialect.js";
import type { Expression } from "../expressions/expression.js";
import { type LayeredRows, layersOf } from "./layers.js";
import { Printer } from "./print.js";

/** The tuple of shared columns. */
const ROWS = "_argmax_rows";

const parameter = (number: number): string => `_argmax_${number}`;

/**
 * The same as `layered`, in one SELECT of ClickHouse: shards then send sums, not rows, as they would to a subquery. Layers are arguments of
 * nested lambdas, and what they make is the column of an ARRAY JOIN of one entry, computed once per row:
 *
 *   FROM t ARRAY JOIN arrayMap((a, b) -> arrayMap((u) -> tuple(a, u), [a * b])[1], [x], [y]) AS rows
 *
 * An alias would be written out wherever it is used, which is too long for what depends on each other deeply.
 */
export function lambdas(dialect: Dialect, roots: readonly Expression[], from: string): LayeredRows {
  // Lambdas inside of others cannot read columns in old versions: all are arguments of the outermost.
  const { layers, lastUse } = layersOf(roots, { always: true, columns: dialect.limits.columns });
  if (layers.length === 0) {
    const printer = new Printer(dialect);
    return { source: from, print: (e) => printer.print(e) };
  }
  const inside = new Map<Expression, string>();
  const bindings = layers.map((layer) => {
    const printer = new Printer(dialect, new Map(inside));
    const values = layer.map((e) => `[${printer.define(e)}]`);
    const names = layer.map((e) => {
      inside.set(e, parameter(inside.size));
      return inside.get(e)!;
    });
    return { names, values };
  });
  const kept = [...inside].filter(([e]) => lastUse.get(e) === layers.length);
  const tuple = `tuple(${kept.map(([, name]) => name).join(", ")})`;
  const made = bindings.reduceRight(
    (body, { names, values }, l) =>
      `arrayMap((${names.join(", ")}) -> ${body}, ${values.join(", ")})${l > 0 ? "[1]" : ""}`,
    tuple,
  );
  const outside = new Map(kept.map(([e], k) => [e, `tupleElement(${ROWS}, ${k + 1})`]));
  const printer = new Printer(dialect, outside);
  return { source: `${from} ARRAY JOIN ${made} AS ${ROWS}`, print: (e) => printer.print(e) };
}
