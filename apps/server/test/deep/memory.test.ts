import { Agent, request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { bareModel, cleanUp, folderOfModels, passengerModel, startServer, woman } from "../support.js";

afterAll(cleanUp);

/**
 * The server and its clients are one process here, so that the heap of both counts. After the first requests, the heap that garbage
 * collection leaves stays where it is.
 */
const REQUESTS = 1_000_000;
const CLIENTS = 16;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("memory is flat over a million requests", async () => {
  const { port, post } = await startServer({
    folder: folderOfModels({ bare: bareModel(), passengers: passengerModel() }),
  });
  const bodies = [
    ["/v1/models/bare/predict", "[0.5,0.25]"],
    ["/v1/models/passengers/predict", JSON.stringify(woman)],
    ["/v1/models/bare/predict", '{"rows":[[1]]}'],
    ["/v1/models/nothing/predict", "[1]"],
    ["/v2/models/bare/infer", '{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP64","data":[1,2]}]}'],
  ] as const;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const send = (path: string, body: string) =>
    new Promise<void>((resolve, reject) => {
      const asked = request(
        {
          port,
          host: "127.0.0.1",
          method: "POST",
          path,
          agent,
          headers: { "content-type": "application/json" },
        },
        (response) => response.resume().on("end", resolve),
      );
      asked.on("error", reject);
      asked.end(body);
    });
  let sent = 0;
  const sendUntil = async (end: number) => {
    while (sent < end) {
      const [path, body] = bodies[sent++ % bodies.length]!;
      await send(path, body);
    }
  };
  const run = (end: number) => Promise.all(Array.from({ length: CLIENTS }, () => sendUntil(end)));
  const heap = async () => {
    // Promises and sockets of the last requests end first.
    await new Promise((resolve) => setTimeout(resolve, 500));
    collectGarbage();
    return process.memoryUsage().heapUsed / (1 << 20);
  };
  await run(REQUESTS / 10);
  const before = await heap();
  await run(REQUESTS);
  const after = await heap();
  agent.destroy();
  expect((await post("/v1/models/bare/predict", [0.5, 0.25])).status).toBe(200);
  console.log(
    `heap after ${REQUESTS / 10} requests ${before.toFixed(1)} MB, after ${REQUESTS} ${after.toFixed(1)} MB`,
  );
  expect(after - before).toBeLessThan(5);
});
