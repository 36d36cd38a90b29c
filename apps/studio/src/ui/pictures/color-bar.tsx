import { useId } from "preact/hooks";
import { PALE } from "../../draw/boundary.js";
import { type Color, cividisStops, css, mix } from "../../draw/colors.js";
import { roles } from "../../state/session.js";
import { short } from "../figures.js";
import { theme } from "../theme.js";
import { valueRange } from "./boundary-picture.js";

/** Which value a colour stands for: pale in the regions, strong in the rows. */
export function ColorBar() {
  const id = useId();
  const range = valueRange.value;
  if (range === null) return null;
  const { ground } = theme.value;
  const [least, most] = range;
  const numbers = [least, (least + most) / 2, most].map(short);
  const gradient = (name: string, shown: (color: Color) => Color) => (
    <linearGradient id={`${id}${name}`}>
      {cividisStops.map((color, k) => (
        <stop key={k} offset={k / (cividisStops.length - 1)} stop-color={css(shown(color))} />
      ))}
    </linearGradient>
  );
  return (
    <div class="color-bar">
      <span class="color-bar-name">{roles.value?.target}</span>
      <svg
        viewBox="0 0 100 12"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Colours from dark to bright: ${numbers.join(", ")}.`}
      >
        {gradient("regions", (color) => mix(color, ground, PALE))}
        {gradient("rows", (color) => color)}
        <rect width={100} height={8} fill={`url(#${id}regions)`} />
        <rect y={8} width={100} height={4} fill={`url(#${id}rows)`} />
        <path d="M0 0V12M50 0V12M100 0V12" />
      </svg>
      <div class="color-bar-numbers" aria-hidden="true">
        {numbers.map((text, k) => (
          <span key={k}>{text}</span>
        ))}
      </div>
    </div>
  );
}
