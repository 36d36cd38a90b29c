import { csvDatasetNames, datasetNames } from "argmax/datasets";
import { type CommandEntry, commonOptions, defineCommand, type Options, UsageError } from "../command.js";
import { learnerNames } from "../learners.js";
import { commands } from "./index.js";

const shells = ["bash", "zsh", "fish"] as const;

export const completion = defineCommand({
  description: [
    "The script is made from the same tables as the help and the parameters. For bash, put `source <(argmax completion bash)` into ~/.bashrc; for zsh the same with zsh into ~/.zshrc; for fish, write it to ~/.config/fish/completions/argmax.fish.",
  ],
  args: [{ name: "SHELL", doc: `one of ${shells.join(", ")}` }],
  options: {},
  examples: [
    { words: "completion bash", doc: "For bash" },
    { words: "completion fish", doc: "For fish" },
  ],
  async run({ args, terminal }) {
    const shell = shells.find((one) => one === args[0]);
    if (shell === undefined)
      throw new UsageError(`SHELL must be ${shells.join(", ")}; got ${JSON.stringify(args[0])}.`);
    const loaded = await Promise.all(
      commands.map(async (entry) => ({
        entry,
        options: { ...(await entry.load()).options, ...commonOptions },
      })),
    );
    const script = shell === "fish" ? fishScript(loaded) : bashScript(loaded, shell === "zsh");
    terminal.print(script);
    terminal.emit({ type: "completion", shell, script });
  },
});

interface Loaded {
  readonly entry: CommandEntry;
  readonly options: Options;
}

const words = (list: readonly string[]): string => list.join(" ");
const models = (): string => words(["list", ...learnerNames()]);
const datasets = (): string => words([...datasetNames, ...csvDatasetNames]);

/** zsh reads it through its bash compatibility. */
function bashScript(loaded: readonly Loaded[], isZsh: boolean): string {
  const cases = loaded.map(
    ({ entry, options }) =>
      `    ${entry.name}) options="${words(Object.keys(options).map((name) => `--${name}`))}" ;;`,
  );
  return `${isZsh ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_argmax() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words([...loaded.map(({ entry }) => entry.name), "--help", "--version"])}" -- "$word"))
    return
  fi
  case "$before" in
    --model | --models | -m) COMPREPLY=($(compgen -W "${models()}" -- "$word")); return ;;
    --task) COMPREPLY=($(compgen -W "classification regression" -- "$word")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -W "${datasets()}" -- "$word")) ;;
  esac
}
complete -o filenames -F _argmax argmax`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fishScript(loaded: readonly Loaded[]): string {
  const lines = loaded.flatMap(({ entry, options }) => [
    `complete -c argmax -n __fish_use_subcommand -a ${entry.name} -d ${quoted(entry.summary)}`,
    ...Object.entries(options).map(([name, { type, short, doc }]) => {
      const values =
        name === "model" || name === "models"
          ? ` -x -a ${quoted(models())}`
          : name === "task"
            ? " -x -a 'classification regression'"
            : type === "string"
              ? " -r"
              : "";
      const own = short === undefined ? "" : ` -s ${short}`;
      return `complete -c argmax -n '__fish_seen_subcommand_from ${entry.name}' -l ${name}${own}${values} -d ${quoted(doc)}`;
    }),
  ]);
  return [...lines, `complete -c argmax -n 'not __fish_use_subcommand' -a ${quoted(datasets())}`].join("\n");
}
