import { shellWord } from "../../work/ship/quoting.js";

interface HttpCommands {
  readonly serve: string;
  readonly request: string;
  readonly client: string;
}

/** What to type where the model file is; `row` is a row as JSON. */
export function httpCommands(stem: string, row: string): HttpCommands {
  const file = shellWord(`${stem}.safetensors`);
  return {
    serve: `npx @argmax/cli serve ${file}\n`,
    request: `curl http://127.0.0.1:8080/v1/models/${stem}/predict \\\n  -H 'content-type: application/json' \\\n  -d ${shellWord(row)}\n`,
    client: `npx @argmax/cli client ${file} > ${shellWord(`${stem}-client.ts`)}\n`,
  };
}
