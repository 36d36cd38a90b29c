import * as adaboost from "argmax/adaboost";
import * as bagging from "argmax/bagging";
import * as bayes from "argmax/bayes";
import * as boosting from "argmax/boosting";
import * as cascade from "argmax/cascade";
import * as clustering from "argmax/clustering";
import * as discriminant from "argmax/discriminant";
import * as dummy from "argmax/dummy";
import * as forests from "argmax/forests";
import * as isotonic from "argmax/isotonic";
import * as kernelMethods from "argmax/kernel-methods";
import * as linear from "argmax/linear";
import * as meta from "argmax/meta";
import * as mixture from "argmax/mixture";
import * as neighbors from "argmax/neighbors";
import * as neural from "argmax/neural";
import { loadModel as load } from "argmax/persistence";
import * as transformers from "argmax/preprocessing";
import * as svm from "argmax/svm";
import * as trees from "argmax/trees";
import type { Model } from "./estimators.js";

export { transformers };

/** The model of a file, of whatever class. */
export const loadModel = (bytes: Uint8Array): Model => load(bytes) as Model;

/** The whole library, which workers load when it is first needed: families by the heading under which they are listed. */
export const families: Readonly<Record<string, object>> = {
  "Linear models": linear,
  "Naive Bayes": bayes,
  Discriminants: discriminant,
  "Support vector machines": svm,
  "Kernel methods": kernelMethods,
  "Nearest neighbours": neighbors,
  Trees: trees,
  Forests: forests,
  Bagging: bagging,
  AdaBoost: adaboost,
  "Gradient boosting": boosting,
  "Neural networks": neural,
  Mixtures: mixture,
  Clustering: clustering,
  "Isotonic regression": isotonic,
  "Several models as one": meta,
  Cascades: cascade,
  Baselines: dummy,
};
