import { transformer } from "../../core/capabilities.js";
import type { FitOptions, Unlabelled } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { cos, sin } from "../../core/numbers/elementary.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { flag, invalid, type ParamSpec, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type DateOutput, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { columnName, distinctNames } from "../../data/feature-names.js";
import { readFeatureNames } from "../../data/feature-names-in.js";
import { Matrix } from "../../data/matrix.js";
import { type Cells, type CellsLike, readCells } from "../../data/table/cells.js";
import { TransformerEstimator, TransformerModel } from "../../fitted/transformers.js";
import { LATEST, type Moment, momentOf } from "./calendar.js";

export type DatePart = keyof Moment;

/** The parts in the order of the outputs; those that repeat have the length of their cycle and where it begins. */
const PARTS: Readonly<Record<DatePart, { readonly from: number; readonly length: number } | null>> = {
  time: null,
  year: null,
  month: { from: 1, length: 12 },
  day: { from: 1, length: 31 },
  weekday: { from: 0, length: 7 },
  dayOfYear: { from: 1, length: 366 },
  hour: { from: 0, length: 24 },
  minute: { from: 0, length: 60 },
  second: { from: 0, length: 60 },
};
/** In the order of the outputs. */
export const PART_NAMES = Object.keys(PARTS) as DatePart[];

const parts: ParamSpec<"auto" | readonly DatePart[]> = {
  kind: "union",
  default: "auto",
  doc: 'Which parts; "auto" for those that differ between rows, without dayOfYear, which month and day say.',
  expected: `"auto", or a list of ${PART_NAMES.join(", ")}, each once`,
  choices: ["auto"],
  read: (value) => {
    if (value === "auto") return value;
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return invalid;
    return value.every((name) => PART_NAMES.includes(name)) ? Object.freeze([...value]) : invalid;
  },
};

export const datePartsParams = {
  parts,
  cyclic: flag({
    default: false,
    doc: "Months, weekdays, hours, … as sine and cosine of their place in the cycle, so that December is next to January.",
  }),
};

/**
 * Points in time as numbers: year, month (1 to 12), day (from 1), weekday (0 is Monday), dayOfYear (from 1), hour, minute, second, and
 * time, the days since 1970 with their fraction. All in UTC.
 *
 *   cyclic:  sin(2π (v − first) / length)  and  cos(2π (v − first) / length)  in place of v, for all but year and time
 *
 * X is columns of dates, or numbers, which are milliseconds since 1970. A missing date has missing parts (NaN).
 */
export class DateParts extends TransformerEstimator<typeof datePartsParams, CellsLike> {
  static readonly id = "DateParts";
  static readonly table = datePartsParams;
  static readonly capabilities = transformer({ missing: true, categorical: true });

  fit(x: CellsLike, y?: Unlabelled, options?: FitOptions): FittedDateParts {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const cells = readCells(where, x);
    const columns = timesIn(where, cells);
    const { parts } = this.params;
    const chosen = columns.map((times) => (parts === "auto" ? varyingParts(times) : parts));
    return new FittedDateParts(this.params, chosen, cells.names);
  }

