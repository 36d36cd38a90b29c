import type { ComponentChildren, Ref } from "preact";

interface ScrollRegionProps {
  /** What scrolls, for those who hear it. */
  readonly label: string;
  readonly class?: string;
  readonly region?: Ref<HTMLElement> | undefined;
  readonly children: ComponentChildren;
}

/** A part of the page that scrolls on its own, also by keys. */
export const ScrollRegion = ({ label, class: own = "scroll", region, children }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
  <section ref={region ?? null} class={own} tabIndex={0} aria-label={label}>
    {children}
  </section>
);

/** The head of a table with a title per column; "" leaves a corner empty. */
export const TableHead = ({ titles }: { readonly titles: readonly string[] }) => (
  <thead>
    <tr>
      {titles.map((title, k) =>
        title === "" ? (
          <td key={k} />
        ) : (
          <th key={k} scope="col">
            {title}
          </th>
        ),
      )}
    </tr>
  </thead>
);
