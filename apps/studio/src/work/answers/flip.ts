import { type Column, NumericColumn, type Table } from "argmax/data";
import type { Model } from "../estimators.js";
import type { Answer, Ask, Flip } from "../protocol.js";
import type { Context } from "./context.js";
import { changedRow } from "./predict.js";

/** Values of a feature that are tried at first, over the range of the table. */
const TRIED = 81;
/** Then the interval in which the answer changes is divided, so often and into so many. */
const ROUNDS = 3;
const PARTS = 32;

/** For each feature that is a number, the smallest change of it alone that changes the answer; the smallest in deviations first. */
export async function flip(
  { roles, model: key, row, changes }: Ask<"flip">,
  { held, breathe, isStopped }: Context<"flip">,
): Promise<Answer<"flip">> {
  const model = await held.model(key);
  if (roles.task === "regression" || model.predict === undefined) return [];
  const table = held.table(roles.table);
  const one = changedRow(table, roles.features, row, changes);
  const answer = String(model.predict(one)[0]);
  const flips: Flip[] = [];
  for (const name of roles.features) {
    const column = table.column(name);
    if (column.kind !== "numeric") continue;
    const found = flipOf(model, one, name, column.values, answer);
    if (found !== undefined) flips.push(found);
    await breathe();
    if (isStopped()) throw new Error("stopped");
  }
  return flips.sort((a, b) => a.deviations - b.deviations);
}

/** The nearest value of one feature with another answer. */
function flipOf(
  model: Model,
  one: Table,
  name: string,
  values: Float64Array,
  answer: string,
): Flip | undefined {
  const from = (one.column(name) as NumericColumn).values[0]!;
  const { least, most, deviation } = spread(values);
  if (Number.isNaN(from) || !(most > least)) return undefined;
  const answers = (tried: Float64Array): string[] =>
    Array.from(model.predict!(rowsWith(one, name, tried)), String);
  const tried = Float64Array.from(
    { length: TRIED },
    (_, k) => least + ((most - least) * k) / (TRIED - 1),
  ).sort((a, b) => Math.abs(a - from) - Math.abs(b - from));
  const first = answers(tried).findIndex((label) => label !== answer);
  if (first < 0) return undefined;
  // Between the value that flips and its neighbour towards the row's own value.
  const step = (most - least) / (TRIED - 1);
  let far = tried[first]!;
  let near = Math.abs(far - from) <= step ? from : far - Math.sign(far - from) * step;
  for (let round = 0; round < ROUNDS; round++) {
    const [start, width] = [near, far - near];
    const places = Float64Array.from({ length: PARTS - 1 }, (_, k) => start + (width * (k + 1)) / PARTS);
    const crossed = answers(places).findIndex((label) => label !== answer);
    if (crossed >= 0) far = places[crossed]!;
    near = crossed < 0 ? places.at(-1)! : crossed === 0 ? start : places[crossed - 1]!;
  }
  const to = fewDigits(from, far, (value) => answers(Float64Array.of(value))[0] !== answer);
  const label = answers(Float64Array.of(to))[0]!;
  return { name, from, to, answer, label, deviations: Math.abs(to - from) / deviation };
}

/** The value with the fewest digits that lies beyond `far`, further from `from` by at most a fiftieth, and still flips. */
export function fewDigits(from: number, far: number, flips: (value: number) => boolean): number {
  const allowed = Math.abs(far - from) / 50;
  const first = Math.floor(Math.log10(allowed));
  for (let power = first; Number.isFinite(power) && power > first - 6; power--) {
    const unit = 10 ** power;
    const units = far > from ? Math.ceil(far / unit) : Math.floor(far / unit);
    const rounded = Number((units * unit).toPrecision(12));
    if (Math.abs(rounded - far) <= allowed && flips(rounded)) return rounded;
  }
  return far;
}

/** The row as often as there are values, with each value in turn. */
function rowsWith(one: Table, name: string, tried: Float64Array): Table {
  const repeated = one.columnNames.map((other): [string, Column] => {
    const column = one.column(other);
    return [
      other,
      other === name ? new NumericColumn(tried) : column.selectRows(new Int32Array(tried.length)),
    ];
  });
  return (one.constructor as typeof Table).fromColumns(new Map(repeated));
}

function spread(values: Float64Array): { least: number; most: number; deviation: number } {
  let [least, most, n, mean, squares] = [Infinity, -Infinity, 0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
    n++;
    const delta = value - mean;
    mean += delta / n;
    squares += delta * (value - mean);
  }
  return { least, most, deviation: Math.sqrt(squares / Math.max(1, n)) || 1 };
}
