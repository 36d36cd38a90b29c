import type { Panel } from "../../protocol.js";
import type { Transformer } from "../../unwrapped.js";
import { type About, behind } from "./about.js";
import { largest } from "./bars.js";
import { lastLines, MOST, MOST_CLASSES } from "./limits.js";
import { type Parts, part } from "./parts.js";
import { firstQuestion } from "./trees.js";

type Open = (model: Parts, about: About) => Panel[];

/** A model inside another, and what is to be known of it. */
interface Member {
  readonly name: string;
  readonly model: Parts;
  readonly about: About;
}

/** What a model consists of that is made of others: its members, and what each of these has learned. */
export function members(model: Parts, about: About, open: Open): Panel[] {
  return [
    ...only(model, about, open),
    ...blocks(model, about, open),
    ...drawn(model, about),
    ...named(model, about, open),
    ...several(model, about, open),
    ...stages(model, about, open),
  ];
}

interface KindState {
  readonly kind: string;
  readonly parts?: readonly KindState[];
}

/** The id of its estimator; of steps, that of the last one. */
function kindOf(model: Parts): string {
  let state = model.toState() as KindState;
  while (state.kind === "Pipeline") state = state.parts!.at(-1)!;
  return state.kind;
}

/** Members may have steps of their own: what the last one has learned, from what the others make. */
const openLast = (model: Parts, about: About, open: Open): Panel[] => {
  const steps = part(model, "steps");
  if (!Array.isArray(steps)) return open(model, about);
  return open(steps.at(-1) as Parts, behind(steps.slice(0, -1) as readonly Transformer[], about));
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
function only(model: Parts, about: About, open: Open): Panel[] {
  const inner = part(model, "estimator") ?? part(model, "regressor") ?? part(model, "model");
  if (typeof inner?.predict !== "function") return [];
  const { threshold, positiveLabel, bestScore } = model;
  const within = openLast(inner, about, open);
  if (threshold === undefined || positiveLabel === undefined) return within;
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

/** Naive Bayes with another distribution per block of columns. */
function blocks({ blocks: list, parts }: Parts, about: About, open: Open): Panel[] {
  if (list === undefined || parts === undefined) return [];
  const all = list.map(({ model: kind, columns }, b) => ({
    name: `${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    model: parts[b]!,
    about: { ...about, names: columns.map((j) => about.names[j]!) },
  }));
  // Two blocks of a kind are told apart by their numbers.
  const isTwice = new Set(all.map(({ name }) => name)).size < all.length;
  return opened(isTwice ? all.map((block, b) => ({ ...block, name: `${block.name} ${b + 1}` })) : all, open);
}

interface Drawn {
  readonly model: Parts;
  readonly rows: Int32Array;
  readonly features: Int32Array;
}

/** Members of bagging so far, each fitted to rows that were drawn. */
function drawn({ members: list }: Parts, { names }: About): Panel[] {
  if (!Array.isArray(list) || (list[0] as Partial<Drawn>)?.features === undefined) return [];
  const all = list as readonly Drawn[];
  const { shown, cut } = lastLines(all);
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
    note: `${all.length} × ${kindOf(all[0]!.model)}, whose answers are averaged: how many rows and columns each has seen${hasQuestions ? ", and what it asks first" : ""}.${cut}`,
    head: ["Member", "Rows", "Columns", ...(hasQuestions ? ["First question"] : [])],
    rows: lines.map(({ number, rows, columns, question }) => [
      number,
      rows,
      columns,
      ...(hasQuestions ? [question ?? ""] : []),
    ]),
  };
  return [table, ...meanImportances(all, names)];
}

function meanImportances(all: readonly Drawn[], names: readonly string[]): Panel[] {
  const sums = new Float64Array(names.length);
  for (const { model, features } of all) {
    const own = part(model, "featureImportances");
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

interface VotesState {
  readonly values: Readonly<Record<string, unknown>>;
  readonly tensors: { readonly weights?: { readonly data: Float64Array } };
}

/** Members by name that vote, or whose answers another model learns from. */
function named(model: Parts, about: About, open: Open): Panel[] {
  const list = part(model, "members");
  if (list === undefined || Array.isArray(list)) return [];
  const all = Object.entries(list as Readonly<Record<string, Parts>>);
  const { values, tensors } = model.toState() as VotesState;
  const weights = tensors.weights?.data;
  const final = part(model, "finalModel");
  const how =
    final !== undefined
      ? `Their answers are the columns from which a ${kindOf(final)} learns.`
      : values["voting"] === "hard"
        ? "Each votes with its weight."
        : "Their answers are averaged by their weights.";
  const table: Panel = {
    kind: "table",
    title: "Members",
    note: `${all.length} models. ${how}`,
    head: ["Member", "Model", ...(weights === undefined ? [] : ["Weight"])],
    rows: all.map(([name, member], m) => [
      name,
      kindOf(member),
      ...(weights === undefined ? [] : [Number(weights[m]!.toPrecision(4))]),
    ]),
  };
  const last =
    final === undefined
      ? []
      : [{ name: "Final model", model: final, about: { ...about, ...stackedColumns(all, model, about) } }];
  return [
    table,
    ...opened(last, open),
    ...opened(
      all.map(([name, member]) => ({ name, model: member, about })),
      open,
    ),
  ];
}

/** The columns of the final model: a score per member and class, of two classes that of the second alone; then those passed through. */
function stackedColumns(
  all: readonly (readonly [string, Parts])[],
  model: Parts,
  { classes, names }: About,
): Pick<About, "names" | "row" | "scale"> {
  const { values } = model.toState() as VotesState;
  const perClass = classes.length > 2 && values["stackMethod"] !== "predict";
  const scores = all.flatMap(([name]) => (perClass ? classes.map((label) => `${name}: ${label}`) : [name]));
  const isPassed = values["passthrough"] === true;
  return { names: isPassed ? [...scores, ...names] : scores, row: undefined, scale: null };
}

/** One model per class, pair of classes, bit or fold. */
function several(model: Parts, about: About, open: Open): Panel[] {
  const all = part(model, "estimators");
  if (all === undefined || all.length === 0) return [];
  const { classes } = about;
  const { codeBook, method } = model;
  const kind = kindOf(all[0]!);
  const note = (text: string, rows: Lines = [], head: readonly string[] = []): Panel => ({
    kind: "table",
    title: "Members",
    note: `${all.length} × ${kind}${text}${all.length > MOST_CLASSES ? ` The first ${MOST_CLASSES} are opened below.` : ""}`,
    head,
    rows,
  });
  const against = (name: string, member: Parts, pair: readonly string[]): Member => ({
    name,
    model: member,
    about: { ...about, classes: pair },
  });
  if (method !== undefined) {
    const folds =
      all.length === 1
        ? ""
        : ", each fitted without one fold and calibrated on it; their probabilities are averaged";
    return [
      note(`${folds}. Scores become probabilities by ${calibrations[method] ?? method}.`),
      ...opened([{ name: all.length === 1 ? kind : "First fold", model: all[0]!, about }], withoutRows(open)),
    ];
  }
  if (codeBook !== undefined) {
    const bits = Array.from({ length: codeBook.cols }, (_, b) => `Bit ${b + 1}`);
    const cut = classes.length > MOST ? ` The codes of the first ${MOST} classes are listed.` : "";
    const lines = classes.map((name, k) => [
      name,
      ...codeBook.data.subarray(k * codeBook.cols, (k + 1) * codeBook.cols),
    ]);
    return [
      note(`, one per bit; the class with the nearest code is the answer.${cut}`, lines.slice(0, MOST), [
        "",
        ...bits,
      ]),
      ...opened(
        all.map((member, b) => against(bits[b]!, member, ["0", "1"])),
        open,
      ),
    ];
  }
  if (kindOf(model) === "OneVsOneClassifier") {
    const pairs = classes.flatMap((a, k) => classes.slice(k + 1).map((b) => [a, b] as const));
    return [
      note(", one per pair of classes; each votes for one of its two."),
      ...opened(
        all.map((member, m) => ofPair(member, pairs[m]!, about)),
        open,
      ),
    ];
  }
  const isTwo = all.length === 1;
  return [
    note(isTwo ? " for two classes." : ", one per class against the rest; the largest score is the answer."),
    ...opened(
      all.map((member, k) =>
        isTwo
          ? against(`${classes[1]} or ${classes[0]}`, member, classes)
          : against(`${classes[k]} or not`, member, [`not ${classes[k]}`, classes[k]!]),
      ),
      open,
    ),
  ];
}

/** Of two classes, and their rows alone. */
function ofPair(model: Parts, pair: readonly [string, string], about: About): Member {
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

const calibrations: Readonly<Record<string, string>> = {
  sigmoid: "a sigmoid curve",
  isotonic: "isotonic regression",
  temperature: "one temperature",
};

/** Stages of a cascade, the cheapest first. */
function stages({ stages: list }: Parts, about: About, open: Open): Panel[] {
  if (list === undefined) return [];
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
