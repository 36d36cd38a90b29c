import { useEffect } from "preact/hooks";
import { isLarge } from "./data/table.js";
import { BenchScreen } from "./screens/bench/bench-screen.js";
import { DataScreen } from "./screens/data/data-screen.js";
import { EvaluateScreen } from "./screens/evaluate/evaluate-screen.js";
import { InspectScreen } from "./screens/inspect/inspect-screen.js";
import { LearnScreen } from "./screens/learn/learn-screen.js";
import { ShipScreen } from "./screens/ship/ship-screen.js";
import { type Screen, screens } from "./state/document.js";
import { followLeader } from "./state/follow-leader.js";
import { openFile } from "./state/open-file.js";
import { document as current, dispatch, table, toast } from "./state/session.js";
import { dragging, listenToDrops } from "./ui/drops.js";
import { Select } from "./ui/fields/select.js";
import { Help, listenToKeys } from "./ui/keys.js";
import { Later } from "./ui/later.js";
import { StatusLine } from "./ui/status-line.js";
import { chooseTheme, type ThemeChoice, themeChoice } from "./ui/theme.js";
import { Toast } from "./ui/toast.js";

const titles: { readonly [S in Screen]: { readonly title: string; readonly icon: string } } = {
  data: { title: "Data", icon: "M3 5h18v14H3zM3 10h18M9 5v14" },
  bench: { title: "Bench", icon: "M4 20V10M10 20V4M16 20v-7M22 20H2" },
  inspect: { title: "Inspect", icon: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6" },
  evaluate: { title: "Evaluate", icon: "M3 20C8 20 7 5 21 4M3 20h18M3 20V4" },
  ship: { title: "Ship", icon: "M12 3v12M7 10l5 5 5-5M4 20h16" },
  learn: { title: "Learn", icon: "M3 6l9-3 9 3-9 4zM6 8v7c4 3 8 3 12 0V8" },
};

const bodies: { readonly [S in Screen]: () => preact.JSX.Element } = {
  data: DataScreen,
  bench: BenchScreen,
  inspect: InspectScreen,
  evaluate: EvaluateScreen,
  ship: ShipScreen,
  learn: LearnScreen,
};

/** The frame: the rail of screens, the screen, and what runs. */
export function Studio() {
  useEffect(listenToKeys, []);
  useEffect(followLeader, []);
  useEffect(
    () =>
      listenToDrops((file, others) => {
        void openFile(file, file.name);
        if (others > 0) toast.value = { text: `One table at a time: only ${file.name} is read.` };
      }),
    [],
  );
  const { screen } = current.value;
  const loaded = table.peek();
  useEffect(() => {
    globalThis.document.title = `${titles[screen].title} – Argmax studio`;
  }, [screen]);
  const Body = bodies[screen];
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the screen
      </button>
      <TopBar />
      <Rail screen={screen} />
      <main id="main" class={`screen-${screen}`} tabIndex={-1} key={screen}>
        {/* The screen before is taken down first: both at once would take a large table too long. */}
        <Later turn={loaded !== null && isLarge(loaded.data) ? 1 : 0}>
          <Body />
        </Later>
      </main>
      {dragging.value && <p class="drop-here">Drop the table: it stays in this page.</p>}
      <StatusLine />
      <Toast />
    </div>
  );
}

const themes = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

function TopBar() {
  const choice = themeChoice.value;
  useEffect(() => {
    if (choice === "system") delete globalThis.document.documentElement.dataset["theme"];
    else globalThis.document.documentElement.dataset["theme"] = choice;
  }, [choice]);
  return (
    <header class="top">
      <span class="brand">
        <img src="./icon.svg" alt="" width="24" height="24" /> Argmax studio
      </span>
      <span class="promise">Everything runs in this page. Nothing is uploaded.</span>
      <label class="theme">
        Theme
        <Select of={themes} value={choice} onChange={(value) => chooseTheme(value as ThemeChoice)} />
      </label>
      <Help />
    </header>
  );
}

const Rail = ({ screen }: { readonly screen: Screen }) => (
  <nav class="rail" aria-label="Screens">
    <ul>
      {screens.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === screen ? "page" : undefined}
            onClick={() => dispatch({ type: "show", screen: name })}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={titles[name].icon} />
            </svg>
            {titles[name].title}
          </button>
        </li>
      ))}
    </ul>
  </nav>
);

/** A button, not a link: the address holds the document. */
function focusMain(): void {
  globalThis.document.getElementById("main")?.focus();
}
