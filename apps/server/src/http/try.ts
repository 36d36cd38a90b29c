/** The script of the page: a form from the fields of a model, and its prediction. Runs in browsers. */

interface PageField {
  readonly name: string;
  readonly kind: "numeric" | "categorical" | "boolean" | "date" | "text" | "any";
  readonly nullable: boolean;
  readonly categories?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

interface Metadata {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly task: string;
  readonly target?: string;
  readonly input: { readonly fields: readonly PageField[] };
  readonly example: Readonly<Record<string, string | number | boolean | null>>;
}

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const [state, about, result, exchange] = ["state", "about", "result", "exchange"].map((id) => byId(id)) as [
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
];
const [picker, form, token] = [
  byId<HTMLSelectElement>("model"),
  byId<HTMLFormElement>("row"),
  byId<HTMLInputElement>("token"),
];

/** An element with text: nothing that a server or a user sends is read as HTML. */
function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

async function ask(path: string, body?: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  if (token.value !== "") headers["authorization"] = `Bearer ${token.value}`;
  const response = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body });
  if (response.status === 401) byId("token-row").hidden = false;
  return { status: response.status, text: await response.text() };
}

function input(field: PageField, example: string | number | boolean | null): HTMLElement {
  const { name, kind } = field;
  if (kind === "boolean") return element("input", { name, type: "checkbox", checked: example === true });
  if (kind === "categorical" && field.categories) {
    const options = field.categories.map((value) =>
      element("option", { value, selected: value === example }, value),
    );
    return element(
      "select",
      { name },
      ...(field.nullable ? [element("option", { value: "" }, "missing")] : []),
      ...options,
    );
  }
  if (kind === "text") return element("textarea", { name, rows: 4, value: String(example ?? "") });
  return element("input", {
    name,
    type: kind === "numeric" ? "number" : "text",
    step: "any",
    required: !field.nullable,
    value: String(example ?? ""),
  });
}

/** The row that the form holds; an empty entry is missing. */
function rowOf({ input: { fields } }: Metadata): Record<string, unknown> {
  const cells = fields.map((field): [string, unknown] => {
    const { name, kind } = field;
    const control = form.elements.namedItem(name) as HTMLInputElement;
    if (kind === "boolean") return [name, control.checked];
    const text = control.value;
    if (text === "" && field.nullable) return [name, null];
    const isNumber =
      kind === "numeric" || (kind === "any" && text.trim() !== "" && Number.isFinite(Number(text)));
    return [name, isNumber ? Number(text) : text];
  });
  return Object.fromEntries(cells);
}

function showPrediction(prediction: unknown): void {
  const { label, probabilities } = (prediction ?? {}) as {
    label?: unknown;
    probabilities?: Record<string, number>;
  };
  if (label === undefined) {
    result.replaceChildren(element("dt", {}, "Value"), element("dd", {}, JSON.stringify(prediction)));
    return;
  }
  const bars = Object.entries(probabilities ?? {}).flatMap(([name, p]) => [
    element("dt", {}, name),
    element("dd", {}, element("meter", { min: 0, max: 1, value: p })),
    element("dd", {}, p.toPrecision(3)),
  ]);
  result.replaceChildren(
    element("dt", {}, "Label"),
    element("dd", {}, String(label)),
    element("dd"),
    ...bars,
  );
}

async function predict(metadata: Metadata): Promise<void> {
  const path = `/v1/models/${metadata.name}/predict`;
  const body = JSON.stringify({ rows: [rowOf(metadata)] }, undefined, 2);
  const { status, text } = await ask(path, body);
  exchange.textContent = `POST ${path}\n${body}\n\n${status}\n${text}`;
  if (status === 200) {
    showPrediction((JSON.parse(text) as { predictions: unknown[] }).predictions[0]);
    return;
  }
  const { error, fields = [] } = JSON.parse(text) as {
    error: string;
    fields?: { field?: string; message: string }[];
  };
  const details = fields.map(({ field, message }) => element("dd", {}, `${field ?? ""} ${message}`));
  result.replaceChildren(element("dd", { className: "error" }, error), ...details);
}

async function choose(): Promise<void> {
  const { status, text } = await ask(`/v1/models/${picker.value}`);
  if (status !== 200) return;
  const metadata = JSON.parse(text) as Metadata;
  const {
    task,
    target,
    kind,
    version,
    input: { fields },
    example,
  } = metadata;
  about.textContent = `${task}${target === undefined ? "" : ` of ${target}`}, ${kind}, version ${version}`;
  const rows = fields.map((field) => {
    const range = field.min === undefined ? [] : [element("small", {}, `${field.min} to ${field.max}`)];
    const control = input(field, example[field.name] ?? null);
    return element(
      "label",
      { className: field.kind === "text" ? "wide" : "" },
      field.name,
      control,
      ...range,
    );
  });
  form.replaceChildren(...rows, element("button", { type: "submit" }, "Predict"));
  form.onsubmit = (event) => {
    event.preventDefault();
    void predict(metadata);
  };
  result.replaceChildren();
}

async function start(): Promise<void> {
  const { status, text } = await ask("/v1/models");
  if (status !== 200) {
    state.textContent = status === 401 ? "This server needs a token." : `The server answered ${status}.`;
    return;
  }
  const { models } = JSON.parse(text) as { models: { name: string }[] };
  state.textContent = models.length === 0 ? "No model is loaded." : "";
  picker.replaceChildren(...models.map(({ name }) => element("option", { value: name }, name)));
  if (models.length > 0) await choose();
}

picker.addEventListener("change", () => void choose());
token.addEventListener("change", () => void start());
void start();

export {};
