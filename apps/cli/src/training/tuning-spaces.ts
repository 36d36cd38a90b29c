import { integers, logUniform, ParameterError, uniform } from "argmax";
import { UsageError } from "../command.js";
import { type LearnerClass, readValue } from "./learners.js";

export type Space = Record<string, readonly unknown[] | ReturnType<typeof uniform>>;

const distributions = { log: logUniform, uniform, integers } as const;

/** What is worth trying, as the estimator's class declares it. */
export function declaredSpace({ searchSpace }: LearnerClass): Space | undefined {
  if (searchSpace === undefined) return undefined;
  const space: Space = {};
  for (const [name, range] of Object.entries(searchSpace)) {
    if ("log" in range) space[name] = logUniform(...range.log);
    else if ("uniform" in range) space[name] = uniform(...range.uniform);
    else if ("integers" in range) space[name] = integers(...range.integers);
    else space[name] = range;
  }
  return space;
}

/** Ranges from words: `C=log:0.01:100`, `maxDepth=integers:2:12`, `kernel=rbf,linear`. */
export function readSpace(words: readonly string[] | undefined): Space | undefined {
  if (words === undefined) return undefined;
  const space: Space = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0)
      throw new UsageError(
        `--range must be NAME=log:FROM:TO, NAME=uniform:FROM:TO, NAME=integers:FROM:TO or NAME=A,B,C; got ${JSON.stringify(word)}.`,
      );
    try {
      space[word.slice(0, at)] = readRange(word.slice(at + 1));
    } catch (error) {
      throw error instanceof ParameterError ? new UsageError(`--range ${word}: ${error.message}`) : error;
    }
  }
  return space;
}

function readRange(text: string): Space[string] {
  const [kind, from, to, ...more] = text.split(":");
  if (Object.hasOwn(distributions, kind!) && more.length === 0 && from !== undefined && to !== undefined)
    return distributions[kind as keyof typeof distributions](Number(from), Number(to));
  const list = readValue(`[${text}]`);
  return Array.isArray(list) ? list : text.split(",").map((one) => readValue(one.trim()));
}
