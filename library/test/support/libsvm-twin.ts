export interface Prediction {
  /** The class, or the value of a regression. */
  readonly label: number;
  readonly decision: readonly number[];
  /** The largest sum of absolute terms behind a decision value: what its rounding is relative to. */
  readonly scale: number;
}

/** LIBSVM's svm_predict_values and svm_predict on the text of a model: what the real programs do, without them. */
export function svmPredict(text: string, row: readonly number[]): Prediction {
  const [head, body] = text.split(/^SV\s*\n/m) as [string, string];
  const header = new Map(
    head.split("\n").map((line) => {
      const [key, ...words] = line.trim().split(/\s+/);
      return [key!, words] as const;
    }),
  );
  const numbers = (key: string) => (header.get(key) ?? []).map(Number);
  const K = numbers("nr_class")[0]!;
  const vectors = body
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const words = line.trim().split(/\s+/);
      const entries = words.slice(K - 1).map((word) => word.split(":").map(Number) as [number, number]);
      return { coef: words.slice(0, K - 1).map(Number), entries };
    });
  const values = vectors.map(({ entries }) => kernel(header.get("kernel_type")![0]!, numbers, entries, row));
  const rho = numbers("rho");
  if (!header.has("label")) {
    const terms = values.map((k, s) => vectors[s]!.coef[0]! * k);
    const value = terms.reduce((sum, term) => sum + term, 0) - rho[0]!;
    const scale = terms.reduce((sum, term) => sum + Math.abs(term), Math.abs(rho[0]!));
    return { label: value, decision: [value], scale };
  }
  const counts = numbers("nr_sv");
  const start = (i: number) => counts.slice(0, i).reduce((sum, count) => sum + count, 0);
  const votes = new Array<number>(K).fill(0);
  const decision: number[] = [];
  let scale = 0;
  for (let i = 0; i < K; i++) {
    for (let j = i + 1; j < K; j++) {
      const terms: number[] = [];
      for (let s = start(i); s < start(i) + counts[i]!; s++)
        terms.push(vectors[s]!.coef[j - 1]! * values[s]!);
      for (let s = start(j); s < start(j) + counts[j]!; s++) terms.push(vectors[s]!.coef[i]! * values[s]!);
      const shift = rho[decision.length]!;
      const sum = terms.reduce((total, term) => total + term, 0) - shift;
      scale = Math.max(
        scale,
        terms.reduce((total, term) => total + Math.abs(term), Math.abs(shift)),
      );
      decision.push(sum);
      votes[sum > 0 ? i : j]!++;
    }
  }
  return { label: numbers("label")[votes.indexOf(Math.max(...votes))]!, decision, scale };
}

function kernel(
  name: string,
  numbers: (key: string) => number[],
  entries: readonly (readonly [number, number])[],
  row: readonly number[],
): number {
  if (name === "precomputed") return row[entries[0]![1] - 1]!;
  const x = new Map(entries);
  let [dot, square] = [0, 0];
  for (const [j, v] of row.entries()) {
    dot += v * (x.get(j + 1) ?? 0);
    square += (v - (x.get(j + 1) ?? 0)) ** 2;
  }
  const [gamma = 0, coef0 = 0, degree = 0] = ["gamma", "coef0", "degree"].map((key) => numbers(key)[0]);
  if (name === "linear") return dot;
  if (name === "polynomial") return (gamma * dot + coef0) ** degree;
  return name === "rbf" ? Math.exp(-gamma * square) : Math.tanh(gamma * dot + coef0);
}
