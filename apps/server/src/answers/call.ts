/** A request whose body has arrived. The same call is answered here or in a batch worker. */
export interface Call {
  readonly task: "predict" | "explain" | "infer";
  readonly format: "json" | "lines" | "arrow";
  readonly accept: "json" | "arrow";
  readonly probabilities: boolean;
  readonly maxRows: number;
  /** Number of the first row of a batch of a stream. */
  readonly firstRow: number;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Rows that were predicted or explained. */
  readonly rows: number;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const LINES_TYPE = "application/x-ndjson; charset=utf-8";
export const ARROW_TYPE = "application/vnd.apache.arrow.stream";
