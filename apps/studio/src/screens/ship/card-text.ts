import type { ModelCard } from "argmax/persistence";
import { modelName } from "../../state/model-names.js";
import { count, short } from "../../ui/figures.js";
import type { Metric } from "../../work/measures/metrics.js";
import { decisionMetrics, probabilityMetrics, valueMetrics } from "../../work/measures/metrics.js";
import type { Held, ModelSpec, Roles, SpecValue, Split, Trained } from "../../work/protocol.js";
import { markdown as plain } from "../../work/ship/quoting.js";

interface CardParts {
  readonly tableName: string;
  readonly model: ModelSpec;
  readonly roles: Roles;
  readonly split: Split;
  readonly trained: Trained;
  readonly card: ModelCard;
}

/** More categories or inputs are counted, not listed. */
const LISTED = 12;
const MOST_INPUTS = 200;

/** A model card in Markdown: what it predicts, from what, how well, and what to beware of. */
export function cardText(parts: CardParts): string {
  const { tableName, model, roles, trained, card } = parts;
  const name = modelName(model.estimator);
  const params = Object.entries(model.params).map(
    ([key, value]) => `- ${plain(key)}: ${plain(valueText(value))}`,
  );
  const what =
    roles.target === null ? "Groups rows" : `Predicts **${plain(roles.target)}** (${trained.task})`;
  return [
    `# ${plain(name)} of ${plain(tableName)}`,
    "",
    `${what} from ${card.inputs.length === 1 ? "1 column" : `${card.inputs.length} columns`} of ${count(card.rows ?? 0)} rows.`,
    ...(trained.classes.length > 0 ? ["", `Classes: ${listed(trained.classes)}.`] : []),
    "",
    "## Inputs",
    "",
    "| Column | Kind | Values | Missing in training |",
    "| --- | --- | --- | --- |",
    ...card.inputs
      .slice(0, MOST_INPUTS)
      .map(
        (input) =>
          `| ${plain(input.name)} | ${input.kind} | ${valuesOf(input)} | ${input.missing ? "yes" : "no"} |`,
      ),
    ...(card.inputs.length > MOST_INPUTS ? ["", `And ${card.inputs.length - MOST_INPUTS} more.`] : []),
    "",
    "## Model",
    "",
    `- Estimator: ${plain(model.estimator)} of argmax`,
    ...(params.length > 0 ? params : ["- All parameters have their defaults."]),
    "- Missing entries, categories and scales are handled inside the model, learned from training rows only.",
    "",
    "## Quality",
    "",
    ...quality(parts),
    "",
    "## Warnings",
    "",
    ...warnings(parts).map((warning) => `- ${plain(warning)}`),
    "",
  ].join("\n");
}

/** Estimators as they are written in code: `SVC({ C: 2 })`. */
function valueText(value: SpecValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  const { estimator, params } = value as Partial<ModelSpec>;
  if (typeof estimator !== "string" || params === undefined) {
    const entries = Object.entries(value).map(([key, entry]) => `${key}: ${valueText(entry)}`);
    return `{ ${entries.join(", ")} }`;
  }
  return `${estimator}(${Object.keys(params).length === 0 ? "" : valueText(params)})`;
}

const listed = (names: readonly string[]): string =>
  names.length <= LISTED
    ? names.map(plain).join(", ")
    : `${names.slice(0, LISTED).map(plain).join(", ")} and ${names.length - LISTED} more`;

function valuesOf({ categories, min, max }: ModelCard["inputs"][number]): string {
  if (categories !== undefined) return listed(categories);
  return min === undefined || max === undefined ? "" : `${short(min)} to ${short(max)}`;
}

function quality({ trained, split }: CardParts): string[] {
  const { held, task, scores, metric } = trained;
  if (task === "clustering") return ["Clusters were not compared with anything."];
  if (held === null) return ["The training was stopped before the model was measured."];
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  return [
    `Measured on ${count(held.rows.length)} rows, each by a model that did not train on it (${splitText(split)}).`,
    "",
    "| Metric | Held out | 95 % interval |",
    "| --- | --- | --- |",
    ...metricsOf(held, trained).map(
      ({ name, value, interval }) =>
        `| ${plain(name)} | ${figure(value)} | ${interval ? `${figure(interval[0])} – ${figure(interval[1])}` : ""} |`,
    ),
    "",
    ...(scores.length > 1
      ? [`Mean ${metric} of the folds: ${figure(mean)} (${scores.map(figure).join(", ")}).`]
      : []),
  ];
}

const figure = (value: number): string => (Math.abs(value) < 100 ? value.toFixed(3) : short(value));

function metricsOf(held: Held, { task, classes }: Trained): Metric[] {
  if (task === "regression") return valueMetrics(held.truth, held.predicted);
  const K = classes.length;
  return [...decisionMetrics(held.truth, held.predicted, null), ...probabilityMetrics(held, K)];
}

const splitText = ({ kind, folds, seed }: Split): string =>
  kind === "time"
    ? `${folds} folds in order of time`
    : kind === "groups"
      ? `${folds} folds that keep groups together`
      : kind === "holdout"
        ? `one part in ${folds}, drawn with seed ${seed}`
        : `${folds} shuffled folds, seed ${seed}`;

/** A class with fewer rows than this has an unsure recall. */
const FEW_ROWS = 20;

function warnings({ trained, card }: CardParts): string[] {
  const { held, task, classes } = trained;
  const out = [...trained.warnings];
  if (task === "classification" && held !== null) {
    const counts = new Float64Array(classes.length);
    for (const c of held.truth) counts[c]!++;
    const rare = classes.filter((_, c) => counts[c]! < FEW_ROWS);
    if (rare.length > 0)
      out.push(
        `Fewer than ${FEW_ROWS} rows: ${rare.slice(0, LISTED).join(", ")}. Their figures are uncertain.`,
      );
    if (held.scores !== null && held.scale === "score")
      out.push("The model gives scores, not probabilities.");
  }
  if (card.inputs.some(({ missing }) => missing))
    out.push("Some columns had missing entries; these are filled in as the training rows suggest.");
  out.push("Rows unlike the training rows, beyond the ranges above, may get confident wrong answers.");
  out.push(`The figures were used to choose among models on the same rows: a fresh sample may score lower.`);
  return out;
}
