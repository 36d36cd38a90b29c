import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A code block of a page that promises to work. */
export interface Block {
  /** The page, relative to the repository. */
  readonly page: string;
  /** Line of the block's first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  /** ```` ```ts types ```` is compiled but not run: it needs a browser, or shows what does not compile. */
  readonly runs: boolean;
  /** ```` ```ts data=adult ````: prints what it says for data that are not included. */
  readonly data: string | undefined;
  /** What `// → …` comments say the block prints, line by line. */
  readonly prints: readonly string[];
}

/** The pages whose TypeScript is held to. */
export function documentedPages(root: string): string[] {
  const guide = readdirSync(join(root, "docs/guide"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort();
  return ["README.md", "MAP.md", ...guide.map((name) => `docs/guide/${name}`)];
}

export function readBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(?:ts|typescript)\b(.*)$/.exec(lines[at]!);
    if (!fence) continue;
    const end = lines.indexOf("```", at);
    const code = lines.slice(at + 1, end);
    blocks.push({
      page,
      line: at + 2,
      code: code.join("\n"),
      runs: fence[1]!.trim() !== "types",
      data: /^ data=(\w+)$/.exec(fence[1]!)?.[1],
      prints: code.flatMap((line) => /\/\/ → (.*)$/.exec(line)?.[1] ?? []),
    });
    at = end;
  }
  return blocks;
}

export const allBlocks = (root: string): Block[] =>
  documentedPages(root).flatMap((page) => readBlocks(page, readFileSync(join(root, page), "utf8")));

/** A file name that says where the block comes from, e.g. `linear-41`. */
export const blockName = ({ page, line }: Block): string => `${basename(page, ".md")}-${line}`;

/** The block as a module whose line numbers are those of the page. */
export const blockModule = ({ line, code }: Block): string => `${"\n".repeat(line - 1)}${code}\nexport {};\n`;
