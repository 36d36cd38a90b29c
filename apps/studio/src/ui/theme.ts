import { computed, signal } from "@preact/signals";
import { dark, light } from "../draw/colors.js";

export type ThemeChoice = "system" | "light" | "dark";

const query = matchMedia("(prefers-color-scheme: dark)");
const system = signal(query.matches);
query.addEventListener("change", () => {
  system.value = query.matches;
});

const KEY = "argmax-studio-theme";
const stored = (): ThemeChoice => {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "system";
  } catch {
    // Storage may be forbidden.
    return "system";
  }
};

export const themeChoice = signal<ThemeChoice>(stored());

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** The colours of drawings. */
export const theme = computed(() => {
  const isDark = themeChoice.value === "system" ? system.value : themeChoice.value === "dark";
  return isDark ? dark : light;
});

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
