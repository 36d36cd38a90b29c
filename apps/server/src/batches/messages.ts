import type { Answer, Call } from "../answers/call.js";

export type ToWorker =
  | {
      readonly type: "load";
      readonly key: string;
      readonly name: string;
      readonly version: string;
      readonly bytes: Uint8Array;
    }
  | { readonly type: "unload"; readonly key: string }
  | { readonly type: "call"; readonly key: string; readonly body: Uint8Array; readonly call: Call };

export type FromWorker =
  | { readonly type: "answer"; readonly answer: Answer }
  /** An error of the program, with its stack. */
  | { readonly type: "failure"; readonly message: string };
