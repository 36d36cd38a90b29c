import { nodeAt, problem } from "./problem";

/** The nodes that can be split, as a heap by gain; of ties the older is first. */
let queueSize: i32 = 0;

export function clearQueue(): void {
  queueSize = 0;
}

export function isQueueEmpty(): bool {
  return queueSize == 0;
}

// @inline
function queueAt(e: i32): usize {
  return <usize>problem.queue + ((<usize>e) << 2);
}

function comesBefore(a: i32, b: i32): bool {
  const gainA = nodeAt(a).gain;
  const gainB = nodeAt(b).gain;
  return gainA > gainB || (gainA == gainB && a < b);
}

export function push(v: i32): void {
  let e = queueSize;
  queueSize++;
  while (e > 0) {
    const above = load<i32>(queueAt((e - 1) >> 1));
    if (comesBefore(above, v)) break;
    store<i32>(queueAt(e), above);
    e = (e - 1) >> 1;
  }
  store<i32>(queueAt(e), v);
}

/** The node with the largest gain. */
export function pop(): i32 {
  const first = load<i32>(queueAt(0));
  const v = load<i32>(queueAt(queueSize - 1));
  queueSize--;
  let e: i32 = 0;
  for (;;) {
    let below = 2 * e + 1;
    if (below >= queueSize) break;
    if (below + 1 < queueSize && comesBefore(load<i32>(queueAt(below + 1)), load<i32>(queueAt(below))))
      below++;
    if (comesBefore(v, load<i32>(queueAt(below)))) break;
    store<i32>(queueAt(e), load<i32>(queueAt(below)));
    e = below;
  }
  store<i32>(queueAt(e), v);
  return first;
}
