import { type Composite, requireParts } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel } from "../core/contract.js";
import { show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { invalid, type ParamSpec, type ParamsWith, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { objectAsCode } from "../core/text/printing-code.js";
import type { Design } from "../data/input.js";
import type { CellsLike } from "../data/table/cells.js";
import { joinColumns } from "../data/table/join-columns.js";
import { requireTransformer } from "../pipeline/fit-step.js";
import { byName } from "./by-name.js";
import {
  type ChosenFrom,
  type Columns,
  chosenColumns,
  EXPECTED_COLUMNS,
  isColumns,
} from "./column-choice.js";
import { type FittedBlock, FittedColumnTransformer, inputOf } from "./fitted-column-transformer.js";
import { type Frame, readFrame } from "./frame.js";
import { fittedPart, isTreatment, outputOf, PartsEstimator, transformersOf } from "./parts.js";
import type { ColumnPart, PartTransformer, PartTypes, Remainder } from "./types.js";

const transformers = byName<ColumnPart>(
  'By name, a transformer ("passthrough", "drop") and the columns that it gets: by name, number, kind, or a function.',
  `an object of pairs [transformer, columns], where a transformer may be "passthrough" or "drop", and columns are ${EXPECTED_COLUMNS}`,
  (name, pair) =>
    name !== "" &&
    name !== "remainder" &&
    Array.isArray(pair) &&
    pair.length === 2 &&
    isTreatment(pair[0]) &&
    isColumns(pair[1]),
);

const remainder: ParamSpec<Remainder> = {
  kind: "estimator",
  default: "drop",
  doc: "What happens to columns that no transformer gets: dropped, passed through, or given to this transformer.",
  expected: '"drop", "passthrough" or a transformer',
  choices: ["drop", "passthrough"],
  read: (value) => (isTreatment(value) ? value : invalid),
};

export const columnTransformerParams = {
  transformers,
  remainder,
  sparseThreshold: real({
    atLeast: 0,
    atMost: 1,
    default: 0.3,
    doc: "The output is sparse if a transformer's is and less than this fraction of all entries is stored; 0 for always dense.",
  }),
};

/**
 * Each transformer on columns of its own, their outputs side by side.
 *
 *   columnTransformer({ numbers: [new StandardScaler(), ["age", "fare"]], towns: [new OneHotEncoder(), "categorical"] })
 *
 * A transformer of documents gets the strings of its one column, others a table or a matrix of their columns. Names of the outputs
 * are those of the transformers, or, where two would be the same, all with the transformer's name before them: `numbers__age`.
 * Parity: scikit-learn's ColumnTransformer. A table's columns are found by name in any order; ones that nothing reads may be absent,
 * and new ones are ignored unless the remainder is used.
 */
export class ColumnTransformer<
    P extends Readonly<Record<string, ColumnPart>> = Readonly<Record<string, ColumnPart>>,
    R extends Remainder = Remainder,
  >
  extends PartsEstimator<typeof columnTransformerParams, CellsLike, FittedColumnTransformer<P, R>>
  implements Composite<PartTypes<P, R>>
{
  declare readonly partTypes?: PartTypes<P, R>;
  static readonly id = "ColumnTransformer";
  static readonly table = columnTransformerParams;

  constructor(params: ParamsWith<typeof columnTransformerParams, { transformers: P; remainder?: R }>) {
    super(params);
    const { transformers, remainder } = this.params;
    for (const [name, [part]] of Object.entries(transformers))
      if (typeof part === "object") requireTransformer("columnTransformer", show(name), part);
    if (typeof remainder === "object") requireTransformer("columnTransformer", show("remainder"), remainder);
  }

  override toString(): string {
    const { transformers, remainder, sparseThreshold } = this.params;
    const options: [string, unknown][] = [];
    if (remainder !== "drop") options.push(["remainder", remainder]);
    if (sparseThreshold !== columnTransformerParams.sparseThreshold.default)
      options.push(["sparseThreshold", sparseThreshold]);
    const rest = options.length > 0 ? `, ${objectAsCode(options)}` : "";
    return `columnTransformer(${objectAsCode(Object.entries(transformers))}${rest})`;
  }

  namedParts(): ReadonlyMap<string, object> {
    const { transformers, remainder } = this.params;
    const own = Object.entries(transformers).map(([name, [part]]) => [name, part] as const);
    return transformersOf([...own, ["remainder", remainder]]);
  }

  withParts(given: ReadonlyMap<string, object>): ColumnTransformer<P, R> {
    const parts = requireParts(this.where("withParts"), given);
    const { params } = this;
    const entries = Object.entries(params.transformers).map(
      ([name, [part, columns]]): [string, ColumnPart] => [
        name,
        [(parts.get(name) as PartTransformer) ?? part, columns],
      ],
    );
    const remainder = (parts.get("remainder") as PartTransformer | undefined) ?? params.remainder;
    return new ColumnTransformer<P, R>({
      ...params,
      transformers: Object.fromEntries(entries) as Readonly<Record<string, ColumnPart>> as P,
      remainder: remainder as R,
    });
  }

  /** A transformer of documents reads missing ones as empty. */
  override get capabilities(): Capabilities {
    const all = [...this.namedParts().values()].map((part) => capabilitiesOf(part));
    const missing = all.every((part) => !part || part.missing || part.input === "text");
    return { ...super.capabilities, missing };
  }

  protected learn(where: string, x: CellsLike, y: unknown, options: FitOptions) {
    const frame = readFrame(where, x);
    const { blocks, outputs } = this.learnParts(
      where,
      options,
      chosenParts(where, this.params, frame).map(([name, part, columns]) => [
        name,
        () => fitPart(name, part, columns, frame, y, options),
      ]),
    );
    const sparse = isSparse(outputs, this.params.sparseThreshold);
    const kinds = frame.names?.map((_, j) => frame.column(j).kind);
    const known = { nFeatures: frame.cols, featureNamesIn: frame.names, kinds };
    const model = new FittedColumnTransformer<P, R>(this.params, known, blocks, sparse);
    return { model, X: joinColumns(outputs, frame.rows, sparse) };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedColumnTransformer {
    return FittedColumnTransformer.restore(state, restorePart);
  }
}

/** Every part with the numbers of its columns, the remainder last. */
export function chosenParts(
  where: string,
  {
    transformers,
    remainder,
  }: Pick<ParamValues<typeof columnTransformerParams>, "transformers" | "remainder">,
  columns: ChosenFrom,
): (readonly [name: string, part: Remainder, columns: readonly number[]])[] {
  const chosen = Object.entries(transformers).map(
    ([name, [part, own]]): readonly [string, Remainder, readonly number[]] => [
      name,
      part,
      chosenColumns(where, name, own as Columns, columns),
    ],
  );
  const taken = new Set(chosen.flatMap(([, , own]) => own));
  const rest = Array.from({ length: columns.cols }, (_, j) => j).filter((j) => !taken.has(j));
  return [...chosen, ["remainder", remainder, rest]];
}

function fitPart(
  name: string,
  part: Remainder,
  columns: readonly number[],
  frame: Frame,
  y: unknown,
  options: FitOptions,
): { readonly block: FittedBlock; readonly X: Design | undefined } {
  const nothing = { name, columns, part: "drop" as const, missing: true, model: undefined, cols: 0 };
  // A transformer without columns has nothing to learn: a kind that no column has.
  if (part === "drop" || columns.length === 0) return { block: nothing, X: undefined };
  const where = "ColumnTransformer.fit";
  if (part === "passthrough") {
    const X = outputOf(where, frame.select(columns));
    return { block: { ...nothing, part, cols: columns.length }, X };
  }
  const { input, missing = true } = capabilitiesOf(part) ?? {};
  const known = { name, columns, part: input === "text" ? ("text" as const) : ("columns" as const), missing };
  const { model, X } = fittedPart(where, part, inputOf(where, frame, known), y, options);
  return { block: { ...known, model, cols: X.cols }, X };
}

/** Whether few enough entries are stored; a dense block stores all of its entries. */
function isSparse(outputs: readonly Design[], threshold: number): boolean {
  const blocks = outputs.map((block) => ({
    isSparse: "indptr" in block,
    stored: "indptr" in block ? block.values.length : block.data.length,
    entries: block.rows * block.cols,
  }));
  return storesFew(blocks, threshold);
}

/** How many of its entries a block of outputs stores. */
interface StoredBlock {
  readonly isSparse: boolean;
  readonly stored: number;
  readonly entries: number;
}

/** Whether the output is sparse: one of its blocks is, and few enough entries are stored. */
export function storesFew(blocks: readonly StoredBlock[], threshold: number): boolean {
  if (!blocks.some((block) => block.isSparse)) return false;
  const stored = blocks.reduce((sum, block) => sum + block.stored, 0);
  const all = blocks.reduce((sum, { entries }) => sum + entries, 0);
  return stored < threshold * all;
}

/**
 * `columnTransformer({ numbers: [new StandardScaler(), "numeric"], towns: [new OneHotEncoder(), ["town"]] })`: each transformer on
 * columns of its own. `{ remainder: "passthrough" }` keeps columns that nothing takes.
 */
export function columnTransformer<
  const P extends Readonly<Record<string, ColumnPart>>,
  const R extends Remainder = "drop",
>(
  transformers: P,
  options: { readonly remainder?: R | undefined; readonly sparseThreshold?: number | undefined } = {},
): ColumnTransformer<P, R> {
  return new ColumnTransformer<P, R>({ ...options, transformers });
}
