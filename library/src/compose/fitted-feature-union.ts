import type { FittedModel } from "../core/contract.js";
import { oneOf, ParameterError, ShapeError, show } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { outputNames } from "../core/feature-names-out.js";
import { Model } from "../core/model.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Structure, stepsOf, structure, structureOf, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { featureNamesJson, isTable, type KnownFeatures, readFeatureNames } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { CellsLike } from "../data/table/cells.js";
import { joinColumns } from "../data/table/join-columns.js";
import type { TransformingModel } from "../pipeline/fit-step.js";
import { inputNames } from "../preprocessing/feature-names.js";
import type { UnionInput, UnionParts } from "./feature-union.js";
import { type Frame, readFrame, readFrameLike } from "./frame.js";
import { namesOfParts, outputOf, printedParts, withinPart } from "./parts.js";
import type { PartTransformer } from "./types.js";

/** A transformer of a union, fitted; without a model, X is passed through. */
export interface UnionBlock {
  readonly name: string;
  /** Outputs. */
  readonly cols: number;
  /** Factor of its outputs. */
  readonly weight: number;
  readonly model: TransformingModel | undefined;
}

interface FittedParams {
  readonly transformers: UnionParts;
  readonly transformerWeights: Readonly<Record<string, number>>;
}

export class FittedFeatureUnion<P extends UnionParts = UnionParts> extends Model implements FittedModel {
  readonly nFeatures: number;
  /** Names of the columns in fit, where X was a table. */
  readonly featureNamesIn: readonly string[] | undefined;
  /** Number of outputs. */
  readonly nOutputs: number;
  readonly #params: FittedParams;
  readonly #blocks: readonly UnionBlock[];

  constructor(
    params: FittedParams,
    known: KnownFeatures,
    blocks: readonly UnionBlock[],
    /** Whether `transform` gives a CsrMatrix. */
    readonly sparseOutput: boolean,
  ) {
    super();
    this.#params = params;
    this.nFeatures = known.nFeatures;
    this.featureNamesIn = known.featureNamesIn;
    this.#blocks = blocks;
    this.nOutputs = blocks.reduce((sum, { cols }) => sum + cols, 0);
  }

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
      throw new ShapeError({ where, subject, expected, received: `${outputs[other]!.rows} rows` });
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
    const names = Object.keys(this.#params.transformers);
    if (!names.includes(name)) {
      const where = "FittedFeatureUnion.part";
      throw new ParameterError({ where, subject: "the name", expected: oneOf(names), received: show(name) });
    }
    return this.#blocks.find((block) => block.name === name)?.model as never;
  }

  transform(x: UnionInput): Design {
    const where = "FittedFeatureUnion.transform";
    const rows = kept(x);
    const outputs = this.#blocks.map(({ name, model, cols }) =>
      withinPart(where, name, () =>
        model === undefined
          ? passedThrough(where, name, rows as CellsLike, this)
          : outputOf(where, model.transform(rows as never), cols),
      ),
    );
    return joinColumns(weighted(this.#blocks, outputs), outputs[0]!.rows, this.sparseOutput);
  }

  /** Names of the outputs: those of the transformers, with the transformer's name before them if two would be the same. */
  featureNames(input?: readonly string[]): string[] {
    const where = "FittedFeatureUnion.featureNames";
    const known = input ?? this.featureNamesIn;
    return namesOfParts(
      this.#blocks.map(({ name, model, cols }) => [
        name,
        model === undefined
          ? inputNames(where, known, undefined, cols)
          : outputNames(where, model, known, cols),
      ]),
    );
  }

  override toString(): string {
    const { nFeatures, nOutputs, sparseOutput } = this;
    const lines = this.#blocks.map(({ name, model, cols, weight }): [string, string] => {
      const times = weight === 1 ? "" : `, times ${weight}`;
      return [
        name,
        `${model === undefined ? "passthrough" : model.toState().kind} → ${cols} columns${times}`,
      ];
    });
    return printedParts("FittedFeatureUnion", nFeatures, nOutputs, sparseOutput, lines);
  }

  [structure](): Structure {
    const branches = this.#blocks.map(({ model, weight }) => ({
      columns: null,
      steps: model ? stepsOf(structureOf(model)) : [],
      weight,
    }));
    return transformerStructure(this, { kind: "branches", branches });
  }

  toState(): ModelState {
    return {
      kind: "FeatureUnion",
      params: describeParams(this.#params),
      values: {
        nFeatures: this.nFeatures,
        sparse: this.sparseOutput,
        blocks: this.#blocks.map(({ name, cols, weight, model }) => ({
          name,
          cols,
          weight,
          fitted: model !== undefined,
        })),
        ...featureNamesJson(this.featureNamesIn),
      },
      tensors: {},
      parts: this.#blocks.flatMap(({ model }) => (model === undefined ? [] : [model.toState()])),
    };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedFeatureUnion {
    const reader = new StateReader(state);
    const nFeatures = reader.count("nFeatures");
    const isBlocks = (value: unknown): value is readonly SavedBlock[] =>
      Array.isArray(value) && value.length > 0 && value.every(isBlock);
    const saved = reader.value("blocks", "transformers with their outputs", isBlocks);
    const models = (state.parts ?? []).map(restorePart);
    let next = 0;
    const blocks = saved.map(({ fitted, ...block }): UnionBlock => {
      const model = fitted ? (models[next++] as TransformingModel | undefined) : undefined;
      return { ...block, model };
    });
    const whole = next === models.length && models.every((model) => "transform" in model);
    if (!whole) reader.fail("parts", `${next} fitted transformers`, `${models.length} models`);
    const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
    const sparse = reader.value("sparse", "true or false", isFlag);
    const known = { nFeatures, featureNamesIn: readFeatureNames(reader, nFeatures) };
    return new FittedFeatureUnion(state.params as unknown as FittedParams, known, blocks, sparse);
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
