import type { FittedMultinomialNB } from "argmax/bayes";
import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { firstOf, MOST, MOST_CLASSES } from "./limits.js";
import { viewAs } from "./view.js";

/** The features that are more frequent in a class than in the others, by naive Bayes. */
export function words(model: object, { names }: About): Panel[] {
  const bayes = viewAs<FittedMultinomialNB>(model, "topFeatures");
  if (bayes === undefined) return [];
  const classes = bayes.topFeatures(MOST / 2, { featureNames: names });
  return classes.slice(0, MOST_CLASSES).map(({ label, features }, k) => ({
    kind: "bars",
    title: `Most informative for ${label}`,
    note: `The logarithm of how much more probable each is in this class than in the others together.${firstOf(k, classes.length)}`,
    bars: features.map(({ name, logRatio }) => ({ name, value: logRatio })),
  }));
}
