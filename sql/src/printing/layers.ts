import type { Dialect } from "../dialects/dialect.js";
import type { Condition, Expression } from "../expressions/expression.js";
import { Printer } from "./print.js";

/** Columns of subqueries that others are computed from. */
const NAME = "_argmax_";

/**
 * A table with what several of the expressions are made of as columns of subqueries, computed once: subqueries are nested as deep as such
 * columns depend on each other. `print` writes an expression over it.
 */
export function layered(
  dialect: Dialect,
  roots: readonly Expression[],
  from: string,
): { readonly source: string; print(e: Expression): string } {
  const names = new Map<Expression, string>();
  let source = from;
  for (const layer of layersOf(roots)) {
    const printer = new Printer(dialect, new Map(names));
    const columns = layer.map((e) => {
      const name = `${NAME}${names.size}`;
      names.set(e, name);
      return `${printer.define(e)} AS ${dialect.identifier(name)}`;
    });
    source = `(SELECT *, ${columns.join(", ")} FROM ${source}${dialect.fence}) AS ${dialect.identifier(`${NAME}rows`)}`;
  }
  const printer = new Printer(dialect, names);
  return { source, print: (e) => printer.print(e) };
}

/** SELECT of outputs from a table, and of the columns `keep`. */
export function layeredSelect(
  dialect: Dialect,
  outputs: readonly (readonly [name: string, expression: Expression])[],
  from: string,
  keep: readonly string[],
): string {
  const { source, print } = layered(
    dialect,
    outputs.map(([, expression]) => expression),
    from,
  );
  const kept = keep.map((name) => dialect.identifier(name));
  const made = outputs.map(([name, e]) => `${print(e)} AS ${dialect.identifier(name)}`);
  return `SELECT ${[...kept, ...made].join(", ")} FROM ${source}`;
}

/** Expressions that are used more than once, by how deep they depend on each other. */
function layersOf(roots: readonly Expression[]): Expression[][] {
  const uses = new Map<Expression, number>();
  const count = (e: Expression): void => {
    const before = uses.get(e) ?? 0;
    uses.set(e, before + 1);
    if (before === 0) for (const part of partsOf(e)) count(part);
  };
  for (const root of roots) count(root);
  const isLayered = (e: Expression) => (e.kind === "shared" || e.kind === "column") && uses.get(e)! > 1;
  const depths = new Map<Expression, number>();
  /** The number of layers below e, with its own. */
  const depthOf = (e: Expression): number => {
    const known = depths.get(e);
    if (known !== undefined) return known;
    const below = partsOf(e).reduce((most, part) => Math.max(most, depthOf(part)), 0);
    const depth = below + (isLayered(e) ? 1 : 0);
    depths.set(e, depth);
    return depth;
  };
  const layers: Expression[][] = [];
  for (const root of roots) depthOf(root);
  for (const [e, depth] of depths) {
    if (!isLayered(e)) continue;
    layers[depth - 1] ??= [];
    layers[depth - 1]!.push(e);
  }
  return layers;
}

function partsOf(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case "shared":
      return [e.of];
    case "arithmetic":
      return [e.a, e.b];
    case "call":
      return e.args;
    case "element":
      return [e.at];
    case "hash":
      return e.of;
    case "case":
      return [...e.branches.flatMap(({ test, value }) => [...expressionsIn(test), value]), e.otherwise];
    default:
      return [];
  }
}

function expressionsIn(c: Condition): readonly Expression[] {
  switch (c.kind) {
    case "compare":
      return [c.a, c.b];
    case "isNull":
      return [c.a];
    case "in":
      return [c.a, ...c.list];
    case "and":
    case "or":
      return c.all.flatMap(expressionsIn);
    case "not":
      return expressionsIn(c.a);
  }
}
