/** A JavaScript string literal. Line and paragraph separators end lines for some readers of code. */
export const literal = (text: string): string =>
  JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__";

/** A property of a type. */
export const typeKey = (name: string): string => (isIdentifier(name) ? name : literal(name));

/** A property of an object literal: `__proto__` in quotes would set the prototype. */
export const objectKey = (name: string): string =>
  name === "__proto__" ? `["__proto__"]` : isIdentifier(name) ? name : literal(name);

/** Access to a property. */
export const access = (object: string, name: string): string =>
  isIdentifier(name) ? `${object}.${name}` : `${object}[${literal(name)}]`;

/** Text in a comment: on one line, and without its end. */
export const comment = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /")
    .slice(0, 200);

/** One word of a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Text in a line of Markdown, in which nothing is marked up. */
export const markdown = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\\`*_{}[\]()#+!|<>~&$-]/g, "\\$&");

/** A file name of letters, digits, ".", "_" and "-", as servers of models take them. */
export function fileStem(...names: readonly string[]): string {
  const words = names.flatMap((name) =>
    name
      .replace(/\.(csv|tsv|parquet|json|txt|gz)$/i, "")
      .replace(/([a-z\d])([A-Z])/g, "$1-$2")
      .normalize("NFKD")
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ""),
  );
  return words.join("-").slice(0, 80).replace(/-+$/, "") || "model";
}
