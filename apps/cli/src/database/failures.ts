import { ArgmaxError } from "argmax";
import { Failure, UsageError } from "../command.js";

/** What a database says, as a sentence without credentials; errors of this program as they are. */
export function databaseFailure(label: string, source: string, error: unknown): unknown {
  if (error instanceof ArgmaxError || error instanceof Failure || error instanceof UsageError) return error;
  if (!(error instanceof Error) || !isOfDatabase(error)) return error;
  const { code = "", errors = [] } = error as Error & { code?: string; errors?: readonly Error[] };
  const [sentence = ""] = (error.message || errors[0]?.message || code || "the connection failed").split(
    "\n",
  );
  const why = withoutSecrets(sentenceOf(sentence), source);
  const advice = /^Out of Memory/i.test(error.message)
    ? " Allow more, as --memory 4000, or take fewer columns (--columns)."
    : "";
  return new Failure(`${label} cannot be read: ${why.replace(/\.$/, "")}.${advice}`);
}

/** What a database says, without the name of the class of the error. */
const sentenceOf = (message: string): string =>
  message
    .replace(/^(?:PostgreSQL|ClickHouse): /, "")
    .replace(/^[A-Z][\w ]* Error: /, "")
    .replace(/^Code: \d+.*?DB::Exception: /, "")
    .replace(/[.,]* e\.what\(\).*$/, "");

/** A lost connection, an answer of a server, or a statement that DuckDB refuses; not a bug of this program. */
function isOfDatabase(error: Error): boolean {
  const { name, message } = error;
  return (
    name === "TransientError" ||
    name === "ClickHouseError" ||
    "severity" in error ||
    "syscall" in error ||
    error instanceof AggregateError ||
    /^[A-Z][\w ]* Error: |^Code: \d/.test(message) ||
    /^(?:Connection terminated|timeout expired|SASL|password|The server does not support SSL)/i.test(message)
  );
}

function withoutSecrets(message: string, source: string): string {
  const [, password] = /:\/\/[^:/@]*:([^@/]*)@/.exec(source) ?? [];
  if (password === undefined || password === "") return message;
  const spellings = new Set([password, decoded(password)]);
  return [...spellings].reduce((text, word) => text.replaceAll(word, "***"), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