  static restore(state: ModelState): FittedDateParts {
    const { reader, params } = restoring(datePartsParams, state);
    const isChosen = (value: unknown): value is readonly (readonly DatePart[])[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((list) => Array.isArray(list) && list.every((name) => PART_NAMES.includes(name)));
    const chosen = reader.value("chosen", "the parts of each column", isChosen);
    return new FittedDateParts(params, chosen, readFeatureNames(reader, chosen.length));
  }
}

/** Milliseconds per column, NaN where missing. */
function timesIn(where: string, { columns, names }: Pick<Cells, "columns" | "names">): Float64Array[] {
  return columns.map((column, j) => {
    const subject = columnName(names, j);
    // A column without any value has no kind either.
    if (column.kind !== "numeric") {
      const received = column.kind === "boolean" ? "booleans" : "text";
      throw new DataError(where, subject, "dates, or milliseconds since 1970", received);
    }
    const i = column.values.findIndex((time) => Math.abs(time) > LATEST);
    if (i < 0) return column.values;
    const expected = "a date, or milliseconds since 1970, at most 8.64e15";
    throw new DataError(where, `${subject}, row ${i},`, expected, show(column.values[i]));
  });
}

/** The parts that differ between rows, in order; time if none does. */
function varyingParts(times: Float64Array): readonly DatePart[] {
  const varying = new Set<DatePart>();
  let first: Moment | undefined;
  for (const time of times) {
    if (Number.isNaN(time)) continue;
    const moment = momentOf(time);
    first ??= moment;
    for (const name of PART_NAMES) if (moment[name] !== first[name]) varying.add(name);
  }
  return partsThatVary(varying);
}

/** Of the parts that vary, those that are chosen by themselves, in order. */
export function partsThatVary(varying: ReadonlySet<DatePart>): readonly DatePart[] {
  const own = PART_NAMES.filter((name) => name !== "dayOfYear" && varying.has(name));
  return own.length === 0 ? ["time"] : own;
}

export class FittedDateParts extends TransformerModel<ParamValues<typeof datePartsParams>> {
  protected readonly id = DateParts.id;

  constructor(
    params: ParamValues<typeof datePartsParams>,
    /** The parts of each column. */
    readonly parts: readonly (readonly DatePart[])[],
    featureNamesIn: readonly string[] | undefined,
  ) {
    super(params, { nFeatures: parts.length, featureNamesIn });
  }

  [structure](): Structure {
    const outputs = this.parts.flatMap((list, column) =>
      list.flatMap((part): DateOutput[] => {
        const cycle = this.params.cyclic ? PARTS[part] : null;
        if (cycle === null) return [{ column, part, wave: null }];
        return (["sin", "cos"] as const).map((of) => ({ column, part, wave: { of, ...cycle } }));
      }),
    );
    return transformerStructure(this, { kind: "dates", outputs });
  }

  transform(x: CellsLike): Matrix {
    const where = this.where("transform");
    const kinds = this.parts.map(() => "date" as const);
    const cells = readCells(where, x, this, kinds);
    const out = Matrix.zeros(cells.rows, this.#suffixes.flat().length);
    let start = 0;
    for (const [j, times] of timesIn(where, cells).entries()) {
      const width = this.#suffixes[j]!.length;
      for (let i = 0; i < times.length; i++) this.#writeInto(times[i]!, j, i * out.cols + start, out.data);
      start += width;
    }
    return out;
  }

  /** `sent_year`, `sent_month`, …; cyclic ones are `sent_month_sin` and `sent_month_cos`. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    return distinctNames(this.#suffixes.flatMap((list, j) => list.map((suffix) => `${names[j]}_${suffix}`)));
  }

  override toState(): ModelState {
    return stateOf(this.id, this, { chosen: this.parts });
  }

  get #suffixes(): readonly (readonly string[])[] {
    const isCycle = (name: DatePart) => this.params.cyclic && PARTS[name] !== null;
    return this.parts.map((list) =>
      list.flatMap((name) => (isCycle(name) ? [`${name}_sin`, `${name}_cos`] : [name])),
    );
  }

  #writeInto(time: number, j: number, at: number, out: Float64Array): void {
    const moment = Number.isNaN(time) ? undefined : momentOf(time);
    let e = at;
    for (const name of this.parts[j]!) {
      const value = moment?.[name] ?? Number.NaN;
      const cycle = this.params.cyclic ? PARTS[name] : null;
      if (cycle === null) out[e++] = value;
      else {
        const angle = (2 * Math.PI * (value - cycle.from)) / cycle.length;
        out[e++] = Number.isNaN(value) ? value : sin(angle);
        out[e++] = Number.isNaN(value) ? value : cos(angle);
      }
    }
  }
}
