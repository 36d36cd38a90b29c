import { useEffect, useRef } from "preact/hooks";
import type { Pixels } from "../../draw/pixels.js";

interface PictureProps {
  /** The drawing; it is put on the canvas as it is. */
  readonly pixels: Pixels | undefined;
  /** What the picture shows, in a sentence. */
  readonly label: string;
  readonly class?: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly onPointerMove?: (event: PointerEvent) => void;
  readonly onPointerDown?: (event: PointerEvent) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly focusable?: boolean;
}

/** Pixels on a canvas. */
export function Picture({ pixels, label, focusable, ...others }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null || pixels === undefined) return;
    canvas.current.width = pixels.width;
    canvas.current.height = pixels.height;
    canvas.current
      .getContext("2d")!
      .putImageData(new ImageData(pixels.data, pixels.width, pixels.height), 0, 0);
  }, [pixels]);
  return (
    <canvas ref={canvas} role="img" aria-label={label} tabIndex={focusable ? 0 : undefined} {...others} />
  );
}

/** Where in an element a pointer is, both between 0 and 1, from its lower left corner. */
export function placeIn({ currentTarget, clientX, clientY }: MouseEvent): readonly [number, number] {
  const box = (currentTarget as HTMLElement).getBoundingClientRect();
  return [(clientX - box.left) / box.width, 1 - (clientY - box.top) / box.height];
}
