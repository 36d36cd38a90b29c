import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { BatchPool } from "../batches/batch-pool.js";
import type { ModelStore } from "../model/model-store.js";
import type { ServedModel } from "../model/served-model.js";

/** Seconds: a one-row request takes a tenth of a millisecond, a large batch seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What /metrics reports about. */
interface MetricSources {
  readonly store: ModelStore;
  readonly pool: BatchPool;
  inFlight(): number;
}

/** Metrics of a server, in a registry of their own. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"route" | "model" | "status">;
  readonly #seconds: Histogram<"route" | "model">;
  readonly #rows: Counter<"model" | "version" | "task">;
  readonly #failures: Counter<"model">;
  /** Finding a metric by its labels takes longer than counting: those of finished requests are kept. */
  readonly #observers = new Map<string, (seconds: number) => void>();
  readonly #rowCounters = new WeakMap<ServedModel, Map<string, (count: number) => void>>();

  constructor(sources: MetricSources) {
    const registers = [this.registry];
    this.#requests = new Counter({
      name: "argmax_requests_total",
      help: "Requests that were answered.",
      labelNames: ["route", "model", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "argmax_request_duration_seconds",
      help: "Time from the head of a request to the end of its answer.",
      labelNames: ["route", "model"],
      buckets: BUCKETS,
      registers,
    });
    this.#rows = new Counter({
      name: "argmax_rows_total",
      help: "Rows that were predicted or explained.",
      labelNames: ["model", "version", "task"],
      registers,
    });
    this.#failures = new Counter({
      name: "argmax_model_load_failures_total",
      help: "Model files that could not be loaded.",
      labelNames: ["model"],
      registers,
    });
    this.#gauges(sources);
  }

  #gauges({ store, pool, inFlight }: MetricSources): void {
    const registers = [this.registry];
    new Gauge({
      name: "argmax_model_loaded",
      help: "1 for every model version in use.",
      labelNames: ["model", "version"],
      registers,
      aggregator: "max",
      collect() {
        this.reset();
        for (const { name, version } of store.all) this.set({ model: name, version }, 1);
      },
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge("argmax_requests_in_flight", "Requests that are being answered.", inFlight);
    gauge("argmax_batches_waiting", "Large requests that wait for a worker.", () => pool.waiting);
    gauge("argmax_batches_running", "Large requests that workers answer.", () => pool.running);
    gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  }

  /** Counts an answered request. */
  answered(route: string, model: string, status: number, seconds: number): void {
    const key = `${route} ${model} ${status}`;
    let observe = this.#observers.get(key);
    if (observe === undefined) {
      const requests = this.#requests.labels({ route, model, status: String(status) });
      const duration = this.#seconds.labels({ route, model });
      observe = (took) => {
        requests.inc();
        duration.observe(took);
      };
      this.#observers.set(key, observe);
    }
    observe(seconds);
  }

  rows(model: ServedModel, task: string, count: number): void {
    if (count === 0) return;
    const counters = this.#rowCounters.get(model) ?? new Map<string, (count: number) => void>();
    let add = counters.get(task);
    if (add === undefined) {
      const child = this.#rows.labels({ model: model.name, version: model.version, task });
      add = (more) => child.inc(more);
      this.#rowCounters.set(model, counters.set(task, add));
    }
    add(count);
  }

  loadFailed(model: string): void {
    this.#failures.inc({ model });
  }
}
