import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const CLASS = /^(?:export )?(?:abstract )?class (\w+)/gm;
const PROTECTED = /^ {2}protected (?:(?:abstract|override|static|async|get) )*\*?(\w+)/gm;

/** Names of the protected methods of every class of the library, as its source declares them. */
function protectedMethods(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(source, file), "utf8");
    const starts = [...text.matchAll(CLASS)];
    starts.forEach((start, i) => {
      const body = text.slice(start.index, starts[i + 1]?.index);
      const names = found.get(start[1]!) ?? new Set();
      for (const [, name] of body.matchAll(PROTECTED)) names.add(name!);
      found.set(start[1]!, names);
    });
  }
  return found;
}

const byClass = protectedMethods();

/** Whether TypeScript hides a method of an object: a class above or below it in the chain declares it protected. */
export function isProtected(object: object, name: string): boolean {
  for (
    let at = Object.getPrototypeOf(object);
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const owner = at.constructor.name as string;
    // What `mixed` makes has the methods of the bases in fitted/.
    const owners =
      owner === "Mixed"
        ? [...byClass.keys()].filter((one) => /^(?!Fitted)\w+(Classifier|Model)$/.test(one))
        : [owner];
    if (owners.some((one) => byClass.get(one)?.has(name))) return true;
  }
  return false;
}
