import { type Composite, requireParts } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { invalid, type ParamSpec, type ParamsWith } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { objectAsCode } from "../core/text/printing-code.js";
import type { CellsLike } from "../data/table/cells.js";
import { joinColumns } from "../data/table/join-columns.js";
import { requireTransformer } from "../pipeline/fit-step.js";
import type { Documents } from "../text/index.js";
import { byName, isRecord } from "./by-name.js";
import type { UnionBlock } from "./fitted-feature-union.js";
import { FittedFeatureUnion, kept, passedThrough, weighted } from "./fitted-feature-union.js";
import { fittedPart, isTransformer, isTreatment, PartsEstimator, transformersOf } from "./parts.js";
import type { PartTransformer, Remainder } from "./types.js";

/** Transformers by name. */
export type UnionParts = Readonly<Record<string, Remainder>>;

const transformers = byName<Remainder>(
  'Transformers by name, "passthrough" for X as it is, "drop" for nothing.',
  'an object of transformers, "passthrough" or "drop" by name',
  (name, part) => name !== "" && isTreatment(part),
  1,
);

const transformerWeights: ParamSpec<Readonly<Record<string, number>>> = {
  kind: "union",
  default: Object.freeze({}),
  doc: "Factors of the outputs, by the name of their transformer; 1 without one.",
  expected: "an object of finite numbers by the name of a transformer",
  read: (value) => {
    if (!isRecord(value)) return invalid;
    const given = Object.entries(value).filter(([, weight]) => weight !== undefined);
    return given.every(([, weight]) => Number.isFinite(weight))
      ? Object.freeze(Object.fromEntries(given as [string, number][]))
      : invalid;
  },
};

export const featureUnionParams = { transformers, transformerWeights };

type UnionPartTypes<P extends UnionParts> = {
  [K in keyof P as P[K] extends PartTransformer ? K : never]: P[K];
};

/** What a union takes: what all of its transformers take. */
export type UnionInput = CellsLike | Documents;

/**
 * Several transformers of the same X, their outputs side by side: sparse if one of them is.
 *
 *   featureUnion({ words: new TfidfVectorizer(), letters: new TfidfVectorizer({ analyzer: "char", ngramRange: [2, 4] }) })
 *
 * Names of the outputs are those of the transformers, or, where two would be the same, all with the transformer's name before them:
 * `words__a`. Parity: scikit-learn's FeatureUnion, which always writes the names before.
 */
export class FeatureUnion<P extends UnionParts = UnionParts>
  extends PartsEstimator<typeof featureUnionParams, UnionInput, FittedFeatureUnion<P>>
  implements Composite<UnionPartTypes<P>>
{
  declare readonly partTypes?: UnionPartTypes<P>;
  static readonly id = "FeatureUnion";
  static readonly table = featureUnionParams;

  constructor(params: ParamsWith<typeof featureUnionParams, { transformers: P }>) {
    super(params);
    const { transformers, transformerWeights } = this.params;
    for (const [name, part] of Object.entries(transformers))
      if (typeof part === "object") requireTransformer("featureUnion", show(name), part);
    const unknown = Object.keys(transformerWeights).find((name) => !Object.hasOwn(transformers, name));
    if (unknown !== undefined) {
      const expected = `names of transformers (${Object.keys(transformers).map(show).join(", ")})`;
      const subject = "the names in transformerWeights";
      throw new ParameterError("featureUnion", subject, expected, show(unknown));
    }
  }

  override toString(): string {
    const { transformers, transformerWeights } = this.params;
    const hasWeights = Object.keys(transformerWeights).length > 0;
    const rest = hasWeights ? `, ${objectAsCode([["transformerWeights", transformerWeights]])}` : "";
    return `featureUnion(${objectAsCode(Object.entries(transformers))}${rest})`;
  }

  namedParts(): ReadonlyMap<string, object> {
    return transformersOf(Object.entries(this.params.transformers));
  }

  withParts(given: ReadonlyMap<string, object>): FeatureUnion<P> {
    const parts = requireParts(this.where("withParts"), given);
    const entries = Object.entries(this.params.transformers).map(([name, part]): [string, Remainder] => [
      name,
      (parts.get(name) as PartTransformer | undefined) ?? part,
    ]);
    return new FeatureUnion<P>({ ...this.params, transformers: Object.fromEntries(entries) as P });
  }

  override get capabilities(): Capabilities {
    const parts = this.namedParts();
    const all = [...parts.values()].map((part) => capabilitiesOf(part) ?? FeatureUnion.capabilities);
    const isWhole = parts.size === Object.keys(this.params.transformers).length;
    return {
      ...super.capabilities,
      ...(all.some(({ input }) => input === "text") && { input: "text" as const }),
      categorical: isWhole && all.every(({ categorical }) => categorical),
    };
  }

  protected learn(where: string, x: UnionInput, y: unknown, options: FitOptions) {
    const rows = kept(x);
    const parts = Object.entries(this.params.transformers).filter(([, part]) => part !== "drop");
    if (parts.length === 0) {
      throw new ParameterError(where, "transformers", "one or more that are not dropped", "none");
    }
    const { blocks, outputs } = this.learnParts<UnionBlock>(
      where,
      options,
      parts.map(([name, part]) => [
        name,
        () => {
          const { model, X } = isTransformer(part)
            ? fittedPart(where, part, rows, y, options)
            : { model: undefined, X: passedThrough(where, name, rows as CellsLike) };
          return { block: { name, cols: X.cols, weight: this.#weightOf(name), model }, X };
        },
      ]),
    );
    const model = FittedFeatureUnion.of<P>(where, this.params, rows as CellsLike, blocks, outputs);
    return { model, X: joinColumns(weighted(blocks, outputs), outputs[0]!.rows, model.sparseOutput) };
  }

  #weightOf(name: string): number {
    const { transformerWeights } = this.params;
    return Object.hasOwn(transformerWeights, name) ? transformerWeights[name]! : 1;
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedFeatureUnion {
    return FittedFeatureUnion.restore(state, restorePart);
  }
}

/**
 * `featureUnion({ words: new TfidfVectorizer(), length: new FunctionTransformer(…) })`: several transformers of the same X, their outputs
 * side by side. `{ transformerWeights: { words: 2 } }` multiplies those of one.
 */
export function featureUnion<const P extends UnionParts>(
  transformers: P,
  options: { readonly transformerWeights?: { readonly [K in keyof P]?: number } | undefined } = {},
): FeatureUnion<P> {
  const transformerWeights = options?.transformerWeights as Readonly<Record<string, number>> | undefined;
  return new FeatureUnion<P>({ ...options, transformerWeights, transformers });
}
