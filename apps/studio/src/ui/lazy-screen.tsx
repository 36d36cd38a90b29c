import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

/** A screen whose code is loaded when it is first shown. */
export function lazyScreen(title: string, load: () => Promise<ComponentType>): () => preact.JSX.Element {
  const loaded = signal<ComponentType | "failed" | null>(null);
  let asked = false;
  const ask = () => {
    asked = true;
    load().then(
      (Screen) => {
        loaded.value = Screen;
      },
      () => {
        asked = false;
        loaded.value = "failed";
      },
    );
  };
  return () => {
    const Screen = loaded.value;
    if (!asked && Screen === null) ask();
    if (Screen !== null && Screen !== "failed") return <Screen />;
    return (
      <>
        <h1>{title}</h1>
        {Screen === "failed" && (
          <p class="problem">
            This screen could not be loaded: is the connection there?{" "}
            <button type="button" onClick={ask}>
              Try again
            </button>
          </p>
        )}
      </>
    );
  };
}
