import { effect } from "@preact/signals";
import { documentOf, linkTo } from "./link.js";
import { document as current, dispatch } from "./session.js";

/** How long after the last change the address follows. */
const MILLISECONDS = 400;

let written = "";

/** Opens the document of the address, and keeps the address up to date: the screen is an entry of the history, the rest replaces it. */
export async function followLink(): Promise<void> {
  await open();
  addEventListener("hashchange", () => void open());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let screen = current.value.screen;
  effect(() => {
    const next = current.value;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const link = await linkTo(next);
      if (current.value !== next) return;
      const isSameScreen = next.screen === screen;
      screen = next.screen;
      // Somebody went back or forward.
      if (link === location.hash) return;
      written = link;
      if (isSameScreen) history.replaceState(null, "", link);
      else history.pushState(null, "", link);
    }, MILLISECONDS);
  });
}

async function open(): Promise<void> {
  if (location.hash === written) return;
  const found = await documentOf(location.hash);
  if (found === undefined) return;
  written = location.hash;
  dispatch({ type: "open", document: found });
}
