import type { ModelCard } from "argmax/persistence";
import type { Split } from "../protocol.js";
import type { Held, Roles, TrainAsk, Trained } from "./training.js";

export const artefacts = ["code", "file", "json", "onnx"] as const;
export type Artefact = (typeof artefacts)[number];

export interface DescribeAsk {
  readonly roles: Roles;
  readonly model: TrainAsk["model"];
  /** Key of the model file. */
  readonly key: string;
  /** Of the names of files. */
  readonly stem: string;
  readonly classes: readonly string[];
}

export interface Described {
  readonly code: string;
  readonly card: ModelCard;
  /** A row of the table and the model's answer, as JSON. */
  readonly example: { readonly row: string; readonly answer: string };
}

export interface ShipAsk extends DescribeAsk {
  readonly artefact: Artefact;
  readonly split: Split;
  readonly fitted: Trained["fitted"];
  /** Null for clusters. */
  readonly heldOut: Held | null;
}

export interface Shipped {
  readonly artefact: Artefact;
  readonly checks: readonly Check[];
  readonly passed: boolean;
  readonly files: readonly ShippedFile[];
}

/** How the answers of an artefact differ from those of the app. */
export interface Check {
  /** Which rows, and which model. */
  readonly what: string;
  readonly rows: number;
  /** Labels that differ. */
  readonly mismatches: number;
  /** The largest difference of probabilities, scores or values; null of labels only. */
  readonly largest: number | null;
}

export interface ShippedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}
