import { render } from "preact";
import { followLink } from "./state/follow-link.js";
import { pool, reader } from "./state/session.js";
import { Studio } from "./studio.js";

void followLink().then(() => {
  const root = document.getElementById("studio")!;
  root.textContent = "";
  render(<Studio />, root);
});

// Keeping the files for later must not delay pictures and models. Hosts without HTTPS refuse it, and the studio works all the same.
const keepFiles = () => {
  if (pool.busy + reader.busy > 0) setTimeout(keepFiles, 1000);
  else void navigator.serviceWorker.register("./service-worker.js").catch(() => {});
};
if (import.meta.env.PROD && "serviceWorker" in navigator)
  addEventListener("load", () => setTimeout(keepFiles, 3000));
