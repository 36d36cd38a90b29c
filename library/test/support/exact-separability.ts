/**
 * Whether integers can be separated strictly, by a simplex method on fractions of big integers (Bland's rule): slow, and
 * exact. The rows yᵢ[xᵢ, 1] can be given margins ≥ 1 if and only if the linear program
 *
 *   minimise over u ≥ 0, v ≥ 0, t ≥ 0, slack ≥ 0:   Σ t      subject to   yᵢ[xᵢ, 1]·(u − v) − slackᵢ + tᵢ = 1
 *
 * has the minimum 0.
 */
export function separableExactly(X: readonly (readonly number[])[], signs: readonly number[]): boolean {
  const n = X.length;
  const d = X[0]!.length + 1;
  const rows = X.map((row, i) => {
    const a = [...row, 1].map((v) => BigInt(v) * BigInt(signs[i]!));
    const slack = Array.from({ length: n }, (_, k) => (k === i ? -1n : 0n));
    const extra = Array.from({ length: n }, (_, k) => (k === i ? 1n : 0n));
    return [...a, ...a.map((v) => -v), ...slack, ...extra, 1n];
  });
  const cols = 2 * d + 2 * n;
  // Reduced costs of the start, where every t is in the basis. Entries share the denominator `scale` [Edmonds 1967].
  const cost = Array.from({ length: cols + 1 }, (_, j) =>
    rows.reduce((sum, row) => sum - row[j]!, j >= 2 * d + n && j < cols ? 1n : 0n),
  );
  const basis = rows.map((_, i) => 2 * d + n + i);
  let scale = 1n;
  for (;;) {
    const enter = cost.findIndex((c, j) => j < cols && c < 0n);
    if (enter < 0) return cost[cols] === 0n;
    let leave = -1;
    rows.forEach((row, i) => {
      if (row[enter]! <= 0n) return;
      if (leave < 0) leave = i;
      else {
        const [left, right] = [row[cols]! * rows[leave]![enter]!, rows[leave]![cols]! * row[enter]!];
        if (left < right || (left === right && basis[i]! < basis[leave]!)) leave = i;
      }
    });
    const pivotRow = rows[leave]!;
    const pivot = pivotRow[enter]!;
    for (const row of [...rows, cost]) {
      if (row === pivotRow) continue;
      const factor = row[enter]!;
      for (let j = 0; j <= cols; j++) row[j] = (row[j]! * pivot - factor * pivotRow[j]!) / scale;
    }
    scale = pivot;
    basis[leave] = enter;
  }
}
