import type { Command, Options } from "./command.js";
import { drawTable } from "./table.js";
import { noStyle } from "./terminal.js";

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`.trimEnd());

/** Two columns without a heading: what to write, and what it does. */
function list(rows: readonly (readonly [string, string])[]): string[] {
  const columns = [
    { title: "", cell: (row: readonly [string, string]) => row[0] },
    { title: "", cell: (row: readonly [string, string]) => row[1] },
  ];
  return indent(drawTable(columns, rows, Number.POSITIVE_INFINITY, noStyle).slice(2));
}

function optionList(options: Options): string[] {
  return list(
    Object.entries(options).map(([name, { short, value, default: preset, doc }]) => [
      `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
      preset === undefined ? doc : `${doc} (default ${preset})`,
    ]),
  );
}

export function commandHelp(program: string, command: Command, isDefault: boolean): string {
  const name = isDefault ? `[${command.name}]` : command.name;
  return [
    command.summary,
    "",
    `Usage: ${program} ${name} [options]`,
    "",
    "Options:",
    ...optionList(command.options),
  ].join("\n");
}

export function programHelp(program: string, commands: readonly Command[]): string {
  const first = commands[0]!;
  const others = commands.slice(1);
  const rest =
    others.length === 0
      ? []
      : [
          "",
          "Commands:",
          ...list(commands.map(({ name, summary }) => [name, summary] as const)),
          "",
          `${program} <command> --help shows the options of a command.`,
        ];
  return [commandHelp(program, first, true), ...rest].join("\n");
}
