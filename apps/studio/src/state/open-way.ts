import { signal } from "@preact/signals";

/** The ways to a table. */
export const openWays = {
  file: "File",
  paste: "Paste",
  included: "Included sets",
  generate: "Generate",
  paint: "Draw points",
} as const;
export type OpenWay = keyof typeof openWays;

/** The one that Data shows. */
export const openWay = signal<OpenWay>("file");
