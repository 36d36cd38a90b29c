import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { baseline, knots } from "./baselines.js";
import { words } from "./bayes.js";
import { gradientRounds, rounds } from "./boosting.js";
import { clusters } from "./clusters.js";
import { curves } from "./curves.js";
import { components } from "./gaussians.js";
import { supportVectors } from "./kernels.js";
import { weights } from "./linear.js";
import { members } from "./members.js";
import { neighbours } from "./neighbours.js";
import { networkPanels } from "./networks.js";
import { forest, importances, stump, treePanel } from "./trees.js";

const makers: readonly ((model: object, about: About) => Panel[])[] = [
  weights,
  words,
  treePanel,
  stump,
  rounds,
  gradientRounds,
  forest,
  supportVectors,
  neighbours,
  importances,
  components,
  clusters,
  knots,
  baseline,
  curves,
  networkPanels,
];

/** What a model consists of that has no others inside. */
const single = (model: object, about: About): Panel[] => makers.flatMap((make) => make(model, about));

/** What a fitted model consists of, by family; members are opened one level deep. */
export function panelsOf(model: object, about: About): Panel[] {
  const inside = members(model, about, single);
  // A threshold has the scores of the model inside, which are shown once.
  const own = single(model, about).filter(({ title }) => !inside.some((panel) => panel.title === title));
  return [...own, ...inside];
}
