import { useSignal } from "@preact/signals";
import { Slider } from "./plot.js";
import { figurePage, type Story } from "./story.js";

/** Places of a filter on an image: (N − F + 2P)/stride + 1 per side, if that is whole. */
function Sizes() {
  const size = useSignal(7);
  const filter = useSignal(3);
  const stride = useSignal(1);
  const padding = useSignal(0);
  const at = useSignal(0);
  const whole = size.value + 2 * padding.value;
  const exact = (whole - filter.value) / stride.value + 1;
  const fits = Number.isInteger(exact) && exact >= 1;
  const places = Math.max(0, Math.floor(exact));
  const k = Math.min(at.value, Math.max(0, places * places - 1));
  const other = [1, 2, 3, 4].filter(
    (s) => s !== stride.value && (whole - filter.value) % s === 0 && whole >= filter.value,
  );
  return (
    <>
      <FilterPlaces
        {...{ size: size.value, filter: filter.value, stride: stride.value, padding: padding.value }}
        {...{ places, fits, k }}
      />
      <p role="status">
        ({size.value} − {filter.value} + 2 · {padding.value})/{stride.value} + 1 = {Number(exact.toFixed(2))}.{" "}
        {fits
          ? `The output is ${places} × ${places}.`
          : `That is not whole: the filter does not fit.${other.length > 0 ? ` A stride of ${other.join(" or ")} would.` : ""}`}
      </p>
      <div class="story-controls">
        <Slider label="image N" min={3} max={16} step={1} of={size} />
        <Slider label="filter F" min={1} max={7} step={1} of={filter} />
        <Slider label="stride" min={1} max={4} step={1} of={stride} />
        <Slider label="padding" min={0} max={3} step={1} of={padding} />
        {places > 1 && fits && (
          <Slider
            label="place"
            value={k}
            min={0}
            max={places * places - 1}
            step={1}
            text={`${k + 1} of ${places * places}`}
            of={at}
          />
        )}
      </div>
    </>
  );
}

interface FilterPlacesProps {
  readonly size: number;
  readonly filter: number;
  readonly stride: number;
  readonly padding: number;
  /** Per side of the output. */
  readonly places: number;
  readonly fits: boolean;
  /** The place where the filter stands. */
  readonly k: number;
}

/** The image with its padding and the filter on it; beside it the output. */
function FilterPlaces({ size, filter, stride, padding, places, fits, k }: FilterPlacesProps) {
  const whole = size + 2 * padding;
  const [row, col] = [Math.floor(k / Math.max(1, places)), k % Math.max(1, places)];
  const cell = 300 / whole;
  const small = Math.min(cell, 220 / places);
  return (
    <svg
      class="story-plot"
      viewBox="-10 -10 580 320"
      role="img"
      aria-label={
        fits
          ? `An image of ${size} × ${size} and a filter of ${filter} × ${filter} give ${places} × ${places}.`
          : "The filter does not fit."
      }
    >
      {Array.from({ length: whole * whole }, (_, e) => {
        const [i, j] = [Math.floor(e / whole), e % whole];
        const pad = Math.min(i, j, whole - 1 - i, whole - 1 - j) < padding;
        return (
          <rect
            key={e}
            x={j * cell}
            y={i * cell}
            width={cell - 1}
            height={cell - 1}
            class={pad ? "cell pad" : "cell"}
          />
        );
      })}
      {places > 0 && (
        <rect
          x={col * stride * cell}
          y={row * stride * cell}
          width={filter * cell}
          height={filter * cell}
          class="window"
        />
      )}
      {fits &&
        Array.from({ length: places * places }, (_, e) => (
          <rect
            key={e}
            x={340 + (e % places) * small}
            y={Math.floor(e / places) * small}
            width={small - 1}
            height={small - 1}
            class={e === k ? "cell lit" : "cell"}
          />
        ))}
    </svg>
  );
}

export const convolution: Story = {
  name: "convolution",
  title: "Convolution: sizes",
  about: "Where a filter can stand on an image, and how large the output is.",
  pages: [
    figurePage(
      "(N − F)/stride + 1",
      Sizes,
      "A filter of 3 × 3 stands on 5 × 5 places of a 7 × 7 image with stride 1, on 3 × 3 with stride 2, and with stride 3 it does not fit.",
    ),
  ],
};
