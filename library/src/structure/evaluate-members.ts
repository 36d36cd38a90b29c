import type { Label } from "../core/labels.js";
import { log, sigmoid } from "../core/numbers/elementary.js";
import { normalizeInto, posteriors, softmaxInto } from "../core/numbers/scores.js";
import type {
  Calibration,
  ClassifierStructure,
  CombinationRule,
  CompositeScores,
  Member,
  MemberOutput,
} from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { valueAt } from "../isotonic/pool-adjacent.js";
import type { Answer, Evaluator } from "./evaluator.js";
import type { Frame } from "./frame.js";

const framed = ({ columns }: Member, frame: Frame): Frame =>
  columns ? { rows: frame.rows, columns: Array.from(columns, (j) => frame.columns[j]!) } : frame;

const answerOf = (member: Member, frame: Frame, own: Evaluator): Answer =>
  own.answer(member.structure, framed(member, frame));

const classesOf = ({ structure }: Member): readonly Label[] => (structure as ClassifierStructure).classes;

/** What of a member's answer is asked for; labels as their places among the classes. */
export function memberAnswer(
  member: Member,
  frame: Frame,
  output: MemberOutput,
  classes: readonly Label[],
  own: Evaluator,
): Matrix {
  const answer = answerOf(member, frame, own);
  if (output === "values") return answer.values!;
  if (output === "scores") return answer.margins!;
  if (output === "probabilities") return answer.probabilities!;
  return new Matrix(
    Float64Array.from(answer.labels!, (label) => classes.indexOf(label)),
    frame.rows,
    1,
  );
}

/** One number per row for the second of two classes. */
function marginOf(member: Member, frame: Frame, output: MemberOutput, own: Evaluator): Float64Array {
  const { data, rows, cols } = memberAnswer(member, frame, output, classesOf(member), own);
  if (cols === 1) return data as Float64Array;
  const second = (i: number) => (output === "scores" ? data[2 * i + 1]! - data[2 * i]! : data[2 * i + 1]!);
  return Float64Array.from({ length: rows }, (_, i) => second(i));
}

type Rule<K extends CombinationRule["kind"]> = Extract<CombinationRule, { kind: K }>;
type Combine<R> = (
  rule: R,
  scores: CompositeScores,
  frame: Frame,
  classes: readonly Label[],
  own: Evaluator,
) => Matrix;

