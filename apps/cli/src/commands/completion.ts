import { csvDatasetNames, datasetNames } from "argmax/datasets";
import { type CommandEntry, commonOptions, defineCommand, type Options, UsageError } from "../command.js";
import { learnerNames, learnerSettings } from "../training/learners.js";
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
  return `${isZsh ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}${bashSettings()}
_argmax() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options="" model="" name="" i
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words([...loaded.map(({ entry }) => entry.name), "--help", "--version"])}" -- "$word"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -m | --model) model="\${COMP_WORDS[i+1]}" ;; esac
  done
  # An equals sign is a word of its own.
  if [ "$word" = "=" ]; then name="$before"; word=""; fi
  if [ "$before" = "=" ]; then name="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ -n "$name" ]; then
    _argmax_values "$model" "$name"
    COMPREPLY=($(compgen -W "$REPLY" -- "$word"))
    return
  fi
  case "$before" in
    --set | --range)
      _argmax_settings "$model"
      COMPREPLY=($(compgen -S = -W "$REPLY" -- "$word"))
      compopt -o nospace 2> /dev/null
      return ;;
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

/** What `--set` takes: names of parameters by model, and values by model and name. */
function bashSettings(): string {
  const settings = learnerSettings();
  const names = settings.map(
    ({ names, params }) => `    ${names.join(" | ")}) REPLY="${words([...params.keys()])}" ;;`,
  );
  const values = settings.flatMap(({ names, params }) =>
    [...params]
      .filter(([, choices]) => choices.length > 0)
      .map(
        ([name, choices]) =>
          `    ${names.map((one) => `${one}:${name}`).join(" | ")}) REPLY="${words(choices)}" ;;`,
      ),
  );
  return `_argmax_settings() {
  REPLY=""
  case "$1" in
${names.join("\n")}
  esac
}
_argmax_values() {
  REPLY=""
  case "$1:$2" in
${values.join("\n")}
  esac
}`;
}

/** The same for fish, which offers whole words. */
function fishSettings(): string {
  const cases = learnerSettings().map(({ names, params }) => {
    const offered = [...params].flatMap(([name, choices]) =>
      choices.length === 0 ? [`${name}=`] : choices.map((choice) => `${name}=${choice}`),
    );
    return `    case ${words(names)}\n      printf '%s\\n' ${words(offered.map(quoted))}`;
  });
  return `function __argmax_settings
  set -l given (commandline -opc)
  set -l model ''
  for i in (seq (count $given))
    if contains -- $given[$i] -m --model
      set model $given[(math $i + 1)]
    end
  end
  switch "$model"
${cases.join("\n")}
  end
end`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fishScript(loaded: readonly Loaded[]): string {
  const lines = loaded.flatMap(({ entry, options }) => [
    `complete -c argmax -n __fish_use_subcommand -a ${entry.name} -d ${quoted(entry.summary)}`,
    ...Object.entries(options).map(([name, { type, short, doc }]) => {
      const values =
        name === "model" || name === "models"
          ? ` -x -a ${quoted(models())}`
          : name === "set" || name === "range"
            ? " -x -a '(__argmax_settings)'"
            : name === "task"
              ? " -x -a 'classification regression'"
              : type === "string"
                ? " -r"
                : "";
      const own = short === undefined ? "" : ` -s ${short}`;
      return `complete -c argmax -n '__fish_seen_subcommand_from ${entry.name}' -l ${name}${own}${values} -d ${quoted(doc)}`;
    }),
  ]);
  return [
    fishSettings(),
    ...lines,
    `complete -c argmax -n 'not __fish_use_subcommand' -a ${quoted(datasets())}`,
  ].join("\n");
}
