/** Checks JSON against the keywords of JSON Schema that the server's OpenAPI document uses. Returns what is wrong, with its place. */

type Schema = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const knownKeywords = new Set([
  "$ref",
  "anyOf",
  "enum",
  "const",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "maxItems",
  "minimum",
  "description",
  "examples",
  "format",
  "default",
]);

export function schemaProblems(document: Schema, schema: Schema, value: unknown, at = "$"): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword));
  if (unknown.length > 0) throw new Error(`This check does not know ${unknown.join(", ")}.`);
  if (typeof schema["$ref"] === "string")
    return schemaProblems(document, resolve(document, schema["$ref"]), value, at);
  const anyOf = schema["anyOf"] as readonly Schema[] | undefined;
  if (anyOf?.every((one) => schemaProblems(document, one, value, at).length > 0))
    return [`${at} fits none of anyOf`];
  const problems: string[] = [];
  const {
    enum: values,
    const: only,
    type,
  } = schema as { enum?: unknown[]; const?: unknown; type?: string | string[] };
  if (values !== undefined && !values.includes(value)) problems.push(`${at} is not in enum`);
  if (only !== undefined && only !== value) problems.push(`${at} is not ${String(only)}`);
  if (type !== undefined) {
    const types = [type].flat();
    const own = typeOf(value);
    const fits = types.includes(own) || (types.includes("integer") && Number.isInteger(value));
    if (!fits) problems.push(`${at} is ${own}, not ${types.join(" or ")}`);
  }
  if (typeOf(value) === "array") problems.push(...itemProblems(document, schema, value as unknown[], at));
  if (typeOf(value) === "object") problems.push(...propertyProblems(document, schema, value as Schema, at));
  return problems;
}

function itemProblems(document: Schema, schema: Schema, value: readonly unknown[], at: string): string[] {
  const {
    items,
    minItems = 0,
    maxItems = Infinity,
  } = schema as { items?: Schema; minItems?: number; maxItems?: number };
  const length =
    value.length < minItems || value.length > maxItems ? [`${at} has ${value.length} items`] : [];
  return [
    ...length,
    ...value.flatMap((item, i) => (items ? schemaProblems(document, items, item, `${at}[${i}]`) : [])),
  ];
}

function propertyProblems(document: Schema, schema: Schema, value: Schema, at: string): string[] {
  const {
    properties = {},
    required = [],
    additionalProperties = true,
  } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
    additionalProperties?: boolean;
  };
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, entry]) => {
      if (Object.hasOwn(properties, name))
        return schemaProblems(document, properties[name]!, entry, `${at}.${name}`);
      return additionalProperties ? [] : [`${at}.${name} is unknown`];
    }),
  ];
}

function resolve(document: Schema, pointer: string): Schema {
  const path = pointer.slice(2).split("/");
  const found = path.reduce<unknown>((value, key) => (value as Schema)[key], document);
  if (found === undefined) throw new Error(`${pointer} is not in the document.`);
  return found as Schema;
}
