import { transformerCapabilities } from "../core/capabilities.js";
import { type Composite, requireParts } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel, Unlabelled } from "../core/contract.js";
import { AbortError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf, Estimator } from "../core/estimator.js";
import { beginFit, fitArguments } from "../core/params/options.js";
import { invalid, type ParamSpec, type ParamsWith } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { objectAsCode } from "../core/text/printing-code.js";
import type { Design } from "../data/input.js";
import type { CellsLike } from "../data/table/cells.js";
import { joinColumns } from "../data/table/join-columns.js";
import { requireTransformer } from "../pipeline/fit-step.js";
import type { Documents } from "../text/index.js";
import {
  FittedFeatureUnion,
  kept,
  passedThrough,
  type UnionBlock,
  weighted,
} from "./fitted-feature-union.js";
import { fittedPart, isTreatment, refuseWeights, withinPart } from "./parts.js";
import type { PartTransformer, Remainder } from "./types.js";

/** Transformers by name. */
export type UnionParts = Readonly<Record<string, Remainder>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const transformers: ParamSpec<UnionParts> = {
  kind: "estimator",
  default: Object.freeze({}),
  doc: 'Transformers by name, "passthrough" for X as it is, "drop" for nothing.',
  expected: 'an object of transformers, "passthrough" or "drop" by name',
  read: (value) => {
    if (!isRecord(value)) return invalid;
    const entries = Object.entries(value);
    const fine = entries.length > 0 && entries.every(([name, part]) => name !== "" && isTreatment(part));
    return fine ? (Object.freeze(Object.fromEntries(entries)) as UnionParts) : invalid;
  },
};

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
  extends Estimator<typeof featureUnionParams>
  implements Composite<UnionPartTypes<P>>
{
  declare readonly partTypes?: UnionPartTypes<P>;
  static readonly id = "FeatureUnion";
  static readonly table = featureUnionParams;
  /** What it can be at most; `capabilities` of the object follows from its transformers. */
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    missing: true,
    categorical: true,
    sampleWeight: true,
  };

  constructor(params: ParamsWith<typeof featureUnionParams, { transformers: P }>) {
    super(params);
    const { transformers, transformerWeights } = this.params;
    for (const [name, part] of Object.entries(transformers))
      if (typeof part === "object") requireTransformer("featureUnion", show(name), part);
    const unknown = Object.keys(transformerWeights).find((name) => !Object.hasOwn(transformers, name));
    if (unknown !== undefined) {
      const expected = `names of transformers (${Object.keys(transformers).map(show).join(", ")})`;
      const subject = "the names in transformerWeights";
      throw new ParameterError({ where: "featureUnion", subject, expected, received: show(unknown) });
    }
  }

  override toString(): string {
    const { transformers, transformerWeights } = this.params;
    const hasWeights = Object.keys(transformerWeights).length > 0;
    const rest = hasWeights ? `, ${objectAsCode([["transformerWeights", transformerWeights]])}` : "";
    return `featureUnion(${objectAsCode(Object.entries(transformers))}${rest})`;
  }

  namedParts(): ReadonlyMap<string, object> {
    const entries = Object.entries(this.params.transformers);
    return new Map(
      entries.filter((entry): entry is [string, PartTransformer] => typeof entry[1] === "object"),
    );
  }

  withParts(given: ReadonlyMap<string, object>): FeatureUnion<P> {
    const parts = requireParts(this.where("withParts"), given);
    const entries = Object.entries(this.params.transformers).map(([name, part]): [string, Remainder] => [
      name,
      (parts.get(name) as PartTransformer | undefined) ?? part,
    ]);
    return new FeatureUnion<P>({ ...this.params, transformers: Object.fromEntries(entries) as P });
  }

  get capabilities(): Capabilities {
    const parts = Object.values(this.params.transformers);
    const all = parts.flatMap((part) =>
      typeof part === "object" ? [capabilitiesOf(part) ?? FeatureUnion.capabilities] : [],
    );
    return {
      ...FeatureUnion.capabilities,
      ...(all.some(({ input }) => input === "text") && { input: "text" as const }),
      ...(all.some(({ needsTargets }) => needsTargets) && { needsTargets: true }),
      sparse: all.every(({ sparse }) => sparse),
      missing: all.every(({ missing }) => missing),
      categorical: all.length === parts.length && all.every(({ categorical }) => categorical),
      sampleWeight: all.some(({ sampleWeight }) => sampleWeight),
    };
  }

  fit(x: UnionInput, y?: Unlabelled, options?: FitOptions): FittedFeatureUnion<P> {
    return this.fitAndTransform(x, y, options).model;
  }

  /** `fit(x).transform(x)`, in one pass. */
  fitTransform(x: UnionInput, y?: Unlabelled, options?: FitOptions): Design {
    return this.fitAndTransform(x, y, options).X;
  }

  /** The model and what it makes of X, where every transformer reads X once. */
  fitAndTransform(
    x: UnionInput,
    given?: Unlabelled,
    givenOptions?: FitOptions,
  ): { readonly model: FittedFeatureUnion<P>; readonly X: Design } {
    const where = this.where("fit");
    const { y, options } = fitArguments(where, this, given, givenOptions);
    beginFit(where, options);
    const { capabilities } = this;
    if (options.sampleWeight !== undefined && !capabilities.sampleWeight) refuseWeights(where);
    const rows = kept(x);
    const blocks: UnionBlock[] = [];
    const outputs: Design[] = [];
    for (const [name, part] of Object.entries(this.params.transformers)) {
      if (options.signal?.aborted) throw new AbortError(where, options.signal);
      if (part === "drop") continue;
      const { model, X } = withinPart(where, name, () => {
        if (part === "passthrough")
          return { model: undefined, X: passedThrough(where, name, rows as CellsLike) };
        return fittedPart(where, part, rows, y, options);
      });
      blocks.push({ name, cols: X.cols, weight: this.#weightOf(name), model });
      outputs.push(X);
    }
    if (outputs.length === 0) {
      const expected = "one or more that are not dropped";
      throw new ParameterError({ where, subject: "transformers", expected, received: "none" });
    }
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
  return new FeatureUnion<P>({ ...options, transformers } as never);
}
