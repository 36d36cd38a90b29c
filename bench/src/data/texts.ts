import { execFileSync } from "node:child_process";
import { loadTexts } from "argmax/datasets";
import type { Generated } from "./generate.js";
import { Noise } from "./random.js";

/** Descriptions of all packages of one release of Debian, which changes only with its point releases. */
const address = "http://deb.debian.org/debian/dists/bookworm/main/i18n/Translation-en.xz";

/** Real documents up to the given number of megabytes, and whether each describes a library. */
export async function texts(megabytes: number): Promise<Generated> {
  const all = await fromDebian().catch(fromMails);
  const texts: string[] = [];
  const y: number[] = [];
  let bytes = 0;
  for (const { text, label } of all) {
    if (bytes >= megabytes * 1e6) break;
    bytes += Buffer.byteLength(text);
    texts.push(text);
    y.push(label);
  }
  return { rows: texts.length, cols: 0, classes: 2, y: Int32Array.from(y), texts };
}

interface Labelled {
  readonly text: string;
  readonly label: number;
}

async function fromDebian(): Promise<Labelled[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const input = new Uint8Array(await response.arrayBuffer());
  const listing = execFileSync("xz", ["-dc"], { input, maxBuffer: 1 << 28 }).toString("utf8");
  return listing.split("\n\n").flatMap((entry) => {
    const [, name, text] = /^Package: (\S+)[\s\S]*?\nDescription-en: ([\s\S]*)/.exec(entry) ?? [];
    if (name === undefined || text === undefined) return [];
    return [{ text: text.replaceAll(/\n \.?/g, "\n").trim(), label: name.startsWith("lib") ? 1 : 0 }];
  });
}

/** Without a net: documents of the lengths of the included mails, whose words are drawn from all of theirs. */
async function* mailsForever(): AsyncGenerator<Labelled> {
  const { texts, y } = await loadTexts("spam");
  const noise = new Noise(16);
  const pools = ["ham", "spam"].map((label) =>
    texts
      .filter((_, i) => y[i] === label)
      .join(" ")
      .split(/\s+/),
  );
  for (let i = 0; ; i = (i + 1) % texts.length) {
    const label = y[i] === "spam" ? 1 : 0;
    const pool = pools[label]!;
    const words = texts[i]!.split(/\s+/).map(() => pool[Math.floor(noise.uniform() * pool.length)]!);
    yield { text: words.join(" "), label };
  }
}

async function fromMails(): Promise<Labelled[]> {
  const documents: Labelled[] = [];
  let bytes = 0;
  for await (const document of mailsForever()) {
    documents.push(document);
    bytes += document.text.length;
    if (bytes > 64e6) break;
  }
  return documents;
}
