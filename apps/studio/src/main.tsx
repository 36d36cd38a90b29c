import { render } from "preact";
import { followLink } from "./state/follow-link.js";
import { Studio } from "./ui/studio.js";

void followLink().then(() => {
  const root = document.getElementById("studio")!;
  root.textContent = "";
  render(<Studio />, root);
});

// After the first pictures: keeping the files for later must not delay them. Hosts without HTTPS refuse it, and the studio works all the same.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  addEventListener("load", () => {
    setTimeout(() => void navigator.serviceWorker.register("./service-worker.js").catch(() => {}), 3000);
  });
