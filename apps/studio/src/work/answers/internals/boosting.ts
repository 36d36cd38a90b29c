import type { FittedAdaBoostClassifier } from "argmax/adaboost";
import type { FittedHist } from "argmax/boosting";
import { structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { lastLines, MOST_COLUMNS } from "./limits.js";
import { scoresOf } from "./scores.js";
import { firstQuestion, questionOf, sidesOf, stumpOf } from "./trees.js";
import { viewAs } from "./view.js";

const digits = (value: number): number => Number(value.toPrecision(3));

/** Rounds of AdaBoost so far: stumps, or the first splits of trees. */
export function rounds(model: object, { names }: About): Panel[] {
  const boosted = viewAs<FittedAdaBoostClassifier>(model, "members", "estimatorWeights", "estimatorErrors");
  if (boosted === undefined) return [];
  const { members, estimatorWeights, estimatorErrors: errors } = boosted;
  const isClass = structureOf(model).kind === "classifier";
  const votes = isClass ? boosted.alphas : estimatorWeights;
  const { shown, cut } = lastLines(members);
  const lines = shown.map(({ at, value: member }) => ({
    round: at + 1,
    question: firstQuestion(member, names) ?? "",
    sides: sidesIn(member),
    numbers: [digits(votes[at]!), digits(errors[at]!)],
  }));
  const hasSides = lines.some(({ sides }) => sides !== undefined);
  const what = isClass
    ? `the rule of each${hasSides ? " and what it answers" : ""}, its vote α and its weighted error`
    : "what each tree asks first, its weight in the median and its weighted loss";
  return [
    {
      kind: "table",
      title: "Rounds",
      note: `${members.length} ${members.length === 1 ? "round" : "rounds"}: ${what}.${cut}`,
      head: [
        "Round",
        "First question",
        ...(hasSides ? ["Yes", "No"] : []),
        isClass ? "α" : "Weight",
        isClass ? "Error" : "Loss",
      ],
      rows: lines.map(({ round, question, sides, numbers }) => [
        round,
        question,
        ...(hasSides ? (sides ?? ["", ""]) : []),
        ...numbers,
      ]),
    },
  ];
}

function sidesIn(member: object): readonly [string, string] | undefined {
  const stump = stumpOf(member);
  return stump && sidesOf(stump, stump.classes.map(String));
}

/** Rounds of gradient boosting so far: the first question of the tree of every score. */
export function gradientRounds(model: object, { classes, names }: About): Panel[] {
  const boosted = scoresOf(model, "trees") && viewAs<FittedHist>(model, "nIter", "baseline", "tree");
  if (boosted === undefined) return [];
  const { nIter, baseline } = boosted;
  const scores = Math.min(baseline.length, MOST_COLUMNS);
  const { shown, cut } = lastLines(Array.from({ length: nIter }, (_, round) => round));
  const ask = (round: number, k: number): string => {
    const [root] = boosted.tree(round, k);
    return root?.feature === undefined
      ? "none: a single leaf"
      : questionOf({ ...root, feature: root.feature }, names);
  };
  const which = baseline.length === 1 ? "the tree" : "the tree of each class";
  const few =
    baseline.length > scores ? ` The first ${scores} of ${baseline.length} classes are listed.` : "";
  return [
    {
      kind: "table",
      title: "Rounds",
      note: `${nIter} ${nIter === 1 ? "round" : "rounds"}: what ${which} asks first.${cut}${few}`,
      head: ["Round", ...(scores === 1 ? ["First question"] : classes.slice(0, scores))],
      rows: shown.map(({ value: round }) => [
        round + 1,
        ...Array.from({ length: scores }, (_, k) => ask(round, k)),
      ]),
    },
  ];
}
