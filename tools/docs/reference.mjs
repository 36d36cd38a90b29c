/**
 * Writes docs/reference/: every estimator with its objective (the comment of its class), what it takes and returns (its
 * capabilities) and its parameters (its params table); every function of metrics, inspection and plots with its options. `npm run reference`; a test fails while a page differs.
 * See docs/decisions/0018-reference-pages-are-committed.md.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { showValue } from "../build/describe-row.mjs";
import { functionSections } from "./function-pages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** One page per page of the guide: its title, and the folders of the estimators on it. */
const families = {
  linear: { title: "Linear models", folders: ["linear"] },
  isotonic: { title: "Isotonic regression", folders: ["isotonic"] },
  bayes: { title: "Naive Bayes", folders: ["bayes"] },
  discriminant: { title: "Discriminant analysis", folders: ["discriminant"] },
  neighbors: { title: "Nearest neighbours", folders: ["neighbors"] },
  clustering: { title: "Clustering", folders: ["clustering"] },
  mixtures: { title: "Mixtures", folders: ["mixture"] },
  decomposition: { title: "Decomposition", folders: ["decomposition"] },
  kernel: { title: "Kernel methods", folders: ["svm", "kernel-methods"] },
  trees: { title: "Trees and forests", folders: ["trees", "forests"] },
  ensembles: { title: "Bagging, AdaBoost, cascades", folders: ["bagging", "adaboost", "cascade"] },
  meta: { title: "Estimators made of others, and baselines", folders: ["meta", "dummy"] },
  boosting: { title: "Gradient boosting", folders: ["boosting"] },
  neural: { title: "Neural networks", folders: ["neural"] },
  preprocessing: { title: "Preprocessing", folders: ["preprocessing", "compose", "feature-selection"] },
  text: { title: "Text", folders: ["text"] },
  "pipelines-and-selection": { title: "Pipelines and searches", folders: ["pipeline", "selection"] },
};

/** Pages of functions: title, folder, and the page of the guide. */
const functionFamilies = {
  metrics: { title: "Metrics", folder: "metrics", guide: "metrics" },
  inspection: { title: "Inspection", folder: "inspection", guide: "inspection" },
  plots: { title: "Plots", folder: "plot", guide: "inspection" },
};

/** The comment and the folder of every exported class, by name. */
function readClasses() {
  const source = join(root, "library/src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
  const classes = new Map();
  for (const path of files) {
    const text = readFileSync(join(source, path), "utf8");
    for (const [, comment, name] of text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+)/g))
      classes.set(name, { comment, folder: path.split(sep)[0] });
  }
  return classes;
}

/** A comment as Markdown. Its formulas are the lines that are indented; they stay as they are. */
function commentAsMarkdown(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^ ?\*? ?/, "").trimEnd());
  const out = [];
  let inFormula = false;
  for (const line of lines) {
    const isFormula = line.startsWith("  ") || (inFormula && line === "");
    if (isFormula !== inFormula) {
      if (inFormula && out.at(-1) === "") out.pop();
      // spread: one line.
      out.push("```", ...(inFormula ? [""] : []));
      inFormula = isFormula;
    }
    out.push(line);
  }
  if (inFormula) out.push("```");
  const text = out.join("\n").trim();
  return text.replaceAll(/\n{3,}/g, "\n\n").replaceAll("Parity:", "**Parity:**");
}

/** "classification; dense or sparse rows; …" */
function describeCapabilities(known) {
  const x = known.input === "text" ? "documents" : known.sparse ? "dense or sparse rows" : "dense rows";
  return [
    known.task,
    x,
    known.missing && "missing values",
    known.categorical && "categorical columns",
    known.task === "classification" && (known.multiclass ? "two or more classes" : "two classes"),
    known.sampleWeight ? "sample weights" : "no sample weights",
    known.probabilities && "`predictProba`",
    known.decisionFunction && "`decisionFunction`",
    known.transforms && "`transform`",
    known.partialFit && "`partialFit`",
  ]
    .filter(Boolean)
    .join("; ");
}

