/**
 * Records a command of the built program in a terminal (tmux) and writes it as an animated SVG, in light or dark as the reader prefers:
 * `npm run build && node tools/docs/recording.mjs`. The text and the colours are what the program printed.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COLUMNS = 88;
const LINES = 30;
const COMMAND = "argmax compare titanic --target survived --drop boat,body";
const MILLISECONDS_PER_FRAME = 200;
const TYPING = 1600;
const LAST = 8000;
const LIMIT = 60_000;
const ESCAPE = "\u001b";
/** A change of style, if there is one, and the text that follows. */
const RUN = new RegExp(`(?:${ESCAPE}\\[([\\d;]*)m)?([^${ESCAPE}]*)`, "g");

const path = (file) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const folder = mkdtempSync(join(tmpdir(), "argmax-recording-"));
const session = `argmax-recording-${process.pid}`;
const tmux = (...words) => execFileSync("tmux", ["-L", session, ...words], { encoding: "utf8" });

const frames = await record();
writeFileSync(path("docs/compare.svg"), draw(frames));
console.log(`docs/compare.svg: ${frames.length} frames`);

/** The screens of the terminal, each with the time when it came. */
async function record() {
  writeFileSync(join(folder, "argmax"), `#!/bin/sh\nexec node ${path("apps/cli/dist/main.js")} "$@"\n`);
  chmodSync(join(folder, "argmax"), 0o755);
  const shell = `cd ${folder} && PATH=${folder}:$PATH PS1='$ ' TERM=xterm-256color exec sh`;
  tmux("-f", "/dev/null", "new-session", "-d", "-x", String(COLUMNS), "-y", String(LINES), shell);
  try {
    await sleep(500);
    tmux("send-keys", "-l", COMMAND);
    tmux("send-keys", "Enter");
    const started = Date.now();
    const found = [];
    for (;;) {
      const screen = tmux("capture-pane", "-e", "-p").replace(/\s+$/, "");
      if (screen !== found.at(-1)?.screen) found.push({ at: Date.now() - started, screen });
      if (screen.includes("Try next:") && /\$\s*$/.test(plain(screen))) return found;
      if (Date.now() - started > LIMIT) throw new Error(`no end after ${LIMIT / 1000} s:\n${screen}`);
      await sleep(MILLISECONDS_PER_FRAME);
    }
  } finally {
    tmux("kill-server");
    rmSync(folder, { recursive: true });
  }
}

/** Without escape sequences. */
function plain(text) {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g"), "");
}

/** Runs of one style in a line: `{ text, classes }`. */
function runsOf(line) {
  const runs = [];
  let classes = new Set();
  for (const [, codes, text] of line.matchAll(RUN)) {
    for (const code of codes === undefined ? [] : codes.split(";").map(Number)) {
      if (code === 0) classes = new Set();
      else if (code === 1) classes = new Set([...classes, "b"]);
      else if (code === 2) classes = new Set([...classes, "d"]);
      else if (code === 32) classes = new Set([...classes, "g"]);
      else if (code === 36) classes = new Set([...classes, "a"]);
      else if (code === 39) classes = new Set([...classes].filter((one) => one !== "g" && one !== "a"));
      else if (code === 22) classes = new Set([...classes].filter((one) => one !== "b" && one !== "d"));
    }
    if (text !== "") runs.push({ text, classes: [...classes].join(" ") });
  }
  return runs;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** One group per frame, shown in its time by a keyframe animation that repeats. */
function draw(found) {
  const [width, height, left, top] = [8.4, 18, 16, 46];
  const typed = { at: 0, screen: `$ ${COMMAND}` };
  const screens = [typed, ...found.map(({ at, screen }) => ({ at: at + TYPING, screen }))];
  const total = screens.at(-1).at + LAST;
  const groups = screens.map(({ screen }, index) => {
    const lines = screen.split("\n").map((line, row) => {
      let column = 0;
      const spans = runsOf(line).map(({ text, classes }) => {
        const x = (left + column * width).toFixed(1);
        column += [...text].length;
        if (text.trim() === "") return "";
        return `<tspan x="${x}"${classes ? ` class="${classes}"` : ""}>${escaped(text)}</tspan>`;
      });
      const content = spans.join("");
      return content === "" ? "" : `<text y="${top + row * height}">${content}</text>`;
    });
    return `<g class="f f${index}">${lines.join("")}</g>`;
  });
  const share = (ms) => ((100 * ms) / total).toFixed(3);
  const rules = screens.map(({ at }, index) => {
    const end = screens[index + 1]?.at ?? total;
    const before = index === 0 ? "" : `0%,${share(at - 0.01)}%{visibility:hidden}`;
    const after =
      index === screens.length - 1 ? "100%{visibility:visible}" : `${share(end)}%,100%{visibility:hidden}`;
    return `@keyframes k${index}{${before}${share(at)}%,${share(end - 0.01)}%{visibility:visible}${after}}.f${index}{animation:k${index} ${total}ms step-end infinite}`;
  });
  const [w, h] = [Math.ceil(COLUMNS * width + 2 * left), top + LINES * height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-labelledby="t">
<title id="t">${escaped(COMMAND)}: twelve models are trained on the passengers of the Titanic and ranked by accuracy</title>
<style>
:root{--back:#ffffff;--edge:#d0d7de;--text:#1f2328;--dim:#6e7781;--good:#1a7f37;--accent:#0b7285}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--edge:#30363d;--text:#e6edf3;--dim:#8b949e;--good:#3fb950;--accent:#39c5cf}}
.w{fill:var(--back);stroke:var(--edge)}.o{fill:var(--edge)}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.b{font-weight:700}.d{fill:var(--dim)}.g{fill:var(--good)}.a{fill:var(--accent)}
.f{visibility:hidden}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){.f{animation:none}.f${screens.length - 1}{visibility:visible}}
</style>
<rect class="w" x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="8"/>
<circle class="o" cx="20" cy="18" r="5"/><circle class="o" cx="38" cy="18" r="5"/><circle class="o" cx="56" cy="18" r="5"/>
${groups.join("\n")}
</svg>
`;
}
