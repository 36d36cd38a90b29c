/** Pieces of SVG as text. */

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML has no place for, even escaped: files with one are not read at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text that may stand in an element or in an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"']/g, (character) => escapes[character]!);

/** A coordinate: two decimals of a pixel are enough, and files stay small. */
export const place = (value: number): string => String(Math.round(value * 100) / 100);

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element; numbers among its attributes are coordinates. `children` are SVG already. */
export function element(name: string, attributes: Attributes, children = ""): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === "number" ? place(value) : escaped(value)}"`],
  );
  return children === "" ? `<${name}${list.join("")}/>` : `<${name}${list.join("")}>${children}</${name}>`;
}

/** A line of text at a point. */
export const text = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
  element("text", { x, y, ...attributes }, escaped(content));

/** The text cut to a number of characters, the whole text as its tooltip. */
export function shortText(
  x: number,
  y: number,
  content: string,
  most: number,
  attributes: Attributes = {},
): string {
  const characters = [...content];
  if (characters.length <= most) return text(x, y, content, attributes);
  const cut = `${characters.slice(0, most - 1).join("")}…`;
  return element("text", { x, y, ...attributes }, `<title>${escaped(content)}</title>${escaped(cut)}`);
}

/** A line along `d`, such as `linePath` gives. */
export const path = (d: string, attributes: Attributes): string =>
  element("path", { d, fill: "none", ...attributes });
