/** Methods whose answers are compared, where a model has them. */
const methods = [
  "predict",
  "predictProba",
  "decisionFunction",
  "scoreSamples",
  "transform",
  "predictWithCost",
];

/** A double as JSON that is read back to the same bits: NaN, the infinities and −0 are written as strings. */
const exactly = (value) => {
  const plain = typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0));
  return plain ? value : Object.is(value, -0) ? "-0" : String(value);
};

function plain(value) {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain);
  if (value === null || typeof value !== "object") return exactly(value);
  if (typeof value.toDense === "function") return plain(value.toDense());
  if ("data" in value) return { shape: [value.rows, value.cols], data: plain(value.data) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Everything that a model says about X, by method, as JSON from which every bit can be read. */
export function answersOf(model, x) {
  const asked = methods.filter((method) => typeof model[method] === "function");
  const answers = Object.fromEntries(asked.map((method) => [method, plain(model[method](x))]));
  return model.labels === undefined ? answers : { ...answers, labels: plain(model.labels) };
}

/** X as an answers file has it: rows of numbers, texts, or a table as CSV with the types of its columns. */
export function readRows(rows, parseCsv) {
  if (Array.isArray(rows)) return rows;
  return parseCsv(rows.csv, { types: rows.types }).head(rows.head);
}