/** Text in a cell of a table. */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
/** Code in a cell: a bar inside of it needs the backslash too. */
const code = (text) => `\`${cell(text)}\``;

function tableOf(rows, heading) {
  const lines = Object.entries(rows).map(
    ([name, spec]) =>
      `| \`${name}\` | ${spec.default === undefined ? "" : code(showValue(spec.default))} | ${cell(spec.expected)} | ${cell(spec.doc)} |`,
  );
  return [`| ${heading} | default | must be | meaning |`, "| --- | --- | --- | --- |", ...lines].join("\n");
}

/** Options that every `fit` has are in the guide. */
const common = ["sampleWeight", "signal", "onProgress"];

function section(estimator, { comment }) {
  const { id, table, capabilities, fitOptions = {} } = estimator;
  const own = Object.fromEntries(Object.entries(fitOptions).filter(([name]) => !common.includes(name)));
  return [
    `## ${id}`,
    commentAsMarkdown(comment),
    `*${describeCapabilities(capabilities)}*`,
    Object.keys(table).length > 0 && tableOf(table, "parameter"),
    Object.keys(own).length > 0 && tableOf(own, "option of `fit`"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Every page: its path in docs/reference/ and its text. */
export function referencePages(estimators) {
  const classes = readClasses();
  const pages = new Map();
  const folderOf = ({ id }) => classes.get(id).folder;
  for (const [page, { title, folders }] of Object.entries(families)) {
    const members = estimators
      .filter((estimator) => folders.includes(folderOf(estimator)))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const list = members.map(({ id }) => `[${id}](#${id.toLowerCase()})`).join(", ");
    const sections = members.map((estimator) => section(estimator, classes.get(estimator.id)));
    pages.set(`${page}.md`, pageOf(title, page, list, sections));
  }
  const functions = new Map();
  for (const [page, { title, folder, guide }] of Object.entries(functionFamilies)) {
    const found = functionSections(join(root, "library/src"), folder, commentAsMarkdown);
    const list = found.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(", ");
    functions.set(page, { title, names: found.map(({ name }) => name) });
    pages.set(
      `${page}.md`,
      pageOf(
        title,
        guide,
        list,
        found.map(({ text }) => text),
      ),
    );
  }
  const lost = estimators.filter((estimator) => {
    const folder = folderOf(estimator);
    return !Object.values(families).some(({ folders }) => folders.includes(folder));
  });
  if (lost.length > 0) throw new Error(`no page of the reference has ${lost.map(({ id }) => id).join(", ")}`);
  pages.set("index.md", indexPage(estimators, folderOf, functions));
  return pages;
}

function pageOf(title, guide, list, sections) {
  const head = `# ${title}: reference\n\nWritten from the source by \`npm run reference\`. Explanations and examples are in the [guide](../guide/${guide}.md).`;
  return `${[head, list, ...sections].join("\n\n")}\n`;
}

function indexPage(estimators, folderOf, functions) {
  const row = (page, title, names) =>
    `| [${title}](${page}.md) | ${names.map((name) => `[${name}](${page}.md#${name.toLowerCase()})`).join(", ")} |`;
  const rows = Object.entries(families).map(([page, { title, folders }]) => {
    const ids = estimators.filter((estimator) => folders.includes(folderOf(estimator))).map(({ id }) => id);
    return row(page, title, ids.sort());
  });
  const functionRows = [...functions].map(([page, { title, names }]) => row(page, title, names));
  const head =
    "# Reference\n\nEvery estimator: what it minimises, what it takes and returns, and its parameters; and every function of metrics, inspection and plots with its options. Editors show the same text.";
  const table = (second, lines) => `| family | ${second} |\n| --- | --- |\n${lines.join("\n")}`;
  return `${[head, table("estimators", rows), table("functions", functionRows)].join("\n\n")}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { estimatorClasses } = await import("../../library/dist/persistence/generated/estimators.js");
  const folder = join(root, "docs/reference");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of referencePages(estimatorClasses)) writeFileSync(join(folder, name), text);
}
