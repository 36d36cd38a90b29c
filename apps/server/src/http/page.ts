import { readFileSync } from "node:fs";

/** The page to try a model. Its script is a file of its own, so that the policy of the page allows no inline script. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Argmax models</title>
<link rel="stylesheet" href="/try.css">
<script type="module" src="/try.js"></script>
</head>
<body>
<main>
<h1>Models</h1>
<p id="state" role="status">Loading the list of models …</p>
<noscript><p>This page needs JavaScript. Without it, read <a href="/openapi.json">the description of the API</a>.</p></noscript>
<label id="token-row" hidden>Token <input id="token" type="password" autocomplete="off"></label>
<label>Model <select id="model"></select></label>
<p id="about"></p>
<form id="row"></form>
<section aria-live="polite">
<h2>Prediction</h2>
<dl id="result"></dl>
<details><summary>Request and answer</summary><pre id="exchange"></pre></details>
</section>
<p><a href="/openapi.json">OpenAPI</a> · <a href="/readyz">readiness</a> · <a href="/metrics">metrics</a></p>
</main>
</body>
</html>
`;

export const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
form { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.75rem 1rem; margin: 1rem 0; }
label { display: flex; flex-direction: column; gap: 0.2rem; }
label.wide { grid-column: 1 / -1; }
input, select, textarea, button { font: inherit; padding: 0.35rem 0.5rem; }
button { grid-column: 1 / -1; justify-self: start; cursor: pointer; }
small { opacity: 0.7; }
dl { display: grid; grid-template-columns: max-content 1fr max-content; gap: 0.25rem 0.75rem; align-items: center; }
dt { font-weight: 600; }
dd { margin: 0; }
meter { width: 100%; }
pre { overflow: auto; }
.error { color: #b3261e; }
@media (prefers-color-scheme: dark) { .error { color: #f2b8b5; } }
`;

let script: string | undefined;

/** The compiled file; tests run the source. */
export function pageScript(): string {
  const path = import.meta.url.endsWith(".ts") ? "../../dist/http/try.js" : "./try.js";
  script ??= readFileSync(new URL(path, import.meta.url), "utf8");
  return script;
}
