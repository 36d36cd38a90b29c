import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LazyProps {
  /** The same function in every call. */
  readonly load: () => Promise<ComponentType>;
  /** Heading while it loads. */
  readonly title: string;
}

const loaded = new WeakMap<LazyProps["load"], ComponentType>();

/** A part of the page that is loaded when it is first shown. */
export function Lazy({ load, title }: LazyProps) {
  const [, show] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const Part = loaded.get(load);
  useEffect(() => {
    if (Part !== undefined) return;
    load().then(
      (found) => {
        loaded.set(load, found);
        show((count) => count + 1);
      },
      () => setProblem("This part could not be loaded: check the connection and open the screen again."),
    );
  }, [load, Part]);
  if (Part !== undefined) return <Part />;
  return (
    <>
      <h1>{title}</h1>
      <p role="status">{problem ?? "Loading…"}</p>
    </>
  );
}
