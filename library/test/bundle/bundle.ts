import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

export const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));
export const repository = fileURLToPath(new URL("../../../", import.meta.url));

export interface Bundle {
  readonly text: string;
  readonly gzip: number;
  /** The library's files whose code is in the bundle, relative to library/dist. */
  readonly files: readonly string[];
}

/** What a user's bundler makes of a piece of source that imports the built library. */
export async function bundleSource(source: string): Promise<Bundle> {
  const result = await build({
    stdin: { contents: source, resolveDir: fixtures, loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const text = result.outputFiles[0]!.text;
  return { text, gzip: gzipSync(text, { level: 9 }).length, files: usedFiles(result.metafile) };
}

function usedFiles(metafile: Metafile): string[] {
  const inputs = Object.values(metafile.outputs)[0]!.inputs;
  return Object.entries(inputs)
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.includes("library/dist/"))
    .map(([path]) => path.slice(path.indexOf("library/dist/") + "library/dist/".length))
    .sort();
}

/** Scripts for a page, by the path they are served under. */
export async function bundleSite(
  entries: Readonly<Record<string, string>>,
): Promise<Map<string, Uint8Array>> {
  const result = await build({
    entryPoints: entries,
    outdir: "/",
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  return new Map(result.outputFiles.map(({ path, contents }) => [path, contents]));
}
