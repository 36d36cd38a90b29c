/**
 * Removes compiled modules whose source has been moved or deleted: `tsc -b` leaves them, and scripts that walk `dist` would load them.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

for (const folder of ["library", "apps/cli", "apps/server", "sql", "bench"]) {
  const [dist, source] = [resolve(root, folder, "dist"), resolve(root, folder, "src")];
  if (!existsSync(dist)) continue;
  for (const path of readdirSync(dist, { recursive: true })) {
    const stem = /^(.*[\\/].*?)(?:\.d)?\.(?:js|ts)$/.exec(path)?.[1];
    if (
      stem === undefined ||
      existsSync(join(source, `${stem}.ts`)) ||
      existsSync(join(source, `${stem}.tsx`))
    )
      continue;
    rmSync(join(dist, path));
  }
}
