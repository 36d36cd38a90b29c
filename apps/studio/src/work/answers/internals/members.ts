import type { BaggedMember, FittedBaggingClassifier } from "argmax/bagging";
import type { FittedMixedNB } from "argmax/bayes";
import type { FittedCascade } from "argmax/cascade";
import type {
  FittedOneVsRestClassifier,
  FittedRegressorOutput,
  FittedStackingClassifier,
  FittedThresholdClassifier,
  FittedTransformedTargetRegressor,
  FittedVotingClassifier,
} from "argmax/meta";
import type { FittedPipeline } from "argmax/pipeline";
import { type Calibration, type CombinationRule, structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import type { Transformer } from "../../unwrapped.js";
import { type About, behind } from "./about.js";
import { largest } from "./bars.js";
import { rowsOf } from "./gaussian-shapes.js";
import { lastLines, MOST, MOST_CLASSES } from "./limits.js";
import { scoresOf } from "./scores.js";
import { firstQuestion, importancesOf } from "./trees.js";
import { viewAs } from "./view.js";

type Open = (model: object, about: About) => Panel[];

/** A model inside another, and what is to be known of it. */
interface Member {
  readonly name: string;
  readonly model: object;
  readonly about: About;
}

/** What a model consists of that is made of others: its members, and what each of these has learned. */
export function members(model: object, about: About, open: Open): Panel[] {
  return [
    ...only(model, about, open),
    ...blocks(model, about, open),
    ...drawn(model, about),
    ...named(model, about, open),
    ...several(model, about, open),
    ...stages(model, about, open),
  ];
}

interface State {
  readonly kind: string;
  readonly parts?: readonly State[];
}

/** The id of its estimator; of steps, that of the last one. */
function kindOf(model: object): string {
  const { last } = lastStep(model);
  return (last as { toState(): State }).toState().kind;
}

/** The last of the steps of a member, and those before it. */
export function lastStep(model: object): { readonly last: object; readonly before: readonly Transformer[] } {
  const steps = viewAs<FittedPipeline>(model, "steps")?.steps;
  if (!Array.isArray(steps)) return { last: model, before: [] };
  return { last: steps.at(-1), before: steps.slice(0, -1) };
}

/** Members may have steps of their own: what the last one has learned, from what the others make. */
const openLast = (model: object, about: About, open: Open): Panel[] => {
  const { last, before } = lastStep(model);
  return open(last, behind(before, about));
};

/** The panels of members under their names; of many members, of the first ones. */
const opened = (list: readonly Member[], open: Open): Panel[] =>
  list
    .slice(0, MOST_CLASSES)
    .flatMap(({ name, model, about }) =>
      openLast(model, about, open).map((panel) => ({ ...panel, title: `${name}: ${panel.title}` })),
    );

/** Without tables of training rows: which ones the model has seen is not known. */
const withoutRows =
  (open: Open): Open =>
  (model, about) =>
    open(model, about).filter(
      (panel) => panel.kind !== "table" || (panel.about === undefined && !panel.ofRow),
    );

/** One model inside, of one target or of a transformed one, or before a threshold. */
function only(model: object, about: About, open: Open): Panel[] {
  const before = viewAs<FittedThresholdClassifier>(model, "model", "threshold", "positiveLabel");
  const inner =
    before?.model ??
    viewAs<FittedTransformedTargetRegressor>(model, "regressor")?.regressor ??
    viewAs<FittedRegressorOutput>(model, "estimator")?.estimator;
  if (typeof inner?.predict !== "function") return [];
  const within = openLast(inner, about, open);
  if (before === undefined) return within;
  const { threshold, positiveLabel, bestScore } = before;
  const reached =
    bestScore === undefined ? "" : ` It scores ${Number(bestScore.toPrecision(4))} on held-out rows.`;
  return [
    {
      kind: "table",
      title: "Threshold",
      note: `Rows whose score for ${positiveLabel} is at least ${Number(threshold.toPrecision(4))} get this answer.${reached}`,
      head: [],
      rows: [],
    },
    ...within,
  ];
}

/** Naive Bayes with another distribution per block of columns: its log-probabilities are summed. */
function blocks(model: object, about: About, open: Open): Panel[] {
  const mixed = ruleOf(model)?.kind === "sum" && viewAs<FittedMixedNB>(model, "blocks", "parts");
  if (!mixed) return [];
  const all = mixed.blocks.map(({ model: kind, columns }, b) => ({
    name: `${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    model: mixed.parts[b]!,
    about: { ...about, names: columns.map((j) => about.names[j]!) },
  }));
  // Two blocks of a kind are told apart by their numbers.
  const isTwice = new Set(all.map(({ name }) => name)).size < all.length;
  return opened(isTwice ? all.map((block, b) => ({ ...block, name: `${block.name} ${b + 1}` })) : all, open);
}

/** How the answers of members become one; undefined for other models. */
function ruleOf(model: object): CombinationRule | undefined {
  return scoresOf(model, "composite")?.rule;
}

/** Members of bagging so far, each fitted to rows that were drawn. */
function drawn(model: object, { names }: About): Panel[] {
  const all = viewAs<FittedBaggingClassifier>(model, "members")?.members;
  if (!Array.isArray(all) || all[0]?.features === undefined) return [];
  const bag: readonly BaggedMember<object>[] = all;
  const { shown, cut } = lastLines(bag);
  const lines = shown.map(({ at, value: { model, rows, features } }) => ({
    number: at + 1,
    rows: new Set(rows).size,
    columns: features.length,
    question: firstQuestion(
      model,
      Array.from(features, (j) => names[j]!),
    ),
  }));
  const hasQuestions = lines.some(({ question }) => question !== undefined);
  const table: Panel = {
    kind: "table",
    title: "Members",
    note: `${bag.length} × ${kindOf(bag[0]!.model)}, whose answers are averaged: how many rows and columns each has seen${hasQuestions ? ", and what it asks first" : ""}.${cut}`,
    head: ["Member", "Rows", "Columns", ...(hasQuestions ? ["First question"] : [])],
    rows: lines.map(({ number, rows, columns, question }) => [
      number,
      rows,
      columns,
      ...(hasQuestions ? [question ?? ""] : []),
    ]),
  };
  return [table, ...meanImportances(bag, names)];
}

function meanImportances(all: readonly BaggedMember<object>[], names: readonly string[]): Panel[] {
  const sums = new Float64Array(names.length);
  for (const { model, features } of all) {
    const own = importancesOf(model);
    if (own === undefined) return [];
    for (const [at, j] of features.entries()) sums[j]! += own[at]! / all.length;
  }
  return [
    {
      kind: "bars",
      title: "Importance of columns",
      note: "How much splits on each column reduce the impurity, on average over the members.",
      bars: largest(names.map((name, j) => ({ name, value: sums[j]! }))),
      areShares: true,
    },
  ];
}

/** Members by name that vote, or whose answers another model learns from. */
function named(model: object, about: About, open: Open): Panel[] {
  const list = viewAs<FittedVotingClassifier>(model, "members")?.members;
  if (list === undefined || Array.isArray(list)) return [];
  const all = Object.entries(list);
  const rule = ruleOf(model);
  const weights = rule !== undefined && "weights" in rule ? rule.weights : null;
  const final = viewAs<FittedStackingClassifier>(model, "finalModel")?.finalModel;
  const how =
    final !== undefined
      ? `Their answers are the columns from which a ${kindOf(final)} learns.`
      : rule?.kind === "votes"
        ? "Each votes with its weight."
        : "Their answers are averaged by their weights.";
  const table: Panel = {
    kind: "table",
    title: "Members",
    note: `${all.length} models. ${how}`,
    head: ["Member", "Model", ...(weights === null ? [] : ["Weight"])],
    rows: all.map(([name, member], m) => [
      name,
      kindOf(member),
      ...(weights === null ? [] : [Number(weights[m]!.toPrecision(4))]),
    ]),
  };
  const last = final && {
    name: "Final model",
    model: final,
    about: { ...about, ...stackedColumns(Object.keys(list), model, about) },
  };
  const members = all.map(([name, member]) => ({ name, model: member, about }));
  return [table, ...opened(last ? [last] : [], open), ...opened(members, open)];
}

/** The columns of the final model: a score per member and class, of two classes that of the second alone; then those passed through. */
function stackedColumns(
  members: readonly string[],
  model: object,
  { classes, names }: About,
): Pick<About, "names" | "row" | "scale"> {
  const structure = structureOf(model);
  const first = "steps" in structure ? structure.steps[0] : undefined;
  const stacked = first?.kind === "predictions" ? first : undefined;
  const scores = members.flatMap((name, m) =>
    classes.length > 2 && stacked?.outputs[m] !== "labels"
      ? classes.map((label) => `${name}: ${label}`)
      : [name],
  );
  return { names: stacked?.passthrough ? [...scores, ...names] : scores, row: undefined, scale: null };
}

/** One model per class, pair of classes, bit or fold. */
function several(model: object, about: About, open: Open): Panel[] {
  const rule = ruleOf(model);
  const all: readonly object[] = viewAs<FittedOneVsRestClassifier>(model, "estimators")?.estimators ?? [];
  if (all.length === 0) return [];
  switch (rule?.kind) {
    case "calibrated":
      return folds(all, rule, about, open);
    case "codes":
      return bits(all, rule, about, open);
    case "pairs":
      return pairs(all, about, open);
    default:
      return againstRest(all, about, open);
  }
}

/** What the members are, in a sentence, and how many are opened. */
const membersTable = (
  all: readonly object[],
  text: string,
  rows: Lines = [],
  head: readonly string[] = [],
): Panel => ({
  kind: "table",
  title: "Members",
  note: `${all.length} × ${kindOf(all[0]!)}${text}${all.length > MOST_CLASSES ? ` The first ${MOST_CLASSES} are opened below.` : ""}`,
  head,
  rows,
});

type Rule<K extends CombinationRule["kind"]> = Extract<CombinationRule, { readonly kind: K }>;

function folds(
  all: readonly object[],
  { calibrations }: Rule<"calibrated">,
  about: About,
  open: Open,
): Panel[] {
  const isOne = all.length === 1;
  const text = isOne
    ? ""
    : ", each fitted without one fold and calibrated on it; their probabilities are averaged";
  const name = isOne ? kindOf(all[0]!) : "First fold";
  return [
    membersTable(all, `${text}. Scores become probabilities by ${curveNames[calibrations[0]!.curve.kind]}.`),
    ...opened([{ name, model: all[0]!, about }], withoutRows(open)),
  ];
}

function bits(all: readonly object[], { book }: Rule<"codes">, about: About, open: Open): Panel[] {
  const { classes } = about;
  const names = Array.from({ length: book.cols }, (_, b) => `Bit ${b + 1}`);
  const cut = classes.length > MOST ? ` The codes of the first ${MOST} classes are listed.` : "";
  const lines = rowsOf(book).map((code, k) => [classes[k]!, ...code]);
  const text = `, one per bit; the class with the nearest code is the answer.${cut}`;
  const members = all.map((model, b) => ({
    name: names[b]!,
    model,
    about: { ...about, classes: ["0", "1"] },
  }));
  return [membersTable(all, text, lines.slice(0, MOST), ["", ...names]), ...opened(members, open)];
}

function pairs(all: readonly object[], about: About, open: Open): Panel[] {
  const { classes } = about;
  const found = classes.flatMap((a, k) => classes.slice(k + 1).map((b) => [a, b] as const));
  const members = all.map((member, m) => ofPair(member, found[m]!, about));
  return [
    membersTable(all, ", one per pair of classes; each votes for one of its two."),
    ...opened(members, open),
  ];
}

function againstRest(all: readonly object[], about: About, open: Open): Panel[] {
  const { classes } = about;
  const isTwo = all.length === 1;
  const text = isTwo
    ? " for two classes."
    : ", one per class against the rest; the largest score is the answer.";
  const members = all.map((model, k): Member => {
    if (isTwo) return { name: `${classes[1]} or ${classes[0]}`, model, about };
    const own = [`not ${classes[k]}`, classes[k]!];
    return { name: `${classes[k]} or not`, model, about: { ...about, classes: own } };
  });
  return [membersTable(all, text), ...opened(members, open)];
}

/** Of two classes, and their rows alone. */
function ofPair(model: object, pair: readonly [string, string], about: About): Member {
  const { rows, labels = [] } = about;
  const own = [...rows.keys()].filter((i) => pair.includes(String(labels[i])));
  return {
    name: `${pair[0]} or ${pair[1]}`,
    model,
    about: {
      ...about,
      classes: pair,
      rows: Int32Array.from(own, (i) => rows[i]!),
      labels: own.map((i) => labels[i]!),
    },
  };
}

type Lines = readonly (readonly (string | number)[])[];

const curveNames: Readonly<Record<Calibration["curve"]["kind"], string>> = {
  sigmoid: "a sigmoid curve",
  curves: "isotonic regression",
  temperature: "one temperature",
};

/** Stages of a cascade, the cheapest first. */
function stages(model: object, about: About, open: Open): Panel[] {
  const list = viewAs<FittedCascade>(model, "stages")?.stages;
  if (ruleOf(model)?.kind !== "cascade" || list === undefined) return [];
  const { names } = about;
  return [
    {
      kind: "table",
      title: "Stages",
      note: "A row whose score is below the threshold of a stage is answered there; others go on.",
      head: ["Stage", "Model", "Columns", "Cost", "Threshold"],
      rows: list.map(({ model, columns, cost, threshold }, s) => [
        s + 1,
        kindOf(model),
        columns.map((j) => names[j]!).join(", "),
        cost,
        Number(threshold.toPrecision(4)),
      ]),
    },
    ...opened(
      list.map(({ model, columns }, s) => ({
        name: `Stage ${s + 1}`,
        model,
        // The row has all columns.
        about: { ...about, names: columns.map((j) => names[j]!), row: undefined },
      })),
      withoutRows(open),
    ),
  ];
}
