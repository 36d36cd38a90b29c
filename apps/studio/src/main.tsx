import { render } from "preact";
import { followLink } from "./state/follow-link.js";
import { Studio } from "./ui/studio.js";

void followLink().then(() => {
  const root = document.getElementById("studio")!;
  root.textContent = "";
  render(<Studio />, root);
});
