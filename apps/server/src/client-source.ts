import type { Field } from "./model/input-schema.js";
import type { ServedModel } from "./model/served-model.js";

/** More categories than this make a union that no editor can show. */
const MOST_IN_UNION = 100;

/**
 * A TypeScript client of a model as text, with the types of its rows and labels. It needs nothing but `fetch`.
 * `model` comes from `serveModel(name, version, bytes)`.
 */
export function clientSource(model: ServedModel): string {
  const { name, target, kind, schema } = model;
  const type = typeName(name);
  const about = target === undefined ? `the model ${name}` : `${target} by the model ${name}`;
  return `// A client of ${oneLine(about)} (${kind}), written by \`argmax client\`. It needs nothing but fetch.

/** What the model predicts from. */
export interface ${type}Row {
${schema.fields.map(fieldText).join("\n")}
}

${predictionText(model, type)}

export interface ${type}ClientOptions {
  /** The address of the server. */
  readonly url?: string;
  /** The token that the server requires, if it does. */
  readonly token?: string;
  /** A version of the model; the latest by default. */
  readonly version?: string;
  readonly signal?: AbortSignal;
}

/** An answer that is not a prediction. \`fields\` names what is wrong with the rows. */
export class ${type}Error extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: readonly { readonly row: number; readonly field?: string; readonly message: string }[] = [],
  ) {
    super(message);
  }
}

/** One prediction per row. */
export async function predict${type}(
  rows: readonly ${type}Row[],
  { url = "http://127.0.0.1:8080", token, version, signal }: ${type}ClientOptions = {},
): Promise<${type}Prediction[]> {
  const path = version === undefined ? "" : \`/versions/\${encodeURIComponent(version)}\`;
  const response = await fetch(\`\${url.replace(/\\/+$/, "")}/v1/models/${name}\${path}/predict\`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: \`Bearer \${token}\` }),
    },
    body: JSON.stringify({ rows }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = await response.json();
  if (!response.ok) throw new ${type}Error(response.status, answer.error, answer.fields);
  return answer.predictions;
}
`;
}

/** `credit-risk` as `CreditRisk`. */
function typeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Model${joined}`;
}

/** Text in a comment: nothing that ends it. */
const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, " ").replaceAll("*/", "* /");

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");

function fieldText({ name, kind, nullable, required, categories, min, max }: Field): string {
  const types: Readonly<Record<Field["kind"], string>> = {
    numeric: "number",
    boolean: "boolean",
    date: "string | number",
    text: "string",
    // Categories that the model has not seen are allowed: it treats them as rare ones.
    categorical:
      categories && categories.length > 0 && categories.length <= MOST_IN_UNION
        ? `${union(categories)} | (string & {})`
        : "string",
    any: "number | string | boolean",
  };
  const range =
    min !== undefined && max !== undefined ? `  /** From ${min} to ${max} in the training rows. */\n` : "";
  const optional = required ? "" : "?";
  return `${range}  readonly ${JSON.stringify(name)}${optional}: ${types[kind]}${nullable ? " | null" : ""};`;
}

function predictionText({ sample, classes, targetNames }: ServedModel, type: string): string {
  switch (sample?.kind) {
    case "labels": {
      const names = classes ?? [];
      const label = names.length > 0 && names.length <= 1000 ? union(names) : "string | number | boolean";
      const keys = names.map((name) => `    readonly ${JSON.stringify(String(name))}: number;`).join("\n");
      const probabilities =
        sample.probabilities === undefined ? "" : `\n  readonly probabilities: {\n${keys}\n  };`;
      return `export type ${type}Label = ${label};

export interface ${type}Prediction {
  readonly label: ${type}Label;${probabilities}
}`;
    }
    case "numbers":
      return `export type ${type}Prediction = number;`;
    case "rows": {
      if (targetNames === undefined) return `export type ${type}Prediction = readonly number[];`;
      const keys = targetNames.map((name) => `  readonly ${JSON.stringify(name)}: number;`).join("\n");
      return `export interface ${type}Prediction {\n${keys}\n}`;
    }
    default:
      return `export type ${type}Prediction = readonly (string | number | boolean)[];`;
  }
}
