// Marks a home that nobody used yet with the layout that this build writes (home-format.ts).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { mark, markFile } from "./home-format.ts";
import { makeTrustedDirectory, writeTrusted } from "./trusted-files.ts";

export function markHome(home: string): void {
  if (existsSync(join(home, markFile))) return;
  makeTrustedDirectory(home, "state");
  writeTrusted(home, markFile, mark);
}
