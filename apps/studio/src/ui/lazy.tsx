import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** A part of the page whose code is loaded when it is first shown. */
export function lazy(load: () => Promise<ComponentType>): () => preact.JSX.Element {
  const loaded = signal<ComponentType | null>(null);
  const failed = signal(false);
  const start = () => {
    if (loaded.value !== null) return;
    failed.value = false;
    load().then(
      (Part) => {
        loaded.value = Part;
      },
      () => {
        failed.value = true;
      },
    );
  };
  return function Lazy() {
    useEffect(start, []);
    const Part = loaded.value;
    if (Part !== null) return <Part />;
    if (!failed.value) return <p role="status">Opening…</p>;
    return (
      <p class="problem">
        This part could not be loaded: check the connection.{" "}
        <button type="button" onClick={start}>
          Try again
        </button>
      </p>
    );
  };
}
