import { type FSWatcher, watch } from "node:fs";

/** Events come in bursts, and a file that is being copied is not whole yet. */
const QUIET_MILLISECONDS = 100;

/**
 * Calls `changed` soon after something changes in one of the folders, and every `interval` milliseconds: file systems of networks and
 * containers send no events, and folders inside are not watched, since there may be thousands.
 */
export function watchFolders(
  folders: readonly string[],
  interval: number,
  changed: () => Promise<void>,
): { stop(): void } {
  let soon: NodeJS.Timeout | undefined;
  const look = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void changed();
    }, QUIET_MILLISECONDS);
  };
  const watchers = folders.flatMap((folder) => watcherOf(folder, look) ?? []);
  const poll = setInterval(look, interval);
  poll.unref();
  return {
    stop() {
      clearInterval(poll);
      clearTimeout(soon);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Undefined where the system refuses to watch: there is the interval. */
function watcherOf(folder: string, look: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, look);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
