import { ParameterError, show } from "../../core/errors.js";
import { KFold, StratifiedKFold } from "./k-fold.js";
import { isSplitter, type Splitter } from "./splitter.js";

/** A number of folds (stratified for classifiers), or a splitter as it is. */
export function splitterOf(where: string, cv: unknown, stratified: boolean): Splitter {
  if (isSplitter(cv)) return cv;
  if (typeof cv === "number")
    return stratified ? new StratifiedKFold({ nSplits: cv }) : new KFold({ nSplits: cv });
  throw new ParameterError(where, "cv", "a number of folds or a splitter such as new KFold()", show(cv));
}
