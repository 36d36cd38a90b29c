import { type Argument, type Command, type CommandEntry, commonOptions, type Options } from "./command.js";
import { drawTable, wrap } from "./terminal/table.js";
import { noStyle } from "./terminal/terminal.js";

/** Text of the help is wrapped to the terminal, and to this on a wide one. */
const WIDEST = 100;

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`.trimEnd());

/** Two columns without a heading: what to write, and what it does. */
function list(rows: readonly (readonly [string, string])[], width: number): string[] {
  // spread: the options of a command.
  const first = Math.max(0, ...rows.map(([term]) => term.length));
  const room = Math.max(24, width - first - 4);
  const lines = rows.flatMap(([term, doc]) =>
    wrap(doc, room).map((line, index) => [index === 0 ? term : "", line] as const),
  );
  const columns = [
    { title: "", cell: (row: readonly [string, string]) => row[0] },
    { title: "", cell: (row: readonly [string, string]) => row[1] },
  ];
  return indent(drawTable(columns, lines, Number.POSITIVE_INFINITY, noStyle).slice(2));
}

function optionList(options: Options, width: number): string[] {
  return list(
    Object.entries(options).map(([name, { short, value, default: preset, doc }]) => [
      `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
      preset === undefined ? doc : `${doc} (default ${preset})`,
    ]),
    width,
  );
}

const usageOf = ({ name, optional, many }: Argument): string => {
  const word = many ? `${name}…` : name;
  return optional ? `[${word}]` : word;
};

export function commandHelp(
  program: string,
  { name, summary }: CommandEntry,
  command: Command,
  terminalWidth: number,
): string {
  const width = Math.min(WIDEST, terminalWidth);
  const { description = [], args = [], options, examples = [] } = command;
  const sections: string[][] = [wrap(summary, width)];
  sections.push([["Usage:", program, name, ...args.map(usageOf), "[options]"].join(" ")]);
  for (const paragraph of description) sections.push(wrap(paragraph, width));
  if (args.length > 0)
    sections.push([
      "Arguments:",
      ...list(
        args.map((argument) => [argument.name, argument.doc] as const),
        width,
      ),
    ]);
  sections.push(["Options:", ...optionList({ ...options, ...commonOptions }, width)]);
  if (examples.length > 0)
    sections.push([
      "Examples:",
      ...examples.flatMap(({ words, doc }) => indent([`# ${doc}`, `${program} ${words}`])),
    ]);
  return sections.map((lines) => lines.join("\n")).join("\n\n");
}

export function programHelp(
  program: string,
  commands: readonly CommandEntry[],
  usual?: readonly string[],
): string {
  return [
    "Machine learning from the command line: from a file to a model that is served.",
    "",
    `Usage: ${program} COMMAND [arguments] [options]`,
    "",
    "Commands:",
    ...list(
      commands.map(({ name, summary }) => [name, summary] as const),
      WIDEST,
    ),
    "",
    `${program} COMMAND --help shows what a command takes, with examples.`,
    ...(usual === undefined ? [] : [`Without a command, ${usual.join(" ")} runs.`]),
  ].join("\n");
}
