// A directory for one test, gone afterwards.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function temporaryDirectory(name: string): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), `constel-${name}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
