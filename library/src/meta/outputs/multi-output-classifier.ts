import type { Capabilities, Classifier, FitOptions, RestorePart, Samples } from "../../core/contract.js";
import { AbortError, ArgmaxError } from "../../core/errors.js";
import { capabilitiesOf } from "../../core/estimator.js";
import type { Label, Labels } from "../../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../../core/model-on.js";
import type { Params } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import type { ClassifierMember } from "../../ensembles/class-votes.js";
import { widthOf } from "../../ensembles/member-rows.js";
import { memberOptions, memberParam } from "../../ensembles/members.js";
import { LogisticRegression } from "../../linear/index.js";
import { AroundEstimator } from "../around-estimator.js";
import { classificationForMembers, composedClassifier, labelsOf } from "../named-estimators.js";
import {
  FittedClassifierOutput,
  FittedClassifierOutputs,
  readClassifierOutput,
} from "./classifier-outputs.js";
import { isLabelRows, type LabelRows, readLabelRows } from "./label-rows.js";

export const multiOutputClassifierParams = {
  estimator: memberParam<Classifier>(
    new LogisticRegression(),
    "The classifier of one output that is fitted to each.",
  ),
};

/**
 * Several labels per row with any classifier: one model per column of Y, each fitted to X and its own column, weights included. Columns may
 * have different classes; rows of `true` and `false` are labels of which each is there or not.
 *
 * Parity: scikit-learn's MultiOutputClassifier. A list y is a model of one output (scikit-learn refuses it).
 */
export class MultiOutputClassifier<E extends AnyClassifier = LogisticRegression> extends AroundEstimator<
  typeof multiOutputClassifierParams,
  E
> {
  static readonly id = "MultiOutputClassifier";
  static readonly table = multiOutputClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier();
  static readonly severalOutputs = FittedClassifierOutputs;

  constructor(params: Params<typeof multiOutputClassifierParams, { estimator: E }> = {}) {
    super(params);
  }

  override get capabilities(): Capabilities {
    const { probabilities = false, decisionFunction = false } = capabilitiesOf(this.member) ?? {};
    return { ...super.capabilities, probabilities, decisionFunction };
  }

  /** Rows of labels, or a table, have several outputs, one per column. */
  fit<L extends Label>(
    x: SamplesOf<E>,
    y: LabelRows<L>,
    options?: FitOptions,
  ): ModelOn<FittedClassifierOutputs<L>, SamplesOf<E>>;
  fit<L extends Label>(
    x: SamplesOf<E>,
    y: Labels<L>,
    options?: FitOptions,
  ): ModelOn<FittedClassifierOutput<L>, SamplesOf<E>>;
  fit<L extends Label>(
    x: Samples,
    y: Labels<L> | LabelRows<L>,
    options: FitOptions = {},
  ): FittedClassifierOutput<L> | FittedClassifierOutputs<L> {
    const where = this.where("fit");
    if (!isLabelRows(y))
      return new FittedClassifierOutput(this.#state([this.#fitOutput(where, x, y, options)]));
    const { columns, names } = readLabelRows<L>(where, y);
    const fits = columns.map((labels, t) => {
      if (options.signal?.aborted) throw new AbortError(where, options.signal);
      const fit = this.#fitOutput(where, x, labels, options, `${where}, output ${t}`);
      options.onProgress?.({ iteration: t + 1, total: columns.length });
      return fit;
    });
    return new FittedClassifierOutputs(this.#state(fits), names);
  }

  /** One output; `at` says which in errors. */
  #fitOutput<L extends Label>(where: string, x: Samples, y: Labels<L>, options: FitOptions, at?: string) {
    const { estimator } = this.params;
    try {
      const { set, opened } = classificationForMembers(where, [estimator], this.capabilities, x, y, options);
      const model = estimator.fit(set.x, labelsOf(set), memberOptions(options, set.weights));
      const { featureNamesIn } = set;
      return { ...opened, nFeatures: widthOf(set.x), featureNamesIn, model: model as ClassifierMember<L> };
    } catch (error) {
      throw error instanceof ArgmaxError && at !== undefined ? error.within(at) : error;
    }
  }

  #state<F extends { readonly model: unknown }>(fits: readonly F[]) {
    const { model: _, ...opened } = fits[0]!;
    const models = fits.map(({ model }) => model as F["model"]);
    return { ...opened, id: this.id, params: this.params, models };
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedClassifierOutput {
    return readClassifierOutput(state, restorePart);
  }
}
