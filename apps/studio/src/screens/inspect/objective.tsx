import { extent, linearScale, linePath } from "argmax/plot";
import { short } from "../../ui/figures.js";
import type { Frames } from "../../work/protocol.js";
import { goTo, pause } from "./playback.js";

const [WIDTH, HEIGHT] = [600, 72];

/** What the learner minimises, over the steps; a line marks the step that is shown. */
export function ObjectiveCurve({ frames, at }: { readonly frames: Frames; readonly at: number }) {
  const values = frames.frames.map(({ objective }) => objective ?? Number.NaN);
  if (frames.frames.length < 2 || values.some(Number.isNaN)) return null;
  const x = linearScale([0, values.length - 1], 4, WIDTH - 4);
  const y = linearScale(extent(values, 0.04), HEIGHT - 2, 2);
  const path = linePath([...values.keys()], values, x, y);
  const first = short(values[0]!);
  const last = short(values.at(-1)!);
  return (
    <figure class="objective">
      <figcaption>
        Objective: {first} at first, {last} in the end.
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider above goes to steps by keys */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Objective over ${values.length} steps, from ${first} to ${last}; ${short(values[at]!)} at the step that is shown.`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          pause();
          goTo(Math.round(x.invert(((event.clientX - box.left) / box.width) * WIDTH)));
        }}
      >
        <path d={path} />
        <path class="now" d={`M${x(at)} 0V${HEIGHT}`} />
      </svg>
    </figure>
  );
}
