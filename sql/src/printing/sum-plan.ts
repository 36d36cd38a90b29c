import type { Dialect } from "../dialects/dialect.js";
import type { Expression } from "../expressions/expression.js";
import type { Aggregate, GroupKey, SumGroup, SumQuery } from "../expressions/sums.js";
import { type SumOptions, sumSelect } from "./aggregate.js";

/** A row of `sumSelect`, its aggregates and keys as they are. */
export interface PartRow extends SumGroup {
  /** The number of the SELECT. */
  readonly part: number;
}

/** Queries as they are sent: those of the same groups as one SELECT, those of too many aggregates as several. */
export interface SumPlan {
  /** Each holds one SELECT or more. */
  readonly statements: readonly string[];
  /** By the number of a SELECT: what its rows are. */
  readonly parts: readonly SumQuery[];
  /** The groups of the queries that were asked; undefined if rows have changed between two statements. */
  read(rows: readonly PartRow[]): SumGroup[][] | undefined;
}

export function sumPlan(
  dialect: Dialect,
  asked: readonly SumQuery[],
  from: string,
  options: SumOptions = {},
): SumPlan {
  const merged = new Map<string, MergedQuery>();
  const answers = asked.map(({ groupBy, aggregates }) => {
    const name = sumSelect(dialect, { groupBy, aggregates: [] }, "rows");
    const query = merged.get(name) ?? new MergedQuery(groupBy);
    merged.set(name, query);
    return { query, places: aggregates.map((aggregate) => query.placeOf(aggregate)) };
  });
  const parts: SumQuery[] = [];
  const selects: string[] = [];
  for (const query of merged.values()) {
    query.firstPart = parts.length;
    const add = (aggregates: readonly Aggregate[]): void => {
      const part = { groupBy: query.groupBy, aggregates };
      const text = sumSelect(dialect, part, from, parts.length, options);
      const half = aggregates.length >> 1;
      const { limits } = dialect;
      if (half > 0 && (aggregates.length > limits.aggregates || text.length > limits.characters)) {
        add(aggregates.slice(0, half));
        add(aggregates.slice(half));
        return;
      }
      selects.push(text);
      parts.push(part);
      query.lastPart = parts.length;
    };
    add(query.aggregates);
  }
  return {
    parts,
    statements: statementsOf(selects, dialect.limits.characters),
    read(rows) {
      const groups = new Map<MergedQuery, SumGroup[] | undefined>();
      for (const query of merged.values()) groups.set(query, query.joined(rows));
      if ([...groups.values()].includes(undefined)) return undefined;
      return answers.map(({ query, places }) =>
        groups.get(query)!.map(({ keys, count, values }) => ({
          keys,
          count,
          values: Float64Array.from(places, (place) => values[place]!),
        })),
      );
    },
  };
}

/** Queries of the same groups, with each aggregate once. */
class MergedQuery {
  readonly groupBy: readonly GroupKey[];
  readonly aggregates: Aggregate[] = [];
  /** Its SELECTs: from `firstPart` to before `lastPart`, each with the next of its aggregates. */
  firstPart = 0;
  lastPart = 0;
  readonly #places = {
    sum: new Map<Expression, number>(),
    min: new Map<Expression, number>(),
    max: new Map<Expression, number>(),
  };

  constructor(groupBy: readonly GroupKey[]) {
    this.groupBy = groupBy;
  }

  placeOf(aggregate: Aggregate): number {
    const places = this.#places[aggregate.kind];
    const known = places.get(aggregate.of);
    if (known !== undefined) return known;
    places.set(aggregate.of, this.aggregates.length);
    return this.aggregates.push(aggregate) - 1;
  }

  /** The rows of its SELECTs by their keys; undefined if they have not the same groups with the same numbers of rows. */
  joined(rows: readonly PartRow[]): SumGroup[] | undefined {
    const byPart = Array.from({ length: this.lastPart - this.firstPart }, (_, p) =>
      rows.filter(({ part }) => part === this.firstPart + p),
    );
    if (byPart.length === 1) return byPart[0]!;
    const [first, ...others] = byPart.map(
      (own) => new Map(own.map((row) => [JSON.stringify(row.keys), row] as const)),
    );
    const groups: SumGroup[] = [];
    for (const [name, { keys, count, values }] of first!) {
      const list = [values];
      for (const other of others) {
        const row = other.get(name);
        if (row?.count !== count || other.size !== first!.size) return undefined;
        list.push(row.values);
      }
      groups.push({ keys, count, values: Float64Array.from(list.flatMap((part) => [...part])) });
    }
    return groups;
  }
}

/** SELECTs in as few statements as their length allows. */
function statementsOf(selects: readonly string[], characters: number): string[] {
  const statements: string[] = [];
  for (const select of selects) {
    const joined = `${statements.at(-1)} UNION ALL ${select}`;
    if (statements.length > 0 && joined.length <= characters) statements[statements.length - 1] = joined;
    else statements.push(select);
  }
  return statements;
}
