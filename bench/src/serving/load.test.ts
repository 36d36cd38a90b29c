import { expect, test } from "vitest";
import { readWrk } from "./load.js";

test("rates, percentiles in every unit, and errors are read from wrk's text", () => {
  const text = `Running 1s test @ http://127.0.0.1:1/
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   640.75us  123.00us   4.63ms   90.11%
    Req/Sec    25.01k     1.2k    27.00k    80.00%
  Latency Distribution
     50%  611.00us
     75%  680.00us
     90%  760.00us
     99%    1.21s
  27000 requests in 1.00s, 12.00MB read
  Socket errors: connect 0, read 1, write 0, timeout 2
  Non-2xx or 3xx responses: 4
Requests/sec:  26987.11
Transfer/sec:     11.99MB
`;
  expect(readWrk(text)).toEqual({ perSecond: 26987.11, p50: 0.611, p99: 1210, errors: 7 });
});
