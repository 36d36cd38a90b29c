import { DataError, show } from "../../core/errors.js";
import { checkLength, codeLabels, encodeLabels, type Label, type Labels } from "../../core/labels.js";
import { Model } from "../../core/model.js";

/**
 * Labels as the numbers 0, 1, 2, … and back. Estimators of this library accept labels of any type, so this is for
 * targets of other programs. Numbers are sorted ascending, strings by code unit, false before true.
 *
 * Parity: scikit-learn's LabelEncoder. It encodes y, not X, so it is not a pipeline step.
 */
export class LabelEncoder {
  fit<L extends Label>(y: Labels<L>): FittedLabelEncoder<L> {
    return new FittedLabelEncoder(learnClasses("LabelEncoder.fit", y));
  }

  /** `fit(y).transform(y)`. */
  fitTransform<L extends Label>(y: Labels<L>): Int32Array {
    return this.fit(y).transform(y);
  }
}

/** The distinct labels of y, sorted; throws if there are none. */
export function learnClasses<L extends Label>(where: string, y: Labels<L>): readonly L[] {
  const { classes } = encodeLabels(where, y, y?.length ?? 0);
  if (classes.length > 0) return classes;
  throw new DataError(where, "y", "one label or more", "none");
}

export class FittedLabelEncoder<L extends Label = Label> extends Model {
  constructor(
    /** Class k has code k. */
    readonly classes: readonly L[],
  ) {
    super();
  }

  transform(y: Labels<L>): Int32Array {
    return codeLabels("FittedLabelEncoder.transform", y, y?.length ?? 0, this.classes);
  }

  inverseTransform(codes: ArrayLike<number>): L[] {
    const where = "FittedLabelEncoder.inverseTransform";
    checkLength(where, "codes", codes, codes?.length ?? 0);
    return Array.from(codes, (code, i) => {
      if (Number.isInteger(code) && code >= 0 && code < this.classes.length) return this.classes[code]!;
      throw new DataError(where, `codes[${i}]`, `a code from 0 to ${this.classes.length - 1}`, show(code));
    });
  }
}
