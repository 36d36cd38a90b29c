import type { ClassLink, Decision, MarginRule, Scores } from "argmax";
import {
  add,
  choose,
  clipped,
  compare,
  divide,
  type Expression,
  isNull,
  largestOf,
  multiply,
  not,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";
import { decay, sigmoids } from "./functions.js";
import { refuse } from "./refuse.js";

export function softmax(given: readonly Expression[]): Expression[] {
  const z = given.map(shared);
  const top = largestOf(z);
  const e = z.map((one) => shared(decay(subtract(one, top))));
  const total = shared(sum(e));
  return e.map((one) => divide(one, total));
}

/** Non-negative numbers divided by their sum; equal ones if all are 0. */
export function normalized(given: readonly Expression[]): Expression[] {
  const p = given.map(shared);
  const total = shared(sum(p));
  return p.map((one) => when(compare(total, "=", number(0)), number(1 / p.length), divide(one, total)));
}

/** 1 − p and p. */
export const pairOf = (given: Expression): Expression[] => {
  const p = shared(given);
  return [subtract(number(1), p), p];
};

/** Probabilities of all classes. */
export function probabilitiesOf(
  link: ClassLink,
  scores: readonly Expression[],
  scoresOf: (scores: Scores) => readonly Expression[],
): readonly Expression[] {
  switch (link.kind) {
    case "identity":
      return scores;
    case "separate":
      return probabilitiesOf(link.link, scoresOf(link.scores).map(shared), scoresOf);
    case "sigmoid":
    case "softmax":
      return posteriors(scores, link.factor);
    case "oneVsRest":
      return normalized(scores.map((z) => sigmoids(multiply(number(link.factor), z)).second));
    case "clip": {
      const inside = scores.map((z) => divide(add(clipped(z, -1, 1), number(1)), number(2)));
      return inside.length === 1 ? pairOf(inside[0]!) : normalized(inside);
    }
    case "normalize":
      return scores.length === 1 ? pairOf(scores[0]!) : normalized(scores);
    case "platt": {
      if (link.pairs) return refuse("probabilities that are coupled from pairs of classes");
      const { data } = link.sigmoids;
      const logOdds = scores.map((f, e) =>
        subtract(multiply(number(-data[2 * e]!), f), number(data[2 * e + 1]!)),
      );
      if (logOdds.length === 1) return posteriors(logOdds, 1);
      return normalized(logOdds.map((z) => sigmoids(z).second));
    }
  }
}

function posteriors(scores: readonly Expression[], factor: number): Expression[] {
  const z = scores.map((one) => multiply(number(factor), one));
  if (z.length > 1) return softmax(z);
  const { first, second } = sigmoids(z[0]!);
  return [first, second];
}

/** The place of the largest, the first of equal ones; NULL if one is. */
export function placeOfLargest(given: readonly Expression[]): Expression {
  const z = given.map(shared);
  const top = largestOf(z);
  return choose(z.map((one, k) => ({ test: compare(one, ">=", top), value: number(k) })));
}

/** 1 where z > 0, else 0. */
const placeBySign = (z: Expression): Expression =>
  choose([
    { test: compare(z, ">", number(0)), value: number(1) },
    { test: not(isNull(z)), value: number(0) },
  ]);

export function decidedPlace(
  decision: Decision,
  scores: readonly Expression[],
  p: readonly Expression[] | undefined,
  classes: number,
): Expression {
  switch (decision.kind) {
    case "scores":
      return scores.length === 1 ? placeBySign(scores[0]!) : placeOfLargest(scores);
    case "probabilities":
      return p!.length === 1 ? placeBySign(p![0]!) : placeOfLargest(p!);
    case "threshold": {
      const own = p![decision.positive]!;
      const { positive, threshold } = decision;
      return choose([
        { test: compare(own, ">=", number(threshold)), value: number(positive) },
        { test: not(isNull(own)), value: number(1 - positive) },
      ]);
    }
    case "pairs": {
      const ranks = pairRanks(scores, classes, decision.breakTies);
      const order = decision.order ?? Array.from({ length: classes }, (_, k) => k);
      const top = largestOf(ranks);
      return choose(order.map((k) => ({ test: compare(ranks[k]!, ">=", top), value: number(k) })));
    }
  }
}

export function marginsOf(
  rule: NonNullable<MarginRule>,
  scores: readonly Expression[],
  classes: number,
): readonly Expression[] {
  if (rule === "scores") return scores;
  if (rule === "difference") return [subtract(scores[1]!, scores[0]!)];
  return pairRanks(scores, classes, true);
}

/** Votes of pairs per class; `breakTies` adds the sums of the scores, squashed to less than 1/3. */
function pairRanks(z: readonly Expression[], classes: number, breakTies: boolean): Expression[] {
  const votes: Expression[][] = Array.from({ length: classes }, () => []);
  const sums: Expression[][] = Array.from({ length: classes }, () => []);
  let at = 0;
  for (let a = 0; a < classes; a++)
    for (let b = a + 1; b < classes; b++, at++) {
      const forFirst = shared(placeBySign(z[at]!));
      votes[a]!.push(forFirst);
      votes[b]!.push(subtract(number(1), forFirst));
      sums[a]!.push(z[at]!);
      sums[b]!.push(subtract(number(0), z[at]!));
    }
  return votes.map((own, k) => {
    const count = sum(own);
    return shared(breakTies ? add(count, divide(squashed(shared(sum(sums[k]!))), number(3))) : count);
  });
}

/** s / (1 + |s|). */
export const squashed = (s: Expression): Expression =>
  divide(s, add(number(1), { kind: "call", name: "abs", args: [s] }));