const combinations: { readonly [K in CombinationRule["kind"]]: Combine<Rule<K>> } = {
  probabilities: ({ weights }, { members, outputs: K }, frame, classes, own) => {
    const out = Matrix.zeros(frame.rows, K);
    const total = weights.reduce((sum, w) => sum + w, 0);
    for (const [m, member] of members.entries())
      addVotes(answerOf(member, frame, own), member, classes, weights[m]! / total, false, out);
    return out;
  },
  votes: ({ weights, divisor, difference }, { members }, frame, classes, own) => {
    const out = Matrix.zeros(frame.rows, classes.length);
    for (const [m, member] of members.entries())
      addVotes(answerOf(member, frame, own), member, classes, weights[m]! / divisor, true, out);
    if (!difference) return out;
    return new Matrix(
      Float64Array.from({ length: frame.rows }, (_, i) => out.data[2 * i + 1]! - out.data[2 * i]!),
      frame.rows,
      1,
    );
  },
  mean: ({ weights }, { members }, frame, _, own) => {
    const total = weights.reduce((sum, w) => sum + w, 0);
    const out = Matrix.zeros(frame.rows, 1);
    for (const [m, member] of members.entries())
      answerOf(member, frame, own).values!.data.forEach((value, i) => {
        out.data[i]! += (weights[m]! / total) * value;
      });
    return out;
  },
  median: ({ weights }, { members }, frame, _, own) => {
    const values = members.map((member) => answerOf(member, frame, own).values!.data);
    return new Matrix(
      Float64Array.from({ length: frame.rows }, (_, i) =>
        medianOf(
          values.map((list) => list[i]!),
          weights,
        ),
      ),
      frame.rows,
      1,
    );
  },
  sum: ({ constant }, { members }, frame, _, own) => {
    const K = constant.length;
    const out = Matrix.zeros(frame.rows, K);
    for (let e = 0; e < out.data.length; e++) out.data[e] = constant[e % K]!;
    for (const member of members)
      answerOf(member, frame, own).scores!.data.forEach((score, e) => {
        out.data[e]! += score;
      });
    return out;
  },
  outputs: (_rule, { members, outputs }, frame, _, own) =>
    side(
      members.map((member) => answerOf(member, frame, own).values!.data),
      frame.rows,
      outputs,
    ),
  chain: ({ order }, { members, outputs }, frame, _, own) => {
    const columns = new Array<ArrayLike<number>>(outputs);
    const before: Float64Array[] = [];
    for (const t of order) {
      const seen = { rows: frame.rows, columns: [...frame.columns, ...before] };
      columns[t] = answerOf(members[t]!, seen, own).values!.data;
      before.push(Float64Array.from(columns[t]!));
    }
    return side(columns, frame.rows, outputs);
  },
  positives: ({ outputs }, { members }, frame, _, own) =>
    side(
      members.map((member, m) => marginOf(member, frame, outputs[m]!, own)),
      frame.rows,
      members.length,
    ),
  shift: ({ positive, threshold }, { members }, frame, _, own) => {
    const margins = marginOf(members[0]!, frame, "scores", own).map((z) =>
      positive === 1 ? z - threshold || Number.MIN_VALUE : threshold + z,
    );
    return new Matrix(margins, frame.rows, 1);
  },
  pairs: ({ outputs }, { members }, frame, { length: K }, own) => pairScores(outputs, members, frame, K, own),
  codes: ({ book, outputs }, { members }, frame, _, own) => {
    const out = Matrix.zeros(frame.rows, book.rows);
    for (const [b, member] of members.entries())
      marginOf(member, frame, outputs[b]!, own).forEach((f, i) => {
        for (let k = 0; k < book.rows; k++) {
          const bit = book.data[k * book.cols + b]!;
          out.data[i * book.rows + k]! += outputs[b] === "scores" ? f * (2 * bit - 1) : bit * (f - 0.5);
        }
      });
    return out;
  },
  calibrated: ({ calibrations }, { members, outputs: K }, frame, _, own) => {
    const out = Matrix.zeros(frame.rows, K);
    for (const [m, member] of members.entries())
      calibratedRows(
        memberAnswer(member, frame, calibrations[m]!.output, classesOf(member), own),
        calibrations[m]!,
        K,
      ).forEach((p, e) => {
        out.data[e]! += p / members.length;
      });
    return out;
  },
  cascade: ({ positive, thresholds, outputs }, { members }, frame, _, own) => {
    const passes = new Uint8Array(frame.rows).fill(1);
    for (const [s, member] of members.entries()) {
      const output = outputs[s]!;
      marginOf(member, frame, output, own).forEach((z, i) => {
        const score = positive === 1 ? z : output === "scores" ? -z : 1 - z;
        if (score < thresholds[s]!) passes[i] = 0;
      });
    }
    return new Matrix(
      Float64Array.from(passes, (pass) => (pass === positive ? 1 : -1)),
      frame.rows,
      1,
    );
  },
};

export const combined = (
  scores: CompositeScores,
  frame: Frame,
  classes: readonly Label[],
  own: Evaluator,
): Matrix =>
  (combinations[scores.rule.kind] as Combine<CombinationRule>)(scores.rule, scores, frame, classes, own);

