import { useSignal } from "@preact/signals";
import { maxOf } from "argmax/numeric";
import { useEffect } from "preact/hooks";
import { cellText, type NumberColumn, type TableData } from "../data/table.js";
import { cividis, css } from "../draw/colors.js";
import { pool } from "../state/session.js";
import { Select } from "../ui/fields/select.js";
import { Switch } from "../ui/fields/tick.js";
import { Slider } from "./plot.js";
import { figurePage, type Story } from "./story.js";

/** Words with two made-up features each: what a word is about, and whether it is an animal. */
const words = ["the", "cat", "sat", "on", "the", "mat", "it", "purred"] as const;
const features: readonly (readonly [number, number])[] = [
  [0.1, 0],
  [0.9, 1.2],
  [0.6, -0.2],
  [0.1, -0.1],
  [0.1, 0],
  [0.7, -0.8],
  [0.3, 1],
  [0.8, 0.9],
];

/** How much a word looks at each: the softmax of products of features, of `sharp` times their length. */
function attentionOf(word: number, sharp: number, isCausal: boolean): readonly number[] {
  const [x, y] = features[word]!;
  const scores = features.map(([a, b], j) =>
    isCausal && j > word ? -Infinity : (sharp * (x * a + y * b)) / Math.SQRT2,
  );
  const most = maxOf(scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, p) => sum + p, 0);
  return powers.map((p) => p / total);
}

function Attention() {
  const word = useSignal(6);
  const sharp = useSignal(2);
  const causal = useSignal(false);
  const weights = attentionOf(word.value, sharp.value, causal.value);
  const best = weights.indexOf(maxOf(weights));
  return (
    <>
      <ol class="tokens" aria-label="Words and how much attention each gets">
        {words.map((text, j) => (
          <li key={`${text}${j}`}>
            <button
              type="button"
              aria-pressed={j === word.value}
              onClick={() => {
                word.value = j;
              }}
            >
              {text}
            </button>
            <svg viewBox="0 0 40 90" aria-hidden="true">
              <rect
                x={6}
                y={90 - 88 * weights[j]!}
                width={28}
                height={88 * weights[j]! + 1}
                fill={css(cividis(0.2 + 0.8 * weights[j]!))}
                class="outlined"
              />
            </svg>
            <span>{(100 * weights[j]!).toFixed(0)} %</span>
          </li>
        ))}
      </ol>
      <p role="status">
        “{words[word.value]}” looks most at “{words[best]}”: softmax(q·k/√d) gives it{" "}
        {(100 * weights[best]!).toFixed(0)} %.
      </p>
      <div class="story-controls">
        <Slider label="length of queries and keys" min={0} max={10} step={0.5} of={sharp} />
        <Switch of={causal}>only words before it</Switch>
      </div>
    </>
  );
}

/** A digit, cut into patches. */
function Patches() {
  const row = useSignal(0);
  const side = useSignal(2);
  const digits = useSignal<TableData | null>(null);
  useEffect(() => {
    const source = { kind: "included", name: "digits" } as const;
    void pool.run("table", { source }).then((found) => {
      digits.value = found;
    });
  }, []);
  if (digits.value === null) return <p role="status">Loading the digits…</p>;
  const pixels = digits.value.columns
    .slice(0, 64)
    .map((column) => (column as NumberColumn).values[row.value]!);
  const label = digits.value.columns[64]!;
  const per = 8 / side.value;
  const gap = 8;
  return (
    <>
      <svg
        class="story-plot"
        viewBox="-10 -10 420 420"
        role="img"
        aria-label={`The digit ${cellText(label, row.value)} as ${per * per} patches of ${side.value} × ${side.value} pixels.`}
      >
        {pixels.map((value, e) => {
          const [i, j] = [Math.floor(e / 8), e % 8];
          const shift = (k: number) => k * 40 + Math.floor(k / side.value) * gap;
          return (
            <rect key={e} x={shift(j)} y={shift(i)} width={39} height={39} fill={css(cividis(value / 16))} />
          );
        })}
      </svg>
      <p role="status">
        {per * per} words of {side.value * side.value} numbers each; attention compares {per * per} ×{" "}
        {per * per} pairs of them.
      </p>
      <div class="story-controls">
        <Slider label="row" min={0} max={50} step={1} text={String(row.value + 1)} of={row} />
        <label>
          Patch{" "}
          <Select
            of={[1, 2, 4, 8].map((size) => [size, `${size} × ${size}`])}
            value={side.value}
            onChange={(value) => {
              side.value = Number(value);
            }}
          />
        </label>
      </div>
    </>
  );
}

export const attention: Story = {
  name: "attention",
  title: "Attention",
  about: "Every word asks a question, every word has a key, and the answer is a weighted mean.",
  pages: [
    figurePage(
      "Which words does a word look at?",
      Attention,
      "A word's query is compared with the key of every word; the softmax of the products are the weights of their values. Choose a word. With longer vectors attention is sharper; with all products zero it is an average.",
    ),
    figurePage(
      "An image as words",
      Patches,
      "The vision transformer cuts an image into patches and reads each as a word: large images into patches of 16 × 16, the digits here into small ones. A patch becomes a vector by one dense layer, and a position is added, since attention does not know where a word stands.",
      "Load the set “digits” in Data and add ViTClassifier on the Bench: Inspect shows the attention maps of a row.",
    ),
  ],
};
