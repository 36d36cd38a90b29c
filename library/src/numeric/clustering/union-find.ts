/** The representative of i, whose paths are halved on the way; parent[i] = i for representatives. */
export function rootOf(parent: Int32Array, i: number): number {
  let at = i;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]!]!;
    at = parent[at]!;
  }
  return at;
}
