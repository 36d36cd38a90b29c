import { shorten } from "../charts/look.js";

/** A part of a page: a title, a sentence that says how to read it, and HTML. */
export interface PageBlock {
  readonly title: string;
  readonly text: string;
  readonly html: string;
  /** Tables take the whole width; figures stand side by side. */
  readonly wide?: boolean;
}

export interface Page {
  readonly title: string;
  readonly lead: string;
  readonly remarks: readonly string[];
  readonly blocks: readonly PageBlock[];
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that may stand in an element or in an attribute. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => escapes[one]!);

// The colours of the plots of argmax/plot.
const css = `
:root{color-scheme:light dark;--ink:#1b1e23;--muted:#5c636e;--line:#e4e6ea;--paper:#ffffff;--back:#f5f6f8;--c0:#0072b2;--c1:#d55e00}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaee;--muted:#a4abb6;--line:#343a43;--paper:#14171c;--back:#0b0d10;--c0:#56a8e0;--c1:#f28e52}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:0 0 2px;overflow-wrap:anywhere}
p{margin:0 0 12px;color:var(--muted)}
.lead{overflow-wrap:anywhere;margin-bottom:20px}
.remarks{margin:0 0 20px;padding:10px 16px 10px 34px;border-left:3px solid var(--c1);background:var(--paper);border-radius:4px;overflow-wrap:anywhere}
.blocks{display:flex;flex-wrap:wrap;gap:20px}
section{flex:1 1 min(100%,440px);background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:18px 20px;min-width:0}
section.wide{flex-basis:100%}
section p{font-size:.9rem}
.scroll{overflow-x:auto}
svg{display:block;max-width:100%;height:auto;margin:0 auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px 6px 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:baseline}
th{color:var(--muted);font-weight:500;font-size:.85rem}
tr:last-child td{border-bottom:0}
td.number,th.number{text-align:right;white-space:nowrap}
.note{padding-left:16px}
td.note{color:var(--muted);font-size:.9rem}
td.name{overflow-wrap:break-word;max-width:18em}
td.strong{font-weight:600}
pre{overflow-x:auto;margin:0;font:13px/1.45 ui-monospace,monospace}
footer{margin-top:24px;color:var(--muted);font-size:.85rem}
@media(max-width:560px){main{padding:20px 12px 40px}section{padding:14px}table{font-size:.8rem}th{font-size:.75rem}th,td{padding-right:6px}.number+.note{display:none}}
@media print{body{background:none}section{break-inside:avoid}}
`.trim();

/** One file of HTML: no scripts, nothing from elsewhere, light or dark as the reader prefers. */
export function renderPage({ title, lead, remarks, blocks }: Page): string {
  const notes =
    remarks.length === 0
      ? ""
      : `<ul class="remarks">${remarks.map((one) => `<li>${escaped(one)}</li>`).join("")}</ul>\n`;
  const sections = blocks.map(
    ({ title, text, html, wide }) =>
      `<section${wide ? ' class="wide"' : ""}>\n<h2>${escaped(title)}</h2>\n${text === "" ? "" : `<p>${escaped(text)}</p>\n`}<div class="scroll">${html}</div>\n</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="lead">${escaped(lead)}</p>
${notes}<div class="blocks">
${sections.join("\n")}
</div>
<footer>Written by Argmax.</footer>
</main>
</body>
</html>
`;
}

/**
 * A figure of argmax/plot without the room of its title, which the page has as a heading.
 */
export const withoutTitle = (svg: string): string =>
  svg.replace(/viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"/, (_, width: string, height: string) => {
    const rest = Number(height) - TITLE;
    return `viewBox="0 ${TITLE} ${width} ${rest}" width="${width}" height="${rest}"`;
  });

/** Pixels above the first mark of a figure with an empty title. */
const TITLE = 24;

/** Characters of a name in the legend of a figure. */
const LEGEND = 26;

/** Names short enough for a legend, and still distinct. */
export function legendNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const short = shorten(name, LEGEND, true);
    const count = (seen.get(short) ?? 0) + 1;
    seen.set(short, count);
    return count === 1 ? short : `${short} (${count})`;
  });
}

interface PageColumn<Row> {
  readonly title: string;
  readonly class?: "number" | "note" | "name" | "number strong" | "name strong";
  cell(row: Row): string;
}

/** A table of text; every cell is escaped. */
export function htmlTable<Row>(columns: readonly PageColumn<Row>[], rows: readonly Row[]): string {
  const attribute = ({ class: name }: PageColumn<Row>) => (name ? ` class="${name}"` : "");
  const head = columns.map((column) => `<th scope="col"${attribute(column)}>${escaped(column.title)}</th>`);
  const body = rows.map(
    (row) =>
      `<tr>${columns.map((column) => `<td${attribute(column)}>${escaped(column.cell(row))}</td>`).join("")}</tr>`,
  );
  const isTitled = columns.some(({ title }) => title !== "");
  const heading = isTitled ? `<thead><tr>${head.join("")}</tr></thead>` : "";
  return `<table>${heading}<tbody>${body.join("")}</tbody></table>`;
}
