import type { FittedModel } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { outputNames } from "../core/feature-names-out.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { type Structure, stepsOf, structure, structureOf, transformerStructure } from "../core/structure.js";
import { type KnownFeatures, listNames } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { CellsLike } from "../data/table/cells.js";
import type { Column } from "../data/table/column.js";
import { joinColumns } from "../data/table/join-columns.js";
import { isKind } from "./column-choice.js";
import { type Frame, readFrameLike, requireFiniteColumns } from "./frame.js";
import { namesOfParts, outputOf, type Part, PartsModel, readParts, withinPart } from "./parts.js";
import type { ColumnPart, FittedPart, Remainder } from "./types.js";

/** A fitted transformer and its columns. */
export interface FittedBlock extends Part {
  /** Numbers of its columns in fit. */
  readonly columns: readonly number[];
  readonly part: "drop" | "passthrough" | "columns" | "text";
  /** Whether it takes gaps. */
  readonly missing: boolean;
}

/** X of a part: the strings of its one column, or its columns. */
export function inputOf(
  where: string,
  frame: Frame,
  { columns, part, missing }: Pick<FittedBlock, "columns" | "part" | "missing">,
): unknown {
  if (part !== "text") {
    if (!missing) requireFiniteColumns(where, frame, columns);
    return frame.select(columns);
  }
  const [j, ...rest] = columns;
  const column = rest.length === 0 ? frame.column(j!) : undefined;
  if (column?.kind === "text" || column?.kind === "categorical")
    return Array.from(column.toArray(), (value) => value ?? "");
  const received = column ? `a column of kind ${column.kind}` : `${columns.length} columns`;
  throw new DataError(where, "the columns of a transformer of documents", "one column of text", received);
}

interface FittedParams {
  readonly transformers: Readonly<Record<string, ColumnPart>>;
  readonly remainder: unknown;
  readonly sparseThreshold: number;
}

export class FittedColumnTransformer<
  P extends Readonly<Record<string, ColumnPart>> = Readonly<Record<string, ColumnPart>>,
  R extends Remainder = Remainder,
