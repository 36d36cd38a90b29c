import { ColumnTransformer } from "argmax/compose";
import { Pipeline } from "argmax/pipeline";
import { isColumnNames, isModelSpec } from "../build-estimator.js";
import type { Estimator, EstimatorClass } from "../estimators.js";
import type { ModelSpec, SpecValue } from "../protocol.js";
import { literal, objectKey } from "./quoting.js";

/** An estimator as code, and the names that it imports. */
export interface EstimatorCode {
  readonly text: string;
  readonly imports: readonly string[];
}

/** Layers have short names: they are in `argmax/neural`. */
export const layerFactories: ReadonlySet<string> = new Set(["dense", "dropout", "batchNorm", "layerNorm"]);

/**
 * A prepared estimator as code. Its parameters are those of the description, which says what was chosen; the steps before it and inside
 * it are those of the object.
 */
export function estimatorCode(prepared: Estimator, spec: ModelSpec): EstimatorCode {
  const writer = new Writer();
  return { text: writer.estimator(prepared, spec), imports: [...writer.imports] };
}

/** Longer objects and lists have a line per entry. */
const WIDTH = 80;

const classOf = (own: Estimator): EstimatorClass => own.constructor as EstimatorClass;

class Writer {
  readonly imports = new Set<string>();

  /** Without a description: a step, or a default. */
  estimator(own: Estimator, spec?: ModelSpec): string {
    if (own instanceof Pipeline) return this.#pipeline(own, spec);
    if (own instanceof ColumnTransformer) return this.#columnTransformer(own);
    this.imports.add(own.id);
    if (spec === undefined)
      return called(
        own.id,
        this.#changes(own, {}, () => true),
      );
    if (own.id !== spec.estimator) {
      // Scaled targets.
      const { regressor, transformer } = own.params as Readonly<Record<string, Estimator>>;
      const entries = [
        `regressor: ${this.estimator(regressor!, spec)}`,
        `transformer: ${this.estimator(transformer!)}`,
      ];
      return called(own.id, entries);
    }
    return called(own.id, this.#params(own, spec));
  }

  #pipeline(own: Estimator, spec: ModelSpec | undefined): string {
    this.imports.add("pipeline");
    const { steps } = own as Estimator & { readonly steps: readonly Estimator[] };
    const texts = steps.map((step, s) => this.estimator(step, s === steps.length - 1 ? spec : undefined));
    return wrapped("pipeline(", texts, ")", 0);
  }

  #columnTransformer(own: Estimator): string {
    this.imports.add(own.id);
    const parts = own.params["transformers"] as Readonly<
      Record<string, readonly [Estimator, readonly string[]]>
    >;
    const entries = Object.entries(parts).map(
      ([name, [step, columns]]) => `${name}: ${wrapped("[", [this.estimator(step), plain(columns)], "]")}`,
    );
    return called(own.id, [`transformers: ${wrapped("{", entries, "}")}`]);
  }

  #params(own: Estimator, { params }: ModelSpec): string[] {
    const { table } = classOf(own);
    const given = Object.entries(params).map(
      ([name, value]) => `${objectKey(name)}: ${this.#value(value, own.params[name], table[name]?.kind)}`,
    );
    // Defaults that have got a scaler.
    return [...given, ...this.#changes(own, params, isEstimator)];
  }

  /** Parameters that were not given and differ from their defaults. */
  #changes(own: Estimator, given: object, isShown: (value: unknown) => boolean): string[] {
    const { table } = classOf(own);
    return Object.entries(own.params)
      .filter(
        ([name, value]) => !Object.hasOwn(given, name) && isShown(value) && value !== table[name]?.default,
      )
      .map(([name, value]) => `${name}: ${isEstimator(value) ? this.estimator(value) : plain(value)}`);
  }

  /** `own`: what the estimator has made of the value. */
  #value(value: SpecValue, own: unknown, kind: string | undefined): string {
    if (isModelSpec(value)) return this.estimator(own as Estimator, value);
    if (isColumnNames(value)) return plain(own);
    if (kind === "layers" && Array.isArray(value))
      return wrapped(
        "[",
        value.map((layer) => this.#layer(layer)),
        "]",
      );
    if (kind === "part" && value !== null) return this.#part(value);
    if (Array.isArray(value)) {
      const entries = value.map((entry, k) => this.#value(entry, (own as readonly unknown[])[k], undefined));
      return wrapped("[", entries, "]");
    }
    if (typeof value !== "object" || value === null) return plain(value);
    const inside = own as Readonly<Record<string, unknown>>;
    const entries = Object.entries(value).map(
      ([name, entry]) => `${objectKey(name)}: ${this.#value(entry, inside[name], undefined)}`,
    );
    return wrapped("{", entries, "}");
  }

  /** `dense(16, { activation: "relu" })`. */
  #layer(value: SpecValue): string {
    const { layer, units, rate, activation } = value as Readonly<Record<string, string | number>>;
    this.imports.add(String(layer));
    const size = units ?? rate ?? "";
    return `${layer}(${size}${activation === undefined ? "" : `, { activation: ${plain(activation)} }`})`;
  }

  /** `elasticNet(0.1, 0.5)`: losses and penalties take their numbers in order. */
  #part(value: SpecValue): string {
    const { name, ...settings } = (typeof value === "string" ? { name: value } : value) as {
      readonly name: string;
    };
    this.imports.add(name);
    return `${name}(${Object.values(settings).map(plain).join(", ")})`;
  }
}

const isEstimator = (value: unknown): value is Estimator =>
  typeof (value as Partial<Estimator> | null | undefined)?.fit === "function";

const called = (id: string, entries: readonly string[]): string =>
  `new ${id}(${entries.length === 0 ? "" : wrapped("{", entries, "}")})`;

/** Entries between brackets: on one line, or indented on one line each. */
function wrapped(open: string, entries: readonly string[], close: string, width = WIDTH): string {
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${entries.join(", ")}${space}${close}`;
  if (line.length <= width && !line.includes("\n")) return line;
  const lines = entries.map((entry) => `  ${entry.replaceAll("\n", "\n  ")},`);
  return `${open}\n${lines.join("\n")}\n${close}`;
}

/** Plain values, and lists of them. */
function plain(value: unknown): string {
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return wrapped("[", value.map(plain), "]");
  return String(value);
}