function addVotes(
  { labels, probabilities }: Answer,
  member: Member,
  classes: readonly Label[],
  weight: number,
  byLabel: boolean,
  out: Matrix,
): void {
  const places = classesOf(member).map((label) => classes.indexOf(label));
  for (let i = 0; i < out.rows; i++) {
    if (byLabel || !probabilities) out.data[i * out.cols + classes.indexOf(labels![i]!)]! += weight;
    else
      for (const [c, k] of places.entries())
        out.data[i * out.cols + k]! += weight * probabilities.data[i * places.length + c]!;
  }
}

/** The first value, in ascending order, whose cumulated weight reaches half of all. */
function medianOf(values: readonly number[], weights: Float64Array): number {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const half = weights.reduce((sum, w) => sum + w, 0) / 2;
  let sum = 0;
  for (const m of order) {
    sum += weights[m]!;
    if (sum >= half) return values[m]!;
  }
  return values[order.at(-1)!]!;
}

function side(columns: readonly ArrayLike<number>[], rows: number, cols: number): Matrix {
  const out = Matrix.zeros(rows, cols);
  for (const [k, column] of columns.entries())
    for (let i = 0; i < rows; i++) out.data[i * cols + k] = column[i]!;
  return out;
}

function pairScores(
  outputs: readonly MemberOutput[],
  members: readonly Member[],
  frame: Frame,
  K: number,
  own: Evaluator,
): Matrix {
  const votes = Matrix.zeros(frame.rows, K);
  const sums = Matrix.zeros(frame.rows, K);
  let m = 0;
  for (let a = 0; a < K; a++)
    for (let b = a + 1; b < K; b++, m++) {
      const { labels } = answerOf(members[m]!, frame, own);
      marginOf(members[m]!, frame, outputs[m]!, own).forEach((score, i) => {
        sums.data[i * K + a]! -= score;
        sums.data[i * K + b]! += score;
        votes.data[i * K + (labels![i] === 1 ? b : a)]!++;
      });
    }
  const all = votes.data.map((count, e) => count + sums.data[e]! / (Math.abs(sums.data[e]!) + 1) / 3);
  if (K > 2) return new Matrix(all, frame.rows, K);
  const usual = outputs[0] === "scores" ? 0 : 0.5;
  return new Matrix(
    Float64Array.from({ length: frame.rows }, (_, i) => all[2 * i + 1]! - usual),
    frame.rows,
    1,
  );
}

/** Probabilities below this are read as this: the logarithm of 0 has no place among scores. */
const SMALLEST = 2 ** -52;

function calibratedRows(raw: Matrix, { output, curve }: Calibration, K: number): Float64Array {
  const isLog = curve.kind === "temperature" && output !== "scores";
  const data = isLog ? raw.data.map((p) => log(Math.max(p, SMALLEST))) : raw.data;
  const both = (i: number) =>
    output === "scores" || isLog ? data[2 * i + 1]! - data[2 * i]! : data[2 * i + 1]!;
  const f =
    raw.cols === 2 ? Float64Array.from({ length: raw.rows }, (_, i) => both(i)) : Float64Array.from(data);
  if (curve.kind === "temperature")
    return tempered(
      f.map((z) => z * curve.beta),
      K,
    );
  const cols = f.length / raw.rows;
  const p = f.map((z, e) => {
    if (curve.kind === "curves") return valueAt(curve.curves[e % cols]!, z);
    const [a, b] = [curve.sigmoids.data[2 * (e % cols)]!, curve.sigmoids.data[2 * (e % cols) + 1]!];
    return sigmoid(-(a * z + b));
  });
  if (cols === 1)
    return Float64Array.from({ length: 2 * p.length }, (_, e) => (e % 2 ? p[e >> 1]! : 1 - p[e >> 1]!));
  for (let at = 0; at < p.length; at += K) normalizeInto(at, K, p);
  return p;
}

function tempered(z: Float64Array, K: number): Float64Array {
  if (K === 2) return posteriors(z, 1);
  for (let at = 0; at < z.length; at += K) softmaxInto(z, at, K, z);
  return z;
}