> extends PartsModel<FittedParams, FittedBlock> {
  readonly #kinds: readonly Column["kind"][] | undefined;

  constructor(
    params: FittedParams,
    known: KnownFeatures & { readonly kinds?: readonly Column["kind"][] | undefined },
    blocks: readonly FittedBlock[],
    sparse: boolean,
  ) {
    super(params, known, blocks, sparse);
    this.#kinds = known.featureNamesIn && known.kinds;
  }

  /** The fitted transformer of that name, "remainder" included; undefined if it got no columns. */
  part<const K extends (keyof P & string) | "remainder">(name: K): FittedPart<P, R, K> {
    const names = this.parts.blocks.map((block) => block.name);
    return this.modelNamed("FittedColumnTransformer.part", names, name) as FittedPart<P, R, K>;
  }

  /** The columns of each transformer: names, or numbers where X had none. */
  get columns(): ReadonlyMap<string, readonly (string | number)[]> {
    return new Map(
      this.parts.blocks.map(({ name, columns }) => [name, columns.map((j) => this.featureNamesIn?.[j] ?? j)]),
    );
  }

  transform(x: CellsLike): Design {
    const where = "FittedColumnTransformer.transform";
    const remainder = this.parts.blocks.at(-1)!;
    const active = this.parts.blocks.filter(({ part }) => part !== "drop");
    const used = active.flatMap(({ columns }) => columns);
    const frame = readFrameLike(where, x, {
      nFeatures: this.nFeatures,
      featureNamesIn: this.featureNamesIn,
      used,
      extra: remainder.part === "drop",
      kinds: this.#kinds,
    });
    if (frame === undefined) return joinColumns([Matrix.zeros(0, this.nOutputs)], 0, this.sparseOutput);
    const outputs = active.map((block) =>
      withinPart(where, block.name, () => blockOutput(where, block, frame)),
    );
    return joinColumns(outputs, frame.rows, this.sparseOutput);
  }

  /** Names of the outputs: those of the transformers, with the transformer's name before them if two would be the same. */
  featureNames(input?: readonly string[]): string[] {
    const where = "FittedColumnTransformer.featureNames";
    const known = input ?? this.featureNamesIn ?? Array.from({ length: this.nFeatures }, (_, j) => `x${j}`);
    const named = this.parts.blocks.map(
      ({ name, columns, part, model, cols }): [string, readonly string[]] => {
        if (part === "drop") return [name, []];
        const own = columns.map((j) => known[j]!);
        const input = part === "text" ? undefined : own;
        return [name, model === undefined ? own : outputNames(where, model, input, cols)];
      },
    );
    return namesOfParts(named);
  }

  override toString(): string {
    const { featureNamesIn } = this;
    const lines = this.parts.blocks
      .filter(({ columns, name }) => columns.length > 0 || name !== "remainder")
      .map(({ name, columns, part, model, cols }): [string, string] => {
        const list = listNames(columns.map((j) => featureNamesIn?.[j] ?? String(j)));
        const kind = model === undefined ? (columns.length === 0 ? "unused" : part) : model.toState().kind;
        return [name, `${kind} of ${list} → ${cols} columns`];
      });
    return this.printed("FittedColumnTransformer", lines);
  }

  [structure](): Structure {
    const branches = this.parts.blocks
      .filter(({ part, columns }) => part !== "drop" && columns.length > 0)
      .map(({ columns, model }) => ({ columns, steps: model ? stepsOf(structureOf(model)) : [], weight: 1 }));
    return transformerStructure(this, { kind: "branches", branches });
  }

  toState(): ModelState {
    const { params, blocks } = this.parts;
    // Functions cannot be saved: what they have chosen can.
    const chosen = this.columns;
    const entries = Object.entries(params.transformers).map(
      ([name, [part, columns]]): [string, ColumnPart] => [
        name,
        [part, typeof columns === "function" ? (chosen.get(name) as readonly string[]) : columns],
      ],
    );
    const saved = blocks.map(({ model: _, ...block }) => block);
    const { remainder, sparseThreshold } = params;
    const plain = { transformers: Object.fromEntries(entries), remainder, sparseThreshold };
    return this.stateOfParts("ColumnTransformer", plain, saved, { kinds: this.#kinds });
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedColumnTransformer {
    const { reader, params, known, blocks, sparse } = readParts<FittedParams, Omit<FittedBlock, "model">>(
      state,
      restorePart,
      isBlock,
      ({ part }) => part === "columns" || part === "text",
    );
    const kinds = readKinds(reader, known.nFeatures);
    return new FittedColumnTransformer(params, { ...known, kinds }, blocks, sparse);
  }
}

/** Models of earlier versions do not store what their columns held. */
function readKinds(reader: StateReader, cols: number): readonly Column["kind"][] | undefined {
  if (!Object.hasOwn(reader.state.values, "kinds")) return undefined;
  const isList = (value: unknown): value is readonly Column["kind"][] =>
    Array.isArray(value) && value.length === cols && value.every(isKind);
  return reader.value("kinds", `a kind for each of ${cols} columns`, isList);
}

function isBlock(value: unknown, nFeatures: number): value is Omit<FittedBlock, "model"> {
  const { name, columns, part, cols, missing } = (value ?? {}) as Partial<Record<keyof FittedBlock, unknown>>;
  return (
    typeof name === "string" &&
    ["drop", "passthrough", "columns", "text"].includes(part as string) &&
    Number.isSafeInteger(cols) &&
    typeof missing === "boolean" &&
    Array.isArray(columns) &&
    columns.every((j) => Number.isInteger(j) && j >= 0 && j < nFeatures)
  );
}

function blockOutput(where: string, block: FittedBlock, frame: Frame): Design {
  const { columns, part, model, cols } = block;
  if (part === "passthrough") return outputOf(where, frame.select(columns), cols);
  const own = inputOf(where, frame, block);
  return outputOf(where, model!.transform(own as never), cols);
}
