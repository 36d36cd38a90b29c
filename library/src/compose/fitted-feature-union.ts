import type { FittedModel } from "../core/contract.js";
import { ShapeError, show } from "../core/errors.js";
import { outputNames } from "../core/feature-names-out.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, stepsOf, structure, structureOf, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { inputNames } from "../data/feature-names.js";
import { isTable, type KnownFeatures } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { CellsLike } from "../data/table/cells.js";
import { joinColumns } from "../data/table/join-columns.js";
import type { UnionInput, UnionParts } from "./feature-union.js";
import { type Frame, readFrame, readFrameLike } from "./frame.js";
import { namesOfParts, outputOf, type Part, PartsModel, readParts, withinPart } from "./parts.js";
import type { PartTransformer } from "./types.js";

/** A transformer of a union, fitted; without a model, X is passed through. */
export interface UnionBlock extends Part {
  /** Factor of its outputs. */
  readonly weight: number;
}

interface FittedParams {
  readonly transformers: UnionParts;
  readonly transformerWeights: Readonly<Record<string, number>>;
}

export class FittedFeatureUnion<P extends UnionParts = UnionParts> extends PartsModel<
  FittedParams,
  UnionBlock
> {
  /** The model of blocks and what they have made of X, which have to have the same rows. */
  static of<P extends UnionParts>(
    where: string,
    params: FittedParams,
    x: CellsLike,
    blocks: readonly UnionBlock[],
    outputs: readonly Design[],
  ): FittedFeatureUnion<P> {
    const [{ rows }] = outputs as [Design];
    const other = outputs.findIndex((output) => output.rows !== rows);
    if (other >= 0) {
      const subject = `the output of ${show(blocks[other]!.name)}`;
      const expected = `as many rows as that of ${show(blocks[0]!.name)} (${rows})`;
      throw new ShapeError(where, subject, expected, `${outputs[other]!.rows} rows`);
    }
    const passed = blocks.find(({ model }) => model === undefined);
    const nFeatures = passed?.cols ?? blocks[0]!.model!.nFeatures;
    const featureNamesIn = isTable(x) ? x.columnNames : undefined;
    const sparse = outputs.some((output) => output instanceof CsrMatrix);
    return new FittedFeatureUnion<P>(params, { nFeatures, featureNamesIn }, blocks, sparse);
  }

  /** The fitted transformer of that name; undefined if X is passed through or dropped. */
  part<const K extends keyof P & string>(
    name: K,
  ): P[K] extends PartTransformer ? ReturnType<P[K]["fit"]> : undefined {
    const names = Object.keys(this.parts.params.transformers);
    return this.modelNamed("FittedFeatureUnion.part", names, name) as P[K] extends PartTransformer
      ? ReturnType<P[K]["fit"]>
      : undefined;
  }

  transform(x: UnionInput): Design {
    const where = "FittedFeatureUnion.transform";
    const rows = kept(x);
    const outputs = this.parts.blocks.map(({ name, model, cols }) =>
      withinPart(where, name, () =>
        model === undefined
          ? passedThrough(where, name, rows as CellsLike, this)
          : outputOf(where, model.transform(rows as never), cols),
      ),
    );
    return joinColumns(weighted(this.parts.blocks, outputs), outputs[0]!.rows, this.sparseOutput);
  }

  /** Names of the outputs: those of the transformers, with the transformer's name before them if two would be the same. */
  featureNames(input?: readonly string[]): string[] {
    const where = "FittedFeatureUnion.featureNames";
    const known = input ?? this.featureNamesIn;
    return namesOfParts(
      this.parts.blocks.map(({ name, model, cols }) => [
        name,
        model === undefined
          ? inputNames(where, known, undefined, cols)
          : outputNames(where, model, known, cols),
      ]),
    );
  }

  override toString(): string {
    const lines = this.parts.blocks.map(({ name, model, cols, weight }): [string, string] => {
      const times = weight === 1 ? "" : `, times ${weight}`;
      return [
        name,
        `${model === undefined ? "passthrough" : model.toState().kind} → ${cols} columns${times}`,
      ];
    });
    return this.printed("FittedFeatureUnion", lines);
  }

  [structure](): Structure {
    const branches = this.parts.blocks.map(({ model, weight }) => ({
      columns: null,
      steps: model ? stepsOf(structureOf(model)) : [],
      weight,
    }));
    return transformerStructure(this, { kind: "branches", branches });
  }

  toState(): ModelState {
    const { params, blocks } = this.parts;
    const saved = blocks.map(({ model, ...block }) => ({ ...block, fitted: model !== undefined }));
    return this.stateOfParts("FeatureUnion", params, saved);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedFeatureUnion {
    const { params, known, blocks, sparse } = readParts<FittedParams, SavedBlock>(
      state,
      restorePart,
      isBlock,
      ({ fitted }) => fitted,
    );
    return new FittedFeatureUnion(params, known, blocks, sparse);
  }
}

/** X that can be read several times: documents may come from a generator. */
export const kept = (x: UnionInput): UnionInput =>
  typeof (x as Partial<Iterator<string>> | null | undefined)?.next === "function"
    ? Array.from(x as Iterable<string>)
    : x;

/** X itself, with its gaps; `like` is what it was in fit. */
export function passedThrough(where: string, name: string, x: CellsLike, like?: KnownFeatures): Design {
  const inPart = `${where}, ${show(name)}`;
  const all = (frame: Frame) => frame.select(Array.from({ length: frame.cols }, (_, j) => j));
  if (like === undefined) return outputOf(inPart, all(readFrame(inPart, x)));
  const used = Array.from({ length: like.nFeatures }, (_, j) => j);
  const frame = readFrameLike(inPart, x, { ...like, used, extra: false });
  if (frame === undefined) return Matrix.zeros(0, like.nFeatures);
  return outputOf(inPart, all(frame), like.nFeatures);
}

/** The outputs of the transformers, times their factors. */
export function weighted(blocks: readonly UnionBlock[], outputs: readonly Design[]): Design[] {
  return outputs.map((output, b) => {
    const { weight } = blocks[b]!;
    if (weight === 1) return output;
    const times = (values: Float64Array) => values.map((value) => weight * value);
    if (output instanceof Matrix) return new Matrix(times(output.data), output.rows, output.cols);
    return new CsrMatrix({ ...output, values: times(output.values) }, true);
  });
}

type SavedBlock = Omit<UnionBlock, "model"> & { readonly fitted: boolean };

function isBlock(value: unknown): value is SavedBlock {
  const { name, cols, weight, fitted } = (value ?? {}) as Partial<Record<keyof SavedBlock, unknown>>;
  return (
    typeof name === "string" &&
    Number.isSafeInteger(cols) &&
    (cols as number) >= 0 &&
    Number.isFinite(weight) &&
    typeof fitted === "boolean"
  );
}
