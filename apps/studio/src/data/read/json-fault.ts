const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[\s]*(?:([{}[\],:])|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Where text stops to be JSON, as an index; its length if something is missing at the end. Browsers name the place only sometimes. */
export function jsonFault(text: string): number {
  const open: string[] = [];
  // What may come: a value, a key, a colon, or what follows a value.
  let expects: "value" | "key" | "colon" | "more" = "value";
  // Directly after an opening bracket a closing one may come.
  let isFirst = false;
  const token = new RegExp(TOKEN.source, "y");
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    const start = at + /^\s*/.exec(text.slice(at, at + 1000))![0].length;
    if (found === null) return start;
    const mark = found[1];
    const closes = (mark === "]" && open.at(-1) === "[") || (mark === "}" && open.at(-1) === "{");
    if (closes && (expects === "more" || isFirst)) {
      open.pop();
      expects = "more";
      isFirst = false;
      continue;
    }
    isFirst = false;
    if (expects === "more" && mark === "," && open.length > 0) {
      expects = open.at(-1) === "{" ? "key" : "value";
    } else if (expects === "colon" && mark === ":") expects = "value";
    else if (expects === "key" && mark === undefined && text[start] === '"') expects = "colon";
    else if (expects === "value" && mark === undefined) expects = "more";
    else if (expects === "value" && (mark === "{" || mark === "[")) {
      open.push(mark);
      expects = mark === "{" ? "key" : "value";
      isFirst = true;
    } else return start;
  }
  return text.length;
}
