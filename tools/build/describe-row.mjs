/** How a row of a params table reads in hovers and reference pages. */

/** Numbers as people write them: 1e-4, not 0.0001. */
const showNumber = (value) => (value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential() : String(value));

const call = (name, args) => `${name}(${args})`;
const entries = (object) =>
  Object.entries(object)
    .map(([key, value]) => `${key}: ${showValue(value)}`)
    .join(", ");

/** A value as the code that makes it. Estimators and parts describe themselves through `toJSON`. */
export function showValue(value) {
  if (value === undefined) return "none";
  if (typeof value === "number") return showNumber(value);
  if (typeof value === "function") return value.name || "a function";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(", ")}]`;
  const json = value.toJSON?.() ?? value;
  if (typeof json === "string") return call(json, "");
  if (Array.isArray(json)) return showValue(json);
  const { estimator, optimizer, name, ...rest } = json;
  if (estimator !== undefined) return `new ${value}`;
  if (optimizer !== undefined) return call(`optimizers.${optimizer}`, `{ ${entries(rest)} }`);
  if (name !== undefined) return call(name, Object.values(rest).map(showValue).join(", "));
  return Object.keys(json).length === 0 ? "{}" : `{ ${entries(json)} }`;
}

/** The sentence's end, if it has none. */
const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** "Must be a number > 0.": nothing where the type shows it. */
export const showExpected = ({ kind, expected }) => (kind === "flag" ? "" : sentence(`Must be ${expected}`));

/** "Inverse regularisation strength. Default: 1. Must be a number > 0." */
export function describeRow(spec) {
  const fallback = spec.default === undefined ? "" : `Default: ${showValue(spec.default)}.`;
  return [sentence(spec.doc), fallback, showExpected(spec)].join(" ").replaceAll(/\s+/g, " ").trim();
}
