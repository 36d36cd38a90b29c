import { linearScale, ticks } from "argmax/plot";
import type { ComponentChildren } from "preact";
import { plane } from "../../state/session.js";
import { short } from "../figures.js";

/** A picture of the plane with the names and numbers of its axes. */
export function PlotArea({ children }: { readonly children: ComponentChildren }) {
  const view = plane.value;
  if (view === null) return <>{children}</>;
  const [x, y] = [linearScale(view.x, 0, 100), linearScale(view.y, 100, 0)];
  return (
    <div class="plot-area">
      {children}
      <div class="ticks across" aria-hidden="true">
        {ticks(...view.x, 6).map((value) => (
          <span key={value} style={{ left: `${x(value)}%` }}>
            {short(value)}
          </span>
        ))}
        <span class="axis-name">{view.axes[0]}</span>
      </div>
      <div class="ticks up" aria-hidden="true">
        {ticks(...view.y, 6).map((value) => (
          <span key={value} style={{ top: `${y(value)}%` }}>
            {short(value)}
          </span>
        ))}
        <span class="axis-name">{view.axes[1]}</span>
      </div>
    </div>
  );
}
