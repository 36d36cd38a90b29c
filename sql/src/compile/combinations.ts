import type {
  Calibration,
  ClassifierStructure,
  CombinationRule,
  CompositeScores,
  Label,
  Member,
  MemberOutput,
} from "argmax";
import {
  add,
  both,
  choose,
  compare,
  divide,
  type Expression,
  isNull,
  multiply,
  not,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";
import { type Cells, numbers } from "./cells.js";
import type { Compiler } from "./compiler.js";
import { curveAt } from "./curve.js";
import { logarithm, sigmoids } from "./functions.js";
import { normalized, pairOf, softmax, squashed } from "./links.js";
import { refuse } from "./refuse.js";

type Rule<K extends CombinationRule["kind"]> = Extract<CombinationRule, { kind: K }>;
type Combine<R> = (
  rule: R,
  scores: CompositeScores,
  columns: readonly Cells[],
  classes: readonly Label[],
  own: Compiler,
) => readonly Expression[];

const read = ({ columns }: Member, given: readonly Cells[]): readonly Cells[] =>
  columns ? Array.from(columns, (j) => given[j]!) : given;

const classesOf = ({ structure }: Member): readonly Label[] => (structure as ClassifierStructure).classes;

const valueBy = (member: Member, columns: readonly Cells[], own: Compiler): Expression =>
  shared(own.member(member, columns, "values", [])[0]!);

/** One number for the second of two classes. */
function marginOf(
  member: Member,
  columns: readonly Cells[],
  output: MemberOutput,
  own: Compiler,
): Expression {
  const made = own.member(member, columns, output, classesOf(member));
  if (made.length === 1) return made[0]!;
  return output === "scores" ? subtract(made[1]!, made[0]!) : made[1]!;
}

/** Answers of members as scores, by rule; `evaluate-members.ts` of the library says the same in numbers. */
const combinations: { readonly [K in CombinationRule["kind"]]: Combine<Rule<K>> } = {
  probabilities: ({ weights }, { members }, columns, classes, own) => {
    const total = weights.reduce((all, w) => all + w, 0);
    return votes(members, columns, classes, own, (m) => weights[m]! / total, false);
  },
  votes: ({ weights, divisor, difference }, { members }, columns, classes, own) => {
    const made = votes(members, columns, classes, own, (m) => weights[m]! / divisor, true);
    return difference ? [subtract(made[1]!, made[0]!)] : made;
  },
  mean: ({ weights }, { members }, columns, _, own) => {
    const total = weights.reduce((all, w) => all + w, 0);
    const terms = members.map((member, m) =>
      multiply(number(weights[m]! / total), valueBy(member, columns, own)),
    );
    return [sum(terms)];
  },
  median: ({ weights }, { members }, columns, _, own) => {
    const values = members.map((member) => valueBy(member, columns, own));
    const half = weights.reduce((all, w) => all + w, 0) / 2;
    // The first value, in ascending order, up to which the weights reach half of all.
    const upTo = (m: number) => sum(values.map((value, o) => weightUpTo(value, values[m]!, weights[o]!)));
    const reaches = values.map((_, m) => shared(upTo(m)));
    const isMedian = (m: number) =>
      both(
        compare(reaches[m]!, ">=", number(half)),
        ...values.flatMap((value, o) =>
          o === m
            ? []
            : [not(both(compare(reaches[o]!, ">=", number(half)), compare(value, "<", values[m]!)))],
        ),
      );
    return [choose(values.map((value, m) => ({ test: isMedian(m), value: value })))];
  },
  sum: ({ constant }, { members }, columns, _, own) => {
    const made = members.map((member) => own.answer(member.structure, read(member, columns)).scores!);
    return Array.from(constant, (start, k) => add(number(start), sum(made.map((scores) => scores[k]!))));
  },
  outputs: (_rule, { members }, columns, _, own) =>
    members.flatMap((member) => own.member(member, columns, "values", [])),
  chain: ({ order }, { members, outputs }, columns, _, own) => {
    const made = new Array<Expression>(outputs);
    const before: Cells[] = [];
    for (const t of order) {
      made[t] = valueBy(members[t]!, [...columns, ...before], own);
      before.push(numbers(made[t]));
    }
    return made;
  },
  positives: ({ outputs }, { members }, columns, _, own) =>
    members.map((member, m) => marginOf(member, columns, outputs[m]!, own)),
  shift: ({ positive, threshold }, { members }, columns, _, own) => {
    const z = shared(marginOf(members[0]!, columns, "scores", own));
    if (positive !== 1) return [add(number(threshold), z)];
    const shifted = shared(subtract(z, number(threshold)));
    // At the threshold itself the class is positive.
    return [when(compare(shifted, "=", number(0)), number(Number.MIN_VALUE), shifted)];
  },
  pairs: ({ outputs }, { members }, columns, { length: K }, own) => {
    const wins: Expression[][] = Array.from({ length: K }, () => []);
    const sums: Expression[][] = Array.from({ length: K }, () => []);
    let m = 0;
    for (let a = 0; a < K; a++)
      for (let b = a + 1; b < K; b++, m++) {
        const member = members[m]!;
        const score = shared(marginOf(member, columns, outputs[m]!, own));
        const [place] = own.member(member, columns, "labels", classesOf(member));
        const forSecond = shared(place!);
        wins[b]!.push(forSecond);
        wins[a]!.push(subtract(number(1), forSecond));
        sums[b]!.push(score);
        sums[a]!.push(subtract(number(0), score));
      }
    const all = wins.map((own, k) => add(sum(own), divide(squashed(shared(sum(sums[k]!))), number(3))));
    if (K > 2) return all;
    return [subtract(all[1]!, number(outputs[0] === "scores" ? 0 : 0.5))];
  },
  codes: ({ book, outputs }, { members }, columns, _, own) => {
    const f = members.map((member, b) => shared(marginOf(member, columns, outputs[b]!, own)));
    return Array.from({ length: book.rows }, (_, k) =>
      sum(
        f.map((e, b) => {
          const bit = book.data[k * book.cols + b]!;
          if (outputs[b] === "scores") return multiply(number(2 * bit - 1), e);
          return multiply(number(bit), subtract(e, number(0.5)));
        }),
      ),
    );
  },
  calibrated: ({ calibrations }, { members, outputs: K }, columns, _, own) => {
    const made = members.map((member, m) => {
      const { output } = calibrations[m]!;
      return calibrated(own.member(member, columns, output, classesOf(member)), calibrations[m]!);
    });
    return Array.from({ length: K }, (_, k) => divide(sum(made.map((p) => p[k]!)), number(members.length)));
  },
  cascade: ({ positive, thresholds, outputs }, { members }, columns, _, own) => {
    const passes = members.map((member, s) => {
      const z = shared(marginOf(member, columns, outputs[s]!, own));
      const score =
        positive === 1 ? z : outputs[s] === "scores" ? subtract(number(0), z) : subtract(number(1), z);
      return { score: shared(score), threshold: number(thresholds[s]!) };
    });
    const all = both(...passes.map(({ score, threshold }) => compare(score, ">=", threshold)));
    const gaps = passes.map(({ score }) => ({ test: isNull(score), value: { kind: "null" } as const }));
    return [
      choose(
        [...gaps, { test: all, value: number(positive === 1 ? 1 : -1) }],
        number(positive === 1 ? -1 : 1),
      ),
    ];
  },
};

export const combined = (
  scores: CompositeScores,
  columns: readonly Cells[],
  classes: readonly Label[],
  own: Compiler,
): readonly Expression[] =>
  (combinations[scores.rule.kind] as Combine<CombinationRule>)(scores.rule, scores, columns, classes, own);

const weightUpTo = (value: Expression, most: Expression, weight: number): Expression =>
  choose([
    { test: compare(value, "<=", most), value: number(weight) },
    { test: compare(value, ">", most), value: number(0) },
  ]);

/** Weighted probabilities of the members, or weights of the classes that they predict. */
function votes(
  members: readonly Member[],
  columns: readonly Cells[],
  classes: readonly Label[],
  own: Compiler,
  weightOf: (m: number) => number,
  byLabel: boolean,
): readonly Expression[] {
  const terms: Expression[][] = classes.map(() => []);
  for (const [m, member] of members.entries()) {
    const { probabilities, place } = own.answer(member.structure, read(member, columns));
    const asked = byLabel || !probabilities;
    const decided = asked ? shared(place!) : undefined;
    for (const [c, label] of classesOf(member).entries()) {
      const share = decided
        ? choose([
            { test: compare(decided, "=", number(c)), value: number(1) },
            { test: not(isNull(decided)), value: number(0) },
          ])
        : probabilities![c]!;
      terms[classes.indexOf(label)]!.push(multiply(number(weightOf(m)), share));
    }
  }
  return terms.map(sum);
}

/** Probabilities below this are read as this: the logarithm of 0 has no place among scores. */
const SMALLEST = 2 ** -52;

function calibrated(raw: readonly Expression[], { output, curve }: Calibration): readonly Expression[] {
  const isLog = curve.kind === "temperature" && output !== "scores";
  const given = raw.map((e) => {
    if (!isLog) return e;
    const p = shared(e);
    return logarithm(when(compare(p, "<", number(SMALLEST)), number(SMALLEST), p));
  });
  const [first, second] = given as [Expression, Expression];
  const f = given.length !== 2 ? given : [output === "scores" || isLog ? subtract(second, first) : second];
  if (curve.kind === "temperature") {
    const z = f.map((e) => multiply(number(curve.beta), e));
    if (z.length > 1) return softmax(z);
    const p = sigmoids(z[0]!);
    return [p.first, p.second];
  }
  const p = f.map((e, c) => {
    if (curve.kind === "curves") return curveAt(curve.curves[c]!, shared(e));
    const { data } = curve.sigmoids;
    return sigmoids(subtract(multiply(number(-data[2 * c]!), e), number(data[2 * c + 1]!))).second;
  });
  return p.length === 1 ? pairOf(p[0]!) : normalized(p);
}

/** What of a member's answer is asked for; labels as their places among the classes. */
export function memberExpressions(
  member: Member,
  columns: readonly Cells[],
  output: MemberOutput,
  classes: readonly Label[],
  own: Compiler,
): readonly Expression[] {
  const { values, margins, probabilities, place } = own.answer(member.structure, read(member, columns));
  const made = { values, scores: margins, probabilities }[output as "values"];
  if (output !== "labels") return made ?? refuse(`a member without ${output}`);
  const labels = classesOf(member);
  const decided = shared(place!);
  return [
    choose(
      labels.map((label, c) => ({
        test: compare(decided, "=", number(c)),
        value: number(classes.indexOf(label)),
      })),
    ),
  ];
}
