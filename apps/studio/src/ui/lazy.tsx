import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A screen that is loaded when it is first shown. */
export function lazy(load: () => Promise<() => preact.JSX.Element>): () => preact.JSX.Element {
  const loaded = signal<(() => preact.JSX.Element) | null>(null);
  const failed = signal(false);
  const start = () => {
    if (loaded.value !== null) return;
    failed.value = false;
    load().then(
      (Screen) => {
        loaded.value = Screen;
      },
      () => {
        failed.value = true;
      },
    );
  };
  return function Lazy() {
    useEffect(start, []);
    const Screen = loaded.value;
    if (Screen !== null) return <Screen />;
    if (!failed.value) return <p role="status">Opening…</p>;
    return (
      <p class="problem">
        This screen could not be loaded.{" "}
        <button type="button" onClick={start}>
          Try again
        </button>
      </p>
    );
  };
}
