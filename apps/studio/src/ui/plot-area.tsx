import type { ComponentChildren } from "preact";
import { ticks } from "../draw/ticks.js";
import { plane } from "../state/session.js";
import { short } from "./figures.js";

/** A picture of the plane with the names and numbers of its axes. */
export function PlotArea({ children }: { readonly children: ComponentChildren }) {
  const view = plane.value;
  if (view === null) return <>{children}</>;
  const share = (value: number, [from, to]: readonly [number, number]) =>
    (100 * (value - from)) / (to - from);
  return (
    <div class="plot-area">
      {children}
      <div class="ticks across" aria-hidden="true">
        {ticks(...view.x, 6).map((value) => (
          <span key={value} style={{ left: `${share(value, view.x)}%` }}>
            {short(value)}
          </span>
        ))}
        <span class="axis-name">{view.axes[0]}</span>
      </div>
      <div class="ticks up" aria-hidden="true">
        {ticks(...view.y, 6).map((value) => (
          <span key={value} style={{ top: `${100 - share(value, view.y)}%` }}>
            {short(value)}
          </span>
        ))}
        <span class="axis-name">{view.axes[1]}</span>
      </div>
    </div>
  );
}
