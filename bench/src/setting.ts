import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How and where the benchmark runs. */
export interface Setting {
  /** Folder of the generated data. */
  readonly cache: string;
  readonly rounds: number;
  readonly quick: boolean;
  /** The Python that has scikit-learn. */
  readonly python: string | undefined;
  /** Whether it has XGBoost and PyTorch too. */
  readonly xgboost: boolean;
  readonly torch: boolean;
  progress(text: string): void;
}

/** bench/, from dist/. */
export const home = fileURLToPath(new URL("..", import.meta.url));
export const pythonScript = (name: string): string => join(home, "python", name);
export const contestantScript = (name: string): string => join(home, "dist/contestants", name);

/** Contestants' environment: ours, and Python leaves no compiled files between the sources. */
export const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };

/** The first Python here that can import scikit-learn. */
export function findPython(): string | undefined {
  const candidates = [process.env.ARGMAX_BENCH_PYTHON, "python3", "/usr/bin/python3"];
  return candidates.find((python) => python !== undefined && python !== "" && canImport(python, "sklearn"));
}

export function canImport(python: string, name: string): boolean {
  try {
    execFileSync(python, ["-c", `import ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
